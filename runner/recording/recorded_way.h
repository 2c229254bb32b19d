/*
 * The way that a recording shows: its steps without those that were deleted,
 * undone or trimmed, with an ending, and as gold with a target for each step.
 */
#ifndef RUNNER_RECORDING_RECORDED_WAY_H
#define RUNNER_RECORDING_RECORDED_WAY_H

#include "runner/recording/recording.h"
#include "tasks/task/task.h"
#include "tasks/trajectory/trajectory.h"

/* A node of the end state that a person marked. Texts are owned. */
struct recorded_evidence {
    char *text; /* of the node, or its description; NULL: it has none */
    char *id;   /* NULL: none */
};

struct recorded_way {
    struct trajectory trajectory; /* owned; its folder is the recording's */
    struct task_gold gold;        /* its actions; starred ones are key steps */
    struct recorded_evidence *evidence; /* owned */
    size_t evidence_count;
    size_t secrets;  /* steps that typed into a password field */
    size_t left_out; /* steps that gold cannot do, such as a pinch */
};

/*
 * Load the way of the recording in folder; any trajectory will do, which then
 * has no stars. answer ends the way instead of complete; NULL: the answer that
 * was marked in the recording, if there is one, "": none. The caller releases
 * it. Fails as recording_load, and with ERR_INVALID for a recording without
 * steps, or with more than TASK_GOLD_STEPS_MAX.
 */
MUST_USE bool recorded_way_load(const char *folder, const char *answer,
                                struct recorded_way *way, struct err *err);
void recorded_way_release(struct recorded_way *way);

/*
 * Append an action to gold, with its target, which is taken over; NULL: its
 * point is used, if it has one. False for an action that gold cannot do, such
 * as a pinch.
 */
bool recorded_way_add_step(const struct action *action,
                           struct node_selector *target,
                           struct task_gold *gold);

/*
 * Write the way as a trajectory of that task to folder, which must not exist;
 * its crops are copied. It is on the disk when this returns. On failure a part
 * of it may be left. Fails as trajectory_create and trajectory_read_file.
 */
MUST_USE bool recorded_way_save(const struct recorded_way *way,
                                const struct task *task, const char *folder,
                                struct err *err);

#endif
