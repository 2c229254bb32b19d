/* A TCP port of this computer, whose connections a thread serves. */
#ifndef TESTS_SUPPORT_ADB_TCP_LISTENER_H
#define TESTS_SUPPORT_ADB_TCP_LISTENER_H

#include <stdint.h>

struct tcp_listener;

/* Serve one connection; the callee closes the socket. */
typedef void tcp_listener_serve_fn(int fd, void *context);

/*
 * Listen on port of 127.0.0.1 (0: a free one) and serve one connection after
 * another. Fails the running test on errors.
 */
struct tcp_listener *tcp_listener_start(uint16_t port,
                                        tcp_listener_serve_fn *serve,
                                        void *context);

uint16_t tcp_listener_port(const struct tcp_listener *listener);

/* Let the current connection end, and accept no other one. */
void tcp_listener_stop(struct tcp_listener *listener);

#endif
