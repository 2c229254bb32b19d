/* `input`: fingers, keys and text. */
#include <string.h>
#include <strings.h>

#include "base/key_press.h"
#include "base/keycode.h"
#include "base/name_table.h"
#include "runner/classify/door_shell.h"

#define PIXEL_MAX 100000

#define SWIPE_MS 300 /* where no time is given */

/* The time for which Android holds a key with --longpress. */
#define LONG_KEY_MS 500

static void not_understood(struct door_shell *shell)
{
    door_record_raw(&shell->context, EFFECT_UNKNOWN);
}

static bool read_point(struct door_args args, size_t index,
                       struct action_point *point)
{
    return door_args_number(args, index, -PIXEL_MAX, PIXEL_MAX, &point->x) &&
           door_args_number(args, index + 1, -PIXEL_MAX, PIXEL_MAX, &point->y);
}

/* ---- fingers ---- */

static void run_tap(struct door_shell *shell, struct door_args args)
{
    struct action_point at;

    if (read_point(args, 0, &at))
        door_record_action(&shell->context,
                           door_action_at(ACTION_CLICK, at.x, at.y));
    else
        not_understood(shell);
}

static void run_path(struct door_shell *shell, struct door_args args,
                     bool drags)
{
    struct action_point from;
    struct action_point to;
    int ms = SWIPE_MS;

    if (!read_point(args, 0, &from) || !read_point(args, 2, &to) ||
        (args.count > 4 && !door_args_number(args, 4, -1, 3600 * 1000, &ms))) {
        not_understood(shell);
        return;
    }
    door_record_path(&shell->context, from, to, ms < 0 ? SWIPE_MS : ms, drags);
    if (!shell->context.uncertain && ms > 0)
        shell->context.now += ms;
}

static void run_swipe(struct door_shell *shell, struct door_args args)
{
    run_path(shell, args, false);
}

static void run_drag(struct door_shell *shell, struct door_args args)
{
    run_path(shell, args, true);
}

/* DOWN x y, MOVE x y..., UP x y, each a command. */
static void run_motion(struct door_shell *shell, struct door_args args)
{
    struct door_context *context = &shell->context;
    struct finger_gesture *touch = &context->classifier->motion;
    const char *what = door_args_at(args, 0);
    struct action_point at = {0, 0};
    bool placed = read_point(args, 1, &at);

    if (!what || context->uncertain ||
        (!placed && strcasecmp(what, "CANCEL") != 0)) {
        not_understood(shell);
        return;
    }
    if (!strcasecmp(what, "DOWN")) {
        finger_gesture_down(touch, at, context->now);
        door_record_touch(context, door_action_at(ACTION_CLICK, at.x, at.y),
                          false);
        return;
    }
    if (placed)
        finger_gesture_move(
            touch, at, context->now,
            finger_gesture_slop(context->classifier->options.display.size));
    if (!touch->down) {
        not_understood(shell);
        return;
    }
    if (!strcasecmp(what, "UP") || !strcasecmp(what, "CANCEL"))
        door_record_touch(context, finger_gesture_up(touch, context->now),
                          true);
    else if (!strcasecmp(what, "MOVE"))
        door_record_read(context);
    else
        not_understood(shell);
}

static void record_key(struct door_shell *shell, const char *name)
{
    struct key_press press;
    struct err ignored;

    if (key_press_parse(name, &press, &ignored))
        door_record_key(&shell->context, press.codes[0], 0);
}

/* A trackball: pressed, it is the centre of the arrow keys. */
static void run_press(struct door_shell *shell, struct door_args args)
{
    (void)args;
    record_key(shell, "DPAD_CENTER");
}

static void run_roll(struct door_shell *shell, struct door_args args)
{
    struct action_point by;

    if (!read_point(args, 0, &by))
        not_understood(shell);
    else if (by.x * by.x > by.y * by.y)
        record_key(shell, by.x < 0 ? "DPAD_LEFT" : "DPAD_RIGHT");
    else
        record_key(shell, by.y < 0 ? "DPAD_UP" : "DPAD_DOWN");
}

