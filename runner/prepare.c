#include "runner/prepare.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/shell.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sha256.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define PATH_SIZE 4096
#define NAME_SIZE 48

/* On AC, USB and wireless power. */
#define STAY_ON "7"

/* How long a phone may take to lift its lock screen, in attempts. */
#define UNLOCK_ATTEMPTS 3

struct preparation {
    struct journal *journal;
};

/* ---- the journal's file ---- */

/* As people can read it, and different for each serial. */
static bool path_of(const char *folder, const char *serial,
                    char path[PATH_SIZE])
{
    char name[NAME_SIZE], hash[SHA256_HEX_SIZE];
    size_t i;
    int length;

    for (i = 0; serial[i] && i < sizeof(name) - 1; i++)
        name[i] = (char)(isalnum((unsigned char)serial[i]) ? serial[i] : '-');
    name[i] = '\0';
    sha256_hex(serial, strlen(serial), hash);
    length = snprintf(path, PATH_SIZE, "%s/prepared-%s-%.8s.jsonl", folder,
                      name, hash);
    return length > 0 && length < PATH_SIZE;
}

static bool open_journal(const char *folder, const char *serial,
                         struct journal **journal, struct err *err)
{
    char path[PATH_SIZE];

    if (!folder)
        return journal_open(NULL, journal, err);
    if (!file_make_folder(folder, 0700, err))
        return false;
    if (!path_of(folder, serial, path))
        return err_set(err, ERR_INVALID, "the name of a folder is too long");
    return journal_open(path, journal, err);
}

/* ---- the lock ---- */

static bool says(const char *text, const char *word)
{
    return strstr(text, word) != NULL;
}

/* "showing" is KeyguardServiceDelegate's; older phones have other words. */
bool prepare_is_locked(const char *policy, bool *secure)
{
    const char *delegate = strstr(policy, "KeyguardServiceDelegate");

    *secure = delegate && says(delegate, "secure=true");
    return says(policy, "mShowingLockscreen=true") ||
           says(policy, "isStatusBarKeyguard=true") ||
           says(policy, "mIsShowing=true") ||
           (delegate && says(delegate, " showing=true"));
}

static bool check_unlocked(struct device *device, struct deadline by,
                           struct err *err)
{
    bool secure = false;

    for (int i = 0; i < UNLOCK_ATTEMPTS; i++) {
        struct shell_result result;
        bool locked;

        /* What is locked by nothing but a swipe is opened on the way. */
        if (!shell_run(device,
                       i ? "wm dismiss-keyguard; input keyevent 82; "
                           "dumpsys window policy"
                         : "dumpsys window policy",
                       ANSWER_MAX, by, &result, err))
            return false;
        locked = prepare_is_locked(buf_cstr(&result.out), &secure);
        shell_result_release(&result);
        if (!locked)
            return true;
        if (secure)
            break;
    }
    return err_set(err, ERR_DENIED,
                   "the phone is locked%s: unlock it, and try again",
                   secure ? " by a code or a finger" : "");
}

/* ---- what is changed ---- */

struct change {
    const char *space;
    const char *name;
    const char *value;
};

static bool change_all(struct journal *journal, struct device *device,
                       const struct change *changes, size_t count,
                       struct deadline by, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!journal_set(journal, device, changes[i].space, changes[i].name,
                         changes[i].value, by, err))
            return false;
    }
    return true;
}

static bool change(struct journal *journal, struct device *device,
                   const struct prepare_options *options, struct deadline by,
                   struct err *err)
{
    static const struct change awake[] = {
        {"global", "stay_on_while_plugged_in", STAY_ON}};
    static const struct change motion[] = {
        {"global", "window_animation_scale", "0"},
        {"global", "transition_animation_scale", "0"},
        {"global", "animator_duration_scale", "0"}};
    static const struct change rotation[] = {
        {"system", "accelerometer_rotation", "0"},
        {"system", "user_rotation", "0"}};

    return (!options->stays_awake ||
            change_all(journal, device, awake, ARRAY_LEN(awake), by, err)) &&
           (!options->without_motion ||
            change_all(journal, device, motion, ARRAY_LEN(motion), by, err)) &&
           (!options->without_rotation ||
            change_all(journal, device, rotation, ARRAY_LEN(rotation), by,
                       err));
}

/* ---- all of it ---- */

static bool prepare(struct preparation *made, struct device *device,
                    const struct prepare_options *options, struct deadline by,
                    struct err *err)
{
    if (!journal_is_empty(made->journal) &&
        !journal_undo(made->journal, device, by, NULL, err))
        return false;
    return journal_wake(made->journal, device, by, err) &&
           check_unlocked(device, by, err) &&
           change(made->journal, device, options, by, err);
}

bool prepare_open(struct device *device, const char *serial,
                  const struct prepare_options *options, struct deadline by,
                  struct preparation **preparation, struct err *err)
{
    struct preparation *made = mem_new(1, sizeof(*made));
    struct err ignored;

    if (!open_journal(options->folder, serial, &made->journal, err)) {
        free(made);
        return err_wrap(err, "preparing the phone");
    }
    if (!prepare(made, device, options, by, err)) {
        if (!journal_is_empty(made->journal))
            (void)!journal_undo(made->journal, device, by, NULL, &ignored);
        prepare_close(made);
        return err_wrap(err, "preparing the phone");
    }
    *preparation = made;
    return true;
}

struct journal *prepare_journal(struct preparation *preparation)
{
    return preparation->journal;
}

bool prepare_undo(struct preparation *preparation, struct device *device,
                  struct deadline by, struct err *err)
{
    return journal_is_empty(preparation->journal) ||
           journal_undo(preparation->journal, device, by, NULL, err);
}

void prepare_close(struct preparation *preparation)
{
    if (!preparation)
        return;
    journal_close(preparation->journal);
    free(preparation);
}
