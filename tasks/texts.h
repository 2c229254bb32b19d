/* Several texts. */
#ifndef TASKS_TEXTS_H
#define TASKS_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct texts {
    char **items; /* owned, as what they point to */
    size_t count;
};

void texts_release(struct texts *texts);
void texts_add(struct texts *texts, const char *text);
bool texts_have(const struct texts *texts, const char *text);

#endif
