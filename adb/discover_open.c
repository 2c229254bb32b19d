/* From what somebody calls a phone to the phone. */
#include "adb/discover.h"

#include <stdio.h>
#include <string.h>

/* How long a list may take before a choice is made or an error is worded. */
#define LIST_MS 2000

/* How long an address may be silent before the server is asked instead. */
#define DIRECT_MS 5000

/* How much of a list an error has room for, beside its own words. */
#define LISTED_MAX 140

/* Fail with what is missing, and what there is instead. */
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
        return err_set(err, ERR_UNREACHABLE, "no adb server was asked");
    return device_open_server(discover->server, serial, by, device, err);
}

static void tell_detour(const struct discover *discover, const struct err *why)
{
    struct buf line = BUF_INIT(sizeof(why->text) + 40);

    buf_printf(&line, "%s: using it through the adb server", why->text);
    if (discover->tell)
        discover->tell(discover->tell_context, buf_cstr(&line));
    buf_release(&line);
}

/* A phone that we cannot have is used through the server that has it. */
static bool open_usb(const struct discover *discover, const char *name,
                     struct deadline by, struct device **device,
                     struct err *err)
{
    const struct device_options options = options_of(discover);
    struct err at_server;

    if (!discover->usb)
        return err_set(err, ERR_NOT_FOUND, "USB was not looked at");
    if (device_open_usb(name, &options, by, device, err))
        return true;
    if ((err->code != ERR_BUSY && err->code != ERR_DENIED) ||
        !open_at_server(discover, name, by, device, &at_server))
        return false;
    tell_detour(discover, err);
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

static bool open_entry(const struct discover *discover,
                       const struct discover_entry *entry, struct deadline by,
                       struct device **device, struct err *err)
{
    struct discover_address address;

    if (entry->route == DISCOVER_USB)
        return open_named(discover, entry->serial, by, device, err);
    if (entry->route == DISCOVER_DIRECT &&
        discover_parse_serial(entry->serial, NULL, &address))
        return open_address(discover, &address, by, device, err);
    return open_at_server(discover, entry->serial, by, device, err);
}

/* Nothing is there, or the server that would know does not say. */
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
    err_wrap(err, "no device found, and the adb server is ill");
}

/* The only phone there is, on a cable, has an owner who can be asked. */
static bool can_be_asked(const struct discover_entries *entries)
{
    const struct discover_entry *only = entries->items;

    return entries->count == 1 && only->route == DISCOVER_USB &&
           !strcmp(only->state, "unauthorized");
}

/* The one that can be used; NULL and err when it is not exactly one. */
static const struct discover_entry *choose(
    const struct discover_entries *entries, struct err *err)
{
    const struct discover_entry *choice = NULL;
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

/* The network takes a moment to answer: it is asked only when it has to be. */
static bool list_candidates(const struct discover *discover, struct deadline by,
                            struct discover_entries *entries, struct err *err)
{
    struct discover nearby = *discover;

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
    return discover_list(discover, deadline_sooner(by, deadline_in_ms(LIST_MS)),
                         entries, err);
}

static bool open_only(const struct discover *discover, struct deadline by,
                      struct device **device, struct err *err)
{
    const struct discover_entry *choice;
    struct discover_entries entries;
    bool opened;

    if (!list_candidates(discover, by, &entries, err))
        return false;
    choice = choose(&entries, err);
    opened = choice && open_entry(discover, choice, by, device, err);
    discover_entries_release(&entries);
    return opened;
}

bool discover_open(const struct discover *discover, const char *serial,
                   struct deadline by, struct device **device, struct err *err)
{
    struct discover_address address;

    if (!serial || !*serial)
        return open_only(discover, by, device, err);
    if (discover_parse_serial(serial, discover->known, &address))
        return open_direct(discover, serial, &address, by, device, err);
    return open_named(discover, serial, by, device, err);
}
