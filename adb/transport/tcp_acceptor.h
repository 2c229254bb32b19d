/*
 * A TCP port on which a thread accepts connections.
 */
#ifndef ADB_TRANSPORT_TCP_ACCEPTOR_H
#define ADB_TRANSPORT_TCP_ACCEPTOR_H

#include <stdint.h>

#include "base/err.h"

/*
 * Take over one connection: its socket is blocking and the callee's to close.
 * While this runs, no other connection is accepted.
 */
typedef void tcp_acceptor_take_fn(void *context, int fd);

struct tcp_acceptor;

/*
 * Listen on address, such as "127.0.0.1", and port (0: the system chooses one),
 * and pass each connection to take. At most backlog connections wait for that.
 */
MUST_USE bool tcp_acceptor_start(const char *address, uint16_t port,
                                 int backlog, tcp_acceptor_take_fn *take,
                                 void *context, struct tcp_acceptor **acceptor,
                                 struct err *err);

/* The same with a socket that listens already; it is owned on success only. */
MUST_USE bool tcp_acceptor_adopt(int listener, tcp_acceptor_take_fn *take,
                                 void *context, struct tcp_acceptor **acceptor,
                                 struct err *err);

/* The port; 0 if the socket is not one of TCP. */
uint16_t tcp_acceptor_port(const struct tcp_acceptor *acceptor);

/*
 * Accept no more and close the socket. Blocks until a running take has
 * returned. NULL is fine.
 */
void tcp_acceptor_stop(struct tcp_acceptor *acceptor);

#endif
