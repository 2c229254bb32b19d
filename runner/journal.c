#include "runner/journal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/shell.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/text.h"
#include "tasks/jsonl.h"

#define ANSWER_MAX ((size_t)64 * 1024)
#define COMMAND_MAX ((size_t)16 * 1024)
#define ENTRIES_MAX 256

enum entry_kind {
    ENTRY_SETTING,  /* name is "space name", value how it was or NULL */
    ENTRY_KEYBOARD, /* value is the one that was used */
    ENTRY_ENABLED,  /* value is one that was not enabled */
    ENTRY_ASLEEP,
};

struct entry {
    enum entry_kind kind;
    char *name;  /* owned; NULL for keyboards */
    char *value; /* owned */
};

struct journal {
    char *path; /* owned; NULL: none */
    struct jsonl_writer writer;
    struct entry entries[ENTRIES_MAX];
    size_t count;
};

static const char *const members[] = {
    [ENTRY_SETTING] = "setting",
    [ENTRY_KEYBOARD] = "keyboard",
    [ENTRY_ENABLED] = "enabled",
    [ENTRY_ASLEEP] = "asleep",
};

static void entry_release(struct entry *entry)
{
    free(entry->name);
    free(entry->value);
}

/* ---- the file ---- */

static bool is_word(const char *text)
{
    for (const char *at = text; *at; at++) {
        if (!isalnum((unsigned char)*at) && !strchr("_.-", *at))
            return false;
    }
    return *text != '\0';
}

/* "system user_rotation": a space that there is, and a word. */
static bool is_setting(const char *name)
{
    static const char *const spaces[] = {"system ", "secure ", "global "};

    for (size_t i = 0; i < ARRAY_LEN(spaces); i++) {
        if (!strncmp(name, spaces[i], strlen(spaces[i])))
            return is_word(name + strlen(spaces[i]));
    }
    return false;
}

static bool read_entry(const struct json *line, struct entry *entry,
                       struct err *err)
{
    const char *name = NULL, *value = NULL;

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        if (!json_opt_string(line, members[i], &name, err))
            return false;
        if (name) {
            entry->kind = (enum entry_kind)i;
            break;
        }
    }
    if (!name)
        return err_set(err, ERR_INVALID, "nothing to be put back");
    if (entry->kind != ENTRY_SETTING) {
        entry->name = NULL;
        entry->value = mem_dup(name);
        return true;
    }
    if (!is_setting(name))
        return err_set(err, ERR_INVALID, "no setting: %.60s", name);
    if (!json_opt_string(line, "was", &value, err))
        return false;
    entry->name = mem_dup(name);
    entry->value = value ? mem_dup(value) : NULL;
    return true;
}

static bool read_all(struct journal *journal, struct jsonl_reader *reader,
                     struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return true;
        if (journal->count == ENTRIES_MAX)
            return err_set(err, ERR_LIMIT, "more than %d lines", ENTRIES_MAX);
        if (!read_entry(&line, &journal->entries[journal->count], err))
            return jsonl_wrap(reader, err);
        journal->count++;
    }
}

static bool load(struct journal *journal, struct err *err)
{
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    bool done = file_load_ordinary(journal->path, &text, err) ||
                err->code == ERR_NOT_FOUND;
    struct jsonl_reader reader = JSONL_READER(text.data, text.length);

    done = done && read_all(journal, &reader, err);
    jsonl_reader_release(&reader);
    buf_release(&text);
    return done || err_wrap(err, "%.150s", journal->path);
}

bool journal_open(const char *path, struct journal **journal, struct err *err)
{
    struct journal *made = mem_new(1, sizeof(*made));

    made->writer = (struct jsonl_writer)JSONL_WRITER_INIT;
    made->path = path ? mem_dup(path) : NULL;
    if (path && !load(made, err)) {
        journal_close(made);
        return false;
    }
    *journal = made;
    return true;
}

void journal_close(struct journal *journal)
{
    if (!journal)
        return;
    for (size_t i = 0; i < journal->count; i++)
        entry_release(&journal->entries[i]);
    jsonl_close(&journal->writer);
    free(journal->path);
    free(journal);
}

bool journal_is_empty(const struct journal *journal)
{
    return !journal->count;
}

