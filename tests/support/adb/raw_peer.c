#include "tests/support/adb/raw_peer.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "base/bytes.h"

#define PATIENCE_MS 60000

int raw_peer_pair(struct transport **transport)
{
    struct err err;
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, transport, &err));
    return ends[1];
}

struct raw_peer raw_peer_start(void)
{
    return raw_peer_start_granting(0);
}

struct raw_peer raw_peer_start_granting(uint32_t window)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = conn_host_features},
    };
    const char *banner =
        window ? "device::ro.product.model=Raw;features=cmd,delayed_ack"
               : "device::ro.product.model=Raw;features=cmd";
    struct transport *transport;
    struct raw_peer peer = {.fd = raw_peer_pair(&transport), .window = window};
    struct err err = ERR_INIT;

    raw_peer_send(&peer,
                  (struct packet){.command = PACKET_CNXN,
                                  .arg0 = PACKET_VERSION_SKIP_CHECKSUM,
                                  .arg1 = PACKET_MAX_PAYLOAD,
                                  .length = (uint32_t)strlen(banner)},
                  banner);
    if (!conn_open(transport, &options, deadline_in_ms(PATIENCE_MS), &peer.conn,
                   &err))
        fail_msg("%s", err.text);
    raw_peer_expect(&peer, PACKET_CNXN);
    return peer;
}

void raw_peer_close(struct raw_peer *peer)
{
    close(peer->fd);
    conn_close(peer->conn);
}

void raw_peer_send_bytes(const struct raw_peer *peer, const void *bytes,
                         size_t size)
{
    const char *next = bytes;

    while (size) {
        ssize_t n = send(peer->fd, next, size, MSG_NOSIGNAL);

        if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
            return; /* the test asks whether the host disconnected us */
        assert_true(n > 0);
        next += n;
        size -= (size_t)n;
    }
}

void raw_peer_send(const struct raw_peer *peer, struct packet packet,
                   const void *payload)
{
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&packet, header);
    raw_peer_send_bytes(peer, header, sizeof(header));
    if (payload)
        raw_peer_send_bytes(peer, payload, packet.length);
}

void raw_peer_say(const struct raw_peer *peer, enum packet_command command,
                  uint32_t from, uint32_t to, const char *text)
{
    raw_peer_send(peer,
                  (struct packet){.command = command,
                                  .arg0 = from,
                                  .arg1 = to,
                                  .length = (uint32_t)strlen(text)},
                  text);
}

void raw_peer_grant(const struct raw_peer *peer, uint32_t from, uint32_t to,
                    uint32_t bytes)
{
    uint8_t payload[4];

    put_u32le(payload, bytes);
    raw_peer_send(peer,
                  (struct packet){.command = PACKET_OKAY,
                                  .arg0 = from,
                                  .arg1 = to,
                                  .length = sizeof(payload)},
                  payload);
}

/* Read all bytes within the timeout; those beyond room are dropped. */
static bool receive(const struct raw_peer *peer, struct deadline by, void *data,
                    size_t room, size_t size)
{
    char dropped[4096];
    size_t got = 0;

    while (got < size) {
        struct pollfd polled = {.fd = peer->fd, .events = POLLIN};
        char *to = got < room ? (char *)data + got : dropped;
        size_t most = got < room ? room - got : sizeof(dropped);
        ssize_t n;

        if (poll(&polled, 1, deadline_left_ms(by)) <= 0)
            return false;
        n = recv(peer->fd, to, most < size - got ? most : size - got, 0);
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

bool raw_peer_next(const struct raw_peer *peer, int64_t ms,
                   struct raw_packet *packet)
{
    struct deadline by = deadline_in_ms(ms);
    uint8_t header[PACKET_HEADER_SIZE];
    struct err err;

    memset(packet, 0, sizeof(*packet));
    return receive(peer, by, header, sizeof(header), sizeof(header)) &&
           packet_decode(header, PACKET_MAX_PAYLOAD, &packet->packet, &err) &&
           receive(peer, by, packet->data, sizeof(packet->data) - 1,
                   packet->packet.length);
}

struct raw_packet raw_peer_expect(const struct raw_peer *peer,
                                  enum packet_command command)
{
    struct raw_packet packet;

    if (!raw_peer_next(peer, PATIENCE_MS, &packet))
        fail_msg("timed out waiting for %s", packet_command_name(command));
    assert_string_equal(packet_command_name(packet.packet.command),
                        packet_command_name(command));
    return packet;
}

/* One call of the host, on a separate thread. */
struct opening {
    struct conn *conn;
    const char *service;
    struct stream *stream;
    struct err err;
};

static void *open_stream(void *context)
{
    struct opening *opening = context;

    if (!conn_open_stream(opening->conn, opening->service,
                          deadline_in_ms(PATIENCE_MS), &opening->stream,
                          &opening->err))
        opening->stream = NULL;
    return NULL;
}

struct stream *raw_peer_open(const struct raw_peer *peer, const char *service,
                             uint32_t id)
{
    struct opening opening = {.conn = peer->conn, .service = service};
    struct raw_packet asked;
    pthread_t thread;

    assert_int_equal(pthread_create(&thread, NULL, open_stream, &opening), 0);
    asked = raw_peer_expect(peer, PACKET_OPEN);
    if (peer->window)
        raw_peer_grant(peer, id, asked.packet.arg0, peer->window);
    else
        raw_peer_say(peer, PACKET_OKAY, id, asked.packet.arg0, "");
    pthread_join(thread, NULL);
    if (!opening.stream)
        fail_msg("%s", opening.err.text);
    return opening.stream;
}

bool raw_peer_is_cut_off(const struct raw_peer *peer, int64_t ms)
{
    struct deadline by = deadline_in_ms(ms);
    struct pollfd polled = {.fd = peer->fd, .events = POLLIN};
    char dropped[4096];

    while (poll(&polled, 1, deadline_left_ms(by)) > 0) {
        if (recv(peer->fd, dropped, sizeof(dropped), 0) <= 0)
            return true;
    }
    return false;
}
