#include "tools/benchmark/peers/zero_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/benchmark/peers/loopback_socket.h"
#include "tools/benchmark/peers/packet_socket.h"

struct zero_device {
    struct packet_socket packet_socket;
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
    if (!loopback_socket_write(device->packet_socket.fd, device->message,
                               PACKET_HEADER_SIZE + data.length, err))
        return false;
    while (answer.command != PACKET_OKAY) {
        if (!packet_socket_next(&device->packet_socket, &answer, &payload, err))
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

    packet_socket_put(&device->packet_socket, PACKET_OKAY, local, remote, NULL,
                      0);
    if (!packet_socket_flush(&device->packet_socket, err))
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
    packet_socket_put(&device->packet_socket, PACKET_CLSE, local, remote, NULL,
                      0);
    return packet_socket_flush(&device->packet_socket, err);
}

static bool answer_open(struct zero_device *device, uint32_t remote,
                        const char *service, struct err *err)
{
    uint32_t local = device->next_local++;
    struct packet_socket *packet_socket = &device->packet_socket;

    if (!strncmp(service, "exec:", 5))
        return send_frame(device, local, remote, err);
    packet_socket_put(packet_socket, PACKET_OKAY, local, remote, NULL, 0);
    packet_socket_put(packet_socket, PACKET_WRTE, local, remote, ZERO_ANSWER,
                      strlen(ZERO_ANSWER));
    packet_socket_put(packet_socket, PACKET_CLSE, local, remote, NULL, 0);
    return packet_socket_flush(packet_socket, err);
}

static bool answer(struct zero_device *device, const struct packet *packet,
                   const char *payload, struct err *err)
{
    if (packet->command == PACKET_CNXN) {
        packet_socket_put_greeting(&device->packet_socket,
                                   "device::ro.product.name=zero;");
        return packet_socket_flush(&device->packet_socket, err);
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

    device->packet_socket.fd = fd;
    device->next_local = 1;
    device->message = mem_new(PACKET_HEADER_SIZE + PACKET_MAX_PAYLOAD, 1);
    while (
        packet_socket_next(&device->packet_socket, &packet, &payload, &err) &&
        answer(device, &packet, payload, &err))
        ;
    free(device->message);
    free(device);
}
