#include "tests/support/phone_peer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/auth.h"
#include "adb/packet.h"
#include "base/mem.h"
#include "tests/support/listener.h"
#include "tests/support/loop_device.h"

struct phone_peer {
    struct listener *listener; /* owned */
    enum phone_peer_mood mood;
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

/* No signature will do; a public key waits for somebody to accept it. */
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
    char heard[512];

    while (recv(fd, heard, sizeof(heard), 0) > 0)
        ;
    close(fd);
}

static void serve(int fd, void *context)
{
    const struct phone_peer *peer = context;
    struct loop_device *device;

    switch (peer->mood) {
    case PHONE_PEER_TRUSTS:
        device = loop_device_serve(NULL, fd);
        loop_device_wait(device);
        loop_device_stop(device);
        break;
    case PHONE_PEER_WANTS_KEY:
        distrust(fd);
        break;
    case PHONE_PEER_SILENT:
        ignore(fd);
        break;
    }
}

struct phone_peer *phone_peer_start(uint16_t port, enum phone_peer_mood mood)
{
    struct phone_peer *peer = mem_new(1, sizeof(*peer));

    peer->mood = mood;
    peer->listener = listener_start(port, serve, peer);
    return peer;
}

uint16_t phone_peer_port(const struct phone_peer *peer)
{
    return listener_port(peer->listener);
}

void phone_peer_stop(struct phone_peer *peer)
{
    listener_stop(peer->listener);
    free(peer);
}
