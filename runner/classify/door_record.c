#include <stdlib.h>
#include <string.h>

#include "base/key_press.h"
#include "base/keycode.h"
#include "base/mem.h"
#include "runner/classify/door_private.h"
#include "tasks/task/action_key.h"

/* ---- items ---- */

static struct door_item *add(struct door_context *context,
                             enum door_item_kind kind)
{
    return door_items_add(context->items, kind, context->command,
                          context->length);
}

static int slop_of(const struct door_context *context)
{
    return finger_gesture_slop(context->classifier->options.display.size);
}

/* The command as the text of a raw action. */
static char *raw_text(const struct door_item *item)
{
    return mem_dup(item->command);
}

void door_record_raw(struct door_context *context, enum action_effect effect)
{
    struct door_classifier *classifier = context->classifier;
    struct door_item *item;

    if (context->items->count >= DOOR_ITEMS_MAX)
        return;
    item = add(context, DOOR_RAW);
    item->action = (struct action){
        .kind = ACTION_RAW, .text = raw_text(item), .effect = effect};
    classifier->counts.raws++;
    door_merge_close(&classifier->merge);
}

void door_record_read(struct door_context *context)
{
    if (context->items->count >= DOOR_ITEMS_MAX)
        return;
    add(context, DOOR_READ);
    context->classifier->counts.reads++;
}

void door_record_change(struct door_context *context, enum door_change change,
                        const char *name)
{
    struct door_item *item;

    if (!context->items->count)
        return;
    item = &context->items->items[context->items->count - 1];
    free(item->changed);
    item->change = change;
    item->changed = mem_dup(name);
}

/* Add the last action of merge, as a new one or with a further piece. */
static void add_last(struct door_context *context, bool continues)
{
    const struct door_merge *merge = &context->classifier->merge;
    struct door_item *item = add(context, DOOR_ACTION);

    item->action = merge->last;
    if (merge->last.text)
        item->action.text = mem_dup(merge->last.text);
    item->number = merge->number;
    item->continues = continues;
}

static void begin_action(struct door_context *context,
                         const struct action *action)
{
    struct door_classifier *classifier = context->classifier;

    classifier->counts.actions++;
    door_merge_begin(&classifier->merge, action,
                     (unsigned)classifier->counts.actions, context->now);
    add_last(context, false);
}

/* May an action be recorded as such? Otherwise it is raw. */
static bool is_certain(struct door_context *context)
{
    if (!context->uncertain && context->items->count < DOOR_ITEMS_MAX - 1)
        return true;
    door_record_raw(context, EFFECT_UNKNOWN);
    return false;
}

void door_record_action(struct door_context *context, struct action action)
{
    struct door_merge *merge = &context->classifier->merge;

    if (!is_certain(context)) {
        action_release(&action);
        return;
    }
    if (door_merge_add(merge, &action, context->now, slop_of(context))) {
        add_last(context, true);
        return;
    }
    begin_action(context, &action);
    action_release(&action);
}

/* ---- fingers ---- */

/* The last action is one that a finger has begun. */
static void record_lifted(struct door_context *context, struct action action)
{
    struct door_merge *merge = &context->classifier->merge;
    bool second = merge->last.kind == ACTION_DOUBLE_TAP;

    if (second && action.kind == ACTION_CLICK) {
        add_last(context, true);
        return;
    }
    if (second) {
        /* Not a double tap after all: the first tap was a click. */
        merge->last.kind = ACTION_CLICK;
        add_last(context, true);
        begin_action(context, &action);
        return;
    }
    door_merge_begin(merge, &action, merge->number, context->now);
    add_last(context, true);
}

static void record_down(struct door_context *context,
                        const struct action *action)
{
    struct door_merge *merge = &context->classifier->merge;

    if (door_merge_is_second_tap(merge, action->from, context->now,
                                 slop_of(context))) {
        merge->last.kind = ACTION_DOUBLE_TAP;
        add_last(context, true);
    } else {
        begin_action(context, action);
    }
    merge->finger = true;
    merge->at = context->now;
}

void door_record_touch(struct door_context *context, struct action action,
                       bool up)
{
    struct door_merge *merge = &context->classifier->merge;

    if (!is_certain(context))
        return;
    if (!up)
        record_down(context, &action);
    else if (merge->finger)
        record_lifted(context, action);
    else
        begin_action(context, &action);
    if (up)
        merge->finger = false;
}

void door_record_path(struct door_context *context, struct action_point from,
                      struct action_point to, int milliseconds, bool drags)
{
    door_record_action(context, finger_gesture_path(from, to, milliseconds,
                                                    drags, slop_of(context)));
}

