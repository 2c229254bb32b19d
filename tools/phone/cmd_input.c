#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "tools/phone/cmd_screen.h"
#include "tools/phone/keycode.h"

/* How long a swipe takes when nothing else is said. */
#define SWIPE_TIME 300.0 /* milliseconds */
#define SWIPE_TIME_MAX 600000.0
#define STEP_TIME 10.0 /* between two points of a swipe, at least */
#define STEPS_MAX 1000

#define LONG_PRESS_TIME (500 * CLOCK_MILLISECOND)

#define FAR 100000.0 /* pixels */

static const char usage[] =
    "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n"
    "\n"
    "The commands and default sources are:\n"
    "      text <string> (Default: keyboard)\n"
    "      keyevent [--longpress|--doubletap|--async] "
    "<key code number or name> ... (Default: keyboard)\n"
    "      tap <x> <y> (Default: touchscreen)\n"
    "      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n"
    "      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] "
    "(Default: touchscreen)\n"
    "      press (Default: trackball)\n"
    "      roll <dx> <dy> (Default: trackball)\n"
    "      keycombination [-t duration(ms)] <key code 1> <key code 2> ... "
    "(Default: keyboard)\n"
    "      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)\n";

/* What follows the subcommand, and what it works on. */
struct input {
    struct call *call;
    struct screen_context *context;
    const char *name;
    char **words;
    size_t count;
};

static int fail(const struct input *input, const char *why, const char *what)
{
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

/* Numbers may be fractions; those that lead nowhere are cut. */
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

static void touch(const struct input *input, enum screen_touch touch, double x,
                  double y)
{
    input_devices_touch(input->context->devices, touch, (int)floor(x),
                        (int)floor(y));
}

static void let_pass(const struct input *input, int64_t nanoseconds)
{
    call_pass(input->call, input->context->clock, nanoseconds);
}

/* ---- fingers ---- */

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
 * The finger goes straight and evenly, after it has been held where it is; the
 * phone's time goes with it.
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

/* Nothing on this phone is moved by a ball. */
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
        enum screen_touch touch;
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

/* A name that is unknown is a key that does nothing. */
static void press_key(const struct input *input, const char *name, int64_t time)
{
    int key;

    if (keycode_parse(name, &key))
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

/* Keys at once: a use that nothing here has for them. */
static int run_combination(const struct input *input)
{
    size_t first = input->count > 1 && !strcmp(input->words[0], "-t") ? 2 : 0;

    if (input->count < first + 2)
        return fail(input, "keycombination requires at least 2 keycodes", "");
    let_pass(input, CLOCK_TOUCH);
    return 0;
}

static void type_line(const struct input *input, struct buf *line)
{
    if (line->length)
        screen_type(input->context->screen, buf_cstr(line));
    buf_clear(line);
}

/*
 * "%s" is a blank, and a newline the enter key. A character that no key types
 * breaks the whole text, as it does on phones.
 */
static int run_text(const struct input *input)
{
    struct buf line = BUF_INIT((size_t)1 << 20);

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

static const struct subcommand {
    const char *name;
    int (*run)(const struct input *input);
} subcommands[] = {
    {"tap", run_tap},
    {"swipe", run_swipe},
    {"draganddrop", run_drag_and_drop},
    {"motionevent", run_motion},
    {"press", run_press},
    {"roll", run_roll},
    {"keyevent", run_key},
    {"keycombination", run_combination},
    {"text", run_text},
};

static bool is_source(const char *word)
{
    static const char *const sources[] = {
        "keyboard",        "dpad",     "gamepad",      "touchscreen",
        "mouse",           "stylus",   "touchpad",     "trackball",
        "touchnavigation", "joystick", "rotaryencoder"};

    return NAMES_HAVE(sources, word);
}

/* A fault may let the screen show only later what the input does. */
static void lag(struct screen_context *context)
{
    struct fault fault;

    if (faults_strike(context->faults, FAULT_SLOW, "input", &fault))
        screen_freeze(context->screen, virtual_clock_now(context->clock) +
                                           fault.ms * CLOCK_MILLISECOND);
}

static int run_input(struct call *call)
{
    size_t at = 1;
    struct input input = {.call = call, .context = call->context};

    if (at < call->argc && is_source(call->argv[at]))
        at++;
    if (at + 1 < call->argc && !strcmp(call->argv[at], "-d"))
        at += 2;
    if (at >= call->argc) {
        call_print(call, "%s", usage);
        return SCREEN_COMMAND_FAILED;
    }
    lag(input.context);
    input.name = call->argv[at++];
    input.words = call->argv + at;
    input.count = call->argc - at;
    for (size_t i = 0; i < ARRAY_LEN(subcommands); i++) {
        if (!strcmp(subcommands[i].name, input.name))
            return subcommands[i].run(&input);
    }
    call_print(call, "%s", usage);
    return screen_command_fail(call, "Unknown command: %.100s", input.name);
}

static const struct command commands[] = {
    {"input", run_input, "[SOURCE] [-d DISPLAY_ID] COMMAND [ARGUMENT...]"},
};

const struct command_set input_commands = {commands, ARRAY_LEN(commands)};
