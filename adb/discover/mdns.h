/*
 * Phones with wireless debugging announce themselves on the local network by
 * multicast DNS (RFC 6762). This sends a query from its own port, so that each
 * phone answers directly, and nothing needs to run in the background.
 */
#ifndef ADB_DISCOVER_MDNS_H
#define ADB_DISCOVER_MDNS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

enum mdns_kind {
    MDNS_PLAIN,   /* _adb._tcp: "adb tcpip" and emulators */
    MDNS_SECURE,  /* _adb-tls-connect._tcp: wireless debugging */
    MDNS_PAIRING, /* _adb-tls-pairing._tcp: shows a pairing code now */
    MDNS_KIND_COUNT
};

/* A service that a phone announces. */
struct mdns_service {
    enum mdns_kind kind;
    char instance[64]; /* its name, such as "adb-1A2B3C-xYz" */
    char host[INET6_ADDRSTRLEN];
    uint16_t port;
};

#define MDNS_MAX 64

struct mdns_services {
    struct mdns_service items[MDNS_MAX];
    size_t count;
};

/* Where to send queries. A plain value; all pointers are borrowed. */
struct mdns {
    const struct sockaddr_in *responder; /* NULL: the local networks */
    const struct cancel *cancel;         /* may be NULL */
};

/*
 * Send a query, and collect the answers until by. Fails with ERR_CANCELLED, or
 * with ERR_IO when there is no network.
 */
MUST_USE bool mdns_browse(const struct mdns *mdns, struct deadline by,
                          struct mdns_services *services, struct err *err);

/*
 * Query repeatedly until a phone announces that kind, under that name unless it
 * is NULL. Fails with ERR_TIMEOUT when none does, with ERR_INVALID when several
 * do, or as mdns_browse does.
 */
MUST_USE bool mdns_find(const struct mdns *mdns, enum mdns_kind kind,
                        const char *instance, struct deadline by,
                        struct mdns_service *service, struct err *err);

/* ---- parsing the answers ---- */

/* A host name, and its first address. */
struct mdns_host {
    char name[256];
    char address[INET6_ADDRSTRLEN];
};

/* The answers so far. Services name hosts, whose addresses may come later. */
struct mdns_answers {
    struct mdns_services services;
    char hosts_of[MDNS_MAX][256]; /* the host of each service */
    struct mdns_host hosts[MDNS_MAX];
    size_t host_count;
};

/*
 * Add one answer. Invalid or unrelated parts are ignored, as is what exceeds
 * the limits.
 */
void mdns_take(struct mdns_answers *answers, const void *data, size_t size);

/* The services whose hosts have an address. */
void mdns_join(const struct mdns_answers *answers,
               struct mdns_services *services);

#endif
