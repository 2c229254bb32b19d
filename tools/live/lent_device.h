/*
 * A device whose owner lends it to others, and takes it back before closing it.
 *
 *     owner:   lent_device_give ──▶ (in use) ──▶ lent_device_withdraw
 *     others:  lent_device_open ──▶ their own device, which they close
 *
 * After the owner has withdrawn it, every call on the devices of others fails
 * with ERR_LOST. Safe from any thread.
 */
#ifndef TOOLS_LIVE_LENT_DEVICE_H
#define TOOLS_LIVE_LENT_DEVICE_H

#include <pthread.h>
#include <stdbool.h>

#include "adb/device/device.h"

struct lent_stream;

struct lent_device {
    const char *why_not;  /* borrowed */
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t unused;
    struct device *device; /* borrowed; NULL: not lent now */
    size_t opening;        /* calls that open a stream now */
    struct lent_stream *streams;
};

/* why_not is borrowed: the message of lent_device_open while it is not lent. */
void lent_device_init(struct lent_device *lent, const char *why_not);
/* It must be withdrawn, and all devices of others closed. */
void lent_device_release(struct lent_device *lent);

void lent_device_give(struct lent_device *lent, struct device *device);

/*
 * Take it back: streams of others are interrupted. Blocks until they are
 * closed. Does nothing if it is not lent.
 */
void lent_device_withdraw(struct lent_device *lent);

/* Use it. Fails with ERR_BUSY while it is not lent. */
MUST_USE bool lent_device_open(struct lent_device *lent, struct device **device,
                               struct err *err);

#endif
