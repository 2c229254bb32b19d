/*
 * Which phones can be reached, and how: those on USB, those that were
 * connected to before, those that announce themselves on the network,
 * emulators on this computer, and all that a running adb server has.
 */
#ifndef ADB_DISCOVER_H
#define ADB_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device.h"
#include "adb/known.h"
#include "adb/mdns.h"
#include "adb/server.h"
#include "base/buf.h"

/* Told, in one line, what people should know while a phone is opened. */
typedef void discover_tell_fn(void *context, const char *line);

/* Where to look. A plain value; everything in it is borrowed. */
struct discover {
    const struct server *server; /* NULL: ask none */
    const struct known *known;   /* NULL: none is known */
    bool usb;                    /* look for phones that are plugged in */
    bool emulators;              /* look for them on this computer */
    const struct mdns *mdns;     /* ask the network; NULL: do not */
    const struct auth_credentials *credentials; /* NULL: no keys */
    discover_tell_fn *tell;                     /* may be NULL */
    void *tell_context;
    const struct cancel *cancel; /* may be NULL */
    const struct log *log;       /* may be NULL */
};

enum discover_route {
    DISCOVER_USB,
    DISCOVER_DIRECT, /* over the network */
    DISCOVER_SERVER,
};

/* One phone. */
struct discover_entry {
    char serial[TCP_ADDRESS_MAX]; /* or its place, where two on USB share it */
    char state[24]; /* "device", "offline", "unauthorized", "busy", ... */
    enum discover_route route;
    char product[64];
    char model[64];
    char device[64];
    char announced[64];    /* what it calls itself on the network; "" */
    uint64_t transport_id; /* at the server; 0: it has none there */
    char reason[256];      /* why it cannot be used, or not directly; "" */
};

struct discover_entries {
    struct discover_entry *items; /* owned; the server's come last */
    size_t count;
    struct err server; /* why no server could be asked; ERR_NONE: it was */
};

void discover_entries_release(struct discover_entries *entries);

/* Can services be opened on it? */
bool discover_usable(const struct discover_entry *entry);

/*
 * List every phone once, by its best route: direct where it answers, through
 * the server where only that is trusted or holds the phone. All places are
 * asked at the same time. No phone bothers its owner with a question for it.
 * Blocks until each has answered, or by passes: what is silent then is offline.
 * Fails only with ERR_CANCELLED.
 */
MUST_USE bool discover_list(const struct discover *discover, struct deadline by,
                            struct discover_entries *entries, struct err *err);

/*
 * Open the phone that serial names:
 *
 *     HOST:PORT, or a known or numeric HOST   that address, else the server
 *     emulator-N                              127.0.0.1:N+1, else the server
 *     usb:PATH, or a serial of one on USB     that phone, else the server
 *     anything else                           through the server
 *     NULL or ""                              the only usable one there is;
 *                                             the network is asked when there
 *                                             is none nearer
 *
 * Fails with ERR_NOT_FOUND when there is none, and with ERR_INVALID when there
 * are several to choose from, which may share a serial; both list them. What
 * names an address fails as device_open_tcp does.
 */
MUST_USE bool discover_open(const struct discover *discover, const char *serial,
                            struct deadline by, struct device **device,
                            struct err *err);

/* Where a serial leads without a server; false: nowhere. */
struct discover_address {
    char host[TCP_HOST_MAX];
    uint16_t port;
    uint16_t console; /* an emulator's; 0: it is none */
};
bool discover_parse_serial(const char *serial, const struct known *known,
                           struct discover_address *address);

#endif
