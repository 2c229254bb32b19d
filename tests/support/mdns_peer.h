/* Phones that announce themselves, without a network: a port answers alone. */
#ifndef TESTS_SUPPORT_MDNS_PEER_H
#define TESTS_SUPPORT_MDNS_PEER_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* What is announced; host is a name, and address where it is. */
struct mdns_peer_service {
    const char *name; /* such as "adb-1._adb._tcp.local" */
    const char *host;
    const char *address; /* IPv4; NULL: nobody says */
    uint16_t port;
};

/* Append the DNS message that answers with these. */
void mdns_peer_answer(const struct mdns_peer_service *services, size_t count,
                      struct buf *message);

struct mdns_peer;

/* Answer every question with that message, which is borrowed until stop. */
struct mdns_peer *mdns_peer_start(const struct buf *message);
void mdns_peer_stop(struct mdns_peer *peer);

/* Whom to ask. Lives as long as the peer. */
const struct sockaddr_in *mdns_peer_address(const struct mdns_peer *peer);

#endif
