/* A wire between two sockets that fails once, at a given byte. */
#ifndef TESTS_SUPPORT_ADB_FAULT_PROXY_H
#define TESTS_SUPPORT_ADB_FAULT_PROXY_H

#include <stddef.h>

#include "base/buf.h"

enum wire_fault_kind {
    WIRE_FAULT_NONE,
    WIRE_FAULT_BREAK,   /* both ends are closed */
    WIRE_FAULT_STALL,   /* nothing passes any more in either direction */
    WIRE_FAULT_CORRUPT, /* one bit of the byte is flipped */
};

enum wire_direction {
    WIRE_FAULT_TO_DEVICE,
    WIRE_FAULT_TO_HOST,
    WIRE_FAULT_WAYS,
};

struct wire_fault {
    enum wire_fault_kind kind;
    enum wire_direction way;
    size_t at; /* offset of the byte in that direction */
    unsigned bit;
    struct buf
        *received; /* one for each direction, or NULL: everything that passed */
};

struct fault_proxy;

/*
 * Create a wire with that fault. Its ends are two sockets, which the caller
 * owns. NULL on failure.
 */
struct fault_proxy *fault_proxy_start(struct wire_fault wire_fault, int *host,
                                      int *device);

/*
 * Wait until one end is closed or everything is stalled, and return the number
 * of bytes in each direction. A stalled wire is closed only now.
 */
void fault_proxy_stop(struct fault_proxy *proxy,
                      size_t passed[WIRE_FAULT_WAYS]);

#endif
