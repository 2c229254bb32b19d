/*
 * An emulator on this computer, by its console: a line is said there, and what
 * is answered ends with "OK" or with "KO" and why.
 */
#ifndef RUNNER_EMULATOR_H
#define RUNNER_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

struct emulator {
    uint16_t console;            /* its port: 5554 of "emulator-5554" */
    const char *token;           /* the file that holds it, borrowed */
    const struct cancel *cancel; /* borrowed; may be NULL */
};

/* The console's port of a phone with that serial; false: it is no emulator. */
bool emulator_console(const char *serial, uint16_t *port);

/* The file in the user's home where emulators keep the token of all. */
void emulator_token_path(struct buf *path);

/*
 * Let it be as it was when a snapshot of that name was saved. Whoever was
 * connected to it must connect anew. Fails with ERR_INVALID for what is no
 * name, with ERR_UNAUTHORIZED when the token is not there or is another, with
 * ERR_REMOTE and its words when the emulator says no, with ERR_PROTOCOL when
 * something else answers there, and as tcp_connect does.
 */
MUST_USE bool emulator_load_snapshot(const struct emulator *emulator,
                                     const char *name, struct deadline by,
                                     struct err *err);

#endif
