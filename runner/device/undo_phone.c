#include "runner/device/undo_phone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/clean_text.h"
#include "base/keycode.h"

#define COMMAND_MAX ((size_t)16 * 1024)

#define FIRST_SDK_WITH_SLEEP_KEYS 20

bool undo_phone_run(struct device *device, const char *command,
                    struct deadline by, struct buf *out, bool *worked,
                    struct err *err)
{
    struct shell_result result;
    size_t length;

    if (!shell_run(device, command, UNDO_ANSWER_MAX, by, &result, err))
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

bool undo_phone_must_run(struct device *device, const char *command,
                         struct deadline by, struct err *err)
{
    struct buf out = BUF_INIT(UNDO_ANSWER_MAX);
    char words[100];
    bool worked = false;
    bool done = undo_phone_run(device, command, by, &out, &worked, err);

    if (done && !worked) {
        clean_text_copy(words, sizeof(words), buf_cstr(&out), out.length);
        done = err_set(err, ERR_REMOTE, "%.60s: %s", command, words);
    }
    buf_release(&out);
    return done;
}

/* ---- settings ---- */

static void put_setting(struct buf *command, const char *name,
                        const char *value)
{
    buf_printf(command, "settings %s %s", value ? "put" : "delete", name);
    if (value) {
        buf_byte(command, ' ');
        shell_quote(command, value);
    }
}

bool undo_phone_put(struct device *device, const char *setting,
                    const char *value, struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    put_setting(&command, setting, value);
    done = undo_phone_must_run(device, buf_cstr(&command), by, err);
    buf_release(&command);
    return done;
}

bool undo_phone_has_value(const char *actual, const char *wanted)
{
    return wanted ? actual && !strcmp(actual, wanted) : !actual;
}

void undo_phone_release_values(char **values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(values[i]);
        values[i] = NULL;
    }
}

/* ---- files ---- */

bool undo_phone_find_missing(struct device *device, const char *path,
                             struct deadline by, struct buf *missing,
                             struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool worked;
    bool done;

    buf_text(&command, "p=");
    shell_quote(&command, path);
    buf_text(&command, "; if [ ! -e \"$p\" ]; then d=${p%/*}; "
                       "while [ -n \"$d\" ] && [ ! -e \"$d\" ]; do "
                       "p=$d; d=${p%/*}; done; echo \"$p\"; fi");
    done =
        undo_phone_run(device, buf_cstr(&command), by, missing, &worked, err);
    buf_release(&command);
    return done;
}

bool undo_phone_remove(struct device *device, const char *path, const char *top,
                       struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    buf_text(&command, "f=");
    shell_quote(&command, path);
    buf_text(&command, "; t=");
    shell_quote(&command, top);
    buf_text(&command, "; rm -f \"$f\"; p=$f; while [ \"$p\" != \"$t\" ]; do "
                       "p=${p%/*}; rmdir \"$p\" 2>/dev/null || break; done; "
                       "[ ! -e \"$f\" ]");
    done = undo_phone_must_run(device, buf_cstr(&command), by, err);
    buf_release(&command);
    return done;
}

/* ---- keyboards ---- */

bool undo_phone_ime(struct device *device, const char *verb,
                    const char *keyboard, struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(COMMAND_MAX);
    bool done;

    buf_printf(&command, "ime %s ", verb);
    shell_quote(&command, keyboard);
    done = undo_phone_must_run(device, buf_cstr(&command), by, err);
    buf_release(&command);
    return done;
}

/* ---- sleep ---- */

bool undo_phone_read_wakefulness(struct device *device, struct deadline by,
                                 struct undo_wakefulness *wakefulness,
                                 struct err *err)
{
    struct buf text = BUF_INIT(UNDO_ANSWER_MAX);
    bool worked;
    bool done = undo_phone_run(device,
                               "getprop ro.build.version.sdk; "
                               "dumpsys power | grep mWakefulness=",
                               by, &text, &worked, err);

    if (done)
        *wakefulness = (struct undo_wakefulness){
            .sdk = (int)strtol(buf_cstr(&text), NULL, 10),
            .asleep = strstr(buf_cstr(&text), "Asleep") ||
                      strstr(buf_cstr(&text), "Dozing"),
        };
    buf_release(&text);
    return done;
}

/* The power key toggles: only for phones that have no better keys. */
bool undo_phone_press_sleep_key(struct device *device,
                                const struct undo_wakefulness *wakefulness,
                                int key, struct deadline by, struct err *err)
{
    bool has_keys =
        wakefulness->sdk <= 0 || wakefulness->sdk >= FIRST_SDK_WITH_SLEEP_KEYS;
    char command[40];

    snprintf(command, sizeof(command), "input keyevent %d",
             has_keys ? key : KEY_POWER);
    return undo_phone_must_run(device, command, by, err);
}
