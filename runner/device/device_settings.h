/*
 * Prepares a phone for tasks, and restores it afterwards.
 *
 *     device_settings_open ──▶ task_setup_reset ──▶ … ──▶ device_settings_undo
 *          │
 *          └── first restores what a killed program left changed
 *
 * Every change is recorded in a journal (runner/device/undo_journal.h), one
 * file per phone. Only what options ask for is changed. What an agent that
 * drives the phone itself changes has a second journal.
 */
#ifndef RUNNER_DEVICE_DEVICE_SETTINGS_H
#define RUNNER_DEVICE_DEVICE_SETTINGS_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "runner/device/undo_journal.h"

struct device_settings_options {
    /*
     * folder of journals, created if missing; NULL: no journal is saved, and
     * after a kill the phone stays changed
     */
    const char *folder;
    bool stay_awake; /* keep the screen on while the phone is plugged in */
    bool disable_animations; /* switch animations off */
    bool disable_rotation;   /* lock the rotation to portrait */
};

struct device_settings;

/*
 * Restore what an earlier program left changed, wake the phone, check that it
 * is not locked, and change the settings that options ask for. The journal's
 * file is named by serial.
 *
 * Fails with ERR_DENIED when the phone is locked, and as undo_journal_set; the
 * changes made so far are then undone as far as possible.
 */
MUST_USE bool device_settings_open(
    struct device *device, const char *serial,
    const struct device_settings_options *options, struct deadline by,
    struct device_settings **device_settings, struct err *err);

/* The journal, for further changes. Borrowed. */
struct undo_journal *device_settings_journal(
    struct device_settings *device_settings);

/*
 * The journal for what an agent changes, which is restored after each of its
 * episodes. Borrowed.
 */
struct undo_journal *device_settings_agent_journal(
    struct device_settings *device_settings);

/* Restore what an agent has changed. Fails as device_settings_undo. */
MUST_USE bool device_settings_undo_agent(
    struct device_settings *device_settings, struct device *device,
    struct err *err);

/*
 * Restore everything. The time for it grows with the number of changes and with
 * the time that one command took on this phone. Fails as undo_journal_undo;
 * what is not restored stays in the journal for another call, or for the next
 * device_settings_open with this serial.
 */
MUST_USE bool device_settings_undo(struct device_settings *device_settings,
                                   struct device *device, struct err *err);
/* How many changes there are to restore. */
size_t device_settings_count(const struct device_settings *device_settings);
void device_settings_close(
    struct device_settings
        *device_settings); /* without restoring; NULL is fine */

/*
 * Does this output of `dumpsys window policy` show a locked phone? *secure: by
 * a PIN, pattern or similar ones.
 */
bool device_settings_is_locked(const char *policy, bool *secure);

#endif
