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

struct adb_server {
    pid_t pid;
    uint16_t port;
    char port_text[8];
    char serial[32]; /* of the one device it is connected to */
};

/* Start it on the cores that the caller runs on, connected to a device. */
MUST_USE bool adb_server_start(struct adb_server *server, uint16_t port,
                               const char *device, struct err *err);

/* One that was never started is fine. */
void adb_server_stop(const struct adb_server *server);

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
