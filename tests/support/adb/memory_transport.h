/*
 * A transport without a peer: its input is given beforehand and comes in
 * pieces, then the end. What is written is kept.
 */
#ifndef TESTS_SUPPORT_ADB_MEMORY_TRANSPORT_H
#define TESTS_SUPPORT_ADB_MEMORY_TRANSPORT_H

#include <stdatomic.h>

#include "adb/transport/transport.h"
#include "base/buf.h"

/* Limit of all written bytes. */
#define MEMORY_TRANSPORT_WRITTEN ((size_t)4 << 20)

struct memory_transport {
    struct transport transport;
    const char *bytes; /* borrowed */
    size_t size;
    size_t piece; /* limit of one read */
    size_t at;
    struct buf written;
    atomic_bool is_shut;
};

/* Free it with memory_transport_release; transport_close does nothing. */
void memory_transport_init(struct memory_transport *memory, const void *bytes,
                           size_t size, size_t piece);
void memory_transport_release(struct memory_transport *memory);

#endif
