/*
 * A peer that sends what the test says, packet by packet, valid or not, at the
 * other end of a real connection. Every failure fails the running test.
 */
#ifndef TESTS_SUPPORT_ADB_RAW_PEER_H
#define TESTS_SUPPORT_ADB_RAW_PEER_H

#include "adb/connection/conn.h"
#include "adb/wire/packet.h"

struct raw_peer {
    int fd;
    uint32_t window;   /* granted to every stream; 0: no delayed_ack */
    struct conn *conn; /* the host's connection */
};

/* A received packet; bytes that did not fit into data were dropped. */
struct raw_packet {
    struct packet packet;
    char data[64];
};

/* Both ends of a socket: [0] becomes a transport, [1] stays raw. */
int raw_peer_pair(struct transport **transport);

/* Connect with a host; close disconnects both sides. */
struct raw_peer raw_peer_start(void);
struct raw_peer raw_peer_start_granting(uint32_t window);
void raw_peer_close(struct raw_peer *peer);

void raw_peer_send_bytes(const struct raw_peer *peer, const void *bytes,
                         size_t size);

/* Send one packet; payload NULL sends none, whatever packet.length says. */
void raw_peer_send(const struct raw_peer *peer, struct packet packet,
                   const void *payload);

/* The same, with the ids of a stream. */
void raw_peer_say(const struct raw_peer *peer, enum packet_command command,
                  uint32_t from, uint32_t to, const char *text);

/* Send an OKAY that grants that many bytes (delayed_ack). */
void raw_peer_grant(const struct raw_peer *peer, uint32_t from, uint32_t to,
                    uint32_t bytes);

/* The next packet; false if none comes in time or the host disconnected. */
MUST_USE bool raw_peer_next(const struct raw_peer *peer, int64_t ms,
                            struct raw_packet *packet);

/* The next packet, which must have this command. */
struct raw_packet raw_peer_expect(const struct raw_peer *peer,
                                  enum packet_command command);

/* Let the host open a service, and accept it with this id. */
struct stream *raw_peer_open(const struct raw_peer *peer, const char *service,
                             uint32_t id);

/* Has the host disconnected? Waits for it, and drops what it sent before. */
bool raw_peer_is_cut_off(const struct raw_peer *peer, int64_t ms);

#endif
