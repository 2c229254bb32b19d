/*
 * Phones that announce themselves by mDNS, without a network: one port answers.
 */
#ifndef TESTS_SUPPORT_ADB_MDNS_PEER_H
#define TESTS_SUPPORT_ADB_MDNS_PEER_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* An announced service; host is a name, address its IP address. */
struct mdns_peer_service {
    const char *name; /* such as "adb-1._adb._tcp.local" */
    const char *host;
    const char *address; /* IPv4; NULL: no record */
    uint16_t port;
};

/* Append the DNS message that answers with these. */
void mdns_peer_answer(const struct mdns_peer_service *services, size_t count,
                      struct buf *message);

struct mdns_peer;

/* Answer every question with that message, which is borrowed until stop or
 * until another one takes its place. */
struct mdns_peer *mdns_peer_start(const struct buf *message);
void mdns_peer_change(struct mdns_peer *peer, const struct buf *message);
void mdns_peer_stop(struct mdns_peer *peer);

/* The address to send questions to. Valid as long as the peer. */
const struct sockaddr_in *mdns_peer_address(const struct mdns_peer *peer);

#endif
