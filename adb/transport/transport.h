/*
 * The interface below a connection: bytes to and from one peer.
 *
 * read and write never block; only wait does. So all blocking logic is in one
 * place (conn.c), and a transport consists of a few short functions. One thread
 * may read while another one writes; wait may run in both of them.
 */
#ifndef ADB_TRANSPORT_TRANSPORT_H
#define ADB_TRANSPORT_TRANSPORT_H

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
     * Read up to size bytes that have arrived. *got is 0 if none have. Fails
     * with ERR_CLOSED when the peer closed the connection, and with ERR_LOST
     * when the connection broke.
     */
    bool (*read)(struct transport *transport, void *data, size_t size,
                 size_t *got, struct err *err);
    /*
     * Send as much of parts as possible. *put is 0 if nothing can be sent now.
     */
    bool (*write)(struct transport *transport, const struct iovec *parts,
                  int count, size_t *put, struct err *err);
    /*
     * Block until the wanted operation may succeed, the thread is woken by
     * wake, by passes (ERR_TIMEOUT), or the transport's cancel is fired
     * (ERR_CANCELLED). Spurious returns are allowed.
     */
    bool (*wait)(struct transport *transport, unsigned wants,
                 struct deadline by, struct err *err);
    /*
     * Make the current wait return, or the next one if there is none: a wait
     * that includes TRANSPORT_READ, a wait for TRANSPORT_WRITE alone, or both.
     * From any thread.
     */
    void (*wake)(struct transport *transport, unsigned whom);
    /*
     * Close the connection: all calls fail, including one that blocks now. From
     * any thread.
     */
    void (*shut)(struct transport *transport);
    /* Free everything. No other call may be running. */
    void (*close)(struct transport *transport);
};

/* Implementations embed this as their first member. */
struct transport {
    const struct transport_ops *ops;
};

/* Blocking helpers for handshakes: transfer all bytes by the deadline. */
MUST_USE bool transport_read_exact(struct transport *transport, void *data,
                                   size_t size, struct deadline by,
                                   struct err *err);
MUST_USE bool transport_write_all(struct transport *transport, const void *data,
                                  size_t size, struct deadline by,
                                  struct err *err);

/* NULL is fine. */
void transport_close(struct transport *transport);

#endif
