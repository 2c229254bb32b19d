/* Gold from a recording: what was done, with clues to find its targets by. */
#ifndef RUNNER_GOLD_RECORDED_H
#define RUNNER_GOLD_RECORDED_H

#include "process_provider/tree.h"
#include "tasks/gold.h"
#include "tasks/trajectory.h"

/* Was the finger on something, rather than on its way somewhere? */
bool gold_recorded_has_target(const struct action *action);

/*
 * What is known of the thing that a step touched, on the tree that it was
 * done on. False: it is in no tree. The caller releases the selector.
 */
bool gold_recorded_clues(const struct trajectory *recorded, size_t step,
                         struct selector *selector);

/* Load the recording in folder and have its steps; the caller releases gold.
 */
MUST_USE bool gold_recorded_load(const char *folder, struct gold *gold,
                                 struct err *err);

#endif
