/* proctor tap, type, key and swipe: act on a phone, and say what it did. */
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "runner/observe/element_list.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/device/live_phone.h"

#define SECTION "Use a phone"
#define NAME_MAX_BYTES ((size_t)64 * 1024)

/* Prepare an action for what was observed; the caller releases it. */
typedef bool prepare_fn(const void *args, const struct operand_words *words,
                        const struct live_phone *phone, struct action *action,
                        struct err *err);

static bool act(struct cli_context *cli, const void *args,
                const struct operand_words *words, prepare_fn *prepare,
                struct err *err)
{
    struct live_phone phone;
    struct action action = {.kind = ACTION_CLICK};
    bool done = live_phone_open(&phone, cli, err) &&
                prepare(args, words, &phone, &action, err) &&
                live_phone_act(&phone, &action, err);

    action_release(&action);
    live_phone_release(&phone);
    return done;
}

/* All words with single blanks in between; the caller frees it. */
static char *join(const struct operand_words *words)
{
    struct buf text = BUF_INIT(NAME_MAX_BYTES);
    char *joined;

    for (size_t i = 0; i < words->count; i++)
        buf_printf(&text, "%s%s", i ? " " : "", words->items[i]);
    joined = mem_dup(buf_cstr(&text));
    buf_release(&text);
    return joined;
}

/* A number of pixels; false: the word is none. */
static bool read_pixel(const char *word, int *pixel)
{
    char *end;
    long number = strtol(word, &end, 10);

    if (end == word || *end || number < 0 || number > 100000)
        return false;
    *pixel = (int)number;
    return true;
}

static bool check_point(const struct live_phone *phone,
                        struct action_point point, struct err *err)
{
    const struct extent screen = phone->seen.screen;

    return (point.x < (int)screen.width && point.y < (int)screen.height) ||
           err_set(err, ERR_INVALID, "%d,%d is not on the screen of %dx%d",
                   point.x, point.y, (int)screen.width, (int)screen.height);
}

/* ---- tap ---- */

struct tap_args {
    bool hold;
    bool twice;
};

static bool find_named(const struct operand_words *words,
                       const struct live_phone *phone,
                       struct action_point *point, struct err *err)
{
    struct element_list elements = ELEMENT_LIST_INIT;
    char *name = join(words);
    int number = 0;
    bool done;

    element_list_build(&phone->seen.tree, &elements);
    done = element_list_find(&elements, name, &number, err) &&
           element_list_point(&elements, number, point);
    element_list_release(&elements);
    free(name);
    return done;
}

static bool prepare_tap(const void *args, const struct operand_words *words,
                        const struct live_phone *phone, struct action *action,
                        struct err *err)
{
    const struct tap_args *tap = args;

    action->kind = tap->hold    ? ACTION_LONG_PRESS
                   : tap->twice ? ACTION_DOUBLE_TAP
                                : ACTION_CLICK;
    action->has_from = true;
    if (words->count == 2 && read_pixel(words->items[0], &action->from.x) &&
        read_pixel(words->items[1], &action->from.y))
        return check_point(phone, action->from, err);
    return find_named(words, phone, &action->from, err);
}

static bool run_tap(struct cli_context *cli, const void *args,
                    const struct operand_words *words, int *status,
                    struct err *err)
{
    const struct tap_args *tap = args;

    (void)status;
    if (tap->hold && tap->twice)
        return err_set(err, ERR_INVALID,
                       "tap: choose one of --hold and "
                       "--twice");
    return act(cli, args, words, prepare_tap, err);
}

static const struct option tap_options[] = {
    OPTION_FLAG(struct tap_args, hold, "hold", 0, "Press and hold it"),
    OPTION_FLAG(struct tap_args, twice, "twice", 0, "Tap it twice, quickly"),
};

static const struct operand tap_operands[] = {
    {.name = "WHAT",
     .help = "What is tapped: its name on the screen, or X and Y in pixels",
     .min = 1,
     .max = 64},
};

static const struct example tap_examples[] = {
    {"proctor tap Display", "tapped row 'Display', in Settings; …"},
    {"proctor tap 540 1200", "The same by coordinates."},
};

