/*
 * Gold steps from a recorded episode: its actions, with selectors for their
 * targets.
 */
#ifndef RUNNER_AGENTS_GOLD_RECORDED_H
#define RUNNER_AGENTS_GOLD_RECORDED_H

#include "process_provider/tree/tree.h"
#include "tasks/task/task_gold.h"
#include "tasks/trajectory/trajectory.h"

/* Does the action have a target element? A swipe has none. */
bool gold_recorded_has_target(const struct action *action);

/*
 * Build a selector for the element that a step touched, from the tree of that
 * step. False: the tree has no such element. The caller releases the selector.
 */
bool gold_recorded_selector(const struct trajectory *recorded, size_t step,
                            struct node_selector *selector);

/*
 * Load the steps of the recording in folder. The caller releases gold. Fails as
 * trajectory_load.
 */
MUST_USE bool gold_recorded_load(const char *folder, struct task_gold *gold,
                                 struct err *err);

#endif
