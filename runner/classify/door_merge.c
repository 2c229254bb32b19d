#include "runner/classify/door_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/key_press.h"
#include "base/keycode.h"
#include "base/mem.h"

/* Android's time for a double tap, from the first tap to the second. */
#define DOUBLE_TAP_MS 300

/* Between two pieces of a text: a process each, and pauses of agents. */
#define PIECE_MS 3000

/* So many deletions from the end of a text on are meant to clear it. */
#define DELETES_THAT_CLEAR 5

void door_merge_release(struct door_merge *merge)
{
    action_release(&merge->last);
    *merge = (struct door_merge){.number = 0};
}

void door_merge_close(struct door_merge *merge)
{
    merge->open = false;
}

static struct action copy_of(const struct action *action)
{
    struct action copy = *action;

    copy.text = action->text ? mem_dup(action->text) : NULL;
    return copy;
}

void door_merge_begin(struct door_merge *merge, const struct action *action,
                      unsigned number, int64_t now)
{
    struct action copy = copy_of(action);

    action_release(&merge->last);
    *merge = (struct door_merge){
        .last = copy, .number = number, .at = now, .open = true};
}

/* ---- taps ---- */

static bool is_near(struct action_point a, struct action_point b, int slop)
{
    return abs(a.x - b.x) <= slop && abs(a.y - b.y) <= slop;
}

bool door_merge_is_second_tap(const struct door_merge *merge,
                              struct action_point at, int64_t now, int slop)
{
    return merge->open && merge->last.kind == ACTION_CLICK &&
           now - merge->at <= DOUBLE_TAP_MS &&
           is_near(merge->last.from, at, slop);
}

static bool add_tap(struct door_merge *merge, const struct action *next,
                    int64_t now, int slop)
{
    if (!door_merge_is_second_tap(merge, next->from, now, slop))
        return false;
    merge->last.kind = ACTION_DOUBLE_TAP;
    return true;
}

/* ---- text ---- */

static bool is_key(const struct action *action, const char *name)
{
    return action->kind == ACTION_KEY && action->text &&
           !strcmp(action->text, name);
}

static bool selects_all(const struct action *action)
{
    return is_key(action, "CTRL_LEFT+A") || is_key(action, "CTRL_RIGHT+A");
}

/* Enter behind a text submits it, unless more text follows. */
static bool append_text(struct action *last, const char *text)
{
    struct buf whole = BUF_INIT(ACTION_TEXT_MAX);

    buf_text(&whole, last->text ? last->text : "");
    if (last->submit)
        buf_byte(&whole, '\n');
    buf_text(&whole, text ? text : "");
    if (whole.overflow) {
        buf_release(&whole);
        return false;
    }
    free(last->text);
    last->text = mem_dup(buf_cstr(&whole));
    last->submit = false;
    buf_release(&whole);
    return true;
}

static bool add_text(struct door_merge *merge, const struct action *next)
{
    struct action *last = &merge->last;

    if (next->has_from || last->has_from)
        return false;
    if (last->kind == ACTION_TYPE) {
        if (next->replace || !append_text(last, next->text))
            return false;
        last->submit = next->submit;
        return true;
    }
    if (last->kind != ACTION_CLEAR && !selects_all(last))
        return false;
    action_release(last);
    *last = copy_of(next);
    last->replace = true;
    return true;
}

static bool add_enter(struct door_merge *merge)
{
    if (merge->last.kind != ACTION_TYPE)
        return false;
    if (merge->last.submit && !append_text(&merge->last, ""))
        return false;
    merge->last.submit = true;
    return true;
}

/* ---- deletions ---- */

static bool is_deletion(const struct action *action, int *code, int *times)
{
    struct key_press press;
    struct err ignored;

    if (action->kind != ACTION_KEY || !action->text ||
        !key_press_parse(action->text, &press, &ignored) || press.count != 1 ||
        (press.codes[0] != KEY_DELETE && press.codes[0] != KEY_FORWARD_DELETE))
        return false;
    *code = press.codes[0];
    *times = press.times;
    return true;
}

static void become_clear(struct action *last)
{
    action_release(last);
    *last = (struct action){.kind = ACTION_CLEAR};
}

static void become_deletion(struct door_merge *merge, int code, int times)
{
    struct key_press press = {.codes = {code}, .count = 1, .times = times};
    char text[KEY_PRESS_TEXT_MAX];

    if (merge->at_end && times >= DELETES_THAT_CLEAR) {
        become_clear(&merge->last);
        return;
    }
    key_press_text(&press, text);
    free(merge->last.text);
    merge->last.text = mem_dup(text);
}

static bool add_deletion(struct door_merge *merge, int code, int times)
{
    struct action *last = &merge->last;
    int last_code;
    int last_times;

    if (last->kind == ACTION_CLEAR)
        return true;
    if (selects_all(last)) {
        become_clear(last);
        return true;
    }
    if (is_key(last, "MOVE_END")) {
        merge->at_end = true;
        become_deletion(merge, code, times);
        return true;
    }
    if (!is_deletion(last, &last_code, &last_times) || last_code != code ||
        last_times + times > KEY_PRESS_TIMES_MAX)
        return false;
    become_deletion(merge, code, last_times + times);
    return true;
}

/* ---- pieces ---- */

static bool add_piece(struct door_merge *merge, const struct action *next,
                      int64_t now, int slop)
{
    int code;
    int times;

    if (!merge->open || now - merge->at > PIECE_MS)
        return false;
    if (next->kind == ACTION_CLICK)
        return add_tap(merge, next, now, slop);
    if (next->kind == ACTION_TYPE)
        return add_text(merge, next);
    if (next->kind == ACTION_ENTER)
        return add_enter(merge);
    if (next->kind == ACTION_CLEAR)
        return merge->last.kind == ACTION_CLEAR;
    return is_deletion(next, &code, &times) && add_deletion(merge, code, times);
}

bool door_merge_add(struct door_merge *merge, struct action *next, int64_t now,
                    int slop)
{
    if (!add_piece(merge, next, now, slop))
        return false;
    merge->at = now;
    action_release(next);
    return true;
}