static bool write_entry(struct journal *journal, const struct entry *entry,
                        struct err *err)
{
    struct cJSON *line;
    bool done;

    if (!journal->path)
        return true;
    if (journal->writer.fd < 0 &&
        !jsonl_open(&journal->writer, journal->path, err))
        return false;
    line = json_new_object();
    if (entry->kind == ENTRY_SETTING) {
        json_add_string(line, members[entry->kind], entry->name);
        if (entry->value)
            json_add_string(line, "was", entry->value);
        else
            json_add_null(line, "was");
    } else {
        json_add_string(line, members[entry->kind], entry->value);
    }
    done = jsonl_add(&journal->writer, line, err) &&
           jsonl_sync(&journal->writer, err);
    cJSON_Delete(line);
    return done;
}

/* Note how something was; it is on the disk when this returns. */
static bool note(struct journal *journal, enum entry_kind kind,
                 const char *name, const char *value, struct err *err)
{
    struct entry *entry = &journal->entries[journal->count];

    /* What is changed again was noted the first time. */
    for (size_t i = 0; i < journal->count; i++) {
        const struct entry *known = &journal->entries[i];

        if (known->kind == kind &&
            (kind == ENTRY_KEYBOARD ||
             !strcmp(name ? known->name : known->value, name ? name : value)))
            return true;
    }
    if (journal->count == ENTRIES_MAX)
        return err_set(err, ERR_LIMIT, "too much was changed on the phone");
    *entry = (struct entry){kind, name ? mem_dup(name) : NULL,
                            value ? mem_dup(value) : NULL};
    if (!write_entry(journal, entry, err)) {
        entry_release(entry);
        return err_wrap(err, "noting what is changed on the phone");
    }
    journal->count++;
    return true;
}

/* ---- the phone ---- */

/* Run it; what it printed, without the line's end, is in out. */
static bool run(struct device *device, const char *command, struct deadline by,
                struct buf *out, bool *worked, struct err *err)
{
    struct shell_result result;
    size_t length;

    if (!shell_run(device, command, ANSWER_MAX, by, &result, err))
        return false;
    length = result.out.length;
    while (length && strchr("\r\n", result.out.data[length - 1]))
        length--;
    buf_clear(out);
    buf_append(out, buf_cstr(&result.out), length);
    *worked = result.status <= 0 && !strstr(buf_cstr(&result.out), "Exception");
    if (!*worked && !out->length)
        buf_append(out, buf_cstr(&result.errors), result.errors.length);
    shell_result_release(&result);
    return true;
}

/* Run it, and take a refusal for a failure. */
static bool must_run(struct device *device, const char *command,
                     struct deadline by, struct err *err)
{
    struct buf out = BUF_INIT(ANSWER_MAX);
    char words[100];
    bool worked = false;
    bool done = run(device, command, by, &out, &worked, err);

    if (done && !worked) {
        text_copy_clean(words, sizeof(words), buf_cstr(&out), out.length);
        done = err_set(err, ERR_REMOTE, "%.60s: %s", command, words);
    }
    buf_release(&out);
    return done;
}

static void put_setting(struct buf *command, const char *name,
                        const char *value)
{
    buf_printf(command, "settings %s %s", value ? "put" : "delete", name);
    if (value) {
        buf_byte(command, ' ');
        shell_quote(command, value);
    }
}

/* How it is: "null" is what the phone says of one that is not set. */
static bool get_setting(struct device *device, const char *name,
                        struct deadline by, struct buf *value, bool *is_set,
                        struct err *err)
{
    char command[128];
    bool worked;

    snprintf(command, sizeof(command), "settings get %.100s", name);
    if (!run(device, command, by, value, &worked, err))
        return false;
    *is_set = worked && strcmp(buf_cstr(value), "null") != 0;
    return true;
}

bool journal_set(struct journal *journal, struct device *device,
                 const char *space, const char *name, const char *value,
                 struct deadline by, struct err *err)
{
    struct buf was = BUF_INIT(ANSWER_MAX);
    struct buf command = BUF_INIT(COMMAND_MAX);
    char setting[128];
    bool is_set, done;

