#include "tools/phone/shell/sh_port.h"

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

struct shared_bytes_in {
    struct sh_in in;
    struct shared_bytes *shared_bytes; /* referenced until closed */
    size_t at;
};

static bool shared_bytes_read(struct sh_in *in, void *data, size_t size,
                              size_t *got)
{
    struct shared_bytes_in *port = (struct shared_bytes_in *)in;
    size_t left = port->shared_bytes->size - port->at;

    *got = size < left ? size : left;
    if (*got)
        memcpy(data, port->shared_bytes->data + port->at, *got);
    port->at += *got;
    return true;
}

static void shared_bytes_close(struct sh_in *in)
{
    shared_bytes_drop(((struct shared_bytes_in *)in)->shared_bytes);
    free(in);
}

struct sh_in *sh_in_blob(struct shared_bytes *shared_bytes)
{
    struct shared_bytes_in *port = mem_new(1, sizeof(*port));

    port->in = (struct sh_in){shared_bytes_read, shared_bytes_close};
    port->shared_bytes = shared_bytes_hold(shared_bytes);
    return &port->in;
}

/* ---- null, zeros, random bytes ---- */

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

struct random_in {
    struct sh_in in;
    uint64_t state;
};

/* splitmix64: a simple generator of random-looking numbers. */
static uint64_t random_next(struct random_in *port)
{
    uint64_t z = port->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static bool random_read(struct sh_in *in, void *data, size_t size, size_t *got)
{
    struct random_in *port = (struct random_in *)in;
    char *to = data;

    *got = size;
    while (size) {
        uint64_t bytes = random_next(port);
        size_t part = size < sizeof(bytes) ? size : sizeof(bytes);

        memcpy(to, &bytes, part);
        to += part;
        size -= part;
    }
    return true;
}

struct sh_in *sh_in_random(uint64_t seed)
{
    struct random_in *port = mem_new(1, sizeof(*port));

    *port = (struct random_in){{random_read, free_in}, seed};
    return &port->in;
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
    struct memory_account *memory_account;
    size_t paid;
};

static bool buf_write(struct sh_out *out, const void *data, size_t size)
{
    struct buf_out *port = (struct buf_out *)out;

    if (!memory_account_take(port->memory_account, size))
        return false;
    port->paid += size;
    buf_append(port->buf, data, size);
    return !port->buf->overflow;
}

static bool buf_close(struct sh_out *out, int *number)
{
    struct buf_out *port = (struct buf_out *)out;

    memory_account_return(port->memory_account, port->paid);
    return free_out(out, number);
}

struct sh_out *sh_out_buf(struct buf *buf,
                          struct memory_account *memory_account)
{
    struct buf_out *port = mem_new(1, sizeof(*port));

    port->out = (struct sh_out){buf_write, buf_close};
    port->buf = buf;
    port->memory_account = memory_account;
    return &port->out;
}

/* ---- a file ---- */

struct file_out {
    struct sh_out out;
    struct phone_files *files; /* borrowed */
    char *path;                /* owned */
    bool append;
    bool full; /* some bytes did not fit */
    struct shared_bytes_writer writer;
};

static bool file_write(struct sh_out *out, const void *data, size_t size)
{
    struct file_out *port = (struct file_out *)out;

    port->full = port->full || !shared_bytes_append(&port->writer, data, size);
    return !port->full;
}

static bool file_install(struct file_out *port, int *number)
{
    struct shared_bytes *shared_bytes = shared_bytes_finish(&port->writer);
    bool done;

    if (port->append)
        done = files_append(port->files, port->path, shared_bytes->data,
                            shared_bytes->size, NEW_FILE_MODE, number);
    else
        done = files_install(port->files, port->path, shared_bytes,
                             NEW_FILE_MODE, number);
    shared_bytes_drop(shared_bytes);
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
    shared_bytes_writer_release(&port->writer);
    free(port->path);
    free(port);
    return done;
}

struct sh_out *sh_out_file(struct phone_files *files, const char *path,
                           bool append)
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
