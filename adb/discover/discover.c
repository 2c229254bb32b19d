#include "adb/discover/discover.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/discover/probe.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* Emulators use the first free pair of ports: console, and ADB above it. */
#define CONSOLE_FIRST 5554
#define CONSOLE_LAST 5584
#define CONSOLE_COUNT ((CONSOLE_LAST - CONSOLE_FIRST) / 2 + 1)

static void close_all(struct discover_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        device_close(entries->items[i].opened);
        entries->items[i].opened = NULL;
    }
}

void discover_entries_release(struct discover_entries *entries)
{
    close_all(entries);
    free(entries->items);
    *entries = (struct discover_entries){0};
}

/* More phones than can be expected on USB. */
#define USB_MAX 64

/* The time limit for a connection to an address. */
#define CONNECT_MS 2000

/* How long to wait for answers from the network. */
#define BROWSE_MS 400

/* How usable a phone is in that state. */
enum worth {
    WORTH_NOTHING, /* another program has it, possibly an adb server */
    WORTH_LITTLE,
    WORTH_A_LOOK, /* the user has to confirm something */
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

bool discover_parse_serial(const char *serial,
                           const struct known_hosts *known_hosts,
                           struct discover_address *address)
{
    struct discover_address found = {0};
    struct err ignored;

    if (parse_emulator(serial, address))
        return true;
    if (!tcp_parse_address(serial, 0, found.host, &found.port, &ignored))
        return false;
    if (!found.port && known_hosts)
        (void)known_hosts_port(known_hosts, found.host, &found.port);
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

/* Do two serials name the same phone? Emulators also have addresses. */
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

/*
 * Add entry, or keep the better of two routes to the same phone. The connection
 * in entry is moved to the list, or closed.
 */
static void merge(struct discover_entries *entries,
                  const struct discover_entry *entry)
{
    struct discover_entry *twin = find(entries, entry->serial);
    char why_not[sizeof(entry->reason)];
    uint64_t transport_id;
    struct device *worse;

    if (!twin) {
        entries->items =
            mem_resize(entries->items, entries->count + 1, sizeof(*entry));
        entries->items[entries->count++] = *entry;
        return;
    }
    transport_id =
        twin->transport_id ? twin->transport_id : entry->transport_id;
    worse = entry->opened;
    if (worth_of(entry->state) > worth_of(twin->state)) {
        worse = twin->opened;
        memcpy(why_not, twin->reason, sizeof(why_not));
        *twin = *entry;
        memcpy(twin->reason, why_not, sizeof(why_not));
    }
    twin->transport_id = transport_id;
    device_close(worse);
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
    if (probe->device) {
        const struct banner *banner = conn_peer(device_conn(probe->device));

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
                         const struct server_device_list *devices)
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

/* The query to the network, which runs while everything else is searched. */
struct mdns_browse {
    const struct mdns *mdns; /* NULL: no query */
    struct deadline by;
    struct mdns_services services;
    pthread_t thread;
    bool running;
};

static void *browse_main(void *context)
{
    struct mdns_browse *browse = context;
    struct err no_network;

    if (!mdns_browse(browse->mdns, browse->by, &browse->services, &no_network))
        browse->services.count = 0;
    return NULL;
}

static void browse_start(struct mdns_browse *browse, const struct mdns *mdns,
                         struct deadline by)
{
    *browse = (struct mdns_browse){
        .mdns = mdns,
        .by = deadline_sooner(by, deadline_in_ms(BROWSE_MS)),
    };
    browse->running =
        mdns && !pthread_create(&browse->thread, NULL, browse_main, browse);
}

static void browse_stop(struct mdns_browse *browse)
{
    if (browse->running)
        pthread_join(browse->thread, NULL);
    browse->running = false;
}

/* All probes, and what else is known about the phones. */
#define PROBES_MAX (USB_MAX + KNOWN_HOSTS_MAX + MDNS_MAX + CONSOLE_COUNT)
struct phone_search {
    const struct discover *discover; /* borrowed */
    struct deadline by;
    struct auth_credentials credentials; /* that never ask the owner */
    struct usb_phones phones;
    struct mdns_browse browse;
    struct probe probes[PROBES_MAX];
    const char *announced[PROBES_MAX]; /* mDNS names, or NULL */
    size_t count;
};

static struct phone_search *phone_search_open(const struct discover *discover,
                                              struct deadline by)
{
    struct phone_search *phone_search = mem_new(1, sizeof(*phone_search));

    phone_search->discover = discover;
    phone_search->by = by;
    if (discover->credentials)
        phone_search->credentials = *discover->credentials;
    phone_search->credentials.never_ask = true;
    return phone_search;
}

static void phone_search_close(struct phone_search *phone_search)
{
    usb_phones_release(&phone_search->phones);
    free(phone_search);
}

/* Some vendors use the same serial for all phones: then the place is used. */
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

static void name_phone(const struct phone_search *phone_search,
                       const struct probe *probe, char serial[TCP_ADDRESS_MAX])
{
    if (probe->console)
        snprintf(serial, TCP_ADDRESS_MAX, "emulator-%u",
                 (unsigned)probe->console);
    else if (probe->usb)
        snprintf(serial, TCP_ADDRESS_MAX, "%s",
                 name_on_usb(&phone_search->phones, probe->usb));
    else
        tcp_format_address(probe->host, probe->port, serial);
}

static bool is_taken(const struct phone_search *phone_search,
                     struct probe *probe)
{
    const struct discover *discover = phone_search->discover;
    char serial[TCP_ADDRESS_MAX];

    if (!discover->is_taken)
        return false;
    name_phone(phone_search, probe, serial);
    return discover->is_taken(discover->taken_context, serial, &probe->err);
}

static void add_probe(struct phone_search *phone_search, struct probe probe)
{
    struct probe *added = &phone_search->probes[phone_search->count++];

    *added = probe;
    added->options =
        (struct device_options){.credentials = &phone_search->credentials,
                                .cancel = phone_search->discover->cancel,
                                .log = phone_search->discover->log,
                                .connect_ms = CONNECT_MS};
    added->by = phone_search->by;
    added->taken = is_taken(phone_search, added);
    if (!added->taken)
        probe_start(added);
}

static void add_address(struct phone_search *phone_search,
                        const struct discover_address *address)
{
    struct probe probe = {.port = address->port, .console = address->console};

    memcpy(probe.host, address->host, sizeof(probe.host));
    add_probe(phone_search, probe);
}

static void add_usb(struct phone_search *phone_search)
{
    struct err no_usb;

    if (!phone_search->discover->usb ||
        !usb_list(&phone_search->phones, &no_usb))
        return;
    for (size_t i = 0; i < phone_search->phones.count && i < USB_MAX; i++)
        add_probe(phone_search,
                  (struct probe){.usb = &phone_search->phones.items[i]});
}

static bool is_known(const struct known_hosts *known_hosts, const char *serial)
{
    for (size_t i = 0; known_hosts && i < known_hosts->count; i++) {
        if (same_phone(known_hosts->addresses[i], serial))
            return true;
    }
    return false;
}

static void add_known(struct phone_search *phone_search)
{
    const struct known_hosts *known_hosts = phone_search->discover->known_hosts;
    struct discover_address address;

    for (size_t i = 0; known_hosts && i < known_hosts->count; i++) {
        if (discover_parse_serial(known_hosts->addresses[i], NULL, &address))
            add_address(phone_search, &address);
    }
}

static void add_emulators(struct phone_search *phone_search)
{
    const struct discover *discover = phone_search->discover;
    struct discover_address address;

    if (!discover->emulators)
        return;
    for (unsigned console = CONSOLE_FIRST; console <= CONSOLE_LAST;
         console += 2) {
        char serial[32];

        snprintf(serial, sizeof(serial), "emulator-%u", console);
        if (!is_known(discover->known_hosts, serial) &&
            parse_emulator(serial, &address))
            add_address(phone_search, &address);
    }
}

/* A known phone that announces itself is not probed twice. */
static bool name_probe(struct phone_search *phone_search,
                       const struct mdns_service *service)
{
    for (size_t i = 0; i < phone_search->count; i++) {
        const struct probe *probe = &phone_search->probes[i];

        if (!probe->usb && probe->port == service->port &&
            !strcmp(probe->host, service->host)) {
            phone_search->announced[i] = service->instance;
            return true;
        }
    }
    return false;
}

static void add_announced(struct phone_search *phone_search)
{
    const struct mdns_services *services = &phone_search->browse.services;

    browse_stop(&phone_search->browse);
    for (size_t i = 0; i < services->count; i++) {
        const struct mdns_service *service = &services->items[i];
        struct discover_address address = {.port = service->port};

        if (service->kind == MDNS_PAIRING || name_probe(phone_search, service))
            continue;
        memcpy(address.host, service->host, sizeof(service->host));
        phone_search->announced[phone_search->count] = service->instance;
        add_address(phone_search, &address);
    }
}

static void merge_probe(struct discover_entries *entries,
                        const struct phone_search *phone_search, size_t i)
{
    const struct probe *probe = &phone_search->probes[i];
    struct discover_entry entry = {.route = probe->usb ? DISCOVER_USB
                                                       : DISCOVER_DIRECT,
                                   .opened = probe->device};

    /* Other services on an emulator's port are ignored. */
    if (probe->console && !probe->device && !probe->taken &&
        probe->err.code != ERR_UNAUTHORIZED)
        return;
    name_phone(phone_search, probe, entry.serial);
    if (phone_search->announced[i])
        snprintf(entry.announced, sizeof(entry.announced), "%s",
                 phone_search->announced[i]);
    describe(probe, &entry);
    merge(entries, &entry);
}

bool discover_list(const struct discover *discover, struct deadline by,
                   struct discover_entries *entries, struct err *err)
{
    struct phone_search *phone_search = phone_search_open(discover, by);
    struct discover_entries found = {0};
    struct server_device_list devices = {0};

    browse_start(&phone_search->browse, discover->mdns, by);
    add_usb(phone_search);
    add_known(phone_search);
    add_emulators(phone_search);
    if (!discover->server)
        err_set(&found.server, ERR_UNREACHABLE, "no adb server is used");
    else if (server_client_list(discover->server, by, &devices, &found.server))
        found.server = (struct err)ERR_INIT;
    add_announced(phone_search);
    for (size_t i = 0; i < phone_search->count; i++) {
        probe_stop(&phone_search->probes[i]);
        merge_probe(&found, phone_search, i);
    }
    merge_server(&found, &devices);
    server_device_list_release(&devices);
    phone_search_close(phone_search);
    if (cancel_fired(discover->cancel)) {
        discover_entries_release(&found);
        return err_set(err, ERR_CANCELLED, "interrupted");
    }
    if (!discover->keep_open)
        close_all(&found);
    *entries = found;
    return true;
}
