/*
 * What was changed on a phone, so that it can be put back, also by another
 * program after this one was killed: each line says how something was, and is
 * on the disk before it is changed.
 *
 *     {"setting": "system user_rotation", "was": "0"}     null: not set
 *     {"keyboard": "com.android.inputmethod.latin/.LatinIME"}
 *     {"enabled": "com.android.adbkeyboard/.AdbIME"}      it was not
 *     {"asleep": "yes"}
 *
 * When everything is back, the file is removed.
 */
#ifndef RUNNER_JOURNAL_H
#define RUNNER_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device.h"

struct journal;

/*
 * Write to the file at path, after what it holds already; NULL: keep it in
 * memory alone. Nothing is made before something is noted.
 */
MUST_USE bool journal_open(const char *path, struct journal **journal,
                           struct err *err);
void journal_close(struct journal *journal); /* NULL is fine; undoes nothing */

/* Are there things to be put back? */
bool journal_is_empty(const struct journal *journal);

/*
 * Set one of the phone's settings (space: "system", "secure", "global"), and
 * note how it was; nothing is done when it is so already.
 * Fails as shell_run and file_write do, and with ERR_REMOTE when the phone
 * does not do it.
 */
MUST_USE bool journal_set(struct journal *journal, struct device *device,
                          const char *space, const char *name,
                          const char *value, struct deadline by,
                          struct err *err);

/* Enable a keyboard and use it, and note which was used. */
MUST_USE bool journal_use_keyboard(struct journal *journal,
                                   struct device *device, const char *keyboard,
                                   struct deadline by, struct err *err);

/* Wake it, if it is asleep. */
MUST_USE bool journal_wake(struct journal *journal, struct device *device,
                           struct deadline by, struct err *err);

/*
 * Put everything back, and remove the file. What cannot be
 * put back as the phone refuses is skipped, and *skipped (may be NULL) counts
 * it. Fails as shell_run does; the journal then stays as it is.
 */
MUST_USE bool journal_undo(struct journal *journal, struct device *device,
                           struct deadline by, int *skipped, struct err *err);

#endif
