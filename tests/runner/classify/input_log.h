/*
 * The actions in a phone's own log of input events, for comparing them with
 * those that were recorded.
 */
#ifndef TESTS_RUNNER_CLASSIFY_INPUT_LOG_H
#define TESTS_RUNNER_CLASSIFY_INPUT_LOG_H

#include "base/extent.h"
#include "tasks/task/action.h"
#include "tools/phone/screen/input_devices.h"

#define INPUT_LOG_MAX 64

struct action_series {
    struct action items[INPUT_LOG_MAX]; /* owned */
    size_t count;
};

/* Append an action, which the series then owns. Fails the test when full. */
void action_series_add(struct action_series *series, struct action action);
void action_series_release(struct action_series *series);

/*
 * The number of actions that differ, each printed with the name of the episode.
 * Positions may differ by a pixel, since the touch screen rounds them. Fails
 * the test unless both have the same number of actions.
 */
size_t action_series_differences(const struct action_series *found,
                                 const struct action_series *truth,
                                 const char *episode);

/* All zero but the size of the screen is a log without events. */
struct input_log {
    struct extent screen; /* no rotation */
    int long_press_ms;    /* the shortest; 0: Android's */
    struct action_series actions;

    bool down; /* a finger, and its way so far */
    struct action_point first;
    struct action_point last;
    int64_t since;    /* milliseconds */
    int64_t last_tap; /* when the last action, a tap, began; 0: it was none */
};

void input_log_release(struct input_log *log);

/* Take the next event: a gesture becomes an action when its finger lifts. */
void input_log_take(struct input_log *log, const struct input_event *event);

/* Add an action that has no events, such as a text. The log owns it. */
void input_log_add(struct input_log *log, struct action action);

/*
 * An attribute (` text="`) of the first node in a UI tree that contains mark;
 * the caller frees it. Fails the test if there is none.
 */
char *input_log_attribute(const char *tree, const char *mark, const char *name);

/*
 * What was typed into the focused field between two UI trees: the text behind
 * the one that was there, or all of it if that was only a hint. The caller
 * frees it.
 */
char *input_log_typed(const char *before, const char *after);

#endif
