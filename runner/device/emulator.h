/*
 * The console of an emulator on this computer: a text protocol of one command
 * per line, where an answer ends with "OK", or with "KO" and a reason.
 */
#ifndef RUNNER_DEVICE_EMULATOR_H
#define RUNNER_DEVICE_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

struct emulator {
    uint16_t console;  /* its console port: 5554 of "emulator-5554" */
    const char *token; /* file with the authentication token; borrowed */
    const struct cancel *cancel; /* borrowed; may be NULL */
};

/* The console port for a serial; false: it is not an emulator's. */
bool emulator_console(const char *serial, uint16_t *port);

/* Append the path of the token file that all emulators of this user share. */
void emulator_token_path(struct buf *path);

/*
 * Load a snapshot by name. All connections to the emulator must be opened again
 * afterwards. Fails with ERR_INVALID for a bad name, ERR_UNAUTHORIZED when the
 * token is missing or wrong, ERR_REMOTE and the reason when the emulator
 * refuses, ERR_PROTOCOL when the port is not a console, and as tcp_connect.
 */
MUST_USE bool emulator_load_snapshot(const struct emulator *emulator,
                                     const char *name, struct deadline by,
                                     struct err *err);

/*
 * Is there a snapshot with this name? Fails as emulator_load_snapshot.
 */
MUST_USE bool emulator_has_snapshot(const struct emulator *emulator,
                                    const char *name, struct deadline by,
                                    bool *has, struct err *err);

/* Switch it off. Fails as emulator_load_snapshot. */
MUST_USE bool emulator_kill(const struct emulator *emulator, struct deadline by,
                            struct err *err);

#endif
