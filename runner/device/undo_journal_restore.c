/* Restores what was changed on the phone, and reads it back. */
#include <stdio.h>
#include <string.h>

#include "base/keycode.h"
#include "runner/device/settings_read.h"
#include "runner/device/undo_journal_private.h"
#include "runner/device/undo_phone.h"

#define NAMES_MAX ((size_t)64 * 1024)

static bool put_to_sleep(struct device *device, struct deadline by,
                         struct err *err)
{
    struct undo_wakefulness found;

    return undo_phone_read_wakefulness(device, by, &found, err) &&
           (found.asleep ||
            undo_phone_press_sleep_key(device, &found, KEY_SLEEP, by, err));
}

static bool undo(const struct undo_entry *entry, struct device *device,
                 struct deadline by, struct err *err)
{
    switch (entry->kind) {
    case UNDO_SETTING:
        return undo_phone_put(device, entry->name, entry->value, by, err);
    case UNDO_KEYBOARD:
        return undo_phone_ime(device, "set", entry->value, by, err);
    case UNDO_ENABLED:
        return undo_phone_ime(device, "disable", entry->value, by, err);
    case UNDO_ASLEEP:
        return put_to_sleep(device, by, err);
    case UNDO_FILE:
        return undo_phone_remove(device, entry->value, entry->name, by, err);
    }
    return true;
}

/* `settings delete` came with Android 5; before, this removes the row. */
static bool delete_row(struct device *device, const char *setting,
                       struct deadline by, struct err *err)
{
    const char *space = strchr(setting, ' ');
    char command[256];

    snprintf(command, sizeof(command),
             "content delete --uri content://settings/%.*s --where "
             "\"name='%.100s'\"",
             (int)(space - setting), setting, space + 1);
    return undo_phone_must_run(device, command, by, err);
}

/* One attempt to restore everything. */
struct restoring {
    struct undo_journal *journal;
    struct device *device;
    bool failed[UNDO_ENTRIES_MAX];
};

/* The setting that shows whether an entry is restored; NULL: none does. */
static const char *setting_of(const struct undo_entry *entry)
{
    switch (entry->kind) {
    case UNDO_SETTING:
        return entry->name;
    case UNDO_KEYBOARD:
        return UNDO_KEYBOARD_SETTING;
    case UNDO_ENABLED:
    case UNDO_ASLEEP:
    case UNDO_FILE:
        break;
    }
    return NULL;
}

/* Read back; *rows counts settings that should be unset, but are set. */
static bool verify(struct restoring *restoring, struct deadline by,
                   size_t *rows, struct err *err)
{
    const struct undo_journal *journal = restoring->journal;
    const char *names[UNDO_ENTRIES_MAX] = {NULL};
    char *values[UNDO_ENTRIES_MAX];
    bool known[UNDO_ENTRIES_MAX];
    size_t places[UNDO_ENTRIES_MAX];
    size_t count = 0;

    *rows = 0;
    for (size_t i = 0; i < journal->count; i++) {
        names[count] = setting_of(&journal->entries[i]);
        places[count] = i;
        count += names[count] != NULL;
    }
    if (!settings_read(restoring->device, names, count, by, values, known, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct undo_entry *entry = &journal->entries[places[i]];
        bool *failed = &restoring->failed[places[i]];

        /* A value that cannot be read does not count as restored. */
        *failed = !known[i] || !undo_phone_has_value(values[i], entry->value);
        *rows += *failed && !entry->value;
    }
    undo_phone_release_values(values, count);
    return true;
}

/* Unset settings by deleting their rows. */
static bool delete_rows(struct restoring *restoring, struct deadline by,
                        struct err *err)
{
    const struct undo_journal *journal = restoring->journal;
    size_t rows;

    for (size_t i = 0; i < journal->count; i++) {
        const struct undo_entry *entry = &journal->entries[i];

        if (restoring->failed[i] && entry->kind == UNDO_SETTING &&
            !entry->value &&
            !delete_row(restoring->device, entry->name, by, err) &&
            err->code != ERR_REMOTE)
            return false;
    }
    return verify(restoring, by, &rows, err);
}

static bool restore_one(struct restoring *restoring, size_t at,
                        struct deadline by, struct err *err)
{
    const struct undo_entry *entry = &restoring->journal->entries[at];

    restoring->failed[at] = !undo(entry, restoring->device, by, err);
    return !restoring->failed[at] || err->code == ERR_REMOTE;
}

/*
 * In recorded order, as the previous keyboard is selected before ours is
 * disabled; files in the other one, as a folder is empty only when what came
 * into it later is gone.
 */
static bool restore(struct restoring *restoring, struct deadline by,
                    struct err *err)
{
    const struct undo_journal *journal = restoring->journal;
    size_t rows;

    for (size_t i = 0; i < journal->count; i++) {
        if (journal->entries[i].kind != UNDO_FILE &&
            !restore_one(restoring, i, by, err))
            return false;
    }
    for (size_t i = journal->count; i > 0; i--) {
        if (journal->entries[i - 1].kind == UNDO_FILE &&
            !restore_one(restoring, i - 1, by, err))
            return false;
    }
    return verify(restoring, by, &rows, err) &&
           (!rows || delete_rows(restoring, by, err));
}

/* ---- after restoring ---- */

static void name_entry(const struct undo_entry *entry, struct buf *text)
{
    static const char *const names[] = {
        [UNDO_SETTING] = "setting",
        [UNDO_KEYBOARD] = "keyboard",
        [UNDO_ENABLED] = "enabled keyboard",
        [UNDO_ASLEEP] = "sleep",
        [UNDO_FILE] = "file",
    };

    buf_printf(text, "%s%s", text->length ? ", " : "", names[entry->kind]);
    if (entry->kind != UNDO_ASLEEP)
        buf_printf(text, " %s",
                   entry->kind == UNDO_SETTING ? entry->name : entry->value);
}

/* Keep only the entries that failed, and name them. */
static void keep_failed(struct restoring *restoring, struct buf *names)
{
    struct undo_journal *journal = restoring->journal;
    size_t kept = 0;

    for (size_t i = 0; i < journal->count; i++) {
        if (restoring->failed[i]) {
            name_entry(&journal->entries[i], names);
            journal->entries[kept++] = journal->entries[i];
        } else {
            undo_entry_release(&journal->entries[i]);
        }
    }
    journal->count = kept;
}

bool undo_journal_undo(struct undo_journal *journal, struct device *device,
                       struct deadline by, struct err *err)
{
    struct restoring restoring = {.journal = journal, .device = device};
    struct buf names = BUF_INIT(NAMES_MAX);
    bool done;

    if (!journal->count)
        return true;
    if (!restore(&restoring, by, err))
        return err_wrap(err, "restoring what was changed");
    keep_failed(&restoring, &names);
    if (!journal->count)
        done = undo_journal_remove_file(journal, err);
    else
        done = undo_journal_rewrite_file(journal, err) &&
               err_set(err, ERR_REMOTE, "the phone did not restore: %.180s",
                       buf_cstr(&names));
    buf_release(&names);
    return done;
}
