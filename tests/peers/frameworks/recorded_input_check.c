/*
 * recorded_input_check RUN LOG: the task of RUN's only episode is done by the
 * phone's truth, and its recorded actions are those of the phone's own log of
 * input events (`getevent -t`), one by one. Texts, which have no events, are
 * compared with the field that they were typed into.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "tasks/trajectory/trajectory.h"
#include "tests/runner/classify/input_log.h"
#include "tests/tools/cli/run/run_inspect.h"

#define LOG_MAX ((size_t)16 << 20)
#define TREE_MAX ((size_t)4 << 20)

/* On a busy machine a tap may take longer than on a phone. */
#define LONG_PRESS_MS 5000

struct arguments {
    const char *run;
    const char *log;
};

/* ---- the phone's log ---- */

/* [   1234.567890] /dev/input/event1: 0003 0039 00000001 */
static bool read_event(const char *line, struct input_event *event)
{
    char path[64];
    char *at;
    double seconds;

    if (line[0] != '[')
        return false;
    seconds = strtod(line + 1, &at);
    if (strncmp(at, "] ", 2) != 0 || strcspn(at, ":") >= sizeof(path))
        return false;
    snprintf(path, sizeof(path), "%.*s", (int)strcspn(at + 2, ":"), at + 2);
    at = strchr(at, ':');
    if (!at || !input_device_find(path, &event->device))
        return false;
    event->time = (int64_t)(seconds * PHONE_SECOND);
    event->type = (uint16_t)strtoul(at + 1, &at, 16);
    event->code = (uint16_t)strtoul(at, &at, 16);
    event->value = (int32_t)strtoul(at, &at, 16);
    return !*at;
}

static void load_log(const char *path, struct input_log *log)
{
    struct buf text = BUF_INIT(LOG_MAX);
    struct input_event event;
    struct err err = ERR_INIT;
    char *rest;

    if (!file_load(path, &text, &err))
        fail_msg("%s", err.text);
    rest = mem_dup(buf_cstr(&text));
    for (char *at = rest, *line; (line = strsep(&at, "\n"));) {
        if (read_event(line, &event))
            input_log_take(log, &event);
    }
    free(rest);
    buf_release(&text);
}

/* ---- what was recorded ---- */

static char *load_tree(const struct trajectory *trajectory, size_t step)
{
    struct buf xml = BUF_INIT(TREE_MAX);
    struct err err = ERR_INIT;
    char *tree;

    assert_true(step < trajectory->count);
    if (!trajectory_read_file(trajectory, &trajectory->steps[step].tree, &xml,
                              &err))
        fail_msg("step %zu: %s", step, err.text);
    tree = mem_dup(buf_cstr(&xml));
    buf_release(&xml);
    return tree;
}

/* The text that the phone's field got in a step. */
static struct action typed_in(const struct trajectory *trajectory, size_t step)
{
    char *before = load_tree(trajectory, step);
    char *after = load_tree(trajectory, step + 1);
    struct action action = {.kind = ACTION_TYPE,
                            .text = input_log_typed(before, after)};

    free(before);
    free(after);
    return action;
}

static struct action copy_of(const struct action *action)
{
    struct action copy = *action;

    copy.text = action->text ? mem_dup(action->text) : NULL;
    return copy;
}

/* Both series in the order of the steps, with texts between the events. */
static void compare(const struct trajectory *trajectory, struct input_log *log)
{
    struct action_series found = {.count = 0};
    struct action_series truth = {.count = 0};
    size_t next = 0;

    for (size_t i = 0; i < trajectory->count; i++) {
        const struct trajectory_step *step = &trajectory->steps[i];

        if (!step->acted || !action_is_on_phone(step->action.kind))
            continue;
        action_series_add(&found, copy_of(&step->action));
        if (step->action.kind == ACTION_TYPE)
            action_series_add(&truth, typed_in(trajectory, i));
        else if (next < log->actions.count)
            action_series_add(&truth, copy_of(&log->actions.items[next++]));
    }
    assert_int_equal(
        action_series_differences(&found, &truth, trajectory->head.task), 0);
    assert_int_equal(next, log->actions.count);
    print_message("%zu actions\n", found.count);
    action_series_release(&found);
    action_series_release(&truth);
}

static void recorded_actions_equal_the_phones_log(void **state)
{
    const struct arguments *arguments = *state;
    struct trajectory trajectory;
    struct run_results results;
    struct input_log log = {.long_press_ms = LONG_PRESS_MS};
    struct buf folder = BUF_INIT(4096);
    struct err err = ERR_INIT;

    run_inspect_all(arguments->run, 1, true);
    run_inspect_results(arguments->run, 1, &results);
    buf_printf(&folder, "%s/%s", arguments->run, results.items[0].episode);
    if (!trajectory_load(buf_cstr(&folder), &trajectory, &err))
        fail_msg("%s", err.text);
    log.screen = (struct extent){trajectory.head.width, trajectory.head.height};
    load_log(arguments->log, &log);
    compare(&trajectory, &log);
    input_log_release(&log);
    trajectory_release(&trajectory);
    run_results_release(&results);
    buf_release(&folder);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {argc > 1 ? argv[1] : "",
                                  argc > 2 ? argv[2] : ""};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(recorded_actions_equal_the_phones_log,
                                  &arguments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
