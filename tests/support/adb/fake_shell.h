/*
 * A device that has only an old shell (shell v1 without exit status, and exec):
 * each command runs in this computer's sh, where programs of the test stand in
 * for Android's. So quoting, splitting and globbing are real.
 */
#ifndef TESTS_SUPPORT_ADB_FAKE_SHELL_H
#define TESTS_SUPPORT_ADB_FAKE_SHELL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "adb/daemon/daemon.h"
#include "adb/device/device.h"

struct fake_shell {
    struct device *device;
    char folder[64]; /* contains the programs; commands start in it */
    struct daemon *daemon;
    atomic_bool silent;
    atomic_int count; /* number of commands */
    struct daemon_service services[2];
};

/* All of these fail the running test on errors. */
void fake_shell_start(struct fake_shell *shell);
void fake_shell_stop(struct fake_shell *shell);

/* Accept commands without an answer; or run them again. */
void fake_shell_be_silent(struct fake_shell *shell, bool silent);

/* The number of commands so far. */
int fake_shell_count(struct fake_shell *shell);

/* Add a program: an sh script without its first line. */
void fake_shell_add(const struct fake_shell *shell, const char *name,
                    const char *script);

/* Write a file in the folder. */
void fake_shell_write(const struct fake_shell *shell, const char *name,
                      const char *text);

/*
 * The content of such a file, valid until the next call; "" if it does not
 * exist.
 */
const char *fake_shell_read(const struct fake_shell *shell, const char *name);

#endif
