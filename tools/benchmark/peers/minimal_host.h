/*
 * A minimal host that runs a command on a device, for measuring the device's
 * own time. One stream at a time, nothing is checked or stored.
 */
#ifndef TOOLS_BENCHMARK_PEERS_MINIMAL_HOST_H
#define TOOLS_BENCHMARK_PEERS_MINIMAL_HOST_H

#include "tools/benchmark/peers/packet_socket.h"

/* Do the handshake with the device at the other end of host->fd. */
MUST_USE bool minimal_host_greet(struct packet_socket *host, struct err *err);

/* Open service as stream local, and wait until the device has ended it. */
MUST_USE bool minimal_host_run(struct packet_socket *host, uint32_t local,
                               const char *service, struct err *err);

#endif
