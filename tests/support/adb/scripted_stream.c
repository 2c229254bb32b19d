#include "tests/support/adb/scripted_stream.h"

#include <string.h>

static bool script_read(struct stream *stream, void *data, size_t size,
                        struct deadline by, size_t *got, struct err *err)
{
    struct scripted_stream *script = (struct scripted_stream *)stream;
    size_t left = script->length - script->next;

    (void)by;
    if (script->stall) {
        size_t before = script->stall - 1;

        if (script->next == before) {
            script->stall = 0;
            return err_set(err, ERR_TIMEOUT, "no answer in time");
        }
        left = before - script->next;
    }
    *got = size < left ? size : left;
    if (*got > script->piece)
        *got = script->piece;
    memcpy(data, script->data + script->next, *got);
    script->next += *got;
    return true;
}

static bool script_write(struct stream *stream, const void *data, size_t size,
                         struct deadline by, struct err *err)
{
    (void)stream;
    (void)data;
    (void)size;
    (void)by;
    (void)err;
    return true;
}

static void script_close(struct stream *stream)
{
    (void)stream;
}

static const struct stream_ops script_ops = {
    .read = script_read,
    .write = script_write,
    .close = script_close,
};

void scripted_stream_init(struct scripted_stream *script, const char *data,
                          size_t length, size_t piece)
{
    *script = (struct scripted_stream){.stream = {.ops = &script_ops},
                                       .data = data,
                                       .length = length,
                                       .piece = piece};
}
