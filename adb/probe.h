/*
 * A short knock at an address, or at a phone on USB: does it answer, and who
 * is it?
 *
 * Each probe has a thread, so that many cost no more time than the slowest.
 */
#ifndef ADB_PROBE_H
#define ADB_PROBE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "adb/auth.h"
#include "adb/banner.h"
#include "adb/device.h"
#include "adb/tcp.h"
#include "adb/usb.h"
#include "base/deadline.h"

struct probe {
    char host[TCP_HOST_MAX];
    uint16_t port;
    const struct usb_phone *usb; /* borrowed; NULL: host and port count */
    struct device_options options;
    struct deadline by;

    pthread_t thread;
    bool running;

    bool answered; /* what came of it, after probe_stop */
    struct banner banner;
    struct err err;
};

/* Begin with the fields above the thread. probe must stay where it is. */
void probe_start(struct probe *probe);

/* Wait for what comes of it, which by bounds. */
void probe_stop(struct probe *probe);

#endif
