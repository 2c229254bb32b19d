/*
 * The addresses of phones to which the user has connected, stored in a text
 * file with one address per line.
 */
#ifndef ADB_DISCOVER_KNOWN_HOSTS_H
#define ADB_DISCOVER_KNOWN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/transport/tcp.h"
#include "base/buf.h"
#include "base/err.h"

#define KNOWN_HOSTS_MAX 64

/*
 * Addresses in the form of tcp_format_address, without duplicates, oldest
 * first.
 */
struct known_hosts {
    char *addresses[KNOWN_HOSTS_MAX]; /* owned */
    size_t count;
};

void known_hosts_release(struct known_hosts *known_hosts);

/*
 * The path of the file: $XDG_STATE_HOME/proctor/devices, by default in
 * ~/.local/state. Fails with ERR_NOT_FOUND when HOME is not set either.
 */
MUST_USE bool known_hosts_path(struct buf *path, struct err *err);

/*
 * Read the file; a missing file is an empty list. Lines that are not addresses,
 * and those after the first KNOWN_HOSTS_MAX, are skipped.
 */
MUST_USE bool known_hosts_read(const char *path,
                               struct known_hosts *known_hosts,
                               struct err *err);

/*
 * Add or remove an address. The file is replaced atomically, and several
 * processes may do so at the same time. Adding creates missing folders; adding
 * a known address changes nothing, and a full list is ERR_LIMIT. Removing an
 * unknown address is ERR_NOT_FOUND.
 */
MUST_USE bool known_hosts_add(const char *path, const char *address,
                              struct err *err);
MUST_USE bool known_hosts_remove(const char *path, const char *address,
                                 struct err *err);

/* Is there a known phone on host, and on which port? The latest one is used. */
bool known_hosts_port(const struct known_hosts *known_hosts, const char *host,
                      uint16_t *port);

#endif
