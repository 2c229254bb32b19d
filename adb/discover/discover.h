/*
 * Finds the phones that can be reached: phones on USB, known hosts, phones that
 * announce themselves on the network, emulators on this computer, and the
 * devices of a running adb server.
 */
#ifndef ADB_DISCOVER_DISCOVER_H
#define ADB_DISCOVER_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "adb/device/server_client.h"
#include "adb/discover/known_hosts.h"
#include "adb/discover/mdns.h"
#include "base/buf.h"

/* Called with messages for the user while a phone is opened, one line each. */
typedef void discover_message_fn(void *context, const char *line);

/* The places to search. A plain value; all pointers are borrowed. */
struct discover {
    const struct server_client *server;    /* NULL: do not use a server */
    const struct known_hosts *known_hosts; /* NULL: none */
    bool usb;                              /* search for phones on USB */
    bool emulators;          /* search for emulators on this computer */
    bool keep_open;          /* for discover_list: see struct discover_entry */
    const struct mdns *mdns; /* search the network; NULL: do not */
    const struct auth_credentials *credentials; /* NULL: no keys */
    /*
     * For discover_list: is this phone in use elsewhere? Then it is not opened,
     * and listed as busy, with err as the reason. NULL: none is.
     */
    bool (*is_taken)(void *context, const char *serial, struct err *err);
    void *taken_context;
    discover_message_fn *message; /* may be NULL */
    void *message_context;
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
    char serial[TCP_ADDRESS_MAX]; /* or its place, if two phones on USB have the
                                     same serial */
    char state[24]; /* "device", "offline", "unauthorized", "busy", ... */
    enum discover_route route;
    char product[64];
    char model[64];
    char device[64];
    char announced[64];    /* its mDNS name; "" */
    uint64_t transport_id; /* at the server; 0: not listed there */
    char reason[256];      /* why it cannot be used, or not directly; "" */
    struct device *opened; /* owned; with keep_open: the open connection, which
                              the caller may take; or NULL */
};

struct discover_entries {
    struct discover_entry *items; /* owned; those of the server come last */
    size_t count;
    struct err server; /* why the server could not be asked; ERR_NONE: it was */
};

/* Closes connections that are still open in them. */
void discover_entries_release(struct discover_entries *entries);

/* Can services be opened on it? */
bool discover_usable(const struct discover_entry *entry);

/*
 * List every phone once, by its best route: directly if it answers, through the
 * server if only the server is authorized or holds the phone. All of them are
 * tried at the same time. No phone asks its owner a question because of this.
 * Blocks until each has answered, or by passes: phones that have not answered
 * are offline. Fails only with ERR_CANCELLED.
 */
MUST_USE bool discover_list(const struct discover *discover, struct deadline by,
                            struct discover_entries *entries, struct err *err);

/*
 * Open the phone with this serial:
 *
 *     HOST:PORT, or a known or numeric HOST   that address, else the server
 *     emulator-N                              127.0.0.1:N+1, else the server
 *     usb:PATH, or a serial of one on USB     that phone, else the server
 *     anything else                           through the server
 *     NULL or ""                              the only usable phone; the
 *                                             network is searched only if
 *                                             there is none otherwise
 *
 * Fails with ERR_NOT_FOUND when there is none, and with ERR_INVALID when there
 * are several, which may have the same serial; both messages list the phones.
 * For an address it fails as device_open_tcp does.
 */
MUST_USE bool discover_open(const struct discover *discover, const char *serial,
                            struct deadline by, struct device **device,
                            struct err *err);

/*
 * Open a listed phone: over the connection that was kept open, if there is one
 * (some phones serve only one connection at a time, and take a moment to notice
 * that it was closed); otherwise as discover_open.
 */
MUST_USE bool discover_open_entry(const struct discover *discover,
                                  struct discover_entry *entry,
                                  struct deadline by, struct device **device,
                                  struct err *err);

/* The address for a serial, without a server; false: there is none. */
struct discover_address {
    char host[TCP_HOST_MAX];
    uint16_t port;
    uint16_t console; /* of an emulator; 0: not an emulator */
};
bool discover_parse_serial(const char *serial,
                           const struct known_hosts *known_hosts,
                           struct discover_address *address);

#endif
