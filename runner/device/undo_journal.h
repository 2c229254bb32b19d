/*
 * A journal of changes to a phone, so that they can be undone, also by another
 * program after this one was killed. Each line has an old value, and is on the
 * disk before the change is made.
 *
 *     {"setting": "system user_rotation", "was": "0"}     null: was not set
 *     {"keyboard": "com.android.inputmethod.latin/.LatinIME"}   was selected
 *     {"enabled": "com.android.adbkeyboard/.AdbIME"}      was not enabled
 *     {"asleep": "yes"}
 *     {"file": "/sdcard/a/b.txt", "from": "/sdcard/a"}    neither was there
 *
 * The file is deleted when everything is restored.
 */
#ifndef RUNNER_DEVICE_UNDO_JOURNAL_H
#define RUNNER_DEVICE_UNDO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/device.h"

struct undo_journal;

/*
 * Open the journal in the file at path, with the entries it has; NULL: keep it
 * in memory only. The file is created with the first entry. Fails with
 * ERR_INVALID for a damaged file, and ERR_IO.
 */
MUST_USE bool undo_journal_open(const char *path, struct undo_journal **journal,
                                struct err *err);
void undo_journal_close(
    struct undo_journal *journal); /* without undoing; NULL is fine */

/* A setting, such as "system user_rotation", and its new value. */
struct undo_journal_change {
    const char *setting;
    const char *value;
};

/*
 * Change settings of the phone and record their old values. All of them are
 * read at once, before and after; those that have the value already are not
 * changed. Fails as shell_run and jsonl_add, and with ERR_REMOTE when the phone
 * does not accept a value, or does not let an old one be read: then nothing is
 * changed, as it could not be restored.
 */
MUST_USE bool undo_journal_set(struct undo_journal *journal,
                               struct device *device,
                               const struct undo_journal_change *changes,
                               size_t count, struct deadline by,
                               struct err *err);

/*
 * Enable a keyboard and select it; record which one was selected. Fails with
 * ERR_REMOTE, and changes nothing, when the phone does not report that.
 */
MUST_USE bool undo_journal_use_keyboard(struct undo_journal *journal,
                                        struct device *device,
                                        const char *keyboard,
                                        struct deadline by, struct err *err);

/*
 * Something else is about to change these: record old values, and that of a
 * file only if there is none, as its content cannot be restored. Names are
 * untrusted: ERR_INVALID. Fail with ERR_REMOTE when the phone does not let an
 * old value be read.
 */
MUST_USE bool undo_journal_note_setting(struct undo_journal *journal,
                                        struct device *device,
                                        const char *setting, struct deadline by,
                                        struct err *err);
MUST_USE bool undo_journal_note_keyboard(struct undo_journal *journal,
                                         struct device *device,
                                         const char *keyboard,
                                         struct deadline by, struct err *err);
MUST_USE bool undo_journal_note_file(struct undo_journal *journal,
                                     struct device *device, const char *path,
                                     struct deadline by, struct err *err);

/* Wake the phone if it is asleep, and record that. */
MUST_USE bool undo_journal_wake(struct undo_journal *journal,
                                struct device *device, struct deadline by,
                                struct err *err);

/*
 * Restore everything, read it back, and delete the file. Fails with ERR_REMOTE
 * and a list of what the phone did not restore, which stays in the journal for
 * another try; otherwise as shell_run, with the journal unchanged.
 */
MUST_USE bool undo_journal_undo(struct undo_journal *journal,
                                struct device *device, struct deadline by,
                                struct err *err);

/* How many changes there are to restore. */
size_t undo_journal_count(const struct undo_journal *journal);

/* How long a command took while settings or keyboards were changed; or 0. */
int64_t undo_journal_command_ms(const struct undo_journal *journal);

#endif
