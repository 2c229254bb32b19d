#include "adb/device/server_stream.h"

#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "base/mem.h"

/* How long the server may take to report the phone's state. */
#define STATE_MS 2000

struct server_stream {
    struct stream stream;
    struct stream *inner; /* owned */
    struct server_client server;
    char *serial; /* owned */
};

static bool fail_lost(const char *serial, const char *why, struct err *err)
{
    return err_set(err, ERR_LOST, "the adb server has lost %.100s: %.100s",
                   serial, why);
}

bool server_stream_check_phone(const struct server_client *server,
                               const char *serial, struct deadline by,
                               struct err *err)
{
    struct buf request = BUF_INIT(SIZE_MAX);
    struct buf state = STATUS_REPLY_BLOCK_INIT;
    struct err why = ERR_INIT;
    bool there = true;

    by = deadline_sooner(by, deadline_in_ms(STATE_MS));
    buf_printf(&request, "host-serial:%s:get-state", serial);
    if (!server_client_ask(server, buf_cstr(&request), by, &state, &why)) {
        if (why.code == ERR_NOT_FOUND || why.code == ERR_LOST ||
            why.code == ERR_UNREACHABLE)
            there = fail_lost(serial, why.text, err);
    } else if (!strcmp(buf_cstr(&state), "offline")) {
        there = fail_lost(serial, "offline", err);
    }
    buf_release(&request);
    buf_release(&state);
    return there;
}

static bool check_phone(const struct server_stream *self, struct deadline by,
                        struct err *err)
{
    return server_stream_check_phone(&self->server, self->serial, by, err);
}

static bool server_stream_read(struct stream *stream, void *data, size_t size,
                               struct deadline by, size_t *got, struct err *err)
{
    struct server_stream *self = (struct server_stream *)stream;

    return stream_read(self->inner, data, size, by, got, err) &&
           (*got || check_phone(self, by, err));
}

static bool server_stream_write(struct stream *stream, const void *data,
                                size_t size, struct deadline by,
                                struct err *err)
{
    struct server_stream *self = (struct server_stream *)stream;

    if (stream_write(self->inner, data, size, by, err))
        return true;
    if (err->code == ERR_CLOSED)
        (void)!check_phone(self, by, err);
    return false;
}

static bool server_stream_is_writable(struct stream *stream)
{
    return stream_is_writable(((struct server_stream *)stream)->inner);
}

static void server_stream_interrupt(struct stream *stream)
{
    stream_interrupt(((struct server_stream *)stream)->inner);
}

static void server_stream_close(struct stream *stream)
{
    struct server_stream *self = (struct server_stream *)stream;

    stream_close(self->inner);
    free(self->serial);
    free(self);
}

static const struct stream_ops server_stream_ops = {
    .read = server_stream_read,
    .write = server_stream_write,
    .is_writable = server_stream_is_writable,
    .interrupt = server_stream_interrupt,
    .close = server_stream_close,
};

struct stream *server_stream_new(struct stream *inner,
                                 const struct server_client *server,
                                 const char *serial)
{
    struct server_stream *self = mem_new(1, sizeof(*self));

    self->stream.ops = &server_stream_ops;
    self->inner = inner;
    self->server = *server;
    self->serial = mem_dup(serial);
    return &self->stream;
}
