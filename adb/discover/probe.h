/*
 * Opens a phone at an address or on USB in a thread, so that many of them take
 * no longer than the slowest one.
 */
#ifndef ADB_DISCOVER_PROBE_H
#define ADB_DISCOVER_PROBE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "adb/transport/tcp.h"
#include "adb/transport/usb.h"
#include "adb/trust/auth.h"
#include "base/deadline.h"

struct probe {
    char host[TCP_HOST_MAX];
    uint16_t port;
    uint16_t console;            /* of an emulator; 0: not an emulator */
    const struct usb_phone *usb; /* borrowed; NULL: use host and port */
    struct device_options options;
    struct deadline by;

    pthread_t thread;
    bool running;

    struct device
        *device; /* after probe_stop, owned by the caller; NULL: not opened */
    struct err err; /* why it was not opened */
    bool taken;     /* it was not tried, since it is in use elsewhere */
};

/* Start, with the fields above thread filled in. probe must not be moved. */
void probe_start(struct probe *probe);

/* Wait for the result, at most until by. */
void probe_stop(struct probe *probe);

#endif
