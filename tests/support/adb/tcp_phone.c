#include "tests/support/adb/tcp_phone.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/trust/auth.h"
#include "adb/wire/packet.h"
#include "base/mem.h"
#include "tests/support/adb/loopback_device.h"
#include "tests/support/adb/tcp_listener.h"

struct tcp_phone {
    struct tcp_listener *listener; /* owned */
    enum tcp_phone_behaviour behaviour;
};

static void ask_for_key(int fd)
{
    uint8_t bytes[PACKET_HEADER_SIZE + KEY_TOKEN_SIZE] = {0};

    packet_encode(&(struct packet){.command = PACKET_AUTH,
                                   .arg0 = AUTH_TOKEN,
                                   .length = KEY_TOKEN_SIZE},
                  bytes);
    (void)!send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
}

static bool hear_packet(int fd, struct packet *packet)
{
    uint8_t header[PACKET_HEADER_SIZE];
    char payload[PACKET_MAX_PAYLOAD_V1];
    struct err err;

    return recv(fd, header, sizeof(header), MSG_WAITALL) ==
               (ssize_t)sizeof(header) &&
           packet_decode(header, sizeof(payload), packet, &err) &&
           recv(fd, payload, packet->length, MSG_WAITALL) ==
               (ssize_t)packet->length;
}

/* No signature is accepted; a public key waits for a user. */
static void distrust(int fd)
{
    struct packet packet;

    while (hear_packet(fd, &packet)) {
        if (packet.command != PACKET_AUTH || packet.arg0 == AUTH_SIGNED)
            ask_for_key(fd);
    }
    close(fd);
}

static void ignore(int fd)
{
    char received[512];

    while (recv(fd, received, sizeof(received), 0) > 0)
        ;
    close(fd);
}

static void serve(int fd, void *context)
{
    const struct tcp_phone *peer = context;
    struct loopback_device *device;

    switch (peer->behaviour) {
    case TCP_PHONE_TRUSTS:
        device = loopback_device_serve(NULL, fd);
        loopback_device_wait(device);
        loopback_device_stop(device);
        break;
    case TCP_PHONE_WANTS_KEY:
        distrust(fd);
        break;
    case TCP_PHONE_SILENT:
        ignore(fd);
        break;
    }
}

struct tcp_phone *tcp_phone_start(uint16_t port,
                                  enum tcp_phone_behaviour behaviour)
{
    struct tcp_phone *peer = mem_new(1, sizeof(*peer));

    peer->behaviour = behaviour;
    peer->listener = tcp_listener_start(port, serve, peer);
    return peer;
}

uint16_t tcp_phone_port(const struct tcp_phone *peer)
{
    return tcp_listener_port(peer->listener);
}

void tcp_phone_stop(struct tcp_phone *peer)
{
    tcp_listener_stop(peer->listener);
    free(peer);
}

uint16_t tcp_phone_refusing_port(void)
{
    struct tcp_phone *peer = tcp_phone_start(0, TCP_PHONE_SILENT);
    uint16_t port = tcp_phone_port(peer);

    tcp_phone_stop(peer);
    return port;
}
