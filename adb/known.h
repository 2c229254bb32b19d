/*
 * The addresses of phones that somebody has connected to, remembered between
 * runs: a text file with one address a line.
 */
#ifndef ADB_KNOWN_H
#define ADB_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/tcp.h"
#include "base/buf.h"
#include "base/err.h"

#define KNOWN_MAX 64

/* Addresses as tcp_format_address writes them, each once, oldest first. */
struct known {
    char *addresses[KNOWN_MAX]; /* owned */
    size_t count;
};

void known_release(struct known *known);

/*
 * Where the file is: $XDG_STATE_HOME/proctor/devices, by default under
 * ~/.local/state. Fails with ERR_NOT_FOUND when there is no home either.
 */
MUST_USE bool known_path(struct buf *path, struct err *err);

/*
 * Read the file; where none is, nothing is known. Lines that are no address,
 * and those after the first KNOWN_MAX, are skipped.
 */
MUST_USE bool known_read(const char *path, struct known *known,
                         struct err *err);

/*
 * Remember or forget an address. The file is replaced as a whole, and several
 * processes may do so at once. Adding makes the folders that are missing;
 * adding a known one changes nothing, and a full list is ERR_LIMIT.
 * Removing one that is not known is ERR_NOT_FOUND.
 */
MUST_USE bool known_add(const char *path, const char *address, struct err *err);
MUST_USE bool known_remove(const char *path, const char *address,
                           struct err *err);

/* Is there a phone known on host, and on which port? The latest counts. */
bool known_port(const struct known *known, const char *host, uint16_t *port);

#endif
