#include "runner/device/device_settings.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define PATH_SIZE 4096
#define NAME_SIZE 48

/* On AC, USB and wireless power. */
#define STAY_ON "7"

/* Attempts to dismiss the lock screen. */
#define UNLOCK_ATTEMPTS 3

#define CHANGES_MAX 6

/* The minimum time to restore the phone. */
#define UNDO_MS 10000
#define UNDO_COMMANDS 6 /* in addition to one per change */

struct device_settings {
    struct undo_journal *journal;
    struct undo_journal *agent_journal;
};

/* ---- the journal's file ---- */

#define PREPARED "prepared"
#define AGENT "agent"

/* Readable, and different for each serial. */
static bool path_of(const char *folder, const char *purpose, const char *serial,
                    char path[PATH_SIZE])
{
    char name[NAME_SIZE], hash[SHA256_HEX_SIZE];
    size_t i;
    int length;

    for (i = 0; serial[i] && i < sizeof(name) - 1; i++)
        name[i] = (char)(isalnum((unsigned char)serial[i]) ? serial[i] : '-');
    name[i] = '\0';
    sha256_hex(serial, strlen(serial), hash);
    length = snprintf(path, PATH_SIZE, "%s/%s-%s-%.8s.jsonl", folder, purpose,
                      name, hash);
    return length > 0 && length < PATH_SIZE;
}

static bool open_journal(const char *folder, const char *purpose,
                         const char *serial, struct undo_journal **journal,
                         struct err *err)
{
    char path[PATH_SIZE];

    if (!folder)
        return undo_journal_open(NULL, journal, err);
    if (!file_make_folder(folder, 0700, err))
        return false;
    if (!path_of(folder, purpose, serial, path))
        return err_set(err, ERR_INVALID, "the path of the journal is too long");
    return undo_journal_open(path, journal, err);
}

/* ---- the lock ---- */

