/* A loopback device at an adb server of ours. */
#ifndef TESTS_SUPPORT_ADB_LOOPBACK_SERVER_H
#define TESTS_SUPPORT_ADB_LOOPBACK_SERVER_H

#include "adb/server/adb_server.h"
#include "adb/server/server_phone.h"
#include "tests/support/adb/loopback_device.h"

struct loopback_server {
    struct loopback_device *loop;
    struct device *device;
    struct server_phone *opened;
    struct adb_server_phone shown;
    struct adb_server *server;
    uint16_t port; /* the server's, on 127.0.0.1 */
};

/*
 * Start both; phone must stay where it is. policy may be NULL. Fails the
 * running test if that is impossible.
 */
void loopback_server_start(struct loopback_server *phone,
                           const struct loopback_device_options *options,
                           const char *serial,
                           const struct adb_server_policy *policy);

void loopback_server_stop(struct loopback_server *phone);

#endif
