#include "tools/phone_source/phone_device.h"

#include <stdlib.h>
#include <string.h>

#include "adb/services/shell_wire.h"
#include "base/mem.h"

/* A command that prints more is stopped. */
#define OUTPUT_MAX ((size_t)64 << 20)

#define SHELL "shell,v2,raw:"
#define EXEC "exec:"

/* ---- output that is complete ---- */

struct ready_stream {
    struct stream stream;
    struct buf bytes;
    size_t at; /* how much was read */
};

static bool ready_read(struct stream *stream, void *data, size_t size,
                       struct deadline by, size_t *got, struct err *err)
{
    struct ready_stream *self = (struct ready_stream *)stream;
    size_t left = self->bytes.length - self->at;

    (void)by, (void)err;
    *got = size < left ? size : left;
    if (*got)
        memcpy(data, self->bytes.data + self->at, *got);
    self->at += *got;
    return true;
}

static bool ready_write(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    (void)stream, (void)data, (void)size, (void)by;
    return err_set(err, ERR_CLOSED, "the command has ended");
}

static void ready_interrupt(struct stream *stream)
{
    (void)stream;
}

static void ready_close(struct stream *stream)
{
    struct ready_stream *self = (struct ready_stream *)stream;

    buf_release(&self->bytes);
    free(self);
}

static struct stream *ready_stream_new(struct buf *bytes)
{
    static const struct stream_ops ops = {
        .read = ready_read,
        .write = ready_write,
        .interrupt = ready_interrupt,
        .close = ready_close,
    };
    struct ready_stream *made = mem_new(1, sizeof(*made));

    made->stream.ops = &ops;
    made->bytes = *bytes;
    *bytes = (struct buf)BUF_INIT(0);
    return &made->stream;
}

/* ---- services ---- */

static void put_packet(struct buf *packets, enum shell_wire_id id,
                       const struct buf *data)
{
    if (data->length)
        shell_wire_put(packets, id, data->data, data->length);
}

static struct stream *run_shell(struct phone *phone, const char *command)
{
    struct buf out = BUF_INIT(OUTPUT_MAX);
    struct buf errors = BUF_INIT(OUTPUT_MAX);
    struct buf packets = BUF_INIT(2 * OUTPUT_MAX + 64);
    const uint8_t status = (uint8_t)phone_run(phone, command, &out, &errors);

    put_packet(&packets, SHELL_WIRE_STDOUT, &out);
    put_packet(&packets, SHELL_WIRE_STDERR, &errors);
    shell_wire_put(&packets, SHELL_WIRE_EXIT, &status, 1);
    buf_release(&out);
    buf_release(&errors);
    return ready_stream_new(&packets);
}

/* Without a terminal, errors are part of what exec: sends. */
static struct stream *run_exec(struct phone *phone, const char *command)
{
    struct buf out = BUF_INIT(OUTPUT_MAX);

    (void)phone_run(phone, command, &out, &out);
    return ready_stream_new(&out);
}

static bool open_service(void *context, const char *service, struct deadline by,
                         struct stream **stream, struct err *err)
{
    struct phone *phone = context;

    (void)by;
    if (!strncmp(service, SHELL, strlen(SHELL)))
        *stream = run_shell(phone, service + strlen(SHELL));
    else if (!strncmp(service, EXEC, strlen(EXEC)))
        *stream = run_exec(phone, service + strlen(EXEC));
    else
        return err_set(err, ERR_UNSUPPORTED,
                       "a phone of this process has no service %.40s", service);
    return true;
}

struct device *phone_device_open(struct phone *phone, const char *serial)
{
    const struct device_services services = {open_service, phone};

    return device_over_services(&services, serial,
                                FEATURE_BIT(FEATURE_SHELL_V2) |
                                    FEATURE_BIT(FEATURE_CMD));
}
