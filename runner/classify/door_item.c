#include "runner/classify/door_item.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define UTF8_MAX 4 /* bytes of a character */

static const char *const kind_names[] = {
    [DOOR_ACTION] = "action", [DOOR_SCREENSHOT] = "screenshot",
    [DOOR_TREE] = "tree",     [DOOR_READ] = "read",
    [DOOR_RAW] = "raw",
};

const char *door_item_kind_name(enum door_item_kind kind)
{
    return kind_names[kind];
}

static void release_item(struct door_item *item)
{
    action_release(&item->action);
    free(item->file);
    free(item->changed);
    free(item->command);
}

void door_items_clear(struct door_items *items)
{
    for (size_t i = 0; i < items->count; i++)
        release_item(&items->items[i]);
    items->count = 0;
}

void door_items_release(struct door_items *items)
{
    door_items_clear(items);
    free(items->items);
    *items = (struct door_items)DOOR_ITEMS_INIT;
}

char *door_text_copy(const char *text, size_t length, size_t limit)
{
    struct buf copy = BUF_INIT(limit);
    size_t at = 0;

    while (at < length && copy.length + UTF8_MAX <= limit) {
        size_t bytes;
        uint32_t character = utf8_decode(text + at, length - at, &bytes);

        utf8_append(character ? character : ' ', &copy);
        at += bytes;
    }
    return copy.data ? copy.data : mem_dup("");
}

struct door_item *door_items_add(struct door_items *items,
                                 enum door_item_kind kind, const char *command,
                                 size_t length)
{
    struct door_item *item;

    if (items->count == items->capacity) {
        items->capacity = items->capacity ? 2 * items->capacity : 8;
        items->items =
            mem_resize(items->items, items->capacity, sizeof(items->items[0]));
    }
    item = &items->items[items->count++];
    *item = (struct door_item){
        .kind = kind,
        .command = door_text_copy(command, length, DOOR_COMMAND_MAX),
    };
    return item;
}