const struct command cmd_tap = {
    .name = "tap",
    .section = SECTION,
    .summary = "Tap something on the screen, by name or place",
    .description =
        "Looks at the phone's screen, taps what has that name (upper and lower "
        "case are the same; a part of the name is enough where only one thing "
        "has it), looks again, and prints what the tap did.",
    COMMAND_OPTIONS(tap_options),
    COMMAND_OPERANDS(tap_operands),
    COMMAND_EXAMPLES(tap_examples),
    .args_size = sizeof(struct tap_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run_tap,
};

/* ---- type ---- */

struct type_args {
    bool enter;
};

static bool prepare_type(const void *args, const struct operand_words *words,
                         const struct live_phone *phone, struct action *action,
                         struct err *err)
{
    (void)phone, (void)err;
    action->kind = ACTION_TYPE;
    action->text = join(words);
    action->submit = ((const struct type_args *)args)->enter;
    return true;
}

static bool run_type(struct cli_context *cli, const void *args,
                     const struct operand_words *words, int *status,
                     struct err *err)
{
    (void)status;
    return act(cli, args, words, prepare_type, err);
}

static const struct option type_options[] = {
    OPTION_FLAG(struct type_args, enter, "enter", 0, "Then press Enter"),
};

static const struct operand type_operands[] = {
    {.name = "TEXT", .help = "What is typed", .min = 1, .max = OPERAND_MANY},
};

static const struct example type_examples[] = {
    {"proctor type --enter 'noise cancelling headphones'",
     "Into the field that has the focus."},
};

const struct command cmd_type = {
    .name = "type",
    .section = SECTION,
    .summary = "Type a text into the focused field",
    .description =
        "Types the text into the field that has the focus, in any script that "
        "one of the phone's keyboards can take, and prints what it did.",
    COMMAND_OPTIONS(type_options),
    COMMAND_OPERANDS(type_operands),
    COMMAND_EXAMPLES(type_examples),
    .args_size = sizeof(struct type_args),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run_type,
};

/* ---- key ---- */

static const char *const keys[] = {"back", "home", "recents", "enter", NULL};

static bool prepare_key(const void *args, const struct operand_words *words,
                        const struct live_phone *phone, struct action *action,
                        struct err *err)
{
    (void)args, (void)phone;
    return action_kind_find(words->items[0], &action->kind) ||
           err_set(err, ERR_INVALID, "there is no key \"%.40s\"",
                   words->items[0]);
}

static bool run_key(struct cli_context *cli, const void *args,
                    const struct operand_words *words, int *status,
                    struct err *err)
{
    (void)status;
    return act(cli, args, words, prepare_key, err);
}

static const struct operand key_operands[] = {
    {.name = "KEY",
     .help = "Which one: back, home, recents or enter",
     .choices = keys,
     .min = 1,
     .max = 1},
};

static const struct example key_examples[] = {
    {"proctor key back", "As the button, or the gesture, does."},
};

const struct command cmd_key = {
    .name = "key",
    .section = SECTION,
    .summary = "Press Back, Home, Recents or Enter",
    .description = "Presses the key and prints what it did. Any other key: "
                   "proctor shell input keyevent KEYCODE_NAME",
    COMMAND_OPERANDS(key_operands),
    COMMAND_EXAMPLES(key_examples),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run_key,
};

/* ---- swipe ---- */

static bool prepare_swipe(const void *args, const struct operand_words *words,
                          const struct live_phone *phone, struct action *action,
                          struct err *err)
{
    const char *const *items = words->items;

    (void)args;
    action->kind = ACTION_SWIPE;
    if (words->count == 1 &&
        action_direction_find(items[0], &action->direction))
        return true;
    action->has_from = action->has_to = true;
    if (words->count != 4 || !read_pixel(items[0], &action->from.x) ||
        !read_pixel(items[1], &action->from.y) ||
        !read_pixel(items[2], &action->to.x) ||
        !read_pixel(items[3], &action->to.y))
        return err_set(err, ERR_INVALID,
                       "swipe: expected up, down, left or right, or X1 Y1 X2 "
                       "Y2");
    return check_point(phone, action->from, err) &&
           check_point(phone, action->to, err);
}

static bool run_swipe(struct cli_context *cli, const void *args,
                      const struct operand_words *words, int *status,
                      struct err *err)
{
    (void)status;
    return act(cli, args, words, prepare_swipe, err);
}

static const struct operand swipe_operands[] = {
    {.name = "WHERE",
     .help = "Where the finger goes: up, down, left or right; or X1 Y1 X2 Y2 "
             "in pixels",
     .min = 1,
     .max = 4},
};

static const struct example swipe_examples[] = {
    {"proctor swipe up", "What is further down comes into view."},
};

const struct command cmd_swipe = {
    .name = "swipe",
    .section = SECTION,
    .summary = "Move a finger over the screen",
    .description = "Swipes into a direction or from one place to another, and "
                   "prints what it did.",
    COMMAND_OPERANDS(swipe_operands),
    COMMAND_EXAMPLES(swipe_examples),
    .takes = TAKES_DEVICE | TAKES_JSON | TAKES_TIMEOUT,
    .run = run_swipe,
};