/* ---- screenshots and trees ---- */

static void add_capture(struct door_context *context, enum door_item_kind kind,
                        enum door_format format, unsigned capture,
                        const char *file)
{
    struct door_classifier *classifier = context->classifier;
    struct door_item *item = add(context, kind);

    item->format = format;
    item->capture = capture;
    item->pty = context->pty;
    if (file) {
        item->delivery = DOOR_IN_FILE;
        item->file = mem_dup(file);
    } else if (context->piped || context->discarded || context->uncertain) {
        item->delivery = DOOR_ELSEWHERE;
    } else {
        item->delivery = DOOR_IN_OUTPUT;
    }
    if (kind == DOOR_SCREENSHOT)
        classifier->counts.screenshots++;
    else
        classifier->counts.trees++;
    if (!classifier->merge.finger)
        door_merge_close(&classifier->merge);
}

void door_record_capture(struct door_context *context, enum door_item_kind kind,
                         enum door_format format, const char *file)
{
    struct door_classifier *classifier = context->classifier;
    struct door_file made = {.kind = kind, .format = format};

    if (context->items->count >= DOOR_ITEMS_MAX)
        return;
    made.capture = ++classifier->captures;
    if (file && door_files_normalise("/", file, made.path)) {
        door_files_put(&classifier->files, &made);
        add_capture(context, kind, format, made.capture, made.path);
        door_record_change(context, DOOR_WRITES_FILE, made.path);
    } else {
        add_capture(context, kind, format, made.capture, file);
    }
}

void door_record_file_read(struct door_context *context,
                           const struct door_file *file)
{
    if (context->items->count < DOOR_ITEMS_MAX)
        add_capture(context, file->kind, file->format, file->capture, NULL);
}

/* ---- parts of actions ---- */

struct action door_action_at(enum action_kind kind, int x, int y)
{
    return (struct action){.kind = kind, .has_from = true, .from = {x, y}};
}

struct action door_action_with(enum action_kind kind, const char *text)
{
    return (struct action){
        .kind = kind,
        .text =
            text ? door_text_copy(text, strlen(text), ACTION_TEXT_MAX) : NULL,
    };
}

void door_record_text(struct door_context *context, const char *text)
{
    if (*text)
        door_record_action(context, door_action_with(ACTION_TYPE, text));
    else
        door_record_read(context);
}

/* Paste types what is on the clipboard, if that is known. */
static bool record_paste(struct door_context *context)
{
    const char *text = context->classifier->clipboard;

    if (!text || !*text)
        return false;
    door_record_text(context, text);
    return true;
}

static void record_key_press(struct door_context *context,
                             const struct key_press *press, int milliseconds)
{
    char text[KEY_PRESS_TEXT_MAX];
    struct action action;

    key_press_text(press, text);
    action = door_action_with(ACTION_KEY, text);
    action.milliseconds = milliseconds;
    door_record_action(context, action);
}

void door_record_key(struct door_context *context, int code, int milliseconds)
{
    char typed[2] = {keycode_character(code)};
    struct key_press press = {.codes = {code}, .count = 1, .times = 1};
    enum action_kind kind;

    if (milliseconds > 0)
        record_key_press(context, &press, milliseconds);
    else if (typed[0])
        door_record_text(context, typed);
    else if (action_key_kind(code, &kind))
        door_record_action(context, (struct action){.kind = kind});
    else if (code != KEY_PASTE || !record_paste(context))
        record_key_press(context, &press, 0);
}

/* Shift and a letter type a capital one. */
static bool is_capital(const int *codes, size_t count, char typed[2])
{
    char letter = count == 2 ? keycode_character(codes[1]) : '\0';

    if ((codes[0] != KEY_SHIFT_LEFT && codes[0] != KEY_SHIFT_RIGHT) ||
        letter < 'a' || letter > 'z')
        return false;
    typed[0] = (char)(letter - 'a' + 'A');
    typed[1] = '\0';
    return true;
}

static bool is_ctrl(const int *codes, size_t count, char letter)
{
    return count == 2 &&
           (codes[0] == KEY_CTRL_LEFT || codes[0] == KEY_CTRL_RIGHT) &&
           codes[1] == KEY_A + letter - 'a';
}

void door_record_keys(struct door_context *context, const int *codes,
                      size_t count)
{
    struct key_press press = {.count = count, .times = 1};
    char typed[2];

    memcpy(press.codes, codes, count * sizeof(codes[0]));
    if (is_capital(codes, count, typed))
        door_record_text(context, typed);
    else if (!is_ctrl(codes, count, 'v') || !record_paste(context))
        record_key_press(context, &press, 0);
}
