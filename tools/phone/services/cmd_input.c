#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keycode.h"
#include "base/name_table.h"
#include "tools/phone/services/cmd_screen.h"
#include "tools/phone/services/service_dialect.h"

/* Default duration of a swipe. */
#define SWIPE_TIME 300.0 /* milliseconds */
#define SWIPE_TIME_MAX 600000.0
#define STEP_TIME 10.0 /* minimum distance between two points of a swipe */
#define STEPS_MAX 1000

#define LONG_PRESS_TIME (500 * CLOCK_MILLISECOND)

#define FAR 100000.0 /* pixels */

/* API levels that added subcommands. */
#define SDK_ANDROID_7 24
#define SDK_ANDROID_12 31

/* Arguments of the subcommand, and the device that it uses. */
struct input {
    struct command_call *call;
    struct screen_context *context;
    const char *name;
    char **words;
    size_t count;
};

static const struct service_dialect *dialect_of(const struct input *input)
{
    return service_dialect(input->context->handset->android);
}

/* An error without an exception: the usage follows. */
static int fail_with_usage(const struct input *input, const char *why)
{
    call_error(input->call, "Error: %s: %.100s\n", why, input->name);
    call_print(input->call, "%s", dialect_of(input)->input_usage);
    return SCREEN_COMMAND_FAILED;
}

static int fail(const struct input *input, const char *why, const char *what)
{
    if (dialect_of(input)->no_exceptions)
        return fail_with_usage(input, "Invalid arguments for command");
    return screen_command_fail(input->call,
                               "\nException occurred while executing '%.20s':\n"
                               "java.lang.IllegalArgumentException: %s%.100s",
                               input->name, why, what);
}

static int fail_missing(const struct input *input, const char *before)
{
    char quoted[110];

    snprintf(quoted, sizeof(quoted), "\"%.100s\"", before);
    return fail(input, "Argument expected after ", quoted);
}

/* Numbers may be fractions; those out of range are clamped. */
static bool read_numbers(const struct input *input, size_t first, size_t count,
                         double *numbers)
{
    for (size_t i = 0; i < count; i++) {
        char *end;

        if (first + i >= input->count) {
            fail_missing(input,
                         first + i ? input->words[first + i - 1] : input->name);
            return false;
        }
        numbers[i] = strtod(input->words[first + i], &end);
        if (end == input->words[first + i] || *end || isnan(numbers[i])) {
            fail(input, "For input string: ", input->words[first + i]);
            return false;
        }
        numbers[i] = fmin(fmax(numbers[i], -FAR), FAR);
    }
    return true;
}

static void touch(const struct input *input, enum phone_touch touch, double x,
                  double y)
{
    input_devices_touch(input->context->devices, touch, (int)floor(x),
                        (int)floor(y));
}

static void let_pass(const struct input *input, int64_t nanoseconds)
{
    call_pass(input->call, input->context->clock, nanoseconds);
}

/* ---- gestures ---- */

static int run_tap(const struct input *input)
{
    double at[2];

    if (!read_numbers(input, 0, 2, at))
        return SCREEN_COMMAND_FAILED;
    touch(input, SCREEN_DOWN, at[0], at[1]);
    let_pass(input, CLOCK_TOUCH);
    touch(input, SCREEN_UP, at[0], at[1]);
    return 0;
}

/*
 * The finger moves in a straight line at constant speed after an optional hold;
 * the phone's time passes meanwhile.
 */
static int run_drag(const struct input *input, int64_t held)
{
    double at[4];
    double duration = SWIPE_TIME;
    int64_t total, passed = 0;
    int steps;

    if (!read_numbers(input, 0, 4, at) ||
        (input->count > 4 && !read_numbers(input, 4, 1, &duration)))
        return SCREEN_COMMAND_FAILED;
    duration = duration < 0 ? SWIPE_TIME : fmin(duration, SWIPE_TIME_MAX);
    total = (int64_t)duration * CLOCK_MILLISECOND;
    steps = (int)fmin(duration / STEP_TIME + 1, STEPS_MAX);
    touch(input, SCREEN_DOWN, at[0], at[1]);
    let_pass(input, held);
    for (int i = 1; i <= steps; i++) {
        double part = (double)i / steps;

        let_pass(input, total * i / steps - passed);
        passed = total * i / steps;
        touch(input, SCREEN_MOVE, at[0] + (at[2] - at[0]) * part,
              at[1] + (at[3] - at[1]) * part);
    }
    touch(input, SCREEN_UP, at[2], at[3]);
    return 0;
}