/* scroll [X Y] --axis VSCROLL,-1: negative is towards the end. */
static void run_scroll(struct door_shell *shell, struct door_args args)
{
    struct action action = {.kind = ACTION_SCROLL};

    action.has_from = read_point(args, 0, &action.from);
    for (size_t i = 0; i + 1 < args.count; i++) {
        const char *value = door_args_at(args, i + 1);
        const char *comma = value ? strchr(value, ',') : NULL;

        if (!door_args_is(args, i, "--axis") || !comma)
            continue;
        if (!strncmp(value, "HSCROLL", 7))
            action.direction =
                comma[1] == '-' ? DIRECTION_LEFT : DIRECTION_RIGHT;
        else
            action.direction = comma[1] == '-' ? DIRECTION_DOWN : DIRECTION_UP;
    }
    if (action.direction == DIRECTION_NONE)
        not_understood(shell);
    else
        door_record_action(&shell->context, action);
}

/* ---- text ---- */

/* "%s" is a blank. Only the first word is typed. */
static void run_text(struct door_shell *shell, struct door_args args)
{
    struct buf text = BUF_INIT(ACTION_TEXT_MAX);
    const char *word = door_args_at(args, 0);

    if (!word) {
        not_understood(shell);
        return;
    }
    for (; *word; word++) {
        bool blank = word[0] == '%' && word[1] == 's';

        buf_byte(&text, blank ? ' ' : *word);
        word += blank;
    }
    if (text.overflow)
        not_understood(shell);
    else
        door_record_text(&shell->context, buf_cstr(&text));
    buf_release(&text);
}

/* ---- keys ---- */

static void run_key(struct door_shell *shell, struct door_args args)
{
    int milliseconds = 0;
    int times = 1;
    bool any = false;

    for (size_t i = 0; i < args.count; i++) {
        const char *word = door_args_at(args, i);
        int code;

        if (word && !strcmp(word, "--longpress")) {
            milliseconds = LONG_KEY_MS;
        } else if (word && !strcmp(word, "--doubletap")) {
            times = 2;
        } else if (word &&
                   (!strcmp(word, "--delay") || !strcmp(word, "--duration"))) {
            i++;
        } else if (word && keycode_parse(word, &code)) {
            any = true;
            for (int j = 0; j < times; j++)
                door_record_key(&shell->context, code, milliseconds);
        } else if (!word || strncmp(word, "--", 2) != 0) {
            any = true;
            not_understood(shell);
        }
    }
    if (!any)
        not_understood(shell);
}

static void run_combination(struct door_shell *shell, struct door_args args)
{
    int codes[KEY_PRESS_KEYS_MAX];
    size_t count = 0;

    if (door_args_is(args, 0, "-t"))
        args = door_args_skip(args, 2);
    for (; count < args.count && count < KEY_PRESS_KEYS_MAX; count++) {
        const char *word = door_args_at(args, count);

        if (!word || !keycode_parse(word, &codes[count]))
            break;
    }
    if (count < 2 || count < args.count)
        not_understood(shell);
    else
        door_record_keys(&shell->context, codes, count);
}

/* ---- the command ---- */

static const struct {
    const char *name;
    door_command_fn *run;
} subcommands[] = {
    {"tap", run_tap},          {"swipe", run_swipe},
    {"draganddrop", run_drag}, {"motionevent", run_motion},
    {"press", run_press},      {"roll", run_roll},
    {"scroll", run_scroll},    {"text", run_text},
    {"keyevent", run_key},     {"keycombination", run_combination},
};

void door_input_run(struct door_shell *shell, struct door_args args)
{
    static const char *const sources[] = {
        "keyboard",        "dpad",     "gamepad",      "touchscreen",
        "mouse",           "stylus",   "touchpad",     "trackball",
        "touchnavigation", "joystick", "rotaryencoder"};
    const char *name = door_args_at(args, 0);

    if (name && NAME_TABLE_HAS(sources, name))
        args = door_args_skip(args, 1);
    if (door_args_is(args, 0, "-d"))
        args = door_args_skip(args, 2);
    name = door_args_at(args, 0);
    for (size_t i = 0; name && i < ARRAY_LEN(subcommands); i++) {
        if (!strcmp(subcommands[i].name, name)) {
            subcommands[i].run(shell, door_args_skip(args, 1));
            return;
        }
    }
    not_understood(shell);
}
