/*
 * A stock adb server as a child of the benchmark, and a minimal client for it:
 * plain sockets, one service at a time.
 */
#ifndef TOOLS_BENCHMARK_PEERS_STOCK_SERVER_H
#define TOOLS_BENCHMARK_PEERS_STOCK_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "tools/benchmark/peers/adb_program.h"

struct stock_server {
    const struct adb_program *program; /* borrowed; the client's, too */
    pid_t pid;                         /* 0: not running */
    uint16_t port;
    char port_text[8];
    char serial[32]; /* of the only device */
};

/* Prepare it; nothing is started yet. */
void stock_server_init(struct stock_server *server,
                       const struct adb_program *program, uint16_t port,
                       const char *serial);

/*
 * Start it on the cores of the caller, and wait until it has the device. A
 * device on TCP is given by its address (HOST:PORT); the server finds one on
 * USB itself. After a failure stock_server_stop must be called, too.
 */
MUST_USE bool stock_server_start(struct stock_server *server, struct err *err);

/* One that is not running is allowed. */
void stock_server_stop(struct stock_server *server);

/* Run a service through its socket, reading into data. */
MUST_USE bool stock_server_run(const struct stock_server *server,
                               const char *service, char *data, size_t size,
                               size_t *got, struct err *err);

/*
 * Run "adb VERB A B" with that server and device; b may be NULL. printed may
 * be NULL.
 */
MUST_USE bool stock_server_command(const struct stock_server *server,
                                   const char *verb, const char *a,
                                   const char *b, size_t *printed,
                                   struct err *err);

/* The CPU time that the server has used so far, in microseconds. */
double stock_server_cpu_us(const struct stock_server *server);

#endif
