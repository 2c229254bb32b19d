/*
 * A peer that does what the test says, packet by packet, within the rules or
 * not, at the other end of a real connection. Whatever it cannot do fails the
 * running test.
 */
#ifndef TESTS_SUPPORT_RAW_PEER_H
#define TESTS_SUPPORT_RAW_PEER_H

#include "adb/conn.h"
#include "adb/packet.h"

struct raw_peer {
    int fd;
    uint32_t window;   /* granted to every stream; 0: no delayed_ack */
    struct conn *conn; /* the one under test */
};

/* A packet as it came; what did not fit into data was dropped. */
struct raw_packet {
    struct packet packet;
    char data[64];
};

/* Two ends of a socket: [0] becomes a transport, [1] stays raw. */
int raw_peer_pair(struct transport **transport);

/* Greet a host that is connected then; close hangs up on both sides. */
struct raw_peer raw_peer_start(void);
struct raw_peer raw_peer_start_granting(uint32_t window);
void raw_peer_close(struct raw_peer *peer);

void raw_peer_send_bytes(const struct raw_peer *peer, const void *bytes,
                         size_t size);

/* Send one packet; payload NULL sends none, whatever packet.length says. */
void raw_peer_send(const struct raw_peer *peer, struct packet packet,
                   const void *payload);

/* The same for what all packets of a stream have. */
void raw_peer_say(const struct raw_peer *peer, enum packet_command command,
                  uint32_t from, uint32_t to, const char *text);

/* Send an OKAY that grants so many bytes, as delayed_ack has it. */
void raw_peer_grant(const struct raw_peer *peer, uint32_t from, uint32_t to,
                    uint32_t bytes);

/* The next packet; false when none comes in time or the host hung up. */
MUST_USE bool raw_peer_next(const struct raw_peer *peer, int64_t ms,
                            struct raw_packet *packet);

/* The next packet, which must be this command. */
struct raw_packet raw_peer_expect(const struct raw_peer *peer,
                                  enum packet_command command);

/* Let the host open a service, and accept it as this id of ours. */
struct stream *raw_peer_open(const struct raw_peer *peer, const char *service,
                             uint32_t id);

/* Has the host hung up? Waits for it, and drops what it sent before. */
bool raw_peer_is_cut_off(const struct raw_peer *peer, int64_t ms);

#endif
