#include "tasks/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void texts_release(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct texts){.items = NULL};
}

void texts_add(struct texts *texts, const char *text)
{
    texts->items =
        mem_resize(texts->items, texts->count + 1, sizeof(*texts->items));
    texts->items[texts->count++] = mem_dup(text);
}

bool texts_have(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!strcmp(texts->items[i], text))
            return true;
    }
    return false;
}
