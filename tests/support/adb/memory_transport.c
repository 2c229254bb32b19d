#include "tests/support/adb/memory_transport.h"

#include <string.h>

static struct memory_transport *memory_of(struct transport *transport)
{
    return (struct memory_transport *)transport;
}

static bool memory_read(struct transport *transport, void *data, size_t size,
                        size_t *got, struct err *err)
{
    struct memory_transport *memory = memory_of(transport);
    size_t left = memory->size - memory->at;

    if (!left || atomic_load(&memory->is_shut))
        return err_set(err, ERR_CLOSED, "the peer closed the connection");
    size = size < left ? size : left;
    size = size < memory->piece ? size : memory->piece;
    memcpy(data, memory->bytes + memory->at, size);
    memory->at += size;
    *got = size;
    return true;
}

static bool memory_write(struct transport *transport, const struct iovec *parts,
                         int count, size_t *put, struct err *err)
{
    struct memory_transport *memory = memory_of(transport);

    *put = 0;
    for (int i = 0; i < count; i++) {
        buf_append(&memory->written, parts[i].iov_base, parts[i].iov_len);
        *put += parts[i].iov_len;
    }
    if (memory->written.overflow || atomic_load(&memory->is_shut))
        return err_set(err, ERR_LOST, "the peer takes no more");
    return true;
}

/* There is always something to read, at least the end. */
static bool memory_wait(struct transport *transport, unsigned wants,
                        struct deadline by, struct err *err)
{
    (void)transport;
    (void)wants;
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "no answer in time");
    return true;
}

static void memory_wake(struct transport *transport, unsigned whom)
{
    (void)transport;
    (void)whom;
}

static void memory_shut(struct transport *transport)
{
    atomic_store(&memory_of(transport)->is_shut, true);
}

static void memory_close(struct transport *transport)
{
    memory_shut(transport);
}

static const struct transport_ops memory_ops = {
    .read = memory_read,
    .write = memory_write,
    .wait = memory_wait,
    .wake = memory_wake,
    .shut = memory_shut,
    .close = memory_close,
};

void memory_transport_init(struct memory_transport *memory, const void *bytes,
                           size_t size, size_t piece)
{
    memory->transport.ops = &memory_ops;
    memory->bytes = bytes;
    memory->size = size;
    memory->piece = piece;
    memory->at = 0;
    memory->written = (struct buf)BUF_INIT(MEMORY_TRANSPORT_WRITTEN);
    atomic_init(&memory->is_shut, false);
}

void memory_transport_release(struct memory_transport *memory)
{
    buf_release(&memory->written);
}
