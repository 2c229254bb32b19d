/* uiautomator's tree, got out of it in spite of how it fails. */
#ifndef RUNNER_DUMP_H
#define RUNNER_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"
#include "base/buf.h"
#include "base/cancel.h"

/* The largest dump that is taken. */
#define DUMP_MAX ((size_t)16 << 20)

enum dump_outcome {
    DUMP_WHOLE,
    DUMP_CUT,       /* its end is missing */
    DUMP_NULL_ROOT, /* it saw no window */
    DUMP_NO_IDLE,   /* it waited in vain for the screen to rest */
    DUMP_TAKEN,     /* another program has the accessibility service */
    DUMP_KILLED,    /* ended by the system, or without a word */
    DUMP_FAILED,    /* with some other words */
    DUMP_MISSING,   /* there is no uiautomator */
};

/* What the command's output means; *xml is where the dump begins in it. */
enum dump_outcome dump_judge(const char *text, size_t length, size_t *xml);

/* In words: "it saw no window". */
const char *dump_outcome_words(enum dump_outcome outcome);

/*
 * Dump the screen into xml, trying again within bounds; patient says that
 * pauses between attempts make sense on this phone. Never a stale one: the
 * file is removed before. *outcome tells how the last attempt went: DUMP_WHOLE,
 * DUMP_CUT (xml has what there is), or what was wrong (xml is empty).
 * Fails as shell_exec does.
 */
MUST_USE bool dump_take(struct device *device, bool patient,
                        const struct cancel *cancel, struct deadline by,
                        struct buf *xml, enum dump_outcome *outcome,
                        struct err *err);

#endif
