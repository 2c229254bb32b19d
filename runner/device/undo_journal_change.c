/* Changes on the phone, each recorded before it is made. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/keycode.h"
#include "runner/device/settings_read.h"
#include "runner/device/undo_journal_private.h"
#include "runner/device/undo_phone.h"

/* How many commands use_keyboard runs. */
#define KEYBOARD_COMMANDS 4

/* So many commands were run since then. */
static void measure(struct undo_journal *journal, int64_t began_ns,
                    size_t commands)
{
    int64_t ms = (clock_ns() - began_ns) / 1000000 / (int64_t)commands;

    if (ms > journal->command_ms)
        journal->command_ms = ms;
}

int64_t undo_journal_command_ms(const struct undo_journal *journal)
{
    return journal->command_ms;
}

/* ---- settings ---- */

/* Old phones report success whatever they do: only reading back tells. */
static bool check_changes(struct device *device, const char *const *names,
                          const struct undo_journal_change *changes,
                          size_t count, struct deadline by, struct err *err)
{
    char *values[UNDO_ENTRIES_MAX];
    bool known[UNDO_ENTRIES_MAX];
    bool done = settings_read(device, names, count, by, values, known, err);

    if (!done)
        return false;
    for (size_t i = 0; done && i < count; i++) {
        if (!known[i])
            done = err_set(err, ERR_REMOTE, "%s cannot be read back",
                           changes[i].setting);
        else if (!undo_phone_has_value(values[i], changes[i].value))
            done = err_set(err, ERR_REMOTE,
                           "the phone did not set %s to %s: it is %.60s",
                           changes[i].setting, changes[i].value,
                           values[i] ? values[i] : "not set");
    }
    undo_phone_release_values(values, count);
    return done;
}

/* A value that is not known cannot be restored: it must not be changed. */
static bool read_old(struct device *device, const char *const *names,
                     size_t count, struct deadline by, char **values,
                     struct err *err)
{
    bool known[UNDO_ENTRIES_MAX];

    if (!settings_read(device, names, count, by, values, known, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (known[i])
            continue;
        undo_phone_release_values(values, count);
        return err_set(err, ERR_REMOTE,
                       "%s cannot be read, so it could not be restored: "
                       "nothing was changed",
                       names[i]);
    }
    return true;
}

static bool set(struct undo_journal *journal, struct device *device,
                const struct undo_journal_change *changes, size_t count,
                struct deadline by, struct err *err)
{
    const char *names[UNDO_ENTRIES_MAX] = {NULL};
    char *was[UNDO_ENTRIES_MAX];
    size_t changed = 0;
    bool done = true;

    assert(count <= UNDO_ENTRIES_MAX);
    for (size_t i = 0; i < count; i++)
        names[i] = changes[i].setting;
    if (!read_old(device, names, count, by, was, err))
        return false;
    for (size_t i = 0; done && i < count; i++) {
        if (undo_phone_has_value(was[i], changes[i].value))
            continue;
        changed++;
        done =
            undo_journal_note(journal, UNDO_SETTING, names[i], was[i], err) &&
            undo_phone_put(device, names[i], changes[i].value, by, err);
    }
    undo_phone_release_values(was, count);
    return done &&
           (!changed || check_changes(device, names, changes, count, by, err));
}

bool undo_journal_set(struct undo_journal *journal, struct device *device,
                      const struct undo_journal_change *changes, size_t count,
                      struct deadline by, struct err *err)
{
    int64_t began_ns = clock_ns();
    bool done = set(journal, device, changes, count, by, err);

    if (count)
        measure(journal, began_ns, count + 2); /* read before and after */
    return done;
}

bool undo_journal_note_setting(struct undo_journal *journal,
                               struct device *device, const char *setting,
                               struct deadline by, struct err *err)
{
    int64_t began_ns = clock_ns();
    char *was = NULL;
    bool done;

