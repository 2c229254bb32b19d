/* Reads the UI tree with uiautomator, which fails in many ways. */
#ifndef RUNNER_OBSERVE_UI_DUMP_H
#define RUNNER_OBSERVE_UI_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "runner/device/phone_clock.h"

/* Larger dumps are refused. */
#define UI_DUMP_MAX ((size_t)16 << 20)

enum ui_dump_outcome {
    UI_DUMP_WHOLE,
    UI_DUMP_TRUNCATED,    /* the end is missing */
    UI_DUMP_NULL_ROOT,    /* uiautomator found no window */
    UI_DUMP_NOT_IDLE,     /* the screen was never idle */
    UI_DUMP_SERVICE_BUSY, /* another program has the accessibility service */
    UI_DUMP_KILLED,       /* killed by the system, or ended without output */
    UI_DUMP_FAILED,       /* failed with another message */
    UI_DUMP_MISSING,      /* there is no uiautomator */
};

/* Classify the output of the command; *xml is where the dump begins in it. */
enum ui_dump_outcome ui_dump_classify(const char *text, size_t length,
                                      size_t *xml);

/* As a message, such as "uiautomator saw no window". */
const char *ui_dump_outcome_text(enum ui_dump_outcome outcome);

/*
 * Dump the UI tree into xml, with retries within bounds; clock is the phone's,
 * for the pauses between them. The file is deleted before, so that no old dump
 * is read. *outcome is that of the last attempt: UI_DUMP_WHOLE,
 * UI_DUMP_TRUNCATED (xml has a part), or the reason why xml is empty. Fails as
 * shell_exec.
 */
MUST_USE bool ui_dump_take(struct device *device,
                           const struct phone_clock *clock,
                           const struct cancel *cancel, struct deadline by,
                           struct buf *xml, enum ui_dump_outcome *outcome,
                           struct err *err);

#endif
