#include "tests/support/phone_peer.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/packet.h"
#include "base/mem.h"
#include "tests/support/listener.h"
#include "tests/support/loop_device.h"

struct phone_peer {
    struct listener *listener; /* owned */
    enum phone_peer_mood mood;
};

/* AUTH of type TOKEN (1), with the 20 bytes that are to be signed. */
static void ask_for_key(int fd)
{
    const struct packet packet = {
        .command = PACKET_AUTH, .arg0 = 1, .length = 20};
    uint8_t bytes[PACKET_HEADER_SIZE + 20] = {0};

    packet_encode(&packet, bytes);
    (void)!send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL);
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

    switch (peer->mood) {
    case PHONE_PEER_TRUSTS:
        loop_device_stop(loop_device_serve(NULL, fd));
        break;
    case PHONE_PEER_WANTS_KEY:
        ask_for_key(fd);
        ignore(fd);
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
