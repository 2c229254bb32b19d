/*
 * Saving the task of a recording: as a task of a suite file, with the recorded
 * ways as trajectories beside it.
 *
 *     my.json                       the suite
 *     gold/TASK/1  gold/TASK/2      its ways: events.jsonl, screens/, task.json
 *
 * The ways are complete before the suite names them, and the suite is replaced
 * at once, so a kill at any moment leaves the suite as it was or as it should
 * be. Other tasks of the suite stay as they are.
 */
#ifndef RUNNER_RECORDING_TASK_SAVE_H
#define RUNNER_RECORDING_TASK_SAVE_H

#include "runner/recording/recording_task.h"

struct task_save_options {
    const char *suite; /* the file; it need not exist */
    /* The task of the form, maybe changed by a person; NULL: as it was made.
       Its "gold" is written by task_save. */
    const struct cJSON *task;
    bool replace; /* a task of the same id; otherwise that is an error */
};

/*
 * Save it. Waits for other programs that save to the same folder. The caller
 * frees *gold, the path of the first way. Fails with ERR_INVALID and the member
 * for a task that is not valid, and for an id that the suite has already; the
 * suite is then unchanged.
 */
MUST_USE bool task_save(const struct recording_task *made,
                        const struct task_save_options *options, char **gold,
                        struct err *err);

#endif
