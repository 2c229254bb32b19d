/*
 * The peers of the adb benchmark: the limit, a device without work, and the
 * stock adbd that tests/peers/with-adbd has started.
 */
#ifndef TOOLS_BENCHMARK_PEERS_ADB_PEERS_H
#define TOOLS_BENCHMARK_PEERS_ADB_PEERS_H

#include "adb/device/device.h"
#include "tools/benchmark/harness/cpu_affinity.h"
#include "tools/benchmark/peers/minimal_host.h"
#include "tools/benchmark/peers/npm_client.h"
#include "tools/benchmark/peers/stock_server.h"

/* The same file on both sides, and the paths of its copies. */
#define PEERS_FILE_SIZE ((size_t)64 * 1024 * 1024)
#define PEERS_FILE_HERE PEERS_FOLDER "/bench.file"
#define PEERS_FILE_PULLED PEERS_FOLDER "/bench.pulled"
#define PEERS_FILE_THERE "/data/local/tmp/bench.file"
#define PEERS_FILE_PUSHED "/data/local/tmp/bench.pushed"

struct adb_peers {
    struct cpu_affinity cpu_affinity;
    struct adb_program own_adb; /* 29.0.6 */
    struct adb_program new_adb; /* 34.0.5 */

    /* On one core, with everything that serves them: */
    int bare;                        /* connected to bare_tcp_serve */
    struct device *zero;             /* the device without work */
    struct stock_server zero_server; /* the same through a server */
    struct npm_client yume;          /* the same by @yume-chan/adb, if it is */
    struct npm_client adbkit; /* installed, and by adbkit and that server */

    /* On all cores: */
    struct packet_socket *stock_socket; /* owned; adbd, for minimal_host_run */
    struct device *stock;               /* adbd */
    struct stock_server stock_server;   /* the same through a server */
    struct stock_server new_server;     /* and through a newer one */
};

/* After a failure adb_peers_tear_down must be called, too. */
MUST_USE bool adb_peers_set_up(struct adb_peers *peers, struct err *err);
void adb_peers_tear_down(struct adb_peers *peers);

#endif
