/* Plain blocking sockets on loopback, without any code of proctor. */
#ifndef TOOLS_BENCHMARK_PEERS_LOOPBACK_SOCKET_H
#define TOOLS_BENCHMARK_PEERS_LOOPBACK_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Serve one connection until its other end disconnects. */
typedef void loopback_socket_serve_fn(int fd);

/*
 * Start a process that serves every connection to a free port of 127.0.0.1,
 * each in a separate process. They all end with this one.
 */
MUST_USE bool loopback_socket_serve(loopback_socket_serve_fn *serve,
                                    uint16_t *port, struct err *err);

/* Connect to a port of 127.0.0.1. */
MUST_USE bool loopback_socket_connect(uint16_t port, int *connected,
                                      struct err *err);

/* Transfer all bytes, or fail. The end of the stream is ERR_CLOSED. */
MUST_USE bool loopback_socket_read(int fd, void *data, size_t size,
                                   struct err *err);
MUST_USE bool loopback_socket_write(int fd, const void *data, size_t size,
                                    struct err *err);

/* As recv: waits for any data. *got is 0 at the end. */
MUST_USE bool loopback_socket_read_some(int fd, void *data, size_t size,
                                        size_t *got, struct err *err);

#endif
