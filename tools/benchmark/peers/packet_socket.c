#include "tools/benchmark/peers/packet_socket.h"

#include <assert.h>
#include <string.h>

#include "tools/benchmark/peers/loopback_socket.h"

/* Have size unused bytes in one piece. */
static bool have(struct packet_socket *packet_socket, size_t size,
                 struct err *err)
{
    while (packet_socket->end - packet_socket->begin < size) {
        size_t got;

        memmove(packet_socket->in, packet_socket->in + packet_socket->begin,
                packet_socket->end - packet_socket->begin);
        packet_socket->end -= packet_socket->begin;
        packet_socket->begin = 0;
        if (!loopback_socket_read_some(
                packet_socket->fd, packet_socket->in + packet_socket->end,
                PACKET_SOCKET_SIZE - packet_socket->end, &got, err))
            return false;
        if (!got)
            return err_set(err, ERR_CLOSED, "the peer closed the connection");
        packet_socket->end += got;
    }
    return true;
}

bool packet_socket_next(struct packet_socket *packet_socket,
                        struct packet *packet, const char **payload,
                        struct err *err)
{
    if (!have(packet_socket, PACKET_HEADER_SIZE, err) ||
        !packet_decode((const uint8_t *)packet_socket->in +
                           packet_socket->begin,
                       PACKET_SOCKET_SIZE - PACKET_HEADER_SIZE, packet, err) ||
        !have(packet_socket, PACKET_HEADER_SIZE + packet->length, err))
        return false;
    *payload = packet_socket->in + packet_socket->begin + PACKET_HEADER_SIZE;
    packet_socket->begin += PACKET_HEADER_SIZE + packet->length;
    return true;
}

void packet_socket_put(struct packet_socket *packet_socket, uint32_t command,
                       uint32_t arg0, uint32_t arg1, const void *payload,
                       size_t length)
{
    const struct packet packet = {.command = command,
                                  .arg0 = arg0,
                                  .arg1 = arg1,
                                  .length = (uint32_t)length,
                                  .check = packet_checksum(payload, length)};

    assert(packet_socket->queued + PACKET_HEADER_SIZE + length <=
           sizeof(packet_socket->out));
    packet_encode(&packet,
                  (uint8_t *)packet_socket->out + packet_socket->queued);
    packet_socket->queued += PACKET_HEADER_SIZE;
    if (length)
        memcpy(packet_socket->out + packet_socket->queued, payload, length);
    packet_socket->queued += length;
}

bool packet_socket_flush(struct packet_socket *packet_socket, struct err *err)
{
    size_t queued = packet_socket->queued;

    packet_socket->queued = 0;
    return loopback_socket_write(packet_socket->fd, packet_socket->out, queued,
                                 err);
}

void packet_socket_put_greeting(struct packet_socket *packet_socket,
                                const char *banner)
{
    packet_socket_put(packet_socket, PACKET_CNXN, PACKET_VERSION_SKIP_CHECKSUM,
                      PACKET_MAX_PAYLOAD, banner, strlen(banner));
}
