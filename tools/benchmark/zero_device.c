#include "tools/benchmark/zero_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/benchmark/socket.h"
#include "tools/benchmark/wire.h"

struct zero_device {
    struct wire wire;
    uint32_t next_local;
    char *message; /* owned; a header, and the largest payload of zeros */
};

/* One payload and the wait for its acknowledgement. */
static bool send_data(struct zero_device *device, struct packet data,
                      struct err *err)
{
    struct packet answer = {.command = 0};
    const char *payload;

    packet_encode(&data, (uint8_t *)device->message);
    if (!socket_write(device->wire.fd, device->message,
                      PACKET_HEADER_SIZE + data.length, err))
        return false;
    while (answer.command != PACKET_OKAY) {
        if (!wire_next(&device->wire, &answer, &payload, err))
            return false;
        if (answer.command == PACKET_CLSE)
            return err_set(err, ERR_CLOSED, "the host wants no more");
    }
    return true;
}

static bool send_frame(struct zero_device *device, uint32_t local,
                       uint32_t remote, struct err *err)
{
    size_t left = ZERO_FRAME_SIZE;

    wire_put(&device->wire, PACKET_OKAY, local, remote, NULL, 0);
    if (!wire_flush(&device->wire, err))
        return false;
    while (left) {
        size_t part = left < PACKET_MAX_PAYLOAD ? left : PACKET_MAX_PAYLOAD;

        if (!send_data(device,
                       (struct packet){.command = PACKET_WRTE,
                                       .arg0 = local,
                                       .arg1 = remote,
                                       .length = (uint32_t)part},
                       err))
            return false;
        left -= part;
    }
    wire_put(&device->wire, PACKET_CLSE, local, remote, NULL, 0);
    return wire_flush(&device->wire, err);
}

static bool answer_open(struct zero_device *device, uint32_t remote,
                        const char *service, struct err *err)
{
    uint32_t local = device->next_local++;
    struct wire *wire = &device->wire;

    if (!strncmp(service, "exec:", 5))
        return send_frame(device, local, remote, err);
    wire_put(wire, PACKET_OKAY, local, remote, NULL, 0);
    wire_put(wire, PACKET_WRTE, local, remote, ZERO_ANSWER,
             strlen(ZERO_ANSWER));
    wire_put(wire, PACKET_CLSE, local, remote, NULL, 0);
    return wire_flush(wire, err);
}

static bool answer(struct zero_device *device, const struct packet *packet,
                   const char *payload, struct err *err)
{
    if (packet->command == PACKET_CNXN) {
        wire_put_greeting(&device->wire, "device::ro.product.name=zero;");
        return wire_flush(&device->wire, err);
    }
    if (packet->command == PACKET_OPEN)
        return answer_open(device, packet->arg0, payload, err);
    return true;
}

void zero_device_serve(int fd)
{
    struct zero_device *device = mem_new(1, sizeof(*device));
    const char *payload;
    struct packet packet;
    struct err err;

    device->wire.fd = fd;
    device->next_local = 1;
    device->message = mem_new(PACKET_HEADER_SIZE + PACKET_MAX_PAYLOAD, 1);
    while (wire_next(&device->wire, &packet, &payload, &err) &&
           answer(device, &packet, payload, &err))
        ;
    free(device->message);
    free(device);
}
