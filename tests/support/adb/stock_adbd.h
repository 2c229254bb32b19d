/* The stock adbd that tests/peers/with-adbd runs beside a test. */
#ifndef TESTS_SUPPORT_ADB_STOCK_ADBD_H
#define TESTS_SUPPORT_ADB_STOCK_ADBD_H

#include "adb/device/device.h"

enum stock_adbd_route {
    STOCK_ADBD_DIRECT,  /* over TCP */
    STOCK_ADBD_SERVER,  /* through the stock adb server */
    STOCK_ADBD_CLASSIC, /* over TCP, as a host without delayed_ack */
    STOCK_ADBD_OLD,     /* over TCP, as a host without features */
};

/* Open it, or fail the running test. */
struct device *stock_adbd_open(enum stock_adbd_route way);

/* The same for another phone, at "HOST:PORT"; not STOCK_ADBD_SERVER. */
struct device *stock_adbd_open_at(const char *address,
                                  enum stock_adbd_route way);

#endif
