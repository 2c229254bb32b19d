#include "adb/services/reverse_relay.h"

#include <stdio.h>
#include <stdlib.h>

#include "adb/transport/tcp.h"
#include "adb/transport/tcp_acceptor.h"
#include "base/mem.h"

#define BACKLOG 16

struct reverse_relay {
    struct pump_set *pump_set; /* borrowed */
    char *target;              /* owned */
    struct tcp_acceptor *acceptor;
    char name[REVERSE_RELAY_NAME_MAX];
};

/* A connection that cannot be served is refused and reported. */
static void take_connection(void *context, int fd)
{
    struct reverse_relay *relay = context;
    const struct tcp_keepalive keepalive = {0};
    struct pump_ends ends = {.fd = -1};
    struct transport *transport;
    struct err err = ERR_INIT;

    if (!tcp_wrap(fd, keepalive, NULL, &transport, &err))
        return;
    ends.stream = stream_over_transport(transport);
    (void)!pump_set_add(relay->pump_set, ends, relay->target, &err);
}

bool reverse_relay_start(struct pump_set *pump_set, const char *target,
                         struct reverse_relay **relay, struct err *err)
{
    struct reverse_relay *started = mem_new(1, sizeof(*started));

    started->pump_set = pump_set;
    started->target = mem_dup(target);
    if (!tcp_acceptor_start("127.0.0.1", 0, BACKLOG, take_connection, started,
                            &started->acceptor, err)) {
        reverse_relay_stop(started);
        return false;
    }
    snprintf(started->name, sizeof(started->name), "tcp:%u",
             (unsigned)tcp_acceptor_port(started->acceptor));
    *relay = started;
    return true;
}

const char *reverse_relay_name(const struct reverse_relay *relay)
{
    return relay->name;
}

void reverse_relay_stop(struct reverse_relay *relay)
{
    if (!relay)
        return;
    tcp_acceptor_stop(relay->acceptor);
    free(relay->target);
    free(relay);
}
