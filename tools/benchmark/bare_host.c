#include "tools/benchmark/bare_host.h"

#include <string.h>

bool bare_host_greet(struct wire *host, struct err *err)
{
    struct packet packet;
    const char *payload;

    wire_put_greeting(host, "host::");
    return wire_flush(host, err) && wire_next(host, &packet, &payload, err);
}

/* Acknowledge data; *ended tells that the stream's end has come. */
static bool take(struct wire *host, uint32_t local, bool *ended,
                 struct err *err)
{
    struct packet packet;
    const char *payload;

    if (!wire_next(host, &packet, &payload, err))
        return false;
    if (packet.arg1 != local)
        return true; /* a last word on an earlier stream */
    *ended = packet.command == PACKET_CLSE;
    if (*ended && !packet.arg0)
        return err_set(err, ERR_REFUSED, "the device refused the service");
    if (*ended)
        wire_put(host, PACKET_CLSE, local, packet.arg0, NULL, 0);
    else if (packet.command == PACKET_WRTE)
        wire_put(host, PACKET_OKAY, local, packet.arg0, NULL, 0);
    return wire_flush(host, err);
}

bool bare_host_run(struct wire *host, uint32_t local, const char *service,
                   struct err *err)
{
    bool ended = false;

    wire_put(host, PACKET_OPEN, local, 0, service, strlen(service) + 1);
    if (!wire_flush(host, err))
        return false;
    while (!ended) {
        if (!take(host, local, &ended, err))
            return false;
    }
    return true;
}
