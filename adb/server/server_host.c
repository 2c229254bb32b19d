#include <stdio.h>
#include <string.h>

#include "adb/connection/conn.h"
#include "adb/device/status_reply.h"
#include "adb/server/server_private.h"
#include "adb/transport/tcp.h"
#include "base/bytes.h"

/* How often clients that wait for a change of state look. */
#define TRACK_MS 250
#define WAIT_MS 50

/* The features that AOSP's server adds to those of its connections. */
#define SERVER_FEATURES ",push_sync"

/*
 * Features of a phone that clients must not use: their services contain NUL
 * bytes, and "exec:cmd" does the same.
 */
#define HIDDEN_FEATURES                                                        \
    (FEATURE_BIT(FEATURE_ABB) | FEATURE_BIT(FEATURE_ABB_EXEC))

/* One request: argument is what follows the name. */
typedef void host_fn(struct adb_client *client,
                     const struct server_target *target, const char *argument);

/* The client may have left: then there is no one to answer. */
static void send_text(struct adb_client *client, const char *text)
{
    (void)!adb_client_okay_block(client, text);
}

static void send_failure(struct adb_client *client, const char *why)
{
    (void)!adb_client_fail(client, why);
}

/* The phone that a command is about; NULL: the client was sent the reason. */
static const struct adb_server_phone *find_phone(
    struct adb_client *client, const struct server_target *target,
    bool any_state)
{
    const struct adb_server_phone *phone = client->phone;
    char why[SERVER_WHY_MAX];

    if (!phone || target->scope != SERVER_SCOPE_ANY)
        phone = server_phones_find(client->server, target, any_state, why);
    if (!phone)
        send_failure(client, why);
    return phone;
}

/* ---- about the server ---- */

static void answer_version(struct adb_client *client,
                           const struct server_target *target,
                           const char *argument)
{
    char text[STATUS_REPLY_DIGITS + 1];

    (void)target, (void)argument;
    snprintf(text, sizeof(text), "%04x", ADB_SERVER_PROTOCOL);
    send_text(client, text);
}

/* The client believes that the server ends, but it continues. */
static void answer_kill(struct adb_client *client,
                        const struct server_target *target,
                        const char *argument)
{
    (void)target, (void)argument;
    (void)!adb_client_okay(client);
}

static void answer_host_features(struct adb_client *client,
                                 const struct server_target *target,
                                 const char *argument)
{
    struct buf text = BUF_INIT(1024);

    (void)target, (void)argument;
    server_phones_features(conn_host_features, &text);
    buf_text(&text, SERVER_FEATURES);
    send_text(client, buf_cstr(&text));
    buf_release(&text);
}

/* A field of Protocol Buffers that holds a text of less than 128 bytes. */
static void append_field(struct buf *message, unsigned number, const char *text)
{
    buf_byte(message, (char)(number << 3 | 2));
    buf_byte(message, (char)strlen(text));
    buf_text(message, text);
}

/* AdbServerStatus of AOSP's adb_host.proto: version, build and system. */
static void answer_server_status(struct adb_client *client,
                                 const struct server_target *target,
                                 const char *argument)
{
    struct buf status = BUF_INIT(1024);

    (void)target, (void)argument;
    append_field(&status, 5, "1.0.41");
    append_field(&status, 6, "proctor");
    append_field(&status, 9, "Linux");
    send_text(client, buf_cstr(&status));
    buf_release(&status);
}

/* ---- lists ---- */

static void list_phones(struct adb_client *client, bool with_details)
{
    struct buf text = BUF_INIT(STATUS_REPLY_BLOCK_MAX);

    server_phones_list(client->server, with_details, &text);
    send_text(client, buf_cstr(&text));
    buf_release(&text);
}

static void answer_devices(struct adb_client *client,
                           const struct server_target *target,
                           const char *argument)
{
    (void)target, (void)argument;
    list_phones(client, false);
}

static void answer_devices_l(struct adb_client *client,
                             const struct server_target *target,
                             const char *argument)
{
    (void)target, (void)argument;
    list_phones(client, true);
}

/* Send the list now, and again after each change, until the client leaves. */
static void track_phones(struct adb_client *client, bool with_details)
{
    struct buf sent = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    struct buf now = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    bool here = adb_client_okay(client);
    bool first = true;

    while (here) {
        buf_clear(&now);
        server_phones_list(client->server, with_details, &now);
        if (first || strcmp(buf_cstr(&sent), buf_cstr(&now)) != 0) {
            struct buf old = sent;

            here = adb_client_block(client, buf_cstr(&now));
            sent = now;
            now = old;
            first = false;
        }
        here = here && adb_client_wait(client, TRACK_MS);
    }
    buf_release(&sent);
    buf_release(&now);
}

static void answer_track(struct adb_client *client,
                         const struct server_target *target,
                         const char *argument)
{
    (void)target, (void)argument;
    track_phones(client, false);
}

