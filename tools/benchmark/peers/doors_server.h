/*
 * Our adb server in a separate process, as an agent meets it: it shows one
 * phone that is reached directly over TCP, and what is done with it is
 * recorded.
 */
#ifndef TOOLS_BENCHMARK_PEERS_DOORS_SERVER_H
#define TOOLS_BENCHMARK_PEERS_DOORS_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

struct doors_server {
    pid_t pid; /* 0: not running */
    uint16_t port;
};

/*
 * Start it for the phone at port of 127.0.0.1, on the cores of the caller.
 * Before the caller starts threads.
 */
MUST_USE bool doors_server_start(struct doors_server *server, uint16_t phone,
                                 struct err *err);

/* One that is not running is allowed. */
void doors_server_stop(struct doors_server *server);

#endif
