#include "adb/services/pty_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PIECE_SIZE ((size_t)64 * 1024)

struct pty_stream {
    struct stream stream;
    struct stream *inner; /* owned */
    char *input;          /* owned; PIECE_SIZE bytes */
    size_t at;            /* bytes that were returned already */
    size_t end;
    bool held;  /* a CR was read, but not the byte after it */
    bool ended; /* inner has no more */
};

size_t pty_stream_undo(char *data, size_t length)
{
    const char *end = data + length;
    const char *from = data;
    char *to = data;

    while (from < end) {
        const char *cr = memchr(from, '\r', (size_t)(end - from));
        size_t run = (size_t)((cr ? cr : end) - from);

        memmove(to, from, run);
        to += run;
        from += run;
        if (cr && (cr + 1 == end || cr[1] != '\n'))
            *to++ = '\r';
        from += cr != NULL;
    }
    return (size_t)(to - data);
}

/* Read and convert more input, at least a byte unless inner has ended. */
static bool fill(struct pty_stream *self, struct deadline by, struct err *err)
{
    self->at = self->end = 0;
    while (!self->end && !self->ended) {
        size_t before = self->held;
        size_t length;
        size_t got;

        if (!stream_read(self->inner, self->input + before, PIECE_SIZE - before,
                         by, &got, err))
            return false;
        if (before)
            self->input[0] = '\r';
        length = before + got;
        self->ended = !got;
        self->held = got && self->input[length - 1] == '\r';
        self->end = pty_stream_undo(self->input, length - self->held);
    }
    return true;
}

static bool pty_stream_read(struct stream *stream, void *data, size_t size,
                            struct deadline by, size_t *got, struct err *err)
{
    struct pty_stream *self = (struct pty_stream *)stream;
    size_t part;

    if (self->at == self->end && !fill(self, by, err))
        return false;
    part = self->end - self->at < size ? self->end - self->at : size;
    memcpy(data, self->input + self->at, part);
    self->at += part;
    *got = part;
    return true;
}

static bool pty_stream_write(struct stream *stream, const void *data,
                             size_t size, struct deadline by, struct err *err)
{
    (void)stream;
    (void)data;
    (void)size;
    (void)by;
    return err_set(err, ERR_UNSUPPORTED,
                   "this Android has no exec: service, so a command cannot be "
                   "given binary input");
}

static void pty_stream_interrupt(struct stream *stream)
{
    stream_interrupt(((struct pty_stream *)stream)->inner);
}

static void pty_stream_close(struct stream *stream)
{
    struct pty_stream *self = (struct pty_stream *)stream;

    stream_close(self->inner);
    free(self->input);
    free(self);
}

static const struct stream_ops pty_stream_ops = {
    .read = pty_stream_read,
    .write = pty_stream_write,
    .interrupt = pty_stream_interrupt,
    .close = pty_stream_close,
};

struct stream *pty_stream_new(struct stream *inner)
{
    struct pty_stream *self = mem_new(1, sizeof(*self));

    self->stream.ops = &pty_stream_ops;
    self->inner = inner;
    self->input = mem_resize(NULL, PIECE_SIZE, 1);
    return &self->stream;
}
