#include "adb/transport/transport.h"

/* The deadline also applies to a peer that never makes us wait. */
static bool in_time(struct deadline by, struct err *err)
{
    return !deadline_passed(by) ||
           err_set(err, ERR_TIMEOUT, "no answer in time");
}

bool transport_read_exact(struct transport *transport, void *data, size_t size,
                          struct deadline by, struct err *err)
{
    char *next = data;

    while (size) {
        size_t got;

        if (!in_time(by, err) ||
            !transport->ops->read(transport, next, size, &got, err))
            return false;
        next += got;
        size -= got;
        if (!got && !transport->ops->wait(transport, TRANSPORT_READ, by, err))
            return false;
    }
    return true;
}

bool transport_write_all(struct transport *transport, const void *data,
                         size_t size, struct deadline by, struct err *err)
{
    struct iovec part = {.iov_base = (void *)(uintptr_t)data, .iov_len = size};

    while (part.iov_len) {
        size_t put;

        if (!in_time(by, err) ||
            !transport->ops->write(transport, &part, 1, &put, err))
            return false;
        part.iov_base = (char *)part.iov_base + put;
        part.iov_len -= put;
        if (!put && !transport->ops->wait(transport, TRANSPORT_WRITE, by, err))
            return false;
    }
    return true;
}

void transport_close(struct transport *transport)
{
    if (transport)
        transport->ops->close(transport);
}
