/*
 * Somebody on a TCP port who answers requests as an adb server might, or as
 * none should: byte for byte what the test has laid down.
 */
#ifndef TESTS_SUPPORT_SERVER_PEER_H
#define TESTS_SUPPORT_SERVER_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/server.h"

/* What one request is answered. */
struct server_peer_answer {
    const char *request;
    const char *bytes;
    size_t length;
    bool hang_up; /* after the bytes; else wait for the next request */
};

#define SERVER_PEER_SAYS(request_, bytes_)                                     \
    {                                                                          \
        .request = (request_), .bytes = (bytes_), .length = sizeof(bytes_) - 1 \
    }

struct server_peer;

/*
 * Listen on a free port of 127.0.0.1 and answer one connection after another,
 * one byte at a time. A request that is not in answers is answered by hanging
 * up. answers is borrowed until stop.
 */
struct server_peer *server_peer_start(const struct server_peer_answer *answers,
                                      size_t count);
void server_peer_stop(struct server_peer *peer);

/* Where it is. */
struct server server_peer_address(const struct server_peer *peer);

#endif
