#include "tools/benchmark/peers/adb_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "adb/transport/tcp.h"
#include "base/mem.h"
#include "tools/benchmark/harness/bench_files.h"
#include "tools/benchmark/peers/bare_tcp.h"
#include "tools/benchmark/peers/zero_device.h"

#define CONNECT_MS 10000

#define ZERO_SERVER_PORT 5047
#define STOCK_SERVER_PORT 5048
#define NEW_SERVER_PORT 5049

/* Without Node or npm these rows are left out. */
static void set_up_npm(struct adb_peers *peers, uint16_t zero_port)
{
    const struct stock_server *server = &peers->zero_server;
    char port[8];
    struct err err;

    snprintf(port, sizeof(port), "%u", zero_port);
    if (!npm_client_start(&peers->yume, "bench_yume.mjs", port, NULL, &err))
        fprintf(stderr, "bench: without @yume-chan/adb: %s\n", err.text);
    if (!npm_client_start(&peers->adbkit, "bench_adbkit.mjs", server->port_text,
                          server->serial, &err))
        fprintf(stderr, "bench: without adbkit: %s\n", err.text);
}

static bool set_up_zero(struct adb_peers *peers, struct err *err)
{
    char address[32];
    uint16_t bare_port;
    uint16_t zero_port;

    if (!cpu_affinity_use_one(&peers->cpu_affinity, err) ||
        !loopback_socket_serve(bare_tcp_serve, &bare_port, err) ||
        !loopback_socket_connect(bare_port, &peers->bare, err) ||
        !loopback_socket_serve(zero_device_serve, &zero_port, err))
        return false;
    snprintf(address, sizeof(address), "127.0.0.1:%u", zero_port);
    stock_server_init(&peers->zero_server, &peers->own_adb, ZERO_SERVER_PORT,
                      address);
    if (!device_open_tcp("127.0.0.1", zero_port, NULL,
                         deadline_in_ms(CONNECT_MS), &peers->zero, err) ||
        !stock_server_start(&peers->zero_server, err))
        return false;
    set_up_npm(peers, zero_port);
    return true;
}

static bool set_up_stock(struct adb_peers *peers, const char *address,
                         struct err *err)
{
    char host[TCP_HOST_MAX];
    uint16_t port;

    peers->stock_socket = mem_new(1, sizeof(*peers->stock_socket));
    stock_server_init(&peers->stock_server, &peers->own_adb, STOCK_SERVER_PORT,
                      address);
    stock_server_init(&peers->new_server, &peers->new_adb, NEW_SERVER_PORT,
                      address);
    return cpu_affinity_use_all(&peers->cpu_affinity, err) &&
           tcp_parse_address(address, 5555, host, &port, err) &&
           loopback_socket_connect(port, &peers->stock_socket->fd, err) &&
           minimal_host_greet(peers->stock_socket, err) &&
           device_open_tcp(host, port, NULL, deadline_in_ms(CONNECT_MS),
                           &peers->stock, err) &&
           stock_server_start(&peers->stock_server, err) &&
           stock_server_start(&peers->new_server, err);
}

bool adb_peers_set_up(struct adb_peers *peers, struct err *err)
{
    const char *adbd = getenv("PROCTOR_PEER_ADBD");
    const char *root = getenv("PROCTOR_PEER_ROOT");

    if (!adbd || !root)
        return err_set(err, ERR_INVALID,
                       "there is no adbd here; run tools/bench adb");
    adb_program_tune();
    adb_program_init_own(&peers->own_adb);
    adb_program_init_below(&peers->new_adb, root);
    return cpu_affinity_init(&peers->cpu_affinity, err) &&
           set_up_zero(peers, err) && set_up_stock(peers, adbd, err) &&
           bench_files_make(PEERS_FILE_HERE, root, PEERS_FILE_THERE,
                            PEERS_FILE_SIZE, err);
}

void adb_peers_tear_down(struct adb_peers *peers)
{
    npm_client_stop(&peers->yume);
    npm_client_stop(&peers->adbkit);
    stock_server_stop(&peers->zero_server);
    stock_server_stop(&peers->stock_server);
    stock_server_stop(&peers->new_server);
    device_close(peers->zero);
    device_close(peers->stock);
    free(peers->stock_socket);
    (void)unlink(PEERS_FILE_HERE);
    (void)unlink(PEERS_FILE_PULLED);
}
