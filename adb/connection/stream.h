/*
 * A two-way byte stream to one service on a device.
 *
 * A stream comes from device_open_service or conn_accept; it works in the same
 * way over a direct connection and through an adb server's socket. It has one
 * owner. One thread may read while another one writes; stream_interrupt may be
 * called from any thread, stream_close only when no other call is running.
 */
#ifndef ADB_CONNECTION_STREAM_H
#define ADB_CONNECTION_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/transport/transport.h"
#include "base/buf.h"
#include "base/deadline.h"
#include "base/err.h"

struct stream;

struct stream_ops {
    bool (*read)(struct stream *stream, void *data, size_t size,
                 struct deadline by, size_t *got, struct err *err);
    bool (*write)(struct stream *stream, const void *data, size_t size,
                  struct deadline by, struct err *err);
    void (*interrupt)(struct stream *stream);
    void (*close)(struct stream *stream);
    bool (*is_writable)(struct stream *stream); /* NULL: always true */
};

/* Implementations embed this as their first member. */
struct stream {
    const struct stream_ops *ops;
};

/*
 * Read at least one byte and at most size. *got is 0 only at the end of the
 * stream. Large reads go directly into data, without a copy. Fails with
 * ERR_TIMEOUT (the stream stays usable), ERR_LOST (the device is lost),
 * ERR_CANCELLED or ERR_PROTOCOL.
 */
MUST_USE bool stream_read(struct stream *stream, void *data, size_t size,
                          struct deadline by, size_t *got, struct err *err);

/* Read exactly size bytes; an early end is ERR_CLOSED. */
MUST_USE bool stream_read_exact(struct stream *stream, void *data, size_t size,
                                struct deadline by, struct err *err);

/*
 * Append all bytes up to the end of the stream to data. Fails with ERR_LIMIT
 * when they are more than data can hold; data then contains the first part.
 */
MUST_USE bool stream_read_all(struct stream *stream, struct deadline by,
                              struct buf *data, struct err *err);

/*
 * Write all of data. Blocks while the peer does not accept it. Fails with
 * ERR_CLOSED when the peer has ended the stream, otherwise as stream_read does;
 * how much was written is then unknown.
 */
MUST_USE bool stream_write(struct stream *stream, const void *data, size_t size,
                           struct deadline by, struct err *err);

/*
 * False if the peer has closed the whole stream, so that every write would
 * fail. True does not promise that a write succeeds. Does not block.
 */
bool stream_is_writable(struct stream *stream);

/*
 * Make all calls that wait on the stream, now or later, fail with
 * ERR_CANCELLED. After that it can only be closed.
 */
void stream_interrupt(struct stream *stream);

/* End the stream and free it, without blocking. NULL is fine. */
void stream_close(struct stream *stream);

/* Use a whole transport as a stream, which then owns it. */
struct stream *stream_over_transport(struct transport *transport);

/*
 * A stream that gives a copy of data and then ends. What is written to it is
 * dropped.
 */
struct stream *stream_over_bytes(const void *data, size_t size);

#endif
