/* A TCP port of this computer on which a thread serves whoever connects. */
#ifndef TESTS_SUPPORT_LISTENER_H
#define TESTS_SUPPORT_LISTENER_H

#include <stdint.h>

struct listener;

/* Serve one connection, whose socket is then the callee's to close. */
typedef void listener_serve_fn(int fd, void *context);

/*
 * Listen on port of 127.0.0.1 (0: a free one) and serve one connection after
 * another. Fails the running test if that is impossible.
 */
struct listener *listener_start(uint16_t port, listener_serve_fn *serve,
                                void *context);

uint16_t listener_port(const struct listener *listener);

/* Let the connection being served end, and take no other one. */
void listener_stop(struct listener *listener);

#endif
