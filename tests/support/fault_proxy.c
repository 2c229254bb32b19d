#include "tests/support/fault_proxy.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/support/send_all.h"

struct fault_proxy {
    struct fault fault;
    int from[FAULT_WAYS]; /* where each way's bytes come from; owned */
    size_t passed[FAULT_WAYS];
    bool stalled;
    pthread_t thread;
};

/* Do to these bytes what the fault says; returns how many may pass. */
static size_t apply(struct fault_proxy *proxy, enum fault_way way, char *data,
                    size_t size, bool *broken)
{
    const struct fault *fault = &proxy->fault;
    size_t before = fault->at - proxy->passed[way];

    if (fault->kind == FAULT_NONE || fault->way != way ||
        fault->at < proxy->passed[way] || before >= size)
        return size;
    if (fault->kind == FAULT_CORRUPT) {
        data[before] = (char)(data[before] ^ (1 << fault->bit));
        return size;
    }
    proxy->stalled = fault->kind == FAULT_STALL;
    *broken = fault->kind == FAULT_BREAK;
    return before;
}

/* Carry what there is one way; false when nothing more is to be carried. */
static bool carry(struct fault_proxy *proxy, enum fault_way way)
{
    char data[4096];
    ssize_t n = recv(proxy->from[way], data, sizeof(data), 0);
    bool broken = false;
    size_t pass;

    if (n <= 0)
        return false;
    if (proxy->fault.heard)
        buf_append(&proxy->fault.heard[way], data, (size_t)n);
    pass = apply(proxy, way, data, (size_t)n, &broken);
    proxy->passed[way] += (size_t)n;
    return send_all(proxy->from[FAULT_WAYS - 1 - way], data, pass) && !broken &&
           !proxy->stalled;
}

static void hang_up(const struct fault_proxy *proxy)
{
    for (int way = 0; way < FAULT_WAYS; way++)
        close(proxy->from[way]);
}

static void *proxy_main(void *context)
{
    struct fault_proxy *proxy = context;
    struct pollfd polls[FAULT_WAYS];
    bool whole = true;

    for (int way = 0; way < FAULT_WAYS; way++)
        polls[way] = (struct pollfd){.fd = proxy->from[way], .events = POLLIN};
    while (whole && poll(polls, FAULT_WAYS, -1) > 0) {
        for (int way = 0; whole && way < FAULT_WAYS; way++) {
            if (polls[way].revents)
                whole = carry(proxy, (enum fault_way)way);
        }
    }
    if (!proxy->stalled)
        hang_up(proxy);
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

struct fault_proxy *fault_proxy_start(struct fault fault, int *host,
                                      int *device)
{
    struct fault_proxy *proxy = mem_new(1, sizeof(*proxy));
    int host_wire[2];
    int device_wire[2];

    if (!make_wires(host_wire, device_wire)) {
        free(proxy);
        return NULL;
    }
    proxy->fault = fault;
    proxy->from[FAULT_TO_DEVICE] = host_wire[1];
    proxy->from[FAULT_TO_HOST] = device_wire[1];
    *host = host_wire[0];
    *device = device_wire[0];
    if (!pthread_create(&proxy->thread, NULL, proxy_main, proxy))
        return proxy;
    close(*host);
    close(*device);
    hang_up(proxy);
    free(proxy);
    return NULL;
}

void fault_proxy_stop(struct fault_proxy *proxy, size_t passed[FAULT_WAYS])
{
    pthread_join(proxy->thread, NULL);
    if (proxy->stalled)
        hang_up(proxy);
    for (int way = 0; way < FAULT_WAYS; way++)
        passed[way] = proxy->passed[way];
    free(proxy);
}
