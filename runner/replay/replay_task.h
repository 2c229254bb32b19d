/*
 * Replays a recording as an attempt at its task: brings the phone to the start
 * of the task, repeats the steps in the phone's language, and on a built-in
 * phone compares the end with the truth.
 */
#ifndef RUNNER_REPLAY_REPLAY_TASK_H
#define RUNNER_REPLAY_REPLAY_TASK_H

#include "runner/replay/replay.h"
#include "tasks/task/task.h"

/* All of it is borrowed. */
struct replay_task {
    struct device_session *session;
    const struct trajectory *recorded;
    const struct task *task;  /* the suite's, with {…}; NULL: not known */
    const struct task *asked; /* as it was recorded; NULL: not known */
    const char *locale;       /* of a built-in phone; NULL: as it is */
    const char *folder;       /* of the suite; NULL: none */
    const char *set_up;       /* one more command, after the reset; NULL */
    const struct replay_edit *edits; /* as the next three: replay_options */
    struct popup_handlers *popups;
    struct trajectory_writer *writer;
    struct picture *picture;
};

/* The result by the truth of a built-in phone. */
enum replay_truth {
    REPLAY_TRUTH_UNKNOWN, /* there is none, or the replay stopped */
    REPLAY_TRUTH_MET,
    REPLAY_TRUTH_MISSED,
};

/*
 * Set up the task, and replay. end is released by the caller. Fails as
 * task_setup_reset, task_setup_resolve, task_setup_run_commands and
 * replay_play.
 */
MUST_USE bool replay_task_play(const struct replay_task *job,
                               struct replay_end *end, enum replay_truth *truth,
                               struct err *err);

/*
 * Changes by a person to the steps of a recording: some are deleted,
 * or outside of what is used, and some wait. NULL: the folder has no edits. The
 * caller frees the array. Fails as recording_load.
 */
MUST_USE bool replay_task_edits(const char *folder, struct replay_edit **edits,
                                struct err *err);

/* Compare what was done on the phone with the truth of a task. */
MUST_USE bool replay_task_judge(struct device_session *session,
                                const struct task *task, const char *answer,
                                enum replay_truth *truth, struct err *err);

#endif
