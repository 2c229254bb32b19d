/*
 * The phone's side of the undo journal: settings, keyboards and sleep, through
 * commands in its shell. Each function that takes a deadline blocks until the
 * command ends, and fails as shell_run.
 */
#ifndef RUNNER_DEVICE_UNDO_PHONE_H
#define RUNNER_DEVICE_UNDO_PHONE_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/device/device.h"
#include "base/buf.h"

#define UNDO_ANSWER_MAX ((size_t)64 * 1024)

/* Run a command; out is its output without the last line end. */
MUST_USE bool undo_phone_run(struct device *device, const char *command,
                             struct deadline by, struct buf *out, bool *worked,
                             struct err *err);

/* Run a command that must succeed; otherwise ERR_REMOTE with its output. */
MUST_USE bool undo_phone_must_run(struct device *device, const char *command,
                                  struct deadline by, struct err *err);

/* Set "namespace key" to value; NULL: unset it. */
MUST_USE bool undo_phone_put(struct device *device, const char *setting,
                             const char *value, struct deadline by,
                             struct err *err);

/* Are both values equal, or both unset (NULL)? */
bool undo_phone_has_value(const char *actual, const char *wanted);

/* Free values from settings_read. */
void undo_phone_release_values(char **values, size_t count);

/*
 * The first part of an absolute path that does not exist, the path itself if
 * only that is missing; empty: it exists.
 */
MUST_USE bool undo_phone_find_missing(struct device *device, const char *path,
                                      struct deadline by, struct buf *missing,
                                      struct err *err);

/* Remove a file, and its folders up to top where they are empty. */
MUST_USE bool undo_phone_remove(struct device *device, const char *path,
                                const char *top, struct deadline by,
                                struct err *err);

/* ime VERB KEYBOARD. */
MUST_USE bool undo_phone_ime(struct device *device, const char *verb,
                             const char *keyboard, struct deadline by,
                             struct err *err);

struct undo_wakefulness {
    int sdk; /* 0: not reported */
    bool asleep;
};

/* A phone that does not report it is taken to be awake. */
MUST_USE bool undo_phone_read_wakefulness(struct device *device,
                                          struct deadline by,
                                          struct undo_wakefulness *wakefulness,
                                          struct err *err);

/* Press KEY_SLEEP or KEY_WAKEUP, or the power key of old phones. */
MUST_USE bool undo_phone_press_sleep_key(
    struct device *device, const struct undo_wakefulness *wakefulness, int key,
    struct deadline by, struct err *err);

#endif
