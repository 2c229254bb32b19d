/*
 * A transport without a peer: what it would say is given beforehand and comes
 * in pieces, and after that it has hung up. What is written is kept.
 */
#ifndef TESTS_SUPPORT_MEMORY_TRANSPORT_H
#define TESTS_SUPPORT_MEMORY_TRANSPORT_H

#include <stdatomic.h>

#include "adb/transport.h"
#include "base/buf.h"

/* All that is written may be at most this long. */
#define MEMORY_TRANSPORT_WRITTEN ((size_t)4 << 20)

struct memory_transport {
    struct transport transport;
    const char *bytes; /* borrowed */
    size_t size;
    size_t piece; /* read at most at once */
    size_t at;
    struct buf written;
    atomic_bool is_shut;
};

/* Free with memory_transport_release; transport_close leaves it alone. */
void memory_transport_init(struct memory_transport *memory, const void *bytes,
                           size_t size, size_t piece);
void memory_transport_release(struct memory_transport *memory);

#endif
