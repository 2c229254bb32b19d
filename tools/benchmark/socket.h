/* Plain blocking sockets on loopback, with nothing of proctor in between. */
#ifndef TOOLS_BENCHMARK_SOCKET_H
#define TOOLS_BENCHMARK_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Serve one connection until its other end hangs up. */
typedef void socket_serve_fn(int fd);

/*
 * Start a process that serves every connection to a free port of 127.0.0.1,
 * each in a process of its own. They all end with this one.
 */
MUST_USE bool socket_serve(socket_serve_fn *serve, uint16_t *port,
                           struct err *err);

/* Connect to a port of 127.0.0.1. */
MUST_USE bool socket_connect(uint16_t port, int *connected, struct err *err);

/* All bytes, or why not. An end of the stream is ERR_CLOSED. */
MUST_USE bool socket_read(int fd, void *data, size_t size, struct err *err);
MUST_USE bool socket_write(int fd, const void *data, size_t size,
                           struct err *err);

/* As recv: what is there, once something is. *got is 0 at the end. */
MUST_USE bool socket_read_some(int fd, void *data, size_t size, size_t *got,
                               struct err *err);

#endif
