#include "tests/support/adb/fault_proxy.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/support/adb/send_all.h"

struct fault_proxy {
    struct wire_fault wire_fault;
    int from[WIRE_FAULT_WAYS]; /* sockets that each direction reads from; owned
                                */
    size_t passed[WIRE_FAULT_WAYS];
    bool stalled;
    pthread_t thread;
};

/* Apply the fault to these bytes; returns how many may pass. */
static size_t apply(struct fault_proxy *proxy, enum wire_direction way,
                    char *data, size_t size, bool *broken)
{
    const struct wire_fault *wire_fault = &proxy->wire_fault;
    size_t before = wire_fault->at - proxy->passed[way];

    if (wire_fault->kind == WIRE_FAULT_NONE || wire_fault->way != way ||
        wire_fault->at < proxy->passed[way] || before >= size)
        return size;
    if (wire_fault->kind == WIRE_FAULT_CORRUPT) {
        data[before] = (char)(data[before] ^ (1 << wire_fault->bit));
        return size;
    }
    proxy->stalled = wire_fault->kind == WIRE_FAULT_STALL;
    *broken = wire_fault->kind == WIRE_FAULT_BREAK;
    return before;
}

/* Forward the available bytes in one direction; false at its end. */
static bool carry(struct fault_proxy *proxy, enum wire_direction way)
{
    char data[4096];
    ssize_t n = recv(proxy->from[way], data, sizeof(data), 0);
    bool broken = false;
    size_t pass;

    if (n <= 0)
        return false;
    if (proxy->wire_fault.received)
        buf_append(&proxy->wire_fault.received[way], data, (size_t)n);
    pass = apply(proxy, way, data, (size_t)n, &broken);
    proxy->passed[way] += (size_t)n;
    return send_all(proxy->from[WIRE_FAULT_WAYS - 1 - way], data, pass) &&
           !broken && !proxy->stalled;
}

static void disconnect(const struct fault_proxy *proxy)
{
    for (int way = 0; way < WIRE_FAULT_WAYS; way++)
        close(proxy->from[way]);
}

static void *proxy_main(void *context)
{
    struct fault_proxy *proxy = context;
    struct pollfd polls[WIRE_FAULT_WAYS];
    bool whole = true;

    for (int way = 0; way < WIRE_FAULT_WAYS; way++)
        polls[way] = (struct pollfd){.fd = proxy->from[way], .events = POLLIN};
    while (whole && poll(polls, WIRE_FAULT_WAYS, -1) > 0) {
        for (int way = 0; whole && way < WIRE_FAULT_WAYS; way++) {
            if (polls[way].revents)
                whole = carry(proxy, (enum wire_direction)way);
        }
    }
    if (!proxy->stalled)
        disconnect(proxy);
    return NULL;
}

static bool make_wires(int host[2], int device[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, host))
        return false;
    if (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, device))
        return true;
    close(host[0]);
    close(host[1]);
    return false;
}

struct fault_proxy *fault_proxy_start(struct wire_fault wire_fault, int *host,
                                      int *device)
{
    struct fault_proxy *proxy = mem_new(1, sizeof(*proxy));
    int host_wire[2];
    int device_wire[2];

    if (!make_wires(host_wire, device_wire)) {
        free(proxy);
        return NULL;
    }
    proxy->wire_fault = wire_fault;
    proxy->from[WIRE_FAULT_TO_DEVICE] = host_wire[1];
    proxy->from[WIRE_FAULT_TO_HOST] = device_wire[1];
    *host = host_wire[0];
    *device = device_wire[0];
    if (!pthread_create(&proxy->thread, NULL, proxy_main, proxy))
        return proxy;
    close(*host);
    close(*device);
    disconnect(proxy);
    free(proxy);
    return NULL;
}

void fault_proxy_stop(struct fault_proxy *proxy, size_t passed[WIRE_FAULT_WAYS])
{
    pthread_join(proxy->thread, NULL);
    if (proxy->stalled)
        disconnect(proxy);
    for (int way = 0; way < WIRE_FAULT_WAYS; way++)
        passed[way] = proxy->passed[way];
    free(proxy);
}
