#include "tools/phone/sh_port.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define NEW_FILE_MODE 0666U

bool sh_in_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    return in->read(in, data, size, got);
}

bool sh_out_write(struct sh_out *out, const void *data, size_t size)
{
    return !size || out->write(out, data, size);
}

void sh_in_close(struct sh_in *in)
{
    if (in)
        in->close(in);
}

bool sh_out_close(struct sh_out *out, int *number)
{
    return !out || out->close(out, number);
}

/* ---- a blob ---- */

struct blob_in {
    struct sh_in in;
    struct blob *blob; /* held */
    size_t at;
};

static bool blob_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    struct blob_in *port = (struct blob_in *)in;
    size_t left = port->blob->size - port->at;

    *got = size < left ? size : left;
    if (*got)
        memcpy(data, port->blob->data + port->at, *got);
    port->at += *got;
    return true;
}

static void blob_close(struct sh_in *in)
{
    blob_drop(((struct blob_in *)in)->blob);
    free(in);
}

struct sh_in *sh_in_blob(struct blob *blob)
{
    struct blob_in *port = mem_new(1, sizeof(*port));

    port->in = (struct sh_in){blob_read, blob_close};
    port->blob = blob_hold(blob);
    return &port->in;
}

/* ---- ports without anything behind them ---- */

static bool empty_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    (void)in, (void)data, (void)size;
    *got = 0;
    return true;
}

static bool zeros_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    (void)in;
    memset(data, 0, size);
    *got = size;
    return true;
}

static void free_in(struct sh_in *in)
{
    free(in);
}

static struct sh_in *in_new(bool (*read)(struct sh_in *, void *, size_t,
                                         size_t *))
{
    struct sh_in *in = mem_new(1, sizeof(*in));

    *in = (struct sh_in){read, free_in};
    return in;
}

struct sh_in *sh_in_empty(void)
{
    return in_new(empty_read);
}

struct sh_in *sh_in_zeros(void)
{
    return in_new(zeros_read);
}

static bool nothing_write(struct sh_out *out, const void *data, size_t size)
{
    (void)out, (void)data, (void)size;
    return true;
}

static bool free_out(struct sh_out *out, int *number)
{
    (void)number;
    free(out);
    return true;
}

struct sh_out *sh_out_nothing(void)
{
    struct sh_out *out = mem_new(1, sizeof(*out));

    *out = (struct sh_out){nothing_write, free_out};
    return out;
}

/* ---- a buffer ---- */

struct buf_out {
    struct sh_out out;
    struct buf *buf; /* borrowed */
    struct account *account;
    size_t paid;
};

static bool buf_write(struct sh_out *out, const void *data, size_t size)
{
    struct buf_out *port = (struct buf_out *)out;

    if (!account_take(port->account, size))
        return false;
    port->paid += size;
    buf_append(port->buf, data, size);
    return !port->buf->overflow;
}

static bool buf_close(struct sh_out *out, int *number)
{
    struct buf_out *port = (struct buf_out *)out;

    account_return(port->account, port->paid);
    return free_out(out, number);
}

struct sh_out *sh_out_buf(struct buf *buf, struct account *account)
{
    struct buf_out *port = mem_new(1, sizeof(*port));

    port->out = (struct sh_out){buf_write, buf_close};
    port->buf = buf;
    port->account = account;
    return &port->out;
}

/* ---- a file ---- */

struct file_out {
    struct sh_out out;
    struct files *files; /* borrowed */
    char *path;          /* owned */
    bool append;
    bool full; /* something did not fit */
    struct blob_writer writer;
};

static bool file_write(struct sh_out *out, const void *data, size_t size)
{
    struct file_out *port = (struct file_out *)out;

    port->full = port->full || !blob_append(&port->writer, data, size);
    return !port->full;
}

static bool file_install(struct file_out *port, int *number)
{
    struct blob *blob = blob_finish(&port->writer);
    bool done;

    if (port->append)
        done = files_append(port->files, port->path, blob->data, blob->size,
                            NEW_FILE_MODE, number);
    else
        done =
            files_install(port->files, port->path, blob, NEW_FILE_MODE, number);
    blob_drop(blob);
    return done;
}

static bool file_close(struct sh_out *out, int *number)
{
    struct file_out *port = (struct file_out *)out;
    bool done = file_install(port, number);

    if (port->full) {
        *number = ENOSPC;
        done = false;
    }
    blob_writer_release(&port->writer);
    free(port->path);
    free(port);
    return done;
}

struct sh_out *sh_out_file(struct files *files, const char *path, bool append)
{
    struct file_out *port = mem_new(1, sizeof(*port));

    *port = (struct file_out){
        .out = {file_write, file_close},
        .files = files,
        .path = mem_dup(path),
        .append = append,
        .writer = files_writer(files),
    };
    return &port->out;
}
