/*
 * The shortest way to run a command on a device: what is left is the device's
 * own time. One stream at a time, nothing checked, nothing kept.
 */
#ifndef TOOLS_BENCHMARK_BARE_HOST_H
#define TOOLS_BENCHMARK_BARE_HOST_H

#include "tools/benchmark/wire.h"

/* Greet the device at the other end of host->fd. */
MUST_USE bool bare_host_greet(struct wire *host, struct err *err);

/* Open service as stream local, and wait until the device has ended it. */
MUST_USE bool bare_host_run(struct wire *host, uint32_t local,
                            const char *service, struct err *err);

#endif
