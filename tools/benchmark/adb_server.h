/*
 * A stock adb server as a child of the benchmark, and the shortest client of
 * it: plain sockets, one service at a time.
 */
#ifndef TOOLS_BENCHMARK_ADB_SERVER_H
#define TOOLS_BENCHMARK_ADB_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "tools/benchmark/adb_program.h"

struct adb_server {
    const struct adb_program *program; /* borrowed; the client's, too */
    pid_t pid;                         /* 0: it does not run */
    uint16_t port;
    char port_text[8];
    char serial[32]; /* of the one device it is asked about */
};

/* What it will be, once it is started. */
void adb_server_init(struct adb_server *server,
                     const struct adb_program *program, uint16_t port,
                     const char *serial);

/*
 * Start it on the cores that the caller runs on, and wait until it has the
 * device. An address (HOST:PORT) it is told to connect to; a device on USB it
 * finds by itself. On failure, too, adb_server_stop ends it.
 */
MUST_USE bool adb_server_start(struct adb_server *server, struct err *err);

/* One that does not run is fine. */
void adb_server_stop(struct adb_server *server);

/* Run a service through its socket, reading into data. */
MUST_USE bool adb_server_run(const struct adb_server *server,
                             const char *service, char *data, size_t size,
                             size_t *got, struct err *err);

/*
 * Run "adb VERB A B" with that server and device; b may be NULL. printed may
 * be NULL.
 */
MUST_USE bool adb_server_command(const struct adb_server *server,
                                 const char *verb, const char *a, const char *b,
                                 size_t *printed, struct err *err);

/* The CPU time that the server has used so far, in microseconds. */
double adb_server_cpu_us(const struct adb_server *server);

#endif
