#include "adb/discover.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/probe.h"
#include "base/mem.h"
#include "base/text.h"

/* Emulators take the first free pair of ports: console, and ADB above it. */
#define CONSOLE_FIRST 5554
#define CONSOLE_LAST 5584
#define CONSOLE_COUNT ((CONSOLE_LAST - CONSOLE_FIRST) / 2 + 1)

void discover_entries_release(struct discover_entries *entries)
{
    free(entries->items);
    *entries = (struct discover_entries){0};
}

/* How much can be done with a phone in that state. */
enum worth {
    WORTH_LITTLE,
    WORTH_A_LOOK, /* somebody has to confirm something */
    WORTH_USING,
};

static enum worth worth_of(const char *state)
{
    static const char *const online[] = {"device", "recovery", "rescue",
                                         "sideload"};

    for (size_t i = 0; i < ARRAY_LEN(online); i++) {
        if (!strcmp(state, online[i]))
            return WORTH_USING;
    }
    return strcmp(state, "unauthorized") ? WORTH_LITTLE : WORTH_A_LOOK;
}

bool discover_usable(const struct discover_entry *entry)
{
    return worth_of(entry->state) == WORTH_USING;
}

static bool parse_emulator(const char *serial, struct discover_address *address)
{
    static const char prefix[] = "emulator-";
    uint16_t console;

    if (strncmp(serial, prefix, strlen(prefix)) != 0 ||
        !tcp_parse_port(serial + strlen(prefix), &console) ||
        console == UINT16_MAX)
        return false;
    *address = (struct discover_address){.host = "127.0.0.1",
                                         .port = (uint16_t)(console + 1),
                                         .console = console};
    return true;
}

static bool is_numeric(const char *host)
{
    struct in6_addr ignored;

    return inet_pton(AF_INET, host, &ignored) == 1 ||
           inet_pton(AF_INET6, host, &ignored) == 1;
}

bool discover_parse_serial(const char *serial, const struct known *known,
                           struct discover_address *address)
{
    struct discover_address found = {0};
    struct err ignored;

    if (parse_emulator(serial, address))
        return true;
    if (!tcp_parse_address(serial, 0, found.host, &found.port, &ignored))
        return false;
    if (!found.port && known)
        (void)known_port(known, found.host, &found.port);
    if (!found.port && is_numeric(found.host))
        found.port = TCP_DEFAULT_PORT;
    if (!found.port)
        return false;
    *address = found;
    return true;
}

static bool is_this_computer(const char *host)
{
    return !strcmp(host, "127.0.0.1") || !strcmp(host, "localhost");
}

/* Do two serials name one phone? Emulators are also addresses. */
static bool same_phone(const char *a, const char *b)
{
    struct discover_address left;
    struct discover_address right;

    if (!strcmp(a, b))
        return true;
    if (!discover_parse_serial(a, NULL, &left) ||
        !discover_parse_serial(b, NULL, &right) || left.port != right.port)
        return false;
    return !strcmp(left.host, right.host) ||
           (is_this_computer(left.host) && is_this_computer(right.host));
}

static struct discover_entry *find(struct discover_entries *entries,
                                   const char *serial)
{
    for (size_t i = 0; i < entries->count; i++) {
        if (same_phone(entries->items[i].serial, serial))
            return &entries->items[i];
    }
    return NULL;
}

/* Add entry, or let the better of two routes to one phone stand for it. */
static void merge(struct discover_entries *entries,
                  const struct discover_entry *entry)
{
    struct discover_entry *twin = find(entries, entry->serial);
    uint64_t transport_id;

    if (!twin) {
        entries->items =
            mem_resize(entries->items, entries->count + 1, sizeof(*entry));
        entries->items[entries->count++] = *entry;
        return;
    }
    transport_id =
        twin->transport_id ? twin->transport_id : entry->transport_id;
    if (worth_of(entry->state) > worth_of(twin->state))
        *twin = *entry;
    twin->transport_id = transport_id;
}

