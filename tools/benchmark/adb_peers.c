#include "tools/benchmark/adb_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "adb/tcp.h"
#include "base/mem.h"
#include "tools/benchmark/bare.h"
#include "tools/benchmark/files.h"
#include "tools/benchmark/zero_device.h"

#define CONNECT_MS 10000

#define ZERO_SERVER_PORT 5047
#define STOCK_SERVER_PORT 5048
#define NEW_SERVER_PORT 5049

/* Who has no Node, or no npm, does without them. */
static void set_up_npm(struct peers *peers, uint16_t zero_port)
{
    const struct adb_server *server = &peers->zero_server;
    char port[8];
    struct err err;

    snprintf(port, sizeof(port), "%u", zero_port);
    if (!npm_client_start(&peers->yume, "bench_yume.mjs", port, NULL, &err))
        fprintf(stderr, "bench: without @yume-chan/adb: %s\n", err.text);
    if (!npm_client_start(&peers->adbkit, "bench_adbkit.mjs", server->port_text,
                          server->serial, &err))
        fprintf(stderr, "bench: without adbkit: %s\n", err.text);
}

static bool set_up_zero(struct peers *peers, struct err *err)
{
    char address[32];
    uint16_t bare_port;
    uint16_t zero_port;

    if (!cores_use_one(&peers->cores, err) ||
        !socket_serve(bare_serve, &bare_port, err) ||
        !socket_connect(bare_port, &peers->bare, err) ||
        !socket_serve(zero_device_serve, &zero_port, err))
        return false;
    snprintf(address, sizeof(address), "127.0.0.1:%u", zero_port);
    adb_server_init(&peers->zero_server, &peers->own_adb, ZERO_SERVER_PORT,
                    address);
    if (!device_open_tcp("127.0.0.1", zero_port, NULL,
                         deadline_in_ms(CONNECT_MS), &peers->zero, err) ||
        !adb_server_start(&peers->zero_server, err))
        return false;
    set_up_npm(peers, zero_port);
    return true;
}

static bool set_up_stock(struct peers *peers, const char *address,
                         struct err *err)
{
    char host[TCP_HOST_MAX];
    uint16_t port;

    peers->stock_wire = mem_new(1, sizeof(*peers->stock_wire));
    adb_server_init(&peers->stock_server, &peers->own_adb, STOCK_SERVER_PORT,
                    address);
    adb_server_init(&peers->new_server, &peers->new_adb, NEW_SERVER_PORT,
                    address);
    return cores_use_all(&peers->cores, err) &&
           tcp_parse_address(address, 5555, host, &port, err) &&
           socket_connect(port, &peers->stock_wire->fd, err) &&
           bare_host_greet(peers->stock_wire, err) &&
           device_open_tcp(host, port, NULL, deadline_in_ms(CONNECT_MS),
                           &peers->stock, err) &&
           adb_server_start(&peers->stock_server, err) &&
           adb_server_start(&peers->new_server, err);
}

bool peers_set_up(struct peers *peers, struct err *err)
{
    const char *adbd = getenv("PROCTOR_PEER_ADBD");
    const char *root = getenv("PROCTOR_PEER_ROOT");

    if (!adbd || !root)
        return err_set(err, ERR_INVALID,
                       "there is no adbd here; run tools/bench adb");
    adb_program_tune();
    adb_program_init_own(&peers->own_adb);
    adb_program_init_below(&peers->new_adb, root);
    return cores_init(&peers->cores, err) && set_up_zero(peers, err) &&
           set_up_stock(peers, adbd, err) &&
           files_make(PEERS_FILE_HERE, root, PEERS_FILE_THERE, PEERS_FILE_SIZE,
                      err);
}

void peers_tear_down(struct peers *peers)
{
    npm_client_stop(&peers->yume);
    npm_client_stop(&peers->adbkit);
    adb_server_stop(&peers->zero_server);
    adb_server_stop(&peers->stock_server);
    adb_server_stop(&peers->new_server);
    device_close(peers->zero);
    device_close(peers->stock);
    free(peers->stock_wire);
    (void)unlink(PEERS_FILE_HERE);
    (void)unlink(PEERS_FILE_PULLED);
}