static int run_swipe(const struct input *input)
{
    return run_drag(input, 0);
}

static int run_drag_and_drop(const struct input *input)
{
    return run_drag(input, LONG_PRESS_TIME);
}

/* Nothing on this phone reacts to a trackball. */
static int run_roll(const struct input *input)
{
    double by[2];

    return read_numbers(input, 0, 2, by) ? 0 : SCREEN_COMMAND_FAILED;
}

static int run_press(const struct input *input)
{
    let_pass(input, CLOCK_TOUCH);
    return 0;
}

static int run_motion(const struct input *input)
{
    static const struct {
        const char *name;
        enum phone_touch touch;
    } motions[] = {
        {"DOWN", SCREEN_DOWN},
        {"UP", SCREEN_UP},
        {"MOVE", SCREEN_MOVE},
        {"CANCEL", SCREEN_CANCEL},
    };
    double at[2] = {0};

    if (!input->count)
        return fail_missing(input, input->name);
    for (size_t i = 0; i < ARRAY_LEN(motions); i++) {
        if (strcasecmp(motions[i].name, input->words[0]))
            continue;
        if ((input->count > 1 || motions[i].touch != SCREEN_CANCEL) &&
            !read_numbers(input, 1, 2, at))
            return SCREEN_COMMAND_FAILED;
        touch(input, motions[i].touch, at[0], at[1]);
        return 0;
    }
    return fail(input, "Unknown action: ", input->words[0]);
}

/* ---- keys ---- */

/* An unknown name is a key without effect. */
/* SLEEP and WAKEUP came with API 20: older phones ignore them. */
static bool knows_key(const struct input *input, int key)
{
    return input->context->handset->android->sdk >= 20 ||
           (key != KEY_SLEEP && key != KEY_WAKEUP);
}

static void press_key(const struct input *input, const char *name, int64_t time)
{
    int key;

    if (keycode_parse(name, &key) && knows_key(input, key))
        input_devices_key(input->context->devices, key);
    let_pass(input, time);
}

static int run_key(const struct input *input)
{
    int64_t time = CLOCK_TOUCH;
    int times = 1;
    bool given = false;

    for (size_t i = 0; i < input->count; i++) {
        const char *word = input->words[i];

        if (!strcmp(word, "--longpress"))
            time = LONG_PRESS_TIME;
        else if (!strcmp(word, "--doubletap"))
            times = 2;
        if (!strncmp(word, "--", 2))
            continue;
        given = true;
        for (int j = 0; j < times; j++)
            press_key(input, word, time);
    }
    return given ? 0 : fail_missing(input, input->name);
}

static bool is_select_all(const char *first, const char *second)
{
    int control;
    int letter;

    return keycode_parse(first, &control) && keycode_parse(second, &letter) &&
           (control == KEY_CTRL_LEFT || control == KEY_CTRL_RIGHT) &&
           letter == KEY_A;
}

/* Keys at the same time. Only Ctrl and A have an effect here. */
static int run_combination(const struct input *input)
{
    size_t first = input->count > 1 && !strcmp(input->words[0], "-t") ? 2 : 0;

    if (input->count < first + 2)
        return fail(input, "keycombination requires at least 2 keycodes", "");
    if (input->count == first + 2 &&
        is_select_all(input->words[first], input->words[first + 1]))
        screen_select_all(input->context->screen);
    let_pass(input, CLOCK_TOUCH);
    return 0;
}

static void type_line(const struct input *input, struct buf *line)
{
    if (line->length)
        screen_command_type(input->context, buf_cstr(line));
    buf_clear(line);
}

static bool is_old(const struct input *input)
{
    return input->context->handset->android->toolbox;
}