static bool contains(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* "showing" is of KeyguardServiceDelegate; older versions print other names. */
bool device_settings_is_locked(const char *policy, bool *secure)
{
    const char *delegate = strstr(policy, "KeyguardServiceDelegate");

    *secure = delegate && contains(delegate, "secure=true");
    return contains(policy, "mShowingLockscreen=true") ||
           contains(policy, "isStatusBarKeyguard=true") ||
           contains(policy, "mIsShowing=true") ||
           (delegate && contains(delegate, " showing=true"));
}

static bool check_unlocked(struct device *device, struct deadline by,
                           struct err *err)
{
    bool secure = false;

    for (int i = 0; i < UNLOCK_ATTEMPTS; i++) {
        struct shell_result result;
        bool locked;

        /* A lock screen without a PIN is dismissed. */
        if (!shell_run(device,
                       i ? "wm dismiss-keyguard; input keyevent 82; "
                           "dumpsys window policy"
                         : "dumpsys window policy",
                       ANSWER_MAX, by, &result, err))
            return false;
        locked = device_settings_is_locked(buf_cstr(&result.out), &secure);
        shell_result_release(&result);
        if (!locked)
            return true;
        if (secure)
            break;
    }
    return err_set(err, ERR_DENIED,
                   "the phone is locked%s: unlock it, and try again",
                   secure ? " by a PIN, pattern or finger" : "");
}

/* ---- settings ---- */

/* List the settings for options; returns how many there are. */
static size_t list_changes(const struct device_settings_options *options,
                           struct undo_journal_change changes[CHANGES_MAX])
{
    size_t count = 0;

    if (options->stay_awake)
        changes[count++] = (struct undo_journal_change){
            "global stay_on_while_plugged_in", STAY_ON};
    if (options->disable_animations) {
        changes[count++] =
            (struct undo_journal_change){"global window_animation_scale", "0"};
        changes[count++] = (struct undo_journal_change){
            "global transition_animation_scale", "0"};
        changes[count++] =
            (struct undo_journal_change){"global animator_duration_scale", "0"};
    }
    if (options->disable_rotation) {
        changes[count++] =
            (struct undo_journal_change){"system accelerometer_rotation", "0"};
        changes[count++] =
            (struct undo_journal_change){"system user_rotation", "0"};
    }
    return count;
}

static bool change(struct device_settings *made, struct device *device,
                   const struct device_settings_options *options,
                   struct deadline by, struct err *err)
{
    struct undo_journal_change changes[CHANGES_MAX];
    size_t count = list_changes(options, changes);

    return undo_journal_set(made->journal, device, changes, count, by, err);
}

/* ---- open and undo ---- */

/*
 * Restore what an earlier program left. What the phone refuses stays in the
 * journal, and the phone can be used all the same.
 */
static bool undo_leftover(struct device_settings *made, struct device *device,
                          struct deadline by, struct err *err)
{
    return (undo_journal_undo(made->agent_journal, device, by, err) ||
            err->code == ERR_REMOTE) &&
           (undo_journal_undo(made->journal, device, by, err) ||
            err->code == ERR_REMOTE);
}

static bool prepare(struct device_settings *made, struct device *device,
                    const struct device_settings_options *options,
                    struct deadline by, struct err *err)
{
    return undo_leftover(made, device, by, err) &&
           undo_journal_wake(made->journal, device, by, err) &&
           check_unlocked(device, by, err) &&
           change(made, device, options, by, err);
}

bool device_settings_open(struct device *device, const char *serial,
                          const struct device_settings_options *options,
                          struct deadline by,
                          struct device_settings **device_settings,
                          struct err *err)
{
    struct device_settings *made = mem_new(1, sizeof(*made));
    struct err ignored;

    if (!open_journal(options->folder, PREPARED, serial, &made->journal, err) ||
        !open_journal(options->folder, AGENT, serial, &made->agent_journal,
                      err)) {
        device_settings_close(made);
        return err_wrap(err, "preparing the phone");
    }
    if (!prepare(made, device, options, by, err)) {
        (void)!device_settings_undo(made, device, &ignored);
        device_settings_close(made);
        return err_wrap(err, "preparing the phone");
    }
    *device_settings = made;
    return true;
}

struct undo_journal *device_settings_journal(
    struct device_settings *device_settings)
{
    return device_settings->journal;
}

/*
 * Each change takes a command to undo, and a few more read all of it back. On
 * a busy phone a command may take several times what was measured.
 */
static struct deadline undo_deadline(const struct undo_journal *journal)
{
    int64_t commands = (int64_t)undo_journal_count(journal) + UNDO_COMMANDS;

    return deadline_in_ms(UNDO_MS +
                          4 * commands * undo_journal_command_ms(journal));
}

static bool undo(struct undo_journal *journal, struct device *device,
                 struct err *err)
{
    return undo_journal_undo(journal, device, undo_deadline(journal), err);
}

struct undo_journal *device_settings_agent_journal(
    struct device_settings *device_settings)
{
    return device_settings->agent_journal;
}

bool device_settings_undo_agent(struct device_settings *device_settings,
                                struct device *device, struct err *err)
{
    return undo(device_settings->agent_journal, device, err);
}

/* The agent found the phone prepared, so its changes are undone first. */
bool device_settings_undo(struct device_settings *device_settings,
                          struct device *device, struct err *err)
{
    struct err ignored; /* the first error is more important */

    if (undo(device_settings->agent_journal, device, err))
        return undo(device_settings->journal, device, err);
    if (err->code == ERR_REMOTE)
        (void)!undo(device_settings->journal, device, &ignored);
    return false;
}

size_t device_settings_count(const struct device_settings *device_settings)
{
    return undo_journal_count(device_settings->agent_journal) +
           undo_journal_count(device_settings->journal);
}

void device_settings_close(struct device_settings *device_settings)
{
    if (!device_settings)
        return;
    undo_journal_close(device_settings->agent_journal);
    undo_journal_close(device_settings->journal);
    free(device_settings);
}
