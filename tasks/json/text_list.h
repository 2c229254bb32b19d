/* A list of texts. */
#ifndef TASKS_JSON_TEXT_LIST_H
#define TASKS_JSON_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct text_list {
    char **items; /* owned, as what they point to */
    size_t count;
};

void text_list_release(struct text_list *texts);
void text_list_add(struct text_list *texts, const char *text);
bool text_list_have(const struct text_list *texts, const char *text);

#endif