static void answer_track_l(struct adb_client *client,
                           const struct server_target *target,
                           const char *argument)
{
    (void)target, (void)argument;
    track_phones(client, true);
}

/* ---- about a phone ---- */

static void answer_features(struct adb_client *client,
                            const struct server_target *target,
                            const char *argument)
{
    const struct adb_server_phone *phone = find_phone(client, target, false);
    struct buf text = BUF_INIT(1024);

    (void)argument;
    if (!phone)
        return;
    server_phones_features(phone->banner.features & ~HIDDEN_FEATURES, &text);
    send_text(client, buf_cstr(&text));
    buf_release(&text);
}

static void answer_state(struct adb_client *client,
                         const struct server_target *target,
                         const char *argument)
{
    const struct adb_server_phone *phone = find_phone(client, target, true);

    (void)argument;
    if (phone)
        send_text(client, server_phones_state(phone));
}

static void answer_serialno(struct adb_client *client,
                            const struct server_target *target,
                            const char *argument)
{
    const struct adb_server_phone *phone = find_phone(client, target, true);

    (void)argument;
    if (phone)
        send_text(client, phone->serial);
}

static void answer_devpath(struct adb_client *client,
                           const struct server_target *target,
                           const char *argument)
{
    const struct adb_server_phone *phone = find_phone(client, target, true);

    (void)argument;
    if (phone)
        send_text(client, phone->devpath ? phone->devpath : "unknown");
}

/* ---- connections, which stay as they are ---- */

static void answer_reconnect(struct adb_client *client,
                             const struct server_target *target,
                             const char *argument)
{
    const struct adb_server_phone *phone = find_phone(client, target, true);
    char text[SERVER_WHY_MAX];

    (void)argument;
    if (!phone)
        return;
    snprintf(text, sizeof(text), "reconnecting %.200s [%s]\n", phone->serial,
             server_phones_state(phone));
    send_text(client, text);
}

static void answer_reconnect_offline(struct adb_client *client,
                                     const struct server_target *target,
                                     const char *argument)
{
    const struct adb_server_options *options = &client->server->options;
    struct buf text = BUF_INIT(STATUS_REPLY_BLOCK_MAX);

    (void)target, (void)argument;
    for (size_t i = 0; i < options->phone_count; i++) {
        const struct adb_server_phone *phone = &options->phones[i];

        if (phone->ops->is_lost(phone->context))
            buf_printf(&text, "%sreconnecting %s", text.length ? "\n" : "",
                       phone->serial);
    }
    send_text(client, buf_cstr(&text));
    buf_release(&text);
}

static void answer_connect(struct adb_client *client,
                           const struct server_target *target,
                           const char *argument)
{
    struct server_target named = {.scope = SERVER_SCOPE_SERIAL};
    char address[TCP_ADDRESS_MAX];
    char host[TCP_HOST_MAX];
    char why[SERVER_WHY_MAX];
    char text[TCP_ADDRESS_MAX + 64];
    struct err err = ERR_INIT;
    uint16_t port;

    (void)target;
    if (!tcp_parse_address(argument, TCP_DEFAULT_PORT, host, &port, &err)) {
        snprintf(text, sizeof(text), "failed to connect to '%.200s': %s",
                 argument, "bad address");
        send_text(client, text);
        return;
    }
    tcp_format_address(host, port, address);
    snprintf(named.serial, sizeof(named.serial), "%.250s", address);
    if (server_phones_find(client->server, &named, true, why))
        snprintf(text, sizeof(text), "already connected to %s", address);
    else
        snprintf(text, sizeof(text),
                 "failed to connect to '%s': Connection refused", address);
    send_text(client, text);
}

static void answer_disconnect(struct adb_client *client,
                              const struct server_target *target,
                              const char *argument)
{
    struct server_target named = {.scope = SERVER_SCOPE_SERIAL};
    char why[SERVER_WHY_MAX];
    char text[SERVER_WHY_MAX];

    (void)target;
    if (!*argument) {
        send_text(client, "disconnected everything");
        return;
    }
    snprintf(named.serial, sizeof(named.serial), "%s", argument);
    if (server_phones_find(client->server, &named, true, why)) {
        snprintf(text, sizeof(text), "disconnected %s", named.serial);
        send_text(client, text);
    } else {
        snprintf(text, sizeof(text), "no such device '%s'", named.serial);
        send_failure(client, text);
    }
}

static void answer_pair(struct adb_client *client,
                        const struct server_target *target,
                        const char *argument)
{
    (void)target, (void)argument;
    send_text(client, "Failed: Unable to start pairing client.");
}

static void answer_mdns_check(struct adb_client *client,
                              const struct server_target *target,
                              const char *argument)
{
    (void)target, (void)argument;
    send_text(client, "ERROR: mdns daemon unavailable");
}

