/*
 * Episodes for tests of judges: screens of a few rows, and fingers on them.
 *
 * A screen is a text with a line for each row, which is 100 pixels high:
 *
 *     "title: Shop\n"                 the screen's title
 *     "row: Lamp\n"                   takes taps
 *     "row: Lamp | $ 5\n"             the same, with two texts inside
 *     "text: 3 results\n"             does not
 *     "[x] Free delivery\n"           a checkbox that is on; "[ ]" one that is
 * off
 *     "(x) Price\n" "( ) Rating\n"    radio buttons
 *     "{x} Deals\n" "{ } Home\n"      tabs; the one that is selected
 *     "field: lamp\n" "*field: \n"    a text field; with the focus
 *
 * Rows are tapped by their number, from 0.
 */
#ifndef TESTS_JUDGE_EPISODE_MAKER_H
#define TESTS_JUDGE_EPISODE_MAKER_H

#include "base/buf.h"
#include "tasks/trajectory/trajectory.h"

struct episode_maker {
    char folder[128];
    struct trajectory_writer *writer;
};

/* A new folder, and in it task.json with the members of task ("{…}"). */
void episode_begin(struct episode_maker *maker, const char *task);
/* The same with that instruction. */
void episode_begin_asked(struct episode_maker *maker, const char *instruction,
                         const char *task);

/* The picture file of a screen: one shade per screen. */
void episode_picture(const char *screen, struct buf *png);

/* Record an observation of the screen, then one action. */
void episode_see(struct episode_maker *maker, const char *screen);
void episode_tap(struct episode_maker *maker, const char *screen, int row);
void episode_tap_at(struct episode_maker *maker, const char *screen, int x,
                    int y);
void episode_type(struct episode_maker *maker, const char *screen,
                  const char *text);
void episode_act(struct episode_maker *maker, const char *screen,
                 const struct action *action, const char *blocked);
void episode_evidence(struct episode_maker *maker, const char *name,
                      const char *value);
/* The same before the first step. */
void episode_before(struct episode_maker *maker, const char *name,
                    const char *value);

/* Complete on that screen, and end the episode. */
void episode_complete(struct episode_maker *maker, const char *screen);
void episode_answer(struct episode_maker *maker, const char *screen,
                    const char *text);
void episode_end(struct episode_maker *maker, enum trajectory_ending ending,
                 const char *reason);

/* Delete the folder and everything in it. */
void episode_remove(struct episode_maker *maker);

#endif