/*
 * In those versions a script called input, and split the text at blanks again.
 */
static bool is_one_word(const struct input *input)
{
    return input->count == 1 && input->words[0][0] &&
           !strpbrk(input->words[0], " \t\n");
}

/*
 * "%s" is a blank, and a newline the enter key. A character that no key types
 * makes the whole text fail, as on phones.
 */
static int run_text(const struct input *input)
{
    struct buf line = BUF_INIT((size_t)1 << 20);

    if (is_old(input) && !is_one_word(input))
        return fail_with_usage(input, "Invalid arguments for command");
    if (!input->count)
        return fail_missing(input, input->name);
    for (const char *at = input->words[0]; *at; at++) {
        if ((unsigned char)*at >= 0x80)
            return screen_command_fail(
                input->call, "\nException occurred while executing 'text':\n"
                             "java.lang.NullPointerException: "
                             "Attempt to get length of null array");
    }
    for (const char *at = input->words[0]; *at; at++) {
        if (at[0] == '%' && at[1] == 's') {
            buf_byte(&line, ' ');
            at++;
        } else if (*at == '\n') {
            type_line(input, &line);
            press_key(input, "ENTER", CLOCK_TOUCH);
        } else {
            buf_byte(&line, *at);
        }
    }
    type_line(input, &line);
    let_pass(input, CLOCK_TOUCH);
    buf_release(&line);
    return 0;
}

/* ---- the command ---- */

static const struct input_subcommand {
    const char *name;
    int (*run)(const struct input *input);
    int sdk; /* the first API level that has it; 0: all */
} subcommands[] = {
    {"tap", run_tap, 0},
    {"swipe", run_swipe, 0},
    {"draganddrop", run_drag_and_drop, SDK_ANDROID_7},
    {"motionevent", run_motion, 0},
    {"press", run_press, 0},
    {"roll", run_roll, 0},
    {"keyevent", run_key, 0},
    {"keycombination", run_combination, SDK_ANDROID_12},
    {"text", run_text, 0},
};

static bool is_source(const char *word)
{
    static const char *const sources[] = {
        "keyboard",        "dpad",     "gamepad",      "touchscreen",
        "mouse",           "stylus",   "touchpad",     "trackball",
        "touchnavigation", "joystick", "rotaryencoder"};

    return NAME_TABLE_HAS(sources, word);
}

/* A fault may delay the effect of input on the screen. */
static void lag(struct screen_context *context, const char *name)
{
    struct phone_fault fault;
    char place[FAULT_SERVICE_SIZE];

    snprintf(place, sizeof(place), "input %s", name);
    if (faults_strike(context->faults, FAULT_SLOW, place, &fault))
        screen_freeze(context->screen, virtual_clock_now(context->clock) +
                                           fault.ms * CLOCK_MILLISECOND);
}

static int run_input(struct command_call *call)
{
    size_t at = 1;
    struct input input = {.call = call, .context = call->context};

    if (at < call->argc && is_source(call->argv[at]))
        at++;
    if (at + 1 < call->argc && !strcmp(call->argv[at], "-d"))
        at += 2;
    if (at >= call->argc) {
        call_print(call, "%s", dialect_of(&input)->input_usage);
        return SCREEN_COMMAND_FAILED;
    }
    input.name = call->argv[at++];
    lag(input.context, input.name);
    input.words = call->argv + at;
    input.count = call->argc - at;
    for (size_t i = 0; i < ARRAY_LEN(subcommands); i++) {
        if (!strcmp(subcommands[i].name, input.name) &&
            input.context->handset->android->sdk >= subcommands[i].sdk)
            return subcommands[i].run(&input);
    }
    if (dialect_of(&input)->no_exceptions)
        return fail_with_usage(&input, "Unknown command");
    call_print(call, "%s", dialect_of(&input)->input_usage);
    return screen_command_fail(call, "Unknown command: %.100s", input.name);
}

static const struct phone_command commands[] = {
    {"input", run_input, "[SOURCE] [-d DISPLAY_ID] COMMAND [ARGUMENT...]"},
};

const struct command_set input_commands = {commands, ARRAY_LEN(commands)};
