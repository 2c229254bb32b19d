#include "adb/stream.h"

#include <stdlib.h>

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

bool stream_write(struct stream *stream, const void *data, size_t size,
                  struct deadline by, struct err *err)
{
    return stream->ops->write(stream, data, size, by, err);
}

void stream_close(struct stream *stream)
{
    if (stream)
        stream->ops->close(stream);
}

/* A whole transport as one stream: what an adb server's socket becomes. */
struct whole_stream {
    struct stream stream;
    struct transport *transport; /* owned */
    bool ended;
};

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
        } else if (!*got &&
                   !transport->ops->wait(transport, TRANSPORT_READ, by, err)) {
            return false;
        }
    }
    return true;
}

static bool whole_write(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    struct whole_stream *whole = (struct whole_stream *)stream;

    return transport_write_all(whole->transport, data, size, by, err);
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
    .close = whole_close,
};

struct stream *stream_over_transport(struct transport *transport)
{
    struct whole_stream *whole = mem_new(1, sizeof(*whole));

    whole->stream.ops = &whole_ops;
    whole->transport = transport;
    return &whole->stream;
}
