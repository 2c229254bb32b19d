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

/* More phones than anybody plugs in. */
#define USB_MAX 64

/* How long the network is listened to after it was asked. */
#define BROWSE_MS 400

/* How much can be done with a phone in that state. */
enum worth {
    WORTH_NOTHING, /* as somebody else has it, whom we may ask */
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
    if (!strcmp(state, "busy") || !strcmp(state, "no permissions"))
        return WORTH_NOTHING;
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

/* An adb server calls it "NAME._adb-tls-connect._tcp", and so on. */
static bool is_announced_as(const struct discover_entry *entry,
                            const char *serial)
{
    size_t length = strlen(entry->announced);

    return length && !strncmp(serial, entry->announced, length) &&
           !strncmp(serial + length, "._adb", strlen("._adb"));
}

static struct discover_entry *find(struct discover_entries *entries,
                                   const char *serial)
{
    for (size_t i = 0; i < entries->count; i++) {
        if (same_phone(entries->items[i].serial, serial) ||
            is_announced_as(&entries->items[i], serial))
            return &entries->items[i];
    }
    return NULL;
}

/* Add entry, or let the better of two routes to one phone stand for it. */
static void merge(struct discover_entries *entries,
                  const struct discover_entry *entry)
{
    struct discover_entry *twin = find(entries, entry->serial);
    char why_not[sizeof(entry->reason)];
    uint64_t transport_id;

    if (!twin) {
        entries->items =
            mem_resize(entries->items, entries->count + 1, sizeof(*entry));
        entries->items[entries->count++] = *entry;
        return;
    }
    transport_id =
        twin->transport_id ? twin->transport_id : entry->transport_id;
    if (worth_of(entry->state) > worth_of(twin->state)) {
        memcpy(why_not, twin->reason, sizeof(why_not));
        *twin = *entry;
        memcpy(twin->reason, why_not, sizeof(why_not));
    }
    twin->transport_id = transport_id;
}

static const char *state_after(const struct err *err)
{
    switch ((int)err->code) {
    case ERR_UNAUTHORIZED:
        return "unauthorized";
    case ERR_BUSY:
        return "busy";
    case ERR_DENIED:
        return "no permissions";
    default:
        return "offline";
    }
}

static void describe(const struct probe *probe, struct discover_entry *entry)
{
    const struct banner *banner = &probe->banner;

    if (probe->answered) {
        memcpy(entry->state, banner->state, sizeof(banner->state));
        memcpy(entry->product, banner->product, sizeof(banner->product));
        memcpy(entry->model, banner->model, sizeof(banner->model));
        memcpy(entry->device, banner->device, sizeof(banner->device));
        return;
    }
    snprintf(entry->state, sizeof(entry->state), "%s",
             state_after(&probe->err));
    memcpy(entry->reason, probe->err.text, sizeof(entry->reason));
    if (probe->usb)
        memcpy(entry->model, probe->usb->product, sizeof(entry->model));
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

/* The question to the network, asked while all else is looked at. */
struct browse {
    const struct mdns *mdns; /* NULL: it is not asked */
    struct deadline by;
    struct mdns_services services;
    pthread_t thread;
    bool running;
};

static void *browse_main(void *context)
{
    struct browse *browse = context;
    struct err no_network;

    if (!mdns_browse(browse->mdns, browse->by, &browse->services, &no_network))
        browse->services.count = 0;
    return NULL;
}

static void browse_start(struct browse *browse, const struct mdns *mdns,
                         struct deadline by)
{
    *browse = (struct browse){
        .mdns = mdns,
        .by = deadline_sooner(by, deadline_in_ms(BROWSE_MS)),
    };
    browse->running =
        mdns && !pthread_create(&browse->thread, NULL, browse_main, browse);
}

static void browse_stop(struct browse *browse)
{
    if (browse->running)
        pthread_join(browse->thread, NULL);
    browse->running = false;
}

/* Everybody to knock at, with what else is known of them. */
#define KNOCKS_MAX (USB_MAX + KNOWN_MAX + MDNS_MAX + CONSOLE_COUNT)
struct knocks {
    const struct discover *discover; /* borrowed */
    struct deadline by;
    struct auth_credentials credentials; /* that ask no owner */
    struct usb_phones phones;
    struct browse browse;
    struct probe probes[KNOCKS_MAX];
    uint16_t consoles[KNOCKS_MAX];     /* of emulators */
    const char *announced[KNOCKS_MAX]; /* names on the network, or NULL */
    size_t count;
};

static struct knocks *knocks_open(const struct discover *discover,
                                  struct deadline by)
{
    struct knocks *knocks = mem_new(1, sizeof(*knocks));

    knocks->discover = discover;
    knocks->by = by;
    if (discover->credentials)
        knocks->credentials = *discover->credentials;
    knocks->credentials.never_ask = true;
    return knocks;
}

static void knocks_close(struct knocks *knocks)
{
    usb_phones_release(&knocks->phones);
    free(knocks);
}

static void add_knock(struct knocks *knocks, struct probe probe,
                      uint16_t console)
{
    struct probe *added = &knocks->probes[knocks->count];

    *added = probe;
    added->options =
        (struct device_options){.credentials = &knocks->credentials,
                                .cancel = knocks->discover->cancel,
                                .log = knocks->discover->log};
    added->by = knocks->by;
    knocks->consoles[knocks->count++] = console;
    probe_start(added);
}

static void add_address(struct knocks *knocks,
                        const struct discover_address *address)
{
    struct probe probe = {.port = address->port};

    memcpy(probe.host, address->host, sizeof(probe.host));
    add_knock(knocks, probe, address->console);
}

static void add_usb(struct knocks *knocks)
{
    struct err no_usb;

    if (!knocks->discover->usb || !usb_list(&knocks->phones, &no_usb))
        return;
    for (size_t i = 0; i < knocks->phones.count && i < USB_MAX; i++)
        add_knock(knocks, (struct probe){.usb = &knocks->phones.items[i]}, 0);
}

static bool is_known(const struct known *known, const char *serial)
{
    for (size_t i = 0; known && i < known->count; i++) {
        if (same_phone(known->addresses[i], serial))
            return true;
    }
    return false;
}

static void add_known(struct knocks *knocks)
{
    const struct known *known = knocks->discover->known;
    struct discover_address address;

    for (size_t i = 0; known && i < known->count; i++) {
        if (discover_parse_serial(known->addresses[i], NULL, &address))
            add_address(knocks, &address);
    }
}

static void add_emulators(struct knocks *knocks)
{
    const struct discover *discover = knocks->discover;
    struct discover_address address;

    if (!discover->emulators)
        return;
    for (unsigned console = CONSOLE_FIRST; console <= CONSOLE_LAST;
         console += 2) {
        char serial[32];

        snprintf(serial, sizeof(serial), "emulator-%u", console);
        if (!is_known(discover->known, serial) &&
            parse_emulator(serial, &address))
            add_address(knocks, &address);
    }
}

/* Where a known phone announces itself again, one knock is enough. */
static bool name_knock(struct knocks *knocks,
                       const struct mdns_service *service)
{
    for (size_t i = 0; i < knocks->count; i++) {
        const struct probe *probe = &knocks->probes[i];

        if (!probe->usb && probe->port == service->port &&
            !strcmp(probe->host, service->host)) {
            knocks->announced[i] = service->instance;
            return true;
        }
    }
    return false;
}

static void add_announced(struct knocks *knocks)
{
    const struct mdns_services *services = &knocks->browse.services;

    browse_stop(&knocks->browse);
    for (size_t i = 0; i < services->count; i++) {
        const struct mdns_service *service = &services->items[i];
        struct discover_address address = {.port = service->port};

        if (service->kind == MDNS_PAIRING || name_knock(knocks, service))
            continue;
        memcpy(address.host, service->host, sizeof(service->host));
        knocks->announced[knocks->count] = service->instance;
        add_address(knocks, &address);
    }
}

/* A serial is a promise that not every vendor keeps: then its place counts. */
static const char *name_on_usb(const struct usb_phones *phones,
                               const struct usb_phone *phone)
{
    for (size_t i = 0; i < phones->count; i++) {
        const struct usb_phone *other = &phones->items[i];

        if (other != phone && !strcmp(other->serial, phone->serial))
            return phone->place;
    }
    return phone->serial;
}

static void merge_probe(struct discover_entries *entries,
                        const struct knocks *knocks, size_t i)
{
    const struct probe *probe = &knocks->probes[i];
    uint16_t console = knocks->consoles[i];
    struct discover_entry entry = {.route = probe->usb ? DISCOVER_USB
                                                       : DISCOVER_DIRECT};

    /* Whatever else listens on an emulator's port is none. */
    if (console && !probe->answered && probe->err.code != ERR_UNAUTHORIZED)
        return;
    if (console)
        snprintf(entry.serial, sizeof(entry.serial), "emulator-%u",
                 (unsigned)console);
    else if (probe->usb)
        snprintf(entry.serial, sizeof(entry.serial), "%s",
                 name_on_usb(&knocks->phones, probe->usb));
    else
        tcp_format_address(probe->host, probe->port, entry.serial);
    if (knocks->announced[i])
        snprintf(entry.announced, sizeof(entry.announced), "%s",
                 knocks->announced[i]);
    describe(probe, &entry);
    merge(entries, &entry);
}

bool discover_list(const struct discover *discover, struct deadline by,
                   struct discover_entries *entries, struct err *err)
{
    struct knocks *knocks = knocks_open(discover, by);
    struct discover_entries found = {0};
    struct server_devices devices = {0};

    browse_start(&knocks->browse, discover->mdns, by);
    add_usb(knocks);
    add_known(knocks);
    add_emulators(knocks);
    if (!discover->server)
        err_set(&found.server, ERR_UNREACHABLE, "no adb server was asked");
    else if (server_list(discover->server, by, &devices, &found.server))
        found.server = (struct err)ERR_INIT;
    add_announced(knocks);
    for (size_t i = 0; i < knocks->count; i++) {
        probe_stop(&knocks->probes[i]);
        merge_probe(&found, knocks, i);
    }
    merge_server(&found, &devices);
    server_devices_release(&devices);
    knocks_close(knocks);
    if (cancel_fired(discover->cancel)) {
        discover_entries_release(&found);
        return err_set(err, ERR_CANCELLED, "interrupted");
    }
    *entries = found;
    return true;
}
