/*
 * A phone of the adb server as an ADB device on a TCP port of this computer, so
 * that another adb server can connect to it.
 */
#ifndef RUNNER_DOORS_ADB_ENDPOINT_H
#define RUNNER_DOORS_ADB_ENDPOINT_H

#include <stdint.h>

#include "adb/server/adb_server.h"

struct adb_endpoint;

/*
 * Listen on 127.0.0.1; *port is the port. phone and log (may be NULL) are
 * borrowed until adb_endpoint_close. Fails as daemon_listen.
 */
MUST_USE bool adb_endpoint_open(const struct adb_server_phone *phone,
                                const struct log *log,
                                struct adb_endpoint **endpoint, uint16_t *port,
                                struct err *err);

/* Disconnect every host, and wait for all threads. NULL is fine. */
void adb_endpoint_close(struct adb_endpoint *endpoint);

#endif