    if (!undo_is_setting(setting))
        return err_set(err, ERR_INVALID, "not a setting: %.60s", setting);
    if (undo_journal_has(journal, UNDO_SETTING, setting, NULL))
        return true;
    done = read_old(device, &setting, 1, by, &was, err) &&
           undo_journal_note(journal, UNDO_SETTING, setting, was, err);
    measure(journal, began_ns, 1);
    free(was);
    return done;
}

/* ---- files ---- */

bool undo_journal_note_file(struct undo_journal *journal, struct device *device,
                            const char *path, struct deadline by,
                            struct err *err)
{
    struct buf missing = BUF_INIT(UNDO_ANSWER_MAX);
    int64_t began_ns = clock_ns();
    bool done;

    if (!undo_is_file(path, path))
        return err_set(err, ERR_INVALID, "not a file: %.60s", path);
    if (undo_journal_has(journal, UNDO_FILE, NULL, path))
        return true;
    done = undo_phone_find_missing(device, path, by, &missing, err);
    if (done && missing.length)
        done =
            undo_is_file(path, buf_cstr(&missing))
                ? undo_journal_note(journal, UNDO_FILE, buf_cstr(&missing),
                                    path, err)
                : err_set(err, ERR_REMOTE, "%.60s cannot be looked for", path);
    measure(journal, began_ns, 1);
    buf_release(&missing);
    return done;
}

/* ---- keyboards ---- */

/* Is it a line of the list? */
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

/* The enabled ones, one in each line. */
static bool read_keyboards(struct device *device, struct deadline by,
                           struct buf *list, struct err *err)
{
    bool worked;

    if (!undo_phone_run(device, "ime list -s", by, list, &worked, err))
        return false;
    return worked || err_set(err, ERR_REMOTE,
                             "the enabled keyboards cannot be listed, so they "
                             "could not be restored: nothing was changed");
}

bool undo_journal_note_keyboard(struct undo_journal *journal,
                                struct device *device, const char *keyboard,
                                struct deadline by, struct err *err)
{
    static const char *const setting = UNDO_KEYBOARD_SETTING;
    struct buf enabled = BUF_INIT(UNDO_ANSWER_MAX);
    char *was = NULL;
    bool done = read_keyboards(device, by, &enabled, err) &&
                read_old(device, &setting, 1, by, &was, err);

    if (done && was && strcmp(was, keyboard) != 0)
        done = undo_journal_note(journal, UNDO_KEYBOARD, NULL, was, err);
    if (done && !lists(&enabled, keyboard))
        done = undo_journal_note(journal, UNDO_ENABLED, NULL, keyboard, err);
    buf_release(&enabled);
    free(was);
    return done;
}

static bool use_keyboard(struct undo_journal *journal, struct device *device,
                         const char *keyboard, struct deadline by,
                         struct err *err)
{
    return undo_journal_note_keyboard(journal, device, keyboard, by, err) &&
           undo_phone_ime(device, "enable", keyboard, by, err) &&
           undo_phone_ime(device, "set", keyboard, by, err);
}

bool undo_journal_use_keyboard(struct undo_journal *journal,
                               struct device *device, const char *keyboard,
                               struct deadline by, struct err *err)
{
    int64_t began_ns = clock_ns();
    bool done = use_keyboard(journal, device, keyboard, by, err);

    measure(journal, began_ns, KEYBOARD_COMMANDS);
    return done;
}

/* ---- sleep ---- */

bool undo_journal_wake(struct undo_journal *journal, struct device *device,
                       struct deadline by, struct err *err)
{
    struct undo_wakefulness found;

    return undo_phone_read_wakefulness(device, by, &found, err) &&
           (!found.asleep ||
            (undo_journal_note(journal, UNDO_ASLEEP, NULL, "yes", err) &&
             undo_phone_press_sleep_key(device, &found, KEY_WAKEUP, by, err)));
}
