/*
 * Phones with wireless debugging announce themselves on the local network by
 * multicast DNS (RFC 6762). This asks once, from a port of its own, so that
 * each answers us directly, and nothing needs to run in the background.
 */
#ifndef ADB_MDNS_H
#define ADB_MDNS_H

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
    MDNS_PAIRING, /* _adb-tls-pairing._tcp: shows a code right now */
    MDNS_KIND_COUNT
};

/* What a phone offers. */
struct mdns_service {
    enum mdns_kind kind;
    char instance[64]; /* what it calls itself, such as "adb-1A2B3C-xYz" */
    char host[INET6_ADDRSTRLEN];
    uint16_t port;
};

#define MDNS_MAX 64

struct mdns_services {
    struct mdns_service items[MDNS_MAX];
    size_t count;
};

/* Who is asked. A plain value; everything in it is borrowed. */
struct mdns {
    const struct sockaddr_in *responder; /* NULL: all on the local networks */
    const struct cancel *cancel;         /* may be NULL */
};

/*
 * Ask, and collect what is answered until by. Fails with ERR_CANCELLED, or
 * ERR_IO when there is no network to ask on.
 */
MUST_USE bool mdns_browse(const struct mdns *mdns, struct deadline by,
                          struct mdns_services *services, struct err *err);

/*
 * Ask again and again until somebody offers that kind, under that name unless
 * it is NULL. Fails with ERR_TIMEOUT when nobody does by then, with ERR_INVALID
 * when several do, or as mdns_browse does.
 */
MUST_USE bool mdns_find(const struct mdns *mdns, enum mdns_kind kind,
                        const char *instance, struct deadline by,
                        struct mdns_service *service, struct err *err);

/* ---- what the answers say ---- */

/* A host by its name, and the first address that was said of it. */
struct mdns_host {
    char name[256];
    char address[INET6_ADDRSTRLEN];
};

/* What was said so far. Services name hosts, whose addresses may come later. */
struct mdns_answers {
    struct mdns_services services;
    char hosts_of[MDNS_MAX][256]; /* the host that each service names */
    struct mdns_host hosts[MDNS_MAX];
    size_t host_count;
};

/*
 * Take one answer, as far as it makes sense: the network is full of others.
 * What is more than there is room for is left out.
 */
void mdns_take(struct mdns_answers *answers, const void *data, size_t size);

/* The services whose hosts have an address. */
void mdns_join(const struct mdns_answers *answers,
               struct mdns_services *services);

#endif
