/* Sources of phones: an adb server that lists a text, known hosts and mDNS. */
#ifndef TESTS_SUPPORT_ADB_DISCOVER_SOURCES_H
#define TESTS_SUPPORT_ADB_DISCOVER_SOURCES_H

#include "adb/discover/discover.h"
#include "tests/support/adb/fake_adb_server.h"
#include "tests/support/adb/mdns_peer.h"

#define DISCOVER_SOURCES_IN_TIME deadline_in_ms(60000)

struct discover_sources {
    struct fake_adb_server_answer answers[2];
    struct buf listing;
    struct buf features_of;
    struct fake_adb_server *peer;
    struct server_client server;
    struct known_hosts known_hosts;
    struct buf announcement;
    struct mdns_peer *network;
    struct mdns mdns;
    struct discover discover;
};

/* No source yet. */
void discover_sources_init(struct discover_sources *sources);
void discover_sources_release(struct discover_sources *sources);

/* Run a server that lists text and reports the features of serial. */
void discover_sources_add_server(struct discover_sources *sources,
                                 const char *text, const char *serial);

/* Add a known address on this computer, and return it. */
const char *discover_sources_add_known(struct discover_sources *sources,
                                       uint16_t port);

/* Add a phone on this computer that announces itself by mDNS. */
void discover_sources_add_announced(struct discover_sources *sources,
                                    const char *name, uint16_t port);

/* List the phones, which must succeed; the caller releases the entries. */
struct discover_entries discover_sources_list(
    const struct discover_sources *sources, struct deadline by);

#endif
