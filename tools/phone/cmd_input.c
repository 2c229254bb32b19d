#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/cmd_screen.h"
#include "tools/phone/keycode.h"

/* How long a swipe takes when nothing else is said. */
#define SWIPE_TIME 300.0 /* milliseconds */
#define SWIPE_TIME_MAX 600000.0
#define STEP_TIME 10.0 /* between two points of a swipe, at least */
#define STEPS_MAX 1000

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

/* Numbers may be fractions; those that lead nowhere are cut. */
static bool read_numbers(const struct input *input, size_t first, size_t count,
                         double *numbers)
{
    for (size_t i = 0; i < count; i++) {
        char *end;

        if (first + i >= input->count) {
            fail(input, "Argument expected after ",
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
    screen_touch(input->context->screen, touch, (int)floor(x), (int)floor(y));
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

/* The finger goes straight and evenly; the phone's time goes with it. */
static int run_swipe(const struct input *input)
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
        return fail(input, "Argument expected after ", input->name);
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
static int run_key(const struct input *input)
{
    bool given = false;

    for (size_t i = 0; i < input->count; i++) {
        int key;

        if (!strncmp(input->words[i], "--", 2))
            continue;
        given = true;
        if (keycode_parse(input->words[i], &key))
            screen_key(input->context->screen, key);
        let_pass(input, CLOCK_TOUCH);
    }
    return given ? 0 : fail(input, "Argument expected after ", input->name);
}

/*
 * "%s" is a blank. A character that no key types breaks the whole text, as it
 * does on phones.
 */
static int run_text(const struct input *input)
{
    struct buf text = BUF_INIT((size_t)1 << 20);

    if (!input->count)
        return fail(input, "Argument expected after ", input->name);
    for (const char *at = input->words[0]; *at; at++) {
        if ((unsigned char)*at >= 0x80) {
            buf_release(&text);
            return screen_command_fail(
                input->call, "\nException occurred while executing 'text':\n"
                             "java.lang.NullPointerException: "
                             "Attempt to get length of null array");
        }
        if (at[0] == '%' && at[1] == 's') {
            buf_byte(&text, ' ');
            at++;
        } else {
            buf_byte(&text, *at);
        }
    }
    screen_type(input->context->screen, buf_cstr(&text));
    let_pass(input, CLOCK_TOUCH);
    buf_release(&text);
    return 0;
}

/* ---- the command ---- */

static const struct subcommand {
    const char *name;
    int (*run)(const struct input *input);
} subcommands[] = {
    {"tap", run_tap},           {"swipe", run_swipe},
    {"draganddrop", run_swipe}, {"motionevent", run_motion},
    {"keyevent", run_key},      {"text", run_text},
};

static bool is_source(const char *word)
{
    static const char *const sources[] = {
        "keyboard",        "dpad",     "gamepad",      "touchscreen",
        "mouse",           "stylus",   "touchpad",     "trackball",
        "touchnavigation", "joystick", "rotaryencoder"};

    for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
        if (!strcmp(sources[i], word))
            return true;
    }
    return false;
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
