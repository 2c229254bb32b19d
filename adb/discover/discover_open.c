/* Opens a phone by its serial. */
#include "adb/discover/discover.h"

#include <stdio.h>
#include <string.h>

/*
 * How long a search may take before a phone is chosen or an error is reported.
 */
#define LIST_MS 4000

/* How long an address may be silent before the server is used instead. */
#define DIRECT_MS 5000

/* How much of a list fits into an error, besides the rest of the text. */
#define LISTED_MAX 140

/* Fail with a message and the list of available phones. */
static bool fail_listing(const struct discover_entries *entries,
                         enum err_code code, const char *missing,
                         struct err *err)
{
    struct buf text = BUF_INIT(LISTED_MAX);

    for (size_t i = 0; i < entries->count; i++)
        buf_printf(&text, "%s%s (%s)", i ? ", " : "", entries->items[i].serial,
                   entries->items[i].state);
    err_set(err, code, "%.100s: %s%s", missing, buf_cstr(&text),
            text.overflow ? ", ..." : "");
    buf_release(&text);
    return false;
}

static bool fail_unknown(const struct discover *discover, const char *serial,
                         struct deadline by, struct err *err)
{
    struct discover_entries entries;
    char missing[100];

    by = deadline_sooner(by, deadline_in_ms(LIST_MS));
    if (!discover_list(discover, by, &entries, err))
        return false;
    if (entries.count) {
        snprintf(missing, sizeof(missing), "no device \"%.70s\"; there are",
                 serial);
        (void)fail_listing(&entries, ERR_NOT_FOUND, missing, err);
    } else {
        err_set(err, ERR_NOT_FOUND,
                "no device \"%.80s\", nor any other: plug in a phone that has "
                "USB debugging on, start an emulator, or give HOST:PORT",
                serial);
    }
    discover_entries_release(&entries);
    return false;
}

static struct device_options options_of(const struct discover *discover)
{
    return (struct device_options){.credentials = discover->credentials,
                                   .cancel = discover->cancel,
                                   .log = discover->log};
}

static bool open_address(const struct discover *discover,
                         const struct discover_address *address,
                         struct deadline by, struct device **device,
                         struct err *err)
{
    const struct device_options options = options_of(discover);

    if (address->console)
        return device_open_emulator(address->console, &options, by, device,
                                    err);
    return device_open_tcp(address->host, address->port, &options, by, device,
                           err);
}

static bool open_at_server(const struct discover *discover, const char *serial,
                           struct deadline by, struct device **device,
                           struct err *err)
{
    if (!discover->server)
        return err_set(err, ERR_UNREACHABLE, "no adb server is used");
    return device_open_server(discover->server, serial, by, device, err);
}

static void report_detour(const struct discover *discover,
                          const struct err *why)
{
    struct buf line = BUF_INIT(sizeof(why->text) + 40);

    buf_printf(&line, "%s: using it through the adb server", why->text);
    if (discover->message)
        discover->message(discover->message_context, buf_cstr(&line));
    buf_release(&line);
}

/* A phone that another program holds is used through the adb server. */
static bool open_usb(const struct discover *discover, const char *name,
                     struct deadline by, struct device **device,
                     struct err *err)
{
    const struct device_options options = options_of(discover);
    struct err at_server;

    if (!discover->usb)
        return err_set(err, ERR_NOT_FOUND, "USB was not searched");
    if (device_open_usb(name, &options, by, device, err))
        return true;
    if ((err->code != ERR_BUSY && err->code != ERR_DENIED) ||
        !open_at_server(discover, name, by, device, &at_server))
        return false;
    report_detour(discover, err);
    return true;
}

static bool open_direct(const struct discover *discover, const char *serial,
                        const struct discover_address *address,
                        struct deadline by, struct device **device,
                        struct err *err)
{
    struct deadline soon = deadline_sooner(by, deadline_in_ms(DIRECT_MS));
    char canonical[TCP_ADDRESS_MAX];
    struct err at_server;

    if (open_address(discover, address, discover->server ? soon : by, device,
                     err))
        return true;
    if (err->code == ERR_CANCELLED)
        return false;
    tcp_format_address(address->host, address->port, canonical);
    if (open_at_server(discover, address->console ? serial : canonical, by,
                       device, &at_server))
        return true;
    if (address->console && err->code == ERR_UNREACHABLE)
        return fail_unknown(discover, serial, by, err);
    return false;
}

