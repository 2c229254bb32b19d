/* A phone on a TCP port, in one of the moods that phones have. */
#ifndef TESTS_SUPPORT_PHONE_PEER_H
#define TESTS_SUPPORT_PHONE_PEER_H

#include <stdint.h>

enum phone_peer_mood {
    PHONE_PEER_TRUSTS,    /* a loop_device, to whoever connects */
    PHONE_PEER_WANTS_KEY, /* accepts no key that it is shown */
    PHONE_PEER_SILENT,    /* takes connections and says nothing */
};

struct phone_peer;

/* port 0: a free one. */
struct phone_peer *phone_peer_start(uint16_t port, enum phone_peer_mood mood);
uint16_t phone_peer_port(const struct phone_peer *peer);

/* Every host has hung up. */
void phone_peer_stop(struct phone_peer *peer);

#endif
