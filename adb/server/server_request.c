#include "adb/server/server_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

/* Skip prefix; false: text does not start with it. */
static bool skip(const char **text, const char *prefix)
{
    size_t length = strlen(prefix);

    if (strncmp(*text, prefix, length) != 0)
        return false;
    *text += length;
    return true;
}

static bool set_serial(struct server_target *target, const char *text,
                       size_t length)
{
    if (!length || length >= sizeof(target->serial))
        return false;
    target->scope = SERVER_SCOPE_SERIAL;
    memcpy(target->serial, text, length);
    target->serial[length] = '\0';
    return true;
}

/* A transport id, from 1. *end is what follows. */
static bool parse_id(const char *text, struct server_target *target,
                     const char **end)
{
    char *rest;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    target->id = strtoull(text, &rest, 10);
    target->scope = SERVER_SCOPE_ID;
    *end = rest;
    return !errno && target->id;
}

/*
 * The length of a serial that a ':' and a command follow. A serial may contain
 * colons itself: "HOST:PORT", "[IPV6]:PORT", "tcp:HOST:PORT", "usb:PATH",
 * "model:NAME". 0: there is no command.
 */
static size_t serial_length(const char *text)
{
    static const char *const prefixes[] = {
        "usb:", "product:", "model:", "device:", "tcp:", "udp:"};
    const char *at = text;
    size_t digits;

    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
        if (skip(&at, prefixes[i]))
            break;
    }
    if (*at == '[' && strchr(at, ']'))
        at = strchr(at, ']');
    at = strchr(at, ':');
    if (!at)
        return 0;
    digits = strspn(at + 1, "0123456789");
    if (digits && at[1 + digits] == ':')
        at += 1 + digits;
    return (size_t)(at - text);
}

static bool parse_serial_scope(const char *text, struct server_request *request)
{
    size_t length = serial_length(text);

    request->command = text + length + 1;
    return length && set_serial(&request->target, text, length);
}

static bool parse_id_scope(const char *text, struct server_request *request)
{
    const char *end;

    if (!parse_id(text, &request->target, &end) || *end != ':')
        return false;
    request->command = end + 1;
    return true;
}

struct server_request server_request_parse(const char *text)
{
    struct server_request request = {.kind = SERVER_REQUEST_HOST};
    bool good = true;

    request.command = text;
    if (skip(&request.command, "host:")) {
        request.target.scope = SERVER_SCOPE_ANY;
    } else if (skip(&request.command, "host-usb:")) {
        request.target.scope = SERVER_SCOPE_USB;
    } else if (skip(&request.command, "host-local:")) {
        request.target.scope = SERVER_SCOPE_LOCAL;
    } else if (skip(&text, "host-serial:")) {
        good = parse_serial_scope(text, &request);
    } else if (skip(&text, "host-transport-id:")) {
        good = parse_id_scope(text, &request);
    } else {
        request.kind = SERVER_REQUEST_SERVICE;
    }
    if (!good)
        request = (struct server_request){.kind = SERVER_REQUEST_INVALID,
                                          .command = text};
    return request;
}

/* "usb", "local" or "any". */
static bool parse_kind(const char *text, struct server_target *target)
{
    static const struct {
        const char *name;
        enum server_scope scope;
    } kinds[] = {
        {"usb", SERVER_SCOPE_USB},
        {"local", SERVER_SCOPE_LOCAL},
        {"any", SERVER_SCOPE_ANY},
    };

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!strcmp(text, kinds[i].name)) {
            *target = (struct server_target){.scope = kinds[i].scope};
            return true;
        }
    }
    return false;
}

bool server_request_parse_transport(const char *command,
                                    struct server_target *target, bool *with_id)
{
    struct server_target parsed = {.scope = SERVER_SCOPE_ANY};
    const char *end;
    bool good;

    *with_id = skip(&command, "tport:");
    if (*with_id)
        good = skip(&command, "serial:")
                   ? set_serial(&parsed, command, strlen(command))
                   : parse_kind(command, &parsed);
    else if (skip(&command, "transport:"))
        good = set_serial(&parsed, command, strlen(command));
    else if (skip(&command, "transport-id:"))
        good = parse_id(command, &parsed, &end) && !*end;
    else
        good = skip(&command, "transport-") && parse_kind(command, &parsed);
    if (good)
        *target = parsed;
    return good;
}

static enum server_wait wait_named(const char *state)
{
    if (!strcmp(state, "device"))
        return SERVER_WAIT_DEVICE;
    if (!strcmp(state, "disconnect"))
        return SERVER_WAIT_DISCONNECT;
    return strcmp(state, "any") ? SERVER_WAIT_OTHER : SERVER_WAIT_ANY;
}

bool server_request_parse_wait(const char *command,
                               struct server_target *target,
                               enum server_wait *wait)
{
    static const char *const states[] = {
        "device",   "disconnect", "any",          "recovery",   "rescue",
        "sideload", "offline",    "unauthorized", "bootloader", "host"};
    const char *state;
    char kind[8] = "any";
    size_t length;

    if (!skip(&command, "wait-for-"))
        return false;
    state = strchr(command, '-');
    length = state ? (size_t)(state - command) : 0;
    if (state && length < sizeof(kind)) {
        memcpy(kind, command, length);
        kind[length] = '\0';
    }
    state = state ? state + 1 : command;
    for (size_t i = 0; i < ARRAY_LEN(states); i++) {
        struct server_target named;

        if (strcmp(state, states[i]) != 0)
            continue;
        if (length >= sizeof(kind) || !parse_kind(kind, &named))
            return false;
        if (target->scope == SERVER_SCOPE_ANY)
            *target = named;
        *wait = wait_named(state);
        return true;
    }
    return false;
}
