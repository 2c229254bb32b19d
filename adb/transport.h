/*
 * The seam under a connection: bytes to and from one peer.
 *
 * read and write never block; only wait does. So one place (conn.c) holds all
 * the blocking logic, and a transport is a few short functions. One thread
 * reads, one writes, at the same time; wait may run in both of them.
 */
#ifndef ADB_TRANSPORT_H
#define ADB_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/deadline.h"
#include "base/err.h"

struct transport;

enum transport_want {
    TRANSPORT_READ = 1,
    TRANSPORT_WRITE = 2,
};

struct transport_ops {
    /*
     * Take up to size bytes that are there. *got is 0 when none are yet.
     * Fails with ERR_CLOSED when the peer hung up between bytes that it sent,
     * and with ERR_LOST when the connection broke.
     */
    bool (*read)(struct transport *transport, void *data, size_t size,
                 size_t *got, struct err *err);
    /* Send as much of parts as fits now. *put is 0 when nothing fits yet. */
    bool (*write)(struct transport *transport, const struct iovec *parts,
                  int count, size_t *put, struct err *err);
    /*
     * Block until what is wanted may work, a nudge comes, or by passes
     * (ERR_TIMEOUT), or the transport's cancel is fired (ERR_CANCELLED).
     * Returning early without a reason is allowed.
     */
    bool (*wait)(struct transport *transport, unsigned wants,
                 struct deadline by, struct err *err);
    /*
     * Make the wait under way return, or else the next one: that for
     * TRANSPORT_READ (perhaps among others), that for TRANSPORT_WRITE alone,
     * or both. From any thread.
     */
    void (*nudge)(struct transport *transport, unsigned whom);
    /* Hang up: every call, also one that blocks now, fails. From any thread. */
    void (*shut)(struct transport *transport);
    /* Free everything. Nobody is in another call. */
    void (*close)(struct transport *transport);
};

/* Implementations embed this as their first member. */
struct transport {
    const struct transport_ops *ops;
};

/* Blocking conveniences for handshakes: all bytes, by the deadline. */
MUST_USE bool transport_read_exact(struct transport *transport, void *data,
                                   size_t size, struct deadline by,
                                   struct err *err);
MUST_USE bool transport_write_all(struct transport *transport, const void *data,
                                  size_t size, struct deadline by,
                                  struct err *err);

/* NULL is fine. */
void transport_close(struct transport *transport);

#endif
