/*
 * A phone made ready for tasks, and given back as it was.
 *
 *     prepare_open ──▶ begin_reset, and the task ──▶ … ──▶ prepare_undo
 *          │
 *          └── first puts back what a program that was killed had changed
 *
 * Everything that is changed goes through a journal (runner/journal.h), one
 * file per phone. Nothing is changed that was not asked for.
 */
#ifndef RUNNER_PREPARE_H
#define RUNNER_PREPARE_H

#include <stdbool.h>

#include "adb/device.h"
#include "runner/journal.h"

struct prepare_options {
    const char *folder;    /* of journals; made if need be; NULL: none is kept,
                              and a kill leaves the phone as it is then */
    bool stays_awake;      /* while it is plugged in */
    bool without_motion;   /* animations are off */
    bool without_rotation; /* upright, however it is held */
};

struct preparation;

/*
 * Put back what is left of the last time, wake the phone, see that it is not
 * locked, and change what is asked for. serial names the journal.
 *
 * Fails with ERR_DENIED when the phone is locked, and as journal_set does;
 * what was changed by then is put back as far as that is possible.
 */
MUST_USE bool prepare_open(struct device *device, const char *serial,
                           const struct prepare_options *options,
                           struct deadline by, struct preparation **preparation,
                           struct err *err);

/* For those who change more. */
struct journal *prepare_journal(struct preparation *preparation);

/* Put everything back. Fails as journal_undo does, and may be tried again. */
MUST_USE bool prepare_undo(struct preparation *preparation,
                           struct device *device, struct deadline by,
                           struct err *err);
void prepare_close(struct preparation *preparation); /* undoes nothing */

/* Does a phone's `dumpsys window policy` say that it is locked? */
bool prepare_is_locked(const char *policy, bool *secure);

#endif
