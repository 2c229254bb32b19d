#include "tasks/json/text_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void text_list_release(struct text_list *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->items[i]);
    free(texts->items);
    *texts = (struct text_list){.items = NULL};
}

void text_list_add(struct text_list *texts, const char *text)
{
    texts->items =
        mem_resize(texts->items, texts->count + 1, sizeof(*texts->items));
    texts->items[texts->count++] = mem_dup(text);
}

bool text_list_have(const struct text_list *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!strcmp(texts->items[i], text))
            return true;
    }
    return false;
}