static void answer_mdns_services(struct adb_client *client,
                                 const struct server_target *target,
                                 const char *argument)
{
    (void)target, (void)argument;
    send_text(client, "");
}

static void answer_attach(struct adb_client *client,
                          const struct server_target *target,
                          const char *argument)
{
    (void)argument;
    if (find_phone(client, target, true))
        send_failure(client, "transport type doesn't support attach");
}

static void answer_detach(struct adb_client *client,
                          const struct server_target *target,
                          const char *argument)
{
    (void)argument;
    if (find_phone(client, target, true))
        send_failure(client, "transport type doesn't support detach");
}

/* AOSP connects to an emulator and answers nothing. */
static void answer_emulator(struct adb_client *client,
                            const struct server_target *target,
                            const char *argument)
{
    (void)client, (void)target, (void)argument;
}

static const struct {
    const char *name;
    bool with_argument; /* name is the start of the command */
    host_fn *answer;
} commands[] = {
    {"version", false, answer_version},
    {"kill", false, answer_kill},
    {"devices", false, answer_devices},
    {"devices-l", false, answer_devices_l},
    {"track-devices", false, answer_track},
    {"track-devices-l", false, answer_track_l},
    {"features", false, answer_features},
    {"host-features", false, answer_host_features},
    {"get-state", false, answer_state},
    {"get-serialno", false, answer_serialno},
    {"get-devpath", false, answer_devpath},
    {"reconnect", false, answer_reconnect},
    {"reconnect-offline", false, answer_reconnect_offline},
    {"connect:", true, answer_connect},
    {"disconnect:", true, answer_disconnect},
    {"pair:", true, answer_pair},
    {"mdns:check", false, answer_mdns_check},
    {"mdns:services", false, answer_mdns_services},
    {"attach", false, answer_attach},
    {"detach", false, answer_detach},
    {"server-status", false, answer_server_status},
    {"emulator:", true, answer_emulator},
};

static bool answer_command(struct adb_client *client,
                           const struct server_request *request)
{
    const char *command = request->command;

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        size_t length = strlen(commands[i].name);

        if (strncmp(command, commands[i].name, length) != 0 ||
            (!commands[i].with_argument && command[length]))
            continue;
        commands[i].answer(client, &request->target, command + length);
        return true;
    }
    return false;
}

/* ---- the rest ---- */

/* OKAY, and the transport id where it was asked for. */
static bool select_phone(struct adb_client *client,
                         const struct server_target *target, bool with_id)
{
    char reply[4 + sizeof(uint64_t)] = {'O', 'K', 'A', 'Y'};
    char why[SERVER_WHY_MAX];
    const struct adb_server_phone *phone =
        server_phones_find(client->server, target, false, why);

    if (!phone) {
        send_failure(client, why);
        return false;
    }
    client->phone = phone;
    put_u64le((uint8_t *)reply + 4, server_phones_id(client->server, phone));
    return adb_client_send(client, reply, with_id ? sizeof(reply) : 4);
}

static bool is_reached(const struct adb_server *server,
                       const struct server_target *target,
                       enum server_wait wait)
{
    size_t online = server_phones_count(server, target, false);
    size_t offline = server_phones_count(server, target, true);

    switch (wait) {
    case SERVER_WAIT_DEVICE:
        return online;
    case SERVER_WAIT_DISCONNECT:
        return !online;
    case SERVER_WAIT_ANY:
        return online + offline;
    case SERVER_WAIT_OTHER:
        return false;
    }
    return false;
}

/* The first OKAY accepts the request, the second one ends the wait. */
static void wait_for(struct adb_client *client,
                     const struct server_target *target, enum server_wait wait)
{
    bool here = adb_client_okay(client);

    while (here && !is_reached(client->server, target, wait))
        here = adb_client_wait(client, WAIT_MS);
    if (here)
        (void)!adb_client_okay(client);
}

static void answer_forward(struct adb_client *client,
                           const struct server_request *request)
{
    const struct adb_server_phone *phone = client->phone;
    char why[SERVER_WHY_MAX] = "";

    if (!phone || request->target.scope != SERVER_SCOPE_ANY)
        phone = server_phones_find(client->server, &request->target, true, why);
    server_forward_answer(client, request->command, phone, why);
}

bool server_host_answer(struct adb_client *client,
                        const struct server_request *request)
{
    struct server_target target = request->target;
    enum server_wait wait;
    bool with_id;

    if (server_request_parse_transport(request->command, &target, &with_id))
        return select_phone(client, &target, with_id);
    if (server_request_parse_wait(request->command, &target, &wait))
        wait_for(client, &target, wait);
    else if (server_forward_is_command(request->command))
        answer_forward(client, request);
    else if (!answer_command(client, request))
        send_failure(client, "unknown host service");
    return false;
}
