/*
 * A recording: how a person did a task, and what the person said about it.
 *
 *     recordings/NAME/events.jsonl  screens/  trees/   a trajectory
 *     recordings/NAME/crops/0000.png                   pictures of targets
 *     recordings/NAME/edits.jsonl                      stars, notes, …
 *
 * Steps keep their numbers: a deleted step is still there, with its mark.
 * docs/format.md has every member, docs/recording.md how it is used.
 */
#ifndef RUNNER_RECORDING_RECORDING_H
#define RUNNER_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "runner/recording/recording_edit.h"
#include "tasks/json/text_list.h"
#include "tasks/task/node_selector.h"
#include "tasks/trajectory/trajectory.h"

#define RECORDINGS_FOLDER "recordings" /* in the working directory */
#define RECORDING_NAME_MAX 64
#define RECORDING_EVIDENCE_MAX 64 /* nodes of one screen */

/* Stored instead of a text that was typed into a password field. */
#define RECORDING_MASK "••••••••"

/* A step with its edits. */
struct recording_step {
    const struct trajectory_step *step; /* borrowed from the trajectory; its
                                           action may be missing: `acted` */
    /* Ways to find the target again; borrowed from the trajectory or an edit;
       NULL: it has none. Crops are relative to the recording's folder. */
    const struct node_selector *target;
    const struct node_selector *wait_for; /* before the step; NULL: none */
    /* Nodes of the screen before this step that show the end state. */
    const struct node_selector *evidence[RECORDING_EVIDENCE_MAX];
    size_t evidence_count;
    /* What that screen shows is the answer of the task; NULL: it is not. At
       most one step of a recording has one. */
    const char *answer;
    const struct node_selector
        *answer_node; /* that shows it; NULL: not known */
    bool starred;
    bool deleted;
    bool undone;
    bool restored; /* of an undone step: by a snapshot, not only struck out */
    bool trimmed;  /* outside of what is used */
    const char *note; /* NULL: none, as the next */
    const char *flag; /* what may be wrong with it */
};

struct recording {
    char *folder;
    char *name; /* the last part of the folder's path */
    struct trajectory trajectory;
    struct recording_edits edits;
    struct recording_step *steps; /* one for each of the trajectory: the last
                                     may be only the screen at the end */
    size_t count;
};

/* Is it a valid name? [a-z0-9.-]+, at most RECORDING_NAME_MAX - 1 bytes, and
   not only dots. */
bool recording_name_is_valid(const char *name);

/*
 * Load a recording; its pictures and trees are not opened. The caller releases
 * it. Works while it is being recorded, too. Fails as trajectory_load and
 * recording_edits_load.
 */
MUST_USE bool recording_load(const char *folder, struct recording *recording,
                             struct err *err);
void recording_release(struct recording *recording);

/*
 * Is the step one of the way: done, and neither deleted, undone nor trimmed?
 */
bool recording_step_counts(const struct recording_step *step);

/*
 * Describe a step in words, from its trees and screens, as `proctor process`
 * does: "tapped the button "Display"". The effect of an undone step is not
 * known. The caller frees the text. Never fails: what cannot be read is not
 * used.
 */
char *recording_describe(const struct recording *recording, size_t step);

/* Is there a recording in this folder? */
bool recording_is_one(const char *folder);

/*
 * The names of all recordings in folder, sorted. A folder that is missing has
 * none. The caller releases the list.
 */
MUST_USE bool recording_list(const char *folder, struct text_list *names,
                             struct err *err);

/*
 * Validate a recording: its events and every file that they name, its edits,
 * the steps that they are about, and its crops. Fails with what is wrong.
 */
MUST_USE bool recording_check(const char *folder, struct err *err);

/* The same without the files that its events name. */
MUST_USE bool recording_check_edits(const char *folder, struct err *err);

#endif
