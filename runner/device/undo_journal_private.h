/*
 * Shared by the files of undo_journal: undo_journal.c has the file,
 * undo_journal_change.c makes changes, undo_journal_restore.c takes them back.
 */
#ifndef RUNNER_DEVICE_UNDO_JOURNAL_PRIVATE_H
#define RUNNER_DEVICE_UNDO_JOURNAL_PRIVATE_H

#include "runner/device/undo_journal.h"
#include "tasks/json/jsonl.h"

#define UNDO_ENTRIES_MAX 512

#define UNDO_KEYBOARD_SETTING "secure default_input_method"

enum undo_entry_kind {
    UNDO_SETTING,  /* name is "namespace key", value the old one or NULL */
    UNDO_KEYBOARD, /* value is the keyboard that was selected */
    UNDO_ENABLED,  /* value is a keyboard that was not enabled */
    UNDO_ASLEEP,
    UNDO_FILE, /* value is its path, name the first folder that was missing */
};

struct undo_entry {
    enum undo_entry_kind kind;
    char *name;  /* owned; NULL for keyboards and sleep */
    char *value; /* owned */
};

void undo_entry_release(struct undo_entry *entry);

struct undo_journal {
    char *path; /* owned; NULL: none */
    struct jsonl_writer writer;
    struct undo_entry entries[UNDO_ENTRIES_MAX];
    size_t count;
    int64_t command_ms; /* the longest duration of a command, on average */
};

/*
 * Record an old value, unless an earlier one is recorded. It is on the disk
 * when this returns; on failure nothing is recorded.
 */
MUST_USE bool undo_journal_note(struct undo_journal *journal,
                                enum undo_entry_kind kind, const char *name,
                                const char *value, struct err *err);

/* Is it a known namespace and a key, as "system user_rotation"? */
bool undo_is_setting(const char *name);

/* Is it the path of a file, below top or top itself? */
bool undo_is_file(const char *path, const char *top);

/* Is an old value of it recorded? */
bool undo_journal_has(const struct undo_journal *journal,
                      enum undo_entry_kind kind, const char *name,
                      const char *value);

/* Delete the file, or replace it by one with the entries that are left. */
MUST_USE bool undo_journal_remove_file(struct undo_journal *journal,
                                       struct err *err);
MUST_USE bool undo_journal_rewrite_file(struct undo_journal *journal,
                                        struct err *err);

#endif
