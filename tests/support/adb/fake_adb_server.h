/*
 * A TCP server that answers requests like an adb server, or wrongly: byte by
 * byte as the test defines.
 */
#ifndef TESTS_SUPPORT_ADB_FAKE_ADB_SERVER_H
#define TESTS_SUPPORT_ADB_FAKE_ADB_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/server_client.h"

/* The answer to one request. */
struct fake_adb_server_answer {
    const char *request;
    const char *bytes;
    size_t length;
    bool disconnect; /* after the bytes; otherwise wait for the next request */
};

#define FAKE_ADB_SERVER_SAYS(request_, bytes_)                                 \
    {                                                                          \
        .request = (request_), .bytes = (bytes_), .length = sizeof(bytes_) - 1 \
    }

struct fake_adb_server;

/*
 * Listen on a free port of 127.0.0.1 and answer each connection on its own
 * thread, one byte at a time. A request that is not in answers closes the
 * connection. answers is borrowed until stop.
 */
struct fake_adb_server *fake_adb_server_start(
    const struct fake_adb_server_answer *answers, size_t count);
void fake_adb_server_stop(struct fake_adb_server *peer);

/* Its address. */
struct server_client fake_adb_server_address(
    const struct fake_adb_server *peer);

#endif