static bool open_named(const struct discover *discover, const char *serial,
                       struct deadline by, struct device **device,
                       struct err *err)
{
    if (open_usb(discover, serial, by, device, err))
        return true;
    if (err->code != ERR_NOT_FOUND && err->code != ERR_UNSUPPORTED)
        return false;
    if (open_at_server(discover, serial, by, device, err))
        return true;
    if (err->code == ERR_NOT_FOUND || err->code == ERR_UNREACHABLE)
        return fail_unknown(discover, serial, by, err);
    return false;
}

bool discover_open_entry(const struct discover *discover,
                         struct discover_entry *entry, struct deadline by,
                         struct device **device, struct err *err)
{
    if (entry->opened) {
        *device = entry->opened;
        entry->opened = NULL;
        return true;
    }
    if (entry->route == DISCOVER_SERVER)
        return open_at_server(discover, entry->serial, by, device, err);
    return discover_open(discover, entry->serial, by, device, err);
}

/* No phone was found, or the server could not be asked. */
static void fail_empty(const struct discover_entries *entries, struct err *err)
{
    enum err_code server = entries->server.code;

    if (server == ERR_NONE || server == ERR_UNREACHABLE) {
        err_set(err, ERR_NOT_FOUND,
                "no device found: plug in a phone that has USB debugging on, "
                "start an emulator, or connect to a phone by HOST:PORT");
        return;
    }
    *err = entries->server;
    err_wrap(err, "no device found, and the adb server does not work");
}

/* If the only phone is on USB and unauthorized, its owner can be asked. */
static bool can_be_asked(const struct discover_entries *entries)
{
    const struct discover_entry *only = entries->items;

    return entries->count == 1 && only->route == DISCOVER_USB &&
           !strcmp(only->state, "unauthorized");
}

/* The only usable phone; NULL and err when there is not exactly one. */
static struct discover_entry *choose(const struct discover_entries *entries,
                                     struct err *err)
{
    struct discover_entry *choice = NULL;
    size_t usable = 0;

    if (can_be_asked(entries))
        return entries->items;

    for (size_t i = 0; i < entries->count; i++) {
        if (discover_usable(&entries->items[i]) && ++usable == 1)
            choice = &entries->items[i];
    }
    if (usable == 1)
        return choice;
    if (usable > 1)
        (void)fail_listing(entries, ERR_INVALID,
                           "several devices, name one by its serial", err);
    else if (entries->count)
        (void)fail_listing(entries, ERR_NOT_FOUND,
                           "no device can be used; there are", err);
    else
        fail_empty(entries, err);
    return NULL;
}

/* The network takes a moment to answer: it is searched only if necessary. */
static bool list_candidates(const struct discover *discover, struct deadline by,
                            struct discover_entries *entries, struct err *err)
{
    struct discover everywhere = *discover;
    struct discover nearby = *discover;

    everywhere.keep_open = true;
    nearby.keep_open = true;
    nearby.mdns = NULL;
    if (!discover_list(&nearby, deadline_sooner(by, deadline_in_ms(LIST_MS)),
                       entries, err))
        return false;
    for (size_t i = 0; i < entries->count; i++) {
        if (discover_usable(&entries->items[i]))
            return true;
    }
    if (!discover->mdns)
        return true;
    discover_entries_release(entries);
    return discover_list(&everywhere,
                         deadline_sooner(by, deadline_in_ms(LIST_MS)), entries,
                         err);
}

static bool open_only(const struct discover *discover, struct deadline by,
                      struct device **device, struct err *err)
{
    struct discover_entry *choice;
    struct discover_entries entries;
    bool opened;

    if (!list_candidates(discover, by, &entries, err))
        return false;
    choice = choose(&entries, err);
    opened = choice && discover_open_entry(discover, choice, by, device, err);
    discover_entries_release(&entries);
    return opened;
}

bool discover_open(const struct discover *discover, const char *serial,
                   struct deadline by, struct device **device, struct err *err)
{
    struct discover_address address;

    if (!serial || !*serial)
        return open_only(discover, by, device, err);
    if (discover_parse_serial(serial, discover->known_hosts, &address))
        return open_direct(discover, serial, &address, by, device, err);
    return open_named(discover, serial, by, device, err);
}
