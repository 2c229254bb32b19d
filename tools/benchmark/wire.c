#include "tools/benchmark/wire.h"

#include <assert.h>
#include <string.h>

#include "tools/benchmark/socket.h"

/* Have size unused bytes in one piece. */
static bool have(struct wire *wire, size_t size, struct err *err)
{
    while (wire->end - wire->begin < size) {
        size_t got;

        memmove(wire->in, wire->in + wire->begin, wire->end - wire->begin);
        wire->end -= wire->begin;
        wire->begin = 0;
        if (!socket_read_some(wire->fd, wire->in + wire->end,
                              WIRE_SIZE - wire->end, &got, err))
            return false;
        if (!got)
            return err_set(err, ERR_CLOSED, "the peer hung up");
        wire->end += got;
    }
    return true;
}

bool wire_next(struct wire *wire, struct packet *packet, const char **payload,
               struct err *err)
{
    if (!have(wire, PACKET_HEADER_SIZE, err) ||
        !packet_decode((const uint8_t *)wire->in + wire->begin,
                       WIRE_SIZE - PACKET_HEADER_SIZE, packet, err) ||
        !have(wire, PACKET_HEADER_SIZE + packet->length, err))
        return false;
    *payload = wire->in + wire->begin + PACKET_HEADER_SIZE;
    wire->begin += PACKET_HEADER_SIZE + packet->length;
    return true;
}

void wire_put(struct wire *wire, uint32_t command, uint32_t arg0, uint32_t arg1,
              const void *payload, size_t length)
{
    const struct packet packet = {.command = command,
                                  .arg0 = arg0,
                                  .arg1 = arg1,
                                  .length = (uint32_t)length,
                                  .check = packet_checksum(payload, length)};

    assert(wire->queued + PACKET_HEADER_SIZE + length <= sizeof(wire->out));
    packet_encode(&packet, (uint8_t *)wire->out + wire->queued);
    wire->queued += PACKET_HEADER_SIZE;
    if (length)
        memcpy(wire->out + wire->queued, payload, length);
    wire->queued += length;
}

bool wire_flush(struct wire *wire, struct err *err)
{
    size_t queued = wire->queued;

    wire->queued = 0;
    return socket_write(wire->fd, wire->out, queued, err);
}

void wire_put_greeting(struct wire *wire, const char *banner)
{
    wire_put(wire, PACKET_CNXN, PACKET_VERSION_SKIP_CHECKSUM,
             PACKET_MAX_PAYLOAD, banner, strlen(banner));
}
