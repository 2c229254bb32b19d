#include "runner/device/undo_journal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/device/undo_journal_private.h"

static const char *const members[] = {
    [UNDO_SETTING] = "setting", [UNDO_KEYBOARD] = "keyboard",
    [UNDO_ENABLED] = "enabled", [UNDO_ASLEEP] = "asleep",
    [UNDO_FILE] = "file",
};

void undo_entry_release(struct undo_entry *entry)
{
    free(entry->name);
    free(entry->value);
}

/* ---- opening and closing ---- */

static bool is_word(const char *text)
{
    for (const char *at = text; *at; at++) {
        if (!isalnum((unsigned char)*at) && !strchr("_.-", *at))
            return false;
    }
    return *text != '\0';
}

bool undo_is_setting(const char *name)
{
    static const char *const spaces[] = {"system ", "secure ", "global "};

    for (size_t i = 0; i < ARRAY_LEN(spaces); i++) {
        if (!strncmp(name, spaces[i], strlen(spaces[i])))
            return is_word(name + strlen(spaces[i]));
    }
    return false;
}

bool undo_is_file(const char *path, const char *top)
{
    size_t length = strlen(top);

    for (const char *at = path; *at; at++) {
        if ((unsigned char)*at < ' ')
            return false;
    }
    return path[0] == '/' && length > 1 && !strncmp(path, top, length) &&
           (!path[length] || path[length] == '/') &&
           path[strlen(path) - 1] != '/';
}

static bool read_file(const struct json *line, const char *path,
                      struct undo_entry *entry, struct err *err)
{
    const char *top = NULL;

    if (!json_opt_string(line, "from", &top, err))
        return false;
    if (!top || !undo_is_file(path, top))
        return err_set(err, ERR_INVALID, "not a file: %.60s", path);
    entry->name = mem_dup(top);
    entry->value = mem_dup(path);
    return true;
}

static bool read_entry(const struct json *line, struct undo_entry *entry,
                       struct err *err)
{
    const char *name = NULL, *value = NULL;

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        if (!json_opt_string(line, members[i], &name, err))
            return false;
        if (name) {
            entry->kind = (enum undo_entry_kind)i;
            break;
        }
    }
    if (!name)
        return err_set(err, ERR_INVALID, "no known change");
    if (entry->kind == UNDO_FILE)
        return read_file(line, name, entry, err);
    if (entry->kind != UNDO_SETTING) {
        entry->name = NULL;
        entry->value = mem_dup(name);
        return true;
    }
    if (!undo_is_setting(name))
        return err_set(err, ERR_INVALID, "not a setting: %.60s", name);
    if (!json_opt_string(line, "was", &value, err))
        return false;
    entry->name = mem_dup(name);
    entry->value = value ? mem_dup(value) : NULL;
    return true;
}

static bool read_all(struct undo_journal *journal, struct jsonl_reader *reader,
                     struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return true;
        if (journal->count == UNDO_ENTRIES_MAX)
            return err_set(err, ERR_LIMIT, "more than %d lines",
                           UNDO_ENTRIES_MAX);
        if (!read_entry(&line, &journal->entries[journal->count], err))
            return jsonl_wrap(reader, err);
        journal->count++;
    }
}

static bool load(struct undo_journal *journal, struct err *err)
{
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done =
        file_load(journal->path, &text, err) || err->code == ERR_NOT_FOUND;
    struct jsonl_reader reader = JSONL_READER(text.data, text.length);

    done = done && read_all(journal, &reader, err);
    jsonl_reader_release(&reader);
    buf_release(&text);
    return done || err_wrap(err, "%.150s", journal->path);
}

bool undo_journal_open(const char *path, struct undo_journal **journal,
                       struct err *err)
{
    struct undo_journal *made = mem_new(1, sizeof(*made));

    made->writer = (struct jsonl_writer)JSONL_WRITER_INIT;
    made->path = path ? mem_dup(path) : NULL;
    if (path && !load(made, err)) {
        undo_journal_close(made);
        return false;
    }
    *journal = made;
    return true;
}

void undo_journal_close(struct undo_journal *journal)
{
    if (!journal)
        return;
    for (size_t i = 0; i < journal->count; i++)
        undo_entry_release(&journal->entries[i]);
    jsonl_close(&journal->writer);
    free(journal->path);
    free(journal);
}

size_t undo_journal_count(const struct undo_journal *journal)
{
    return journal->count;
}

/* ---- writing ---- */

static struct cJSON *entry_to_json(const struct undo_entry *entry)
{
    struct cJSON *line = json_new_object();

    if (entry->kind != UNDO_SETTING) {
        json_add_string(line, members[entry->kind], entry->value);
        if (entry->kind == UNDO_FILE)
            json_add_string(line, "from", entry->name);
        return line;
    }
    json_add_string(line, members[entry->kind], entry->name);
    if (entry->value)
        json_add_string(line, "was", entry->value);
    else
        json_add_null(line, "was");
    return line;
}

static bool write_entry(struct undo_journal *journal,
                        const struct undo_entry *entry, struct err *err)
{
    struct cJSON *line;
    bool done;

    if (!journal->path)
        return true;
    if (journal->writer.fd < 0 &&
        !jsonl_open(&journal->writer, journal->path, err))
        return false;
    line = entry_to_json(entry);
    done = jsonl_add(&journal->writer, line, err) &&
           jsonl_sync(&journal->writer, err);
    cJSON_Delete(line);
    return done;
}

bool undo_journal_has(const struct undo_journal *journal,
                      enum undo_entry_kind kind, const char *name,
                      const char *value)
{
    for (size_t i = 0; i < journal->count; i++) {
        const struct undo_entry *known = &journal->entries[i];

        if (known->kind != kind)
            continue;
        if (kind == UNDO_KEYBOARD ||
            (kind == UNDO_SETTING ? !strcmp(known->name, name)
                                  : !strcmp(known->value, value)))
            return true;
    }
    return false;
}

bool undo_journal_note(struct undo_journal *journal, enum undo_entry_kind kind,
                       const char *name, const char *value, struct err *err)
{
    struct undo_entry *entry = &journal->entries[journal->count];

    /* The first recorded value is the original one. */
    if (undo_journal_has(journal, kind, name, value))
        return true;
    if (journal->count == UNDO_ENTRIES_MAX)
        return err_set(err, ERR_LIMIT, "too many changes on the phone");
    *entry = (struct undo_entry){kind, name ? mem_dup(name) : NULL,
                                 value ? mem_dup(value) : NULL};
    if (!write_entry(journal, entry, err)) {
        undo_entry_release(entry);
        return err_wrap(err, "recording a change on the phone");
    }
    journal->count++;
    return true;
}

bool undo_journal_remove_file(struct undo_journal *journal, struct err *err)
{
    jsonl_close(&journal->writer);
    journal->writer = (struct jsonl_writer)JSONL_WRITER_INIT;
    if (journal->path && unlink(journal->path) < 0 && errno != ENOENT)
        return err_errno(err, errno, "removing %.150s", journal->path);
    return true;
}

bool undo_journal_rewrite_file(struct undo_journal *journal, struct err *err)
{
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done;

    jsonl_close(&journal->writer);
    journal->writer = (struct jsonl_writer)JSONL_WRITER_INIT;
    if (!journal->path)
        return true;
    for (size_t i = 0; i < journal->count; i++) {
        struct cJSON *line = entry_to_json(&journal->entries[i]);

        json_format(line, &text);
        buf_byte(&text, '\n');
        cJSON_Delete(line);
    }
    done = file_save_synced(journal->path, 0600, text.data, text.length, err);
    buf_release(&text);
    return done;
}
