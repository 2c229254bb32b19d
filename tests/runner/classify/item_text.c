#include "tests/runner/classify/item_text.h"

#include <string.h>

/* On one line. */
static void put_text(const char *words, struct buf *text)
{
    buf_text(text, " [");
    for (; *words; words++) {
        if (*words == '\n')
            buf_text(text, "\\n");
        else
            buf_byte(text, *words);
    }
    buf_byte(text, ']');
}

static void put_action(const struct action *action, struct buf *text)
{
    buf_text(text, action_kind_name(action->kind));
    if (action->has_from)
        buf_printf(text, " %d %d", action->from.x, action->from.y);
    if (action->has_to)
        buf_printf(text, " %d %d", action->to.x, action->to.y);
    if (action->direction != DIRECTION_NONE)
        buf_printf(text, " %s", action_direction_name(action->direction));
    if (action->text)
        put_text(action->text, text);
    if (action->milliseconds)
        buf_printf(text, " %dms", action->milliseconds);
    if (action->replace)
        buf_text(text, " replace");
    if (action->submit)
        buf_text(text, " submit");
}

static void put_capture(const struct door_item *item, struct buf *text)
{
    static const char *const formats[] = {
        [DOOR_PNG] = "png",       [DOOR_JPEG] = "jpeg",
        [DOOR_PIXELS] = "pixels", [DOOR_FRAMEBUFFER] = "framebuffer",
        [DOOR_XML] = "xml",
    };
    static const char *const deliveries[] = {
        [DOOR_IN_OUTPUT] = "output",
        [DOOR_IN_FILE] = "file",
        [DOOR_ELSEWHERE] = "elsewhere",
    };

    buf_printf(text, "%s %s %s", door_item_kind_name(item->kind),
               formats[item->format], deliveries[item->delivery]);
    if (item->file)
        buf_printf(text, " %s", item->file);
    buf_printf(text, " #%u", item->capture);
}

void item_text_put(const struct door_item *item, struct buf *text)
{
    switch (item->kind) {
    case DOOR_ACTION:
        buf_text(text, item->continues ? "+" : "");
        put_action(&item->action, text);
        break;
    case DOOR_SCREENSHOT:
    case DOOR_TREE:
        put_capture(item, text);
        break;
    case DOOR_READ:
        buf_text(text, "read");
        break;
    case DOOR_RAW:
        buf_printf(text, "raw%s%s",
                   item->action.effect == EFFECT_UNKNOWN ? "" : " ",
                   action_effect_name(item->action.effect));
        break;
    }
}

void item_text_put_all(const struct door_items *items, struct buf *text)
{
    for (size_t i = 0; i < items->count; i++) {
        if (i && items->items[i].kind == DOOR_READ &&
            items->items[i - 1].kind == DOOR_READ)
            continue;
        if (text->length)
            buf_text(text, " ; ");
        item_text_put(&items->items[i], text);
    }
}
