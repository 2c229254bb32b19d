#include "tools/benchmark/peers/minimal_host.h"

#include <string.h>

bool minimal_host_greet(struct packet_socket *host, struct err *err)
{
    struct packet packet;
    const char *payload;

    packet_socket_put_greeting(host, "host::");
    return packet_socket_flush(host, err) &&
           packet_socket_next(host, &packet, &payload, err);
}

/* Acknowledge data; *ended: the stream has ended. */
static bool take(struct packet_socket *host, uint32_t local, bool *ended,
                 struct err *err)
{
    struct packet packet;
    const char *payload;

    if (!packet_socket_next(host, &packet, &payload, err))
        return false;
    if (packet.arg1 != local)
        return true; /* belongs to an earlier stream */
    *ended = packet.command == PACKET_CLSE;
    if (*ended && !packet.arg0)
        return err_set(err, ERR_REFUSED, "the device refused the service");
    if (*ended)
        packet_socket_put(host, PACKET_CLSE, local, packet.arg0, NULL, 0);
    else if (packet.command == PACKET_WRTE)
        packet_socket_put(host, PACKET_OKAY, local, packet.arg0, NULL, 0);
    return packet_socket_flush(host, err);
}

bool minimal_host_run(struct packet_socket *host, uint32_t local,
                      const char *service, struct err *err)
{
    bool ended = false;

    packet_socket_put(host, PACKET_OPEN, local, 0, service,
                      strlen(service) + 1);
    if (!packet_socket_flush(host, err))
        return false;
    while (!ended) {
        if (!take(host, local, &ended, err))
            return false;
    }
    return true;
}
