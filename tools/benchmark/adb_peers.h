/*
 * What the ways to a phone are measured on: the limit, a device that does no
 * work, and the stock adbd that tests/peers/with-adbd has started.
 */
#ifndef TOOLS_BENCHMARK_ADB_PEERS_H
#define TOOLS_BENCHMARK_ADB_PEERS_H

#include "adb/device.h"
#include "tools/benchmark/adb_server.h"
#include "tools/benchmark/bare_host.h"
#include "tools/benchmark/cores.h"
#include "tools/benchmark/npm_client.h"

/* The same file on both sides, and where its copies go. */
#define PEERS_FILE_SIZE ((size_t)64 * 1024 * 1024)
#define PEERS_FILE_HERE PEERS_FOLDER "/bench.file"
#define PEERS_FILE_PULLED PEERS_FOLDER "/bench.pulled"
#define PEERS_FILE_THERE "/data/local/tmp/bench.file"
#define PEERS_FILE_PUSHED "/data/local/tmp/bench.pushed"

struct peers {
    struct cores cores;
    struct adb_program own_adb; /* 29.0.6 */
    struct adb_program new_adb; /* 34.0.5 */

    /* On one core, with all that serves them: */
    int bare;                      /* connected to bare_serve */
    struct device *zero;           /* the device without work */
    struct adb_server zero_server; /* the same through a server */
    struct npm_client yume;        /* the same by @yume-chan/adb, if it is */
    struct npm_client adbkit;      /* here, and by adbkit and that server */

    /* On all cores: */
    struct wire *stock_wire;        /* owned; adbd, for bare_host_run */
    struct device *stock;           /* adbd */
    struct adb_server stock_server; /* the same through a server */
    struct adb_server new_server;   /* and through a newer one */
};

/* On failure, too, peers_tear_down ends what was begun. */
MUST_USE bool peers_set_up(struct peers *peers, struct err *err);
void peers_tear_down(struct peers *peers);

#endif
