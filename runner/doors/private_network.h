/*
 * The network of an agent's program: only what we put there can be reached.
 * proctor-supervisor makes it, and makes sockets in it for us.
 *
 * Allowed places of the outside appear in it under their own addresses and
 * names: connections to them are passed on, byte for byte, so that TLS works
 * as ever.
 */
#ifndef RUNNER_DOORS_PRIVATE_NETWORK_H
#define RUNNER_DOORS_PRIVATE_NETWORK_H

#include <stdint.h>

#include "adb/services/local_endpoint.h"
#include "base/log.h"

#define PRIVATE_NETWORK_PLACES_MAX 64

struct private_network;

/* Each place is HOST:PORT. Fails with ERR_INVALID and the place. */
MUST_USE bool private_network_open(const char *const *places, size_t count,
                                   const struct log *log,
                                   struct private_network **network,
                                   struct err *err);

/* After the program has been stopped. NULL is fine. */
void private_network_close(struct private_network *network);

/* The descriptor for the supervisor's option --network. */
int private_network_socket(const struct private_network *network);

/* Write the content of the program's /etc/hosts. */
void private_network_write_hosts(const struct private_network *network,
                                 struct buf *hosts);

/*
 * The supervisor was started: pass on connections to the allowed places. Fails
 * with ERR_UNSUPPORTED when this computer does not allow such networks.
 */
MUST_USE bool private_network_connect(struct private_network *network,
                                      struct err *err);

/* Listen at 127.0.0.1 and port in the network. After private_network_connect.
 */
MUST_USE bool private_network_listen(struct private_network *network,
                                     uint16_t port, int *listener,
                                     struct err *err);

/* Let the supervisor start the program. */
MUST_USE bool private_network_start(struct private_network *network,
                                    struct err *err);

/* As the place of forwards. Valid until private_network_close. */
const struct local_network *private_network_local(
    struct private_network *network);

#endif
