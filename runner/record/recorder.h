/*
 * Records what a person does on one phone.
 *
 *     recorder_open
 *         │
 *         ▼          the screen before the finger came down
 *     recorder_before ──▶ recorder_acted ──▶ recorder_before ──▶ …
 *         │                   │
 *         ▼ queue             ▼ queue (blocks when it is full, drops nothing)
 *     writer thread: PNG, target, crop, disk ──▶ on_step, on_failure
 *         │
 *         ▼
 *     recorder_finish (the end is written), or recorder_close (it can go on)
 *
 * A step is finished when on_step was called for it: then it is on the disk,
 * and survives a kill. The settled screen after a step is the screen before the
 * next one.
 *
 * recorder_flush, recorder_folder, recorder_stored and recorder_next_step are
 * called by any thread until the recorder is closed; all others by one thread
 * at a time.
 */
#ifndef RUNNER_RECORD_RECORDER_H
#define RUNNER_RECORD_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "process_provider/tree/tree.h"
#include "runner/record/record_phone.h"
#include "tasks/task/action.h"

struct recorder;

/* All of it is borrowed; phone until the recorder is closed. */
struct recorder_options {
    const char *recordings; /* folder of all recordings; made if missing */
    const char *name;       /* of this one */
    struct record_phone *phone;
    const char *instruction; /* NULL: not known, as the next two */
    const char *app;
    const char *locale;
    /*
     * A step is on the disk. Called by the writer thread, in order; must not
     * call the recorder, except for recorder_stored. May be NULL.
     */
    void (*on_step)(void *context, int step);
    /* Writing failed: nothing more is recorded. The same rules. */
    void (*on_failure)(void *context, const struct err *err);
    void *context;
};

/*
 * Start a recording, or go on with one of that name that was not finished.
 * Fails with ERR_INVALID for a bad name or a finished recording,
 * ERR_BUSY when it is being recorded by another, and as trajectory_create and
 * trajectory_continue.
 */
MUST_USE bool recorder_open(const struct recorder_options *options,
                            struct recorder **recorder, struct err *err);

/*
 * Stop without an end: it can go on later. Blocks until everything so far is on
 * the disk. NULL is fine.
 */
void recorder_close(struct recorder *recorder);

/*
 * The screen before the next action. It is moved out of screen. A screen that
 * was given before, without an action since, is replaced. Where the phone can
 * keep its state, it is kept now, for undo. Blocks while the queue is full.
 * Fails with the error of the writer thread, if it had one.
 */
MUST_USE bool recorder_before(struct recorder *recorder,
                              struct record_screen *screen, struct err *err);

/* An action of a person. */
struct recorder_action {
    const struct action *action; /* in pixels of the screen; copied */
    int64_t at_ms;               /* when the finger came down */
    const char *doubt; /* why it may have been carried out differently; NULL */
    const char *flag;  /* why its screen or tree may be late; NULL: it is not */
};

/*
 * The person did this on the screen that recorder_before was given last; *step
 * (may be NULL) is its number. The text that was typed into a password field is
 * replaced by RECORDING_MASK before anything keeps it. Blocks while the queue
 * is full. Fails with ERR_INVALID when there was no screen since the last
 * action, and with the error of the writer thread.
 */
MUST_USE bool recorder_acted(struct recorder *recorder,
                             const struct recorder_action *action, int *step,
                             struct err *err);

/*
 * For actions that proctor carries out: observe, unless the screen is known;
 * perform; record; wait until it has settled, and record that screen. Returns
 * when all of it is on the disk. *step is the number of the step, and is set
 * before anything of it is recorded. Fails as record_phone_ops; an action that
 * the phone refused is not recorded.
 */
MUST_USE bool recorder_step(struct recorder *recorder,
                            const struct action *action, int *step,
                            struct err *err);

/* Observe the settled screen and give it to recorder_before. */
MUST_USE bool recorder_observe(struct recorder *recorder, struct err *err);

/* The result of recorder_undo. */
struct recorder_undone {
    int step;          /* the step that is undone */
    bool restored;     /* the phone is as before it */
    char warning[256]; /* what the person has to do; "": nothing */
};

/*
 * Take back the last step that counts: by the state that was kept before it,
 * or, where there is none, by striking it out. Blocks until it is on the disk
 * and the screen is observed again; a screen that cannot be observed is only a
 * warning. Fails with ERR_NOT_FOUND without such a step; on failure no step was
 * undone.
 */
MUST_USE bool recorder_undo(struct recorder *recorder,
                            struct recorder_undone *undone, struct err *err);

/* Block until everything so far is on the disk. */
MUST_USE bool recorder_flush(struct recorder *recorder, struct err *err);

/*
 * Remove what was typed into password fields from a tree that the phone has
 * now. Nothing may be recorded meanwhile. Fails as recorder_flush.
 */
MUST_USE bool recorder_mask(struct recorder *recorder, struct tree *tree,
                            struct err *err);

/* The folder of the recording, borrowed; edits go there: recording_edit_add. */
const char *recorder_folder(const struct recorder *recorder);

/* How many steps are on the disk, and the number of the next one. */
int recorder_stored(struct recorder *recorder);
int recorder_next_step(struct recorder *recorder);

/*
 * Write the end of the recording, and close it: also on failure. Blocks until
 * it is on the disk.
 */
MUST_USE bool recorder_finish(struct recorder *recorder, struct err *err);

#endif