    snprintf(setting, sizeof(setting), "%s %.100s", space, name);
    done = get_setting(device, setting, by, &was, &is_set, err);
    if (done && (!is_set || strcmp(buf_cstr(&was), value) != 0)) {
        put_setting(&command, setting, value);
        done = note(journal, ENTRY_SETTING, setting,
                    is_set ? buf_cstr(&was) : NULL, err) &&
               must_run(device, buf_cstr(&command), by, err);
    }
    buf_release(&was);
    buf_release(&command);
    return done;
}

/* Is it a line of that list? */
static bool lists(const struct buf *list, const char *keyboard)
{
    size_t length = strlen(keyboard);

    for (const char *at = buf_cstr(list); *at;) {
        size_t line = strcspn(at, "\r\n");

        if (line == length && !memcmp(at, keyboard, length))
            return true;
        at += line;
        at += strspn(at, "\r\n");
    }
    return false;
}

static bool run_with(struct device *device, const char *verb,
                     const char *keyboard, struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    buf_printf(&command, "ime %s ", verb);
    shell_quote(&command, keyboard);
    done = must_run(device, buf_cstr(&command), by, err);
    buf_release(&command);
    return done;
}

bool journal_use_keyboard(struct journal *journal, struct device *device,
                          const char *keyboard, struct deadline by,
                          struct err *err)
{
    struct buf enabled = BUF_INIT(ANSWER_MAX);
    struct buf was = BUF_INIT(ANSWER_MAX);
    bool worked, is_set, done;

    done = run(device, "ime list -s", by, &enabled, &worked, err) &&
           get_setting(device, "secure default_input_method", by, &was, &is_set,
                       err);
    if (done && is_set && strcmp(buf_cstr(&was), keyboard) != 0)
        done = note(journal, ENTRY_KEYBOARD, NULL, buf_cstr(&was), err);
    if (done && !lists(&enabled, keyboard))
        done = note(journal, ENTRY_ENABLED, NULL, keyboard, err);
    done = done && run_with(device, "enable", keyboard, by, err) &&
           run_with(device, "set", keyboard, by, err);
    buf_release(&enabled);
    buf_release(&was);
    return done;
}

bool journal_wake(struct journal *journal, struct device *device,
                  struct deadline by, struct err *err)
{
    struct buf says = BUF_INIT(ANSWER_MAX);
    bool worked;
    bool done = run(device, "dumpsys power | grep mWakefulness=", by, &says,
                    &worked, err);

    /* What does not say so is taken to be awake. */
    if (done && (strstr(buf_cstr(&says), "Asleep") ||
                 strstr(buf_cstr(&says), "Dozing")))
        done = note(journal, ENTRY_ASLEEP, NULL, "yes", err) &&
               must_run(device, "input keyevent 224", by, err);
    buf_release(&says);
    return done;
}

/* ---- back again ---- */

static bool undo(const struct entry *entry, struct device *device,
                 struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done = false;

    switch (entry->kind) {
    case ENTRY_SETTING:
        put_setting(&command, entry->name, entry->value);
        done = must_run(device, buf_cstr(&command), by, err);
        break;
    case ENTRY_KEYBOARD:
        done = run_with(device, "set", entry->value, by, err);
        break;
    case ENTRY_ENABLED:
        done = run_with(device, "disable", entry->value, by, err);
        break;
    case ENTRY_ASLEEP:
        done = must_run(device, "input keyevent 223", by, err);
        break;
    }
    buf_release(&command);
    return done;
}

static bool remove_file(struct journal *journal, struct err *err)
{
    jsonl_close(&journal->writer);
    journal->writer = (struct jsonl_writer)JSONL_WRITER_INIT;
    if (journal->path && unlink(journal->path) < 0 && errno != ENOENT)
        return err_errno(err, errno, "removing %.150s", journal->path);
    return true;
}

bool journal_undo(struct journal *journal, struct device *device,
                  struct deadline by, int *skipped, struct err *err)
{
    int refused = 0;

    /* In their order: the keyboard of before is noted before that another was
     * enabled, so ours is not in use any more when it is disabled. */
    for (size_t i = 0; i < journal->count; i++) {
        if (undo(&journal->entries[i], device, by, err))
            continue;
        if (err->code != ERR_REMOTE)
            return err_wrap(err, "putting back what was changed");
        refused++;
    }
    while (journal->count)
        entry_release(&journal->entries[--journal->count]);
    if (skipped)
        *skipped = refused;
    return remove_file(journal, err);
}
