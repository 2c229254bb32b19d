/*
 * A two-way byte stream to one service on a device.
 *
 * A stream comes from device_open_service or conn_accept, and whether it runs
 * inside a direct connection or through an adb server's socket makes no
 * difference to those who use it. It has one owner, who may let one thread
 * read and another write at the same time; stream_interrupt may come from any
 * thread, and stream_close only when no other call is under way.
 */
#ifndef ADB_STREAM_H
#define ADB_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "adb/transport.h"
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
};

/* Implementations embed this as their first member. */
struct stream {
    const struct stream_ops *ops;
};

/*
 * Read at least one byte and at most size. *got is 0 at the end of the stream
 * only. Large reads go straight into data, without a copy in between.
 * Fails with ERR_TIMEOUT (the stream stays usable), ERR_LOST (the device is
 * gone), ERR_CANCELLED or ERR_PROTOCOL.
 */
MUST_USE bool stream_read(struct stream *stream, void *data, size_t size,
                          struct deadline by, size_t *got, struct err *err);

/* Read exactly size bytes; an early end is ERR_CLOSED. */
MUST_USE bool stream_read_exact(struct stream *stream, void *data, size_t size,
                                struct deadline by, struct err *err);

/*
 * Append all bytes up to the stream's end to data. Fails with ERR_LIMIT when
 * they are more than it holds; what was read by then is in data.
 */
MUST_USE bool stream_read_all(struct stream *stream, struct deadline by,
                              struct buf *data, struct err *err);

/*
 * Write all of data. Blocks while the peer does not take it.
 * Fails with ERR_CLOSED when the peer has ended the stream, else as
 * stream_read does; how much was written is then not told.
 */
MUST_USE bool stream_write(struct stream *stream, const void *data, size_t size,
                           struct deadline by, struct err *err);

/*
 * Make the calls that wait on the stream, and all later ones that would wait,
 * fail with ERR_CANCELLED. What remains to be done with it is to close it.
 */
void stream_interrupt(struct stream *stream);

/* End the stream and free it, without blocking. NULL is fine. */
void stream_close(struct stream *stream);

/* A stream that is the whole of a transport, which it then owns. */
struct stream *stream_over_transport(struct transport *transport);

#endif
