/*
 * From recordings to a task: the form of a task, filled in from one recording
 * or several of the same task, with checks that are proposed from its stars and
 * proved on its wrong twins.
 *
 *     recording ─▶ way ─▶ evidence ─▶ proposed checks ─▶ twins, proof
 *                  │                        │
 *                  └─▶ gold                 └─▶ needs
 *
 * The form is a task of a suite as JSON, so that a page or a person can change
 * every member before it is saved (runner/recording/task_save.h).
 */
#ifndef RUNNER_RECORDING_RECORDING_TASK_H
#define RUNNER_RECORDING_RECORDING_TASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "judge/gold/merge_recordings.h"
#include "judge/gold/prove.h"
#include "runner/recording/recorded_way.h"
#include "runner/recording/twin_way.h"
#include "tasks/task/task.h"

#define RECORDING_TASK_MAX 16 /* recordings of one task */

/*
 * The recordings, and facts about the task that they do not have. Those that
 * are NULL, 0 or -1 are derived from the recordings.
 */
struct recording_task_options {
    const char *const *folders; /* recordings; the first is the gold */
    size_t count;
    const char *id;
    const char *instruction_en;
    const char *instruction_zh;
    /* What the task asks for, as the screen showed it; NULL: the answer that
       was marked in the first recording, "": none. */
    const char *answer;
    int kind;         /* of enum task_kind; -1: a state for one star */
    int level;        /* 1 to 5 */
    const char *apps; /* package names, with blanks or commas in between */
    int steps;        /* that an agent may take */
};

/*
 * The first content of the form, before there are checks: {"task": as in a
 * suite, without needs}. Blocks while the first recording is read; the caller
 * deletes it. Fails as recorded_way_load.
 */
MUST_USE bool recording_task_draft(const struct recording_task_options *options,
                                   struct cJSON **draft, struct err *err);

struct recording_task {
    struct task task;          /* as episodes have it, without placeholders */
    struct proof proof;        /* of the checks, on all recordings' twins */
    struct merged_gold merged; /* of several recordings */
    struct text_list warnings; /* what a person should look at */
    struct twin_ways twins;    /* those of the first recording, as steps */
    struct recorded_way ways[RECORDING_TASK_MAX];
    size_t way_count;
};

/*
 * Fill in the form. Blocks while the recordings are read. The caller releases
 * it. Fails as recorded_way_load, and with ERR_INVALID when nothing is starred
 * and no node is marked as evidence.
 */
MUST_USE bool recording_task_make(const struct recording_task_options *options,
                                  struct recording_task *made, struct err *err);
void recording_task_release(struct recording_task *made);

/*
 * The form for a page: {"task": as in a suite, "proof": …, "merged": …,
 * "warnings": […]}. The caller deletes it.
 */
struct cJSON *recording_task_to_json(const struct recording_task *made);

/* The task as a suite has it: braces are quoted. The caller deletes it. */
struct cJSON *recording_task_suite_json(const struct recording_task *made);

#endif
