/* The stock adbd that tests/peers/with-adbd runs next to a test. */
#ifndef TESTS_SUPPORT_PEER_DEVICE_H
#define TESTS_SUPPORT_PEER_DEVICE_H

#include "adb/device.h"

enum peer_way {
    PEER_DIRECT, /* over TCP */
    PEER_SERVER, /* through the stock adb server */
    PEER_OLD,    /* over TCP, as a host that knows no feature */
};

/* Open it, or fail the running test. */
struct device *peer_device_open(enum peer_way way);

#endif