static void merge_probe(struct discover_entries *entries,
                        const struct probe *probe, uint16_t console)
{
    struct discover_entry entry = {.route = DISCOVER_DIRECT};
    const struct banner *banner = &probe->banner;
    bool unauthorized = probe->err.code == ERR_UNAUTHORIZED;

    /* Whatever else listens on an emulator's port is none. */
    if (console && !probe->answered && !unauthorized)
        return;
    if (console)
        snprintf(entry.serial, sizeof(entry.serial), "emulator-%u",
                 (unsigned)console);
    else
        tcp_format_address(probe->host, probe->port, entry.serial);
    if (probe->answered) {
        memcpy(entry.state, banner->state, sizeof(banner->state));
        memcpy(entry.product, banner->product, sizeof(banner->product));
        memcpy(entry.model, banner->model, sizeof(banner->model));
        memcpy(entry.device, banner->device, sizeof(banner->device));
    } else {
        snprintf(entry.state, sizeof(entry.state), "%s",
                 unauthorized ? "unauthorized" : "offline");
        memcpy(entry.reason, probe->err.text, sizeof(entry.reason));
    }
    merge(entries, &entry);
}

static void merge_server(struct discover_entries *entries,
                         const struct server_devices *devices)
{
    for (size_t i = 0; i < devices->count; i++) {
        const struct server_device *device = &devices->items[i];
        struct discover_entry entry = {.route = DISCOVER_SERVER,
                                       .transport_id = device->transport_id};

        memcpy(entry.serial, device->serial, sizeof(device->serial));
        memcpy(entry.state, device->state, sizeof(device->state));
        memcpy(entry.product, device->product, sizeof(device->product));
        memcpy(entry.model, device->model, sizeof(device->model));
        memcpy(entry.device, device->device, sizeof(device->device));
        merge(entries, &entry);
    }
}

/* Every address to knock at, with the emulators' consoles beside them. */
struct knocks {
    struct probe probes[KNOWN_MAX + CONSOLE_COUNT];
    uint16_t consoles[KNOWN_MAX + CONSOLE_COUNT];
    size_t count;
};

static void add_knock(struct knocks *knocks, const struct discover *discover,
                      const struct discover_address *address,
                      struct deadline by)
{
    struct probe *probe = &knocks->probes[knocks->count];

    *probe = (struct probe){.port = address->port,
                            .cancel = discover->cancel,
                            .log = discover->log,
                            .by = by};
    memcpy(probe->host, address->host, sizeof(probe->host));
    knocks->consoles[knocks->count++] = address->console;
    probe_start(probe);
}

static bool is_known(const struct known *known, const char *serial)
{
    for (size_t i = 0; known && i < known->count; i++) {
        if (same_phone(known->addresses[i], serial))
            return true;
    }
    return false;
}

static void add_known(struct knocks *knocks, const struct discover *discover,
                      struct deadline by)
{
    const struct known *known = discover->known;
    struct discover_address address;

    for (size_t i = 0; known && i < known->count; i++) {
        if (discover_parse_serial(known->addresses[i], NULL, &address))
            add_knock(knocks, discover, &address, by);
    }
}

static void add_emulators(struct knocks *knocks,
                          const struct discover *discover, struct deadline by)
{
    struct discover_address address;

    if (!discover->emulators)
        return;
    for (unsigned console = CONSOLE_FIRST; console <= CONSOLE_LAST;
         console += 2) {
        char serial[32];

        snprintf(serial, sizeof(serial), "emulator-%u", console);
        if (!is_known(discover->known, serial) &&
            parse_emulator(serial, &address))
            add_knock(knocks, discover, &address, by);
    }
}

bool discover_list(const struct discover *discover, struct deadline by,
                   struct discover_entries *entries, struct err *err)
{
    struct knocks *knocks = mem_new(1, sizeof(*knocks));
    struct discover_entries found = {0};
    struct server_devices devices = {0};

    add_known(knocks, discover, by);
    add_emulators(knocks, discover, by);
    if (!discover->server)
        err_set(&found.server, ERR_UNREACHABLE, "no adb server was asked");
    else if (server_list(discover->server, by, &devices, &found.server))
        found.server = (struct err)ERR_INIT;
    for (size_t i = 0; i < knocks->count; i++) {
        probe_stop(&knocks->probes[i]);
        merge_probe(&found, &knocks->probes[i], knocks->consoles[i]);
    }
    merge_server(&found, &devices);
    server_devices_release(&devices);
    free(knocks);
    if (cancel_fired(discover->cancel)) {
        discover_entries_release(&found);
        return err_set(err, ERR_CANCELLED, "interrupted");
    }
    *entries = found;
    return true;
}
