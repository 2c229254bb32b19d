/* A wire between two sockets that fails once, at a byte that is known. */
#ifndef TESTS_SUPPORT_FAULT_PROXY_H
#define TESTS_SUPPORT_FAULT_PROXY_H

#include <stddef.h>

#include "base/buf.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_BREAK,   /* both ends see the other hang up */
    FAULT_STALL,   /* nothing passes any more, either way */
    FAULT_CORRUPT, /* one bit of the byte is flipped */
};

enum fault_way {
    FAULT_TO_DEVICE,
    FAULT_TO_HOST,
    FAULT_WAYS,
};

struct fault {
    enum fault_kind kind;
    enum fault_way way;
    size_t at; /* that way's byte, counted from 0 */
    unsigned bit;
    struct buf *heard; /* one for each way, or NULL: all that came */
};

struct fault_proxy;

/*
 * Make a wire with that fault. Its ends are two sockets, which the caller
 * owns. NULL: failed.
 */
struct fault_proxy *fault_proxy_start(struct fault fault, int *host,
                                      int *device);

/*
 * Wait until one end has hung up or all is stalled, and tell how many bytes
 * came each way. A stalled wire hangs up only now.
 */
void fault_proxy_stop(struct fault_proxy *proxy, size_t passed[FAULT_WAYS]);

#endif
