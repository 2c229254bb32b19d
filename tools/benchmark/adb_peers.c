#include "tools/benchmark/adb_peers.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/tcp.h"
#include "base/file.h"
#include "base/mem.h"
#include "tools/benchmark/bare.h"
#include "tools/benchmark/zero_device.h"

#define CONNECT_MS 10000

#define ZERO_SERVER_PORT 5047
#define STOCK_SERVER_PORT 5048

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
    return device_open_tcp("127.0.0.1", zero_port, NULL,
                           deadline_in_ms(CONNECT_MS), &peers->zero, err) &&
           adb_server_start(&peers->zero_server, ZERO_SERVER_PORT, address,
                            err);
}

static bool set_up_stock(struct peers *peers, const char *address,
                         struct err *err)
{
    char host[TCP_HOST_MAX];
    uint16_t port;

    peers->stock_wire = mem_new(1, sizeof(*peers->stock_wire));
    return cores_use_all(&peers->cores, err) &&
           tcp_parse_address(address, 5555, host, &port, err) &&
           socket_connect(port, &peers->stock_wire->fd, err) &&
           bare_host_greet(peers->stock_wire, err) &&
           device_open_tcp(host, port, NULL, deadline_in_ms(CONNECT_MS),
                           &peers->stock, err) &&
           adb_server_start(&peers->stock_server, STOCK_SERVER_PORT, address,
                            err);
}

/* Bytes that no compression can shorten. */
static void fill_randomly(char *data, size_t size)
{
    uint64_t state = 1;

    for (size_t at = 0; at < size; at += sizeof(state)) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(data + at, &state, sizeof(state));
    }
}

/* The device's files are a folder of ours. */
static bool set_up_files(const char *device_root, struct err *err)
{
    char *data = mem_new(PEERS_FILE_SIZE, 1);
    char there[PATH_MAX];
    bool fine;

    snprintf(there, sizeof(there), "%s" PEERS_FILE_THERE, device_root);
    fill_randomly(data, PEERS_FILE_SIZE);
    fine = file_save(PEERS_FILE_HERE, 0644, data, PEERS_FILE_SIZE, err) &&
           file_save(there, 0644, data, PEERS_FILE_SIZE, err);
    free(data);
    return fine;
}

bool peers_set_up(struct peers *peers, struct err *err)
{
    const char *adbd = getenv("PROCTOR_PEER_ADBD");
    const char *root = getenv("PROCTOR_PEER_ROOT");

    if (!adbd || !root)
        return err_set(err, ERR_INVALID,
                       "there is no adbd here; run tools/bench adb");
    return cores_init(&peers->cores, err) && set_up_zero(peers, err) &&
           set_up_stock(peers, adbd, err) && set_up_files(root, err);
}

void peers_tear_down(struct peers *peers)
{
    adb_server_stop(&peers->zero_server);
    adb_server_stop(&peers->stock_server);
    device_close(peers->zero);
    device_close(peers->stock);
    free(peers->stock_wire);
    (void)unlink(PEERS_FILE_HERE);
    (void)unlink(PEERS_FILE_PULLED);
}
