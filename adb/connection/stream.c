#include "adb/connection/stream.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool stream_read(struct stream *stream, void *data, size_t size,
                 struct deadline by, size_t *got, struct err *err)
{
    return stream->ops->read(stream, data, size, by, got, err);
}

bool stream_read_exact(struct stream *stream, void *data, size_t size,
                       struct deadline by, struct err *err)
{
    char *next = data;

    while (size) {
        size_t got;

        if (!stream_read(stream, next, size, by, &got, err))
            return false;
        if (!got)
            return err_set(err, ERR_CLOSED,
                           "the device ended the stream %zu bytes early", size);
        next += got;
        size -= got;
    }
    return true;
}

/*
 * Start with little memory; a stream with much data gets larger pieces, and
 * existing memory is used at once.
 */
#define SMALL_PIECE ((size_t)64 * 1024)
#define LARGE_PIECE ((size_t)1024 * 1024)

static size_t next_piece(const struct buf *data)
{
    bool is_there = data->capacity - data->length > LARGE_PIECE;

    return is_there || data->length >= SMALL_PIECE ? LARGE_PIECE : SMALL_PIECE;
}

/* Is this the end? Checked when there is no room for another byte. */
static bool expect_end(struct stream *stream, struct deadline by, size_t limit,
                       struct err *err)
{
    char byte;
    size_t got;

    if (!stream_read(stream, &byte, 1, by, &got, err))
        return false;
    if (got)
        return err_set(err, ERR_LIMIT, "the device sent more than %zu bytes",
                       limit);
    return true;
}

bool stream_read_all(struct stream *stream, struct deadline by,
                     struct buf *data, struct err *err)
{
    size_t got;

    do {
        size_t piece = next_piece(data);
        size_t room = data->limit - data->length;
        char *next;

        if (!room)
            return expect_end(stream, by, data->limit, err);
        piece = piece < room ? piece : room;
        next = buf_reserve(data, piece);
        assert(next);
        if (!stream_read(stream, next, piece, by, &got, err))
            return false;
        buf_commit(data, got);
    } while (got);
    return true;
}

bool stream_write(struct stream *stream, const void *data, size_t size,
                  struct deadline by, struct err *err)
{
    return stream->ops->write(stream, data, size, by, err);
}

bool stream_is_writable(struct stream *stream)
{
    return !stream->ops->is_writable || stream->ops->is_writable(stream);
}

void stream_interrupt(struct stream *stream)
{
    stream->ops->interrupt(stream);
}

void stream_close(struct stream *stream)
{
    if (stream)
        stream->ops->close(stream);
}

/* A whole transport as one stream: the socket of an adb server. */
struct whole_stream {
    struct stream stream;
    struct transport *transport; /* owned */
    bool ended;
    atomic_bool interrupted;
};

static bool whole_wait(struct whole_stream *whole, unsigned wants,
                       struct deadline by, struct err *err)
{
    struct transport *transport = whole->transport;

    if (!atomic_load(&whole->interrupted) &&
        !transport->ops->wait(transport, wants, by, err))
        return false;
    if (!atomic_load(&whole->interrupted))
        return true;
    return err_set(err, ERR_CANCELLED, "interrupted");
}

static bool whole_read(struct stream *stream, void *data, size_t size,
                       struct deadline by, size_t *got, struct err *err)
{
    struct whole_stream *whole = (struct whole_stream *)stream;
    struct transport *transport = whole->transport;
    struct err why;

    *got = 0;
    while (!whole->ended && !*got) {
        if (!transport->ops->read(transport, data, size, got, &why)) {
            if (why.code != ERR_CLOSED) {
                *err = why;
                return false;
            }
            whole->ended = true;
        } else if (!*got && !whole_wait(whole, TRANSPORT_READ, by, err)) {
            return false;
        }
    }
    return true;
}

static bool whole_write(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    struct whole_stream *whole = (struct whole_stream *)stream;
    struct transport *transport = whole->transport;
    struct iovec rest = {.iov_base = (void *)(uintptr_t)data, .iov_len = size};

    while (rest.iov_len) {
        size_t put;

        if (!transport->ops->write(transport, &rest, 1, &put, err))
            return false;
        rest.iov_base = (char *)rest.iov_base + put;
        rest.iov_len -= put;
        if (!put && !whole_wait(whole, TRANSPORT_WRITE, by, err))
            return false;
    }
    return true;
}

static void whole_interrupt(struct stream *stream)
{
    struct whole_stream *whole = (struct whole_stream *)stream;

    atomic_store(&whole->interrupted, true);
    whole->transport->ops->wake(whole->transport,
                                TRANSPORT_READ | TRANSPORT_WRITE);
}

static void whole_close(struct stream *stream)
{
    struct whole_stream *whole = (struct whole_stream *)stream;

    transport_close(whole->transport);
    free(whole);
}

static const struct stream_ops whole_ops = {
    .read = whole_read,
    .write = whole_write,
    .interrupt = whole_interrupt,
    .close = whole_close,
};

struct stream *stream_over_transport(struct transport *transport)
{
    struct whole_stream *whole = mem_new(1, sizeof(*whole));

    whole->stream.ops = &whole_ops;
    whole->transport = transport;
    return &whole->stream;
}

/* ---- given bytes ---- */

struct bytes_stream {
    struct stream stream;
    size_t size;
    size_t next; /* the next one to give */
    char data[];
};

static bool bytes_read(struct stream *stream, void *data, size_t size,
                       struct deadline by, size_t *got, struct err *err)
{
    struct bytes_stream *bytes = (struct bytes_stream *)stream;
    size_t left = bytes->size - bytes->next;

    (void)by, (void)err;
    *got = size < left ? size : left;
    memcpy(data, bytes->data + bytes->next, *got);
    bytes->next += *got;
    return true;
}

static bool bytes_write(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    (void)stream, (void)data, (void)size, (void)by, (void)err;
    return true;
}

static void bytes_interrupt(struct stream *stream)
{
    (void)stream; /* no call waits */
}

static void bytes_close(struct stream *stream)
{
    free(stream);
}

static const struct stream_ops bytes_ops = {
    .read = bytes_read,
    .write = bytes_write,
    .interrupt = bytes_interrupt,
    .close = bytes_close,
};

struct stream *stream_over_bytes(const void *data, size_t size)
{
    struct bytes_stream *bytes = mem_new(1, sizeof(*bytes) + size);

    bytes->stream.ops = &bytes_ops;
    bytes->size = size;
    if (size)
        memcpy(bytes->data, data, size);
    return &bytes->stream;
}
