#include "tools/phone/adbd/restart_server.h"

#include <stdio.h>
#include <string.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"

#define SAY_MS 10000

/* Send the message, and wait until the connection is closed by either side. */
static void say(struct stream *stream, const char *text)
{
    struct err err;

    (void)!stream_write(stream, text, strlen(text), deadline_in_ms(SAY_MS),
                        &err);
}

static void await_end(struct stream *stream)
{
    struct err err;
    size_t got;
    char byte;

    while (stream_read(stream, &byte, 1, DEADLINE_NEVER, &got, &err) && got)
        continue;
}

static void serve_reboot(void *context, const char *argument,
                         struct stream *stream, struct conn *conn)
{
    struct restart_server *server = context;

    (void)argument, (void)conn;
    server->restart(server->context, RESTART_PHONE);
    await_end(stream);
}

static void serve_root(void *context, const char *argument,
                       struct stream *stream, struct conn *conn)
{
    (void)context, (void)argument, (void)conn;
    say(stream, "adbd cannot run as root in production builds\n");
}

static void serve_unroot(void *context, const char *argument,
                         struct stream *stream, struct conn *conn)
{
    (void)context, (void)argument, (void)conn;
    say(stream, "adbd not running as root\n");
}

static void serve_remount(void *context, const char *argument,
                          struct stream *stream, struct conn *conn)
{
    (void)context, (void)argument, (void)conn;
    say(stream, "Not running as root. Try \"adb root\" first.\n");
}

static void serve_tcpip(void *context, const char *argument,
                        struct stream *stream, struct conn *conn)
{
    struct restart_server *server = context;
    char text[64];
    uint16_t port;

    (void)conn;
    if (!tcp_parse_port(argument, &port)) {
        say(stream, "invalid port\n");
        return;
    }
    snprintf(text, sizeof(text), "restarting in TCP mode port: %u\n",
             (unsigned)port);
    say(stream, text);
    server->restart(server->context, RESTART_ADBD);
}

static void serve_usb(void *context, const char *argument,
                      struct stream *stream, struct conn *conn)
{
    struct restart_server *server = context;

    (void)argument, (void)conn;
    say(stream, "restarting in USB mode\n");
    server->restart(server->context, RESTART_ADBD);
}

void restart_server_services(struct restart_server *server,
                             struct daemon_service services[RESTART_SERVICES])
{
    const struct daemon_service all[RESTART_SERVICES] = {
        {"reboot:", false, serve_reboot, server},
        {"root:", true, serve_root, server},
        {"unroot:", true, serve_unroot, server},
        {"remount:", false, serve_remount, server},
        {"tcpip:", false, serve_tcpip, server},
        {"usb:", true, serve_usb, server},
    };

    memcpy(services, all, sizeof(all));
}
