#include "runner/farm_phones/sdk_emulator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/clean_text.h"
#include "base/macros.h"
#include "base/mem.h"

#define LIST_MS 60000
#define LIST_MAX ((size_t)1 << 20)
#define NAME_MAX_BYTES 100
#define NAMES_MAX ((size_t)140) /* of the AVDs, in messages */
#define REASON_SIZE 150

/* ---- the program ---- */

static bool is_program(const char *path)
{
    return access(path, X_OK) == 0;
}

/* "FOLDER/RELATIVE" if that is a program; NULL: it is not. */
static char *program_in(const char *folder, size_t length, const char *relative)
{
    struct buf path = BUF_INIT(PATH_MAX);
    char *found = NULL;

    buf_append(&path, folder, length);
    buf_printf(&path, "/%s", relative);
    if (length && !path.overflow && is_program(buf_cstr(&path)))
        found = mem_dup(buf_cstr(&path));
    buf_release(&path);
    return found;
}

static char *program_of_sdk(void)
{
    static const char *const variables[] = {"ANDROID_HOME", "ANDROID_SDK_ROOT"};
    char *found = NULL;

    for (size_t i = 0; i < ARRAY_LEN(variables) && !found; i++) {
        const char *folder = getenv(variables[i]);

        if (folder)
            found = program_in(folder, strlen(folder), "emulator/emulator");
    }
    return found;
}

static char *program_in_path(void)
{
    const char *rest = getenv("PATH");
    char *found = NULL;

    while (rest && *rest && !found) {
        size_t length = strcspn(rest, ":");

        found = program_in(rest, length, "emulator");
        rest += length + (rest[length] == ':');
    }
    return found;
}

bool sdk_emulator_find(char **program, struct err *err)
{
    char *found = program_of_sdk();

    if (!found)
        found = program_in_path();
    if (!found)
        return err_set(err, ERR_NOT_FOUND,
                       "the Android SDK's emulator is not found: set "
                       "ANDROID_HOME to the SDK's folder, and install it there "
                       "with: sdkmanager emulator");
    *program = found;
    return true;
}

/* ---- AVDs ---- */

bool sdk_emulator_is_name(const char *name, size_t length)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

    return length && length <= NAME_MAX_BYTES && name[0] != '-' &&
           strspn(name, allowed) >= length;
}

/* Other lines are messages of the program. */
static bool find_name(const char *list, const char *name, struct buf *names)
{
    while (*list) {
        size_t length = strcspn(list, "\r\n");

        if (length == strlen(name) && !memcmp(list, name, length))
            return true;
        if (sdk_emulator_is_name(list, length)) {
            buf_text(names, names->length ? ", " : "");
            buf_append(names, list, length);
        }
        list += length + strspn(list + length, "\r\n");
    }
    return false;
}

static bool list_avds(const char *program, const struct cancel *cancel,
                      struct buf *list, struct err *err)
{
    const char *const arguments[] = {program, "-list-avds", NULL};
    const struct child_command command = {.arguments = arguments};
    struct child child = CHILD_INIT;
    bool done;

    if (!child_start(&child, &command, err))
        return false;
    done = child_read_all(&child, deadline_in_ms(LIST_MS), cancel, list, err);
    child_stop(&child);
    return done || err_wrap(err, "%s -list-avds", program);
}

bool sdk_emulator_check_avd(const char *program, const char *name,
                            const struct cancel *cancel, struct err *err)
{
    struct buf list = BUF_INIT(LIST_MAX);
    struct buf names = BUF_INIT(LIST_MAX);
    bool done = list_avds(program, cancel, &list, err);

    if (done && !find_name(buf_cstr(&list), name, &names))
        done = names.length
                   ? err_set(err, ERR_NOT_FOUND,
                             "there is no AVD %.100s; there are: %.*s", name,
                             (int)NAMES_MAX, buf_cstr(&names))
                   : err_set(err, ERR_NOT_FOUND,
                             "there is no AVD %.100s, and no other one; make "
                             "one with: avdmanager create avd",
                             name);
    buf_release(&list);
    buf_release(&names);
    return done;
}

/* ---- failures ---- */

/* Messages in an emulator's output, with advice. */
static const struct emulator_trouble {
    const char *part;
    const char *advice;
} troubles[] = {
    {"hardware acceleration", "its virtual machine needs KVM: enable "
                              "virtualization in the firmware and load kvm"},
    {"/dev/kvm", "this user needs access to /dev/kvm: join the group kvm"},
    {"KVM", "its virtual machine needs KVM, at /dev/kvm"},
    {"ot enough space", "free some disk space, or move the AVD"},
    {"ot enough disk space", "free some disk space, or move the AVD"},
    {"No space left", "free some disk space, or move the AVD"},
    {"Running multiple emulators", "close the emulator that uses this AVD "
                                   "without -read-only"},
    {"nknown option", "install a newer emulator, or correct "
                      "PROCTOR_EMULATOR_OPTIONS"},
    {"Cannot find AVD system path", "install the AVD's system image"},
    {"Broken AVD system path", "install the AVD's system image"},
};

static bool is_failure(const char *line)
{
    static const char *const marks[] = {"FATAL", "PANIC", "ERROR",
                                        "unknown option"};

    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        const char *mark = strstr(line, marks[i]);

        if (mark && mark - line < 20)
            return true;
    }
    return false;
}

/* The first line that is a failure; false: the last one that has a text. */
static bool find_reason(const char *output, char reason[REASON_SIZE])
{
    bool failed = false;

    reason[0] = '\0';
    while (*output && !failed) {
        size_t length = strcspn(output, "\r\n");
        char line[REASON_SIZE];

        clean_text_copy(line, sizeof(line), output, length);
        failed = is_failure(line);
        if (failed || strspn(line, " \t") < strlen(line))
            memcpy(reason, line, sizeof(line));
        output += length + strspn(output + length, "\r\n");
    }
    return failed;
}

bool sdk_emulator_explain(const char *output, struct err *err)
{
    char reason[REASON_SIZE];

    if (!find_reason(output, reason))
        return err_set(err, ERR_LOST,
                       "the emulator ended without a reason; it crashed or was "
                       "killed (its last message: %s)",
                       reason[0] ? reason : "none");
    for (size_t i = 0; i < ARRAY_LEN(troubles); i++) {
        if (strstr(output, troubles[i].part))
            return err_set(err, ERR_LOST, "the emulator ended: %s (%s)", reason,
                           troubles[i].advice);
    }
    return err_set(err, ERR_LOST, "the emulator ended: %s", reason);
}
