#include "tests/runner/classify/input_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "base/mem.h"
#include "tools/phone/core/virtual_clock.h"

/* As Android's views tell gestures apart: 8 dp, and milliseconds. */
#define TOUCH_SLOP 21
#define LONG_PRESS_MS 400
#define DOUBLE_TAP_MS 300

/* ---- series of actions ---- */

void action_series_add(struct action_series *series, struct action action)
{
    assert_true(series->count < INPUT_LOG_MAX);
    series->items[series->count++] = action;
}

void action_series_release(struct action_series *series)
{
    for (size_t i = 0; i < series->count; i++)
        action_release(&series->items[i]);
    series->count = 0;
}

static bool is_near(struct action_point a, struct action_point b, int distance)
{
    return abs(a.x - b.x) <= distance && abs(a.y - b.y) <= distance;
}

static bool is_same(const struct action *a, const struct action *b)
{
    return a->kind == b->kind && is_near(a->from, b->from, 1) &&
           is_near(a->to, b->to, 1) && !a->text == !b->text &&
           (!a->text || !strcmp(a->text, b->text));
}

static void print_action(const char *name, const struct action *action)
{
    print_error("  %s: %s %d %d %d %d [%s]\n", name,
                action_kind_name(action->kind), action->from.x, action->from.y,
                action->to.x, action->to.y, action->text ? action->text : "");
}

size_t action_series_differences(const struct action_series *found,
                                 const struct action_series *truth,
                                 const char *episode)
{
    size_t wrong = 0;

    for (size_t i = 0; i < found->count && i < truth->count; i++) {
        if (is_same(&found->items[i], &truth->items[i]))
            continue;
        print_error("%s, action %zu differs:\n", episode, i);
        print_action("recorded", &found->items[i]);
        print_action("in the log", &truth->items[i]);
        wrong++;
    }
    assert_int_equal(found->count, truth->count);
    return wrong;
}

/* ---- the log ---- */

void input_log_release(struct input_log *log)
{
    action_series_release(&log->actions);
}

void input_log_add(struct input_log *log, struct action action)
{
    action_series_add(&log->actions, action);
    log->last_tap = 0;
}

/* The range of the touch screen's positions is not that of pixels. */
static int pixel_of(int value, int side)
{
    return (int)((int64_t)value * side / (INPUT_AXIS_MAX + 1));
}

static void take_tap(struct input_log *log)
{
    struct action_series *actions = &log->actions;
    struct action *last =
        actions->count ? &actions->items[actions->count - 1] : NULL;

    if (last && log->last_tap && log->since - log->last_tap <= DOUBLE_TAP_MS &&
        is_near(last->from, log->first, TOUCH_SLOP)) {
        last->kind = ACTION_DOUBLE_TAP;
        log->last_tap = 0;
        return;
    }
    input_log_add(log, (struct action){.kind = ACTION_CLICK,
                                       .has_from = true,
                                       .from = log->first});
    log->last_tap = log->since;
}

static void finger_lifted(struct input_log *log, int64_t at)
{
    struct action action = {.has_from = true, .from = log->first};
    int64_t shortest = log->long_press_ms ? log->long_press_ms : LONG_PRESS_MS;

    if (!is_near(log->first, log->last, TOUCH_SLOP)) {
        action.kind = ACTION_SWIPE;
        action.has_to = true;
        action.to = log->last;
        input_log_add(log, action);
    } else if (at - log->since >= shortest) {
        action.kind = ACTION_LONG_PRESS;
        input_log_add(log, action);
    } else {
        take_tap(log);
    }
}

static void take_touch(struct input_log *log, const struct input_event *event)
{
    int64_t at = event->time / CLOCK_MILLISECOND;

    switch (event->code) {
    case INPUT_MT_TRACKING_ID:
        if (event->value < 0 && log->down)
            finger_lifted(log, at);
        log->down = event->value >= 0;
        log->since = at;
        log->first = (struct action_point){-1, -1};
        break;
    case INPUT_MT_X:
        log->last.x = pixel_of(event->value, log->screen.width);
        if (log->first.x < 0)
            log->first.x = log->last.x;
        break;
    case INPUT_MT_Y:
        log->last.y = pixel_of(event->value, log->screen.height);
        if (log->first.y < 0)
            log->first.y = log->last.y;
        break;
    default:
        break;
    }
}

static void take_key(struct input_log *log, const struct input_event *event)
{
    int key = input_key_of(event->code);
    char name[KEYCODE_NAME_MAX];

    if (event->code == INPUT_BTN_TOUCH || event->value != 1)
        return;
    if (key == KEY_BACK) {
        input_log_add(log, (struct action){.kind = ACTION_BACK});
    } else if (key == KEY_HOME) {
        input_log_add(log, (struct action){.kind = ACTION_HOME});
    } else if (key == KEY_APP_SWITCH) {
        input_log_add(log, (struct action){.kind = ACTION_RECENTS});
    } else if (key == KEY_ENTER) {
        input_log_add(log, (struct action){.kind = ACTION_ENTER});
    } else {
        keycode_name(key, name);
        input_log_add(
            log, (struct action){.kind = ACTION_KEY, .text = mem_dup(name)});
    }
}

void input_log_take(struct input_log *log, const struct input_event *event)
{
    if (event->type == INPUT_ABS)
        take_touch(log, event);
    else if (event->type == INPUT_KEY)
        take_key(log, event);
}

/* ---- what has no events ---- */

char *input_log_attribute(const char *tree, const char *mark, const char *name)
{
    const char *node = strstr(tree, mark);
    const char *begin;

    assert_non_null(node);
    while (node > tree && strncmp(node, "<node", 5) != 0)
        node--;
    begin = strstr(node, name);
    assert_non_null(begin);
    begin += strlen(name);
    return mem_dup_n(begin, strcspn(begin, "\""));
}

char *input_log_typed(const char *before, const char *after)
{
    char *old = input_log_attribute(before, "focused=\"true\"", " text=\"");
    char *new = input_log_attribute(after, "focused=\"true\"", " text=\"");
    size_t kept = strlen(old);
    char *typed = mem_dup(strncmp(old, new, kept) ? new : new + kept);

    free(old);
    free(new);
    return typed;
}
