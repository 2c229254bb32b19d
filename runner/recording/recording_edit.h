/*
 * Edits of a recording: edits.jsonl beside its events (docs/recording.md).
 *
 * The file is append-only: what a person changes is a line more, and the events
 * stay as they were recorded. A line is on the disk when recording_edit_add
 * returns; a torn last line is dropped when reading, and cut off by the next
 * edit.
 */
#ifndef RUNNER_RECORDING_RECORDING_EDIT_H
#define RUNNER_RECORDING_RECORDING_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/task/node_selector.h"

#define RECORDING_EDITS_FILE "edits.jsonl"
#define RECORDING_FORMAT "proctor-recording"
#define RECORDING_VERSION 1
#define RECORDING_EDITS_MAX 100000
#define RECORDING_TEXT_MAX ((size_t)4096) /* of a note or flag, in bytes */

enum recording_edit_kind {
    EDIT_STAR,     /* step, on: the step matters */
    EDIT_NOTE,     /* step, text: a person's note; "": none any more */
    EDIT_DELETE,   /* step, on: the step was an accident */
    EDIT_EVIDENCE, /* step, selector, on: this node of the screen before the
                      step shows the end state */
    EDIT_WAIT_FOR, /* step, selector: wait for it before the step; none: do not
                      wait any more */
    EDIT_ANSWER,   /* step, text, selector: what the screen before the step
                      shows, at this node if there is one, is the answer of the
                      task; "": it is not any more */
    EDIT_TARGET,   /* step, selector: other ways to find the step's target */
    EDIT_UNDONE,   /* step, on: the phone was taken back to before the step;
                      false: it could not be, the step is only struck out */
    EDIT_FLAG,     /* step, text: its screen or tree may be late, and so on */
    EDIT_RETAKE,   /* step: its screen was taken again, flags are settled */
    EDIT_TRIM,     /* from, to: only these steps, both included, are used */
    RECORDING_EDIT_KINDS,
};

/* One edit. Members that its kind does not have are 0 or NULL. */
struct recording_edit {
    enum recording_edit_kind kind;
    int step;
    bool on;
    int from;
    int to;
    char *text;                     /* owned */
    struct node_selector *selector; /* owned */
};

void recording_edit_release(struct recording_edit *edit);

/* As in JSON: "star", "wait_for". */
const char *recording_edit_kind_name(enum recording_edit_kind kind);

/* The edit as a line of edits.jsonl. The caller frees it. */
struct cJSON *recording_edit_to_json(const struct recording_edit *edit);

/*
 * Read a line. The caller releases the edit. Fails with ERR_INVALID and the
 * member.
 */
MUST_USE bool recording_edit_from_json(const struct json *json,
                                       struct recording_edit *edit,
                                       struct err *err);

/* All edits of a recording, in their order. */
struct recording_edits {
    struct recording_edit *items; /* owned */
    size_t count;
    bool torn; /* the last line was torn, and is dropped */
};

void recording_edits_release(struct recording_edits *edits);

/*
 * Read the edits from memory. The caller releases them. Fails with ERR_INVALID
 * and the line, ERR_UNSUPPORTED for a later version, ERR_LIMIT for too many.
 */
MUST_USE bool recording_edits_parse(const char *text, size_t length,
                                    struct recording_edits *edits,
                                    struct err *err);

/* Read edits.jsonl in folder; without the file there are none. */
MUST_USE bool recording_edits_load(const char *folder,
                                   struct recording_edits *edits,
                                   struct err *err);

/* Make edits.jsonl in folder, without edits, and bring it to the disk. */
MUST_USE bool recording_edits_create(const char *folder, struct err *err);

/*
 * Wait until no one appends an edit, and keep others from it until *lock is
 * closed.
 */
MUST_USE bool recording_edits_lock(const char *folder, int *lock,
                                   struct err *err);

/*
 * Append an edit to edits.jsonl in folder, which is created if it is missing.
 * Returns when it is on the disk. Several threads and programs may do so at
 * once, also while the recording is made; each waits for the other. Fails with
 * ERR_INVALID for a text or a step out of bounds, and as file_write.
 */
MUST_USE bool recording_edit_add(const char *folder,
                                 const struct recording_edit *edit,
                                 struct err *err);

#endif
