#include "tools/phone/adbd/forward_server.h"

#include <stdio.h>
#include <string.h>

bool forward_server_offers(void *context, const char *service)
{
    const struct forward_server *server = context;

    for (size_t i = 0; i < FORWARD_KINDS; i++) {
        const struct forward_kind *kind = &server->kinds[i];

        if (!strncmp(service, kind->prefix, strlen(kind->prefix)))
            return sockets_has_listener(kind->sockets, service);
    }
    return true;
}

static void forward_server_serve(void *context, const char *argument,
                                 struct stream *stream, struct conn *conn)
{
    const struct forward_kind *kind = context;
    char spec[2 * SOCKETS_NAME_MAX];
    struct err err; /* if the listener has gone, the stream just ends */

    (void)conn;
    snprintf(spec, sizeof(spec), "%s%s", kind->prefix, argument);
    (void)!sockets_connect(kind->sockets, spec, stream, &err);
}

void forward_server_init(struct forward_server *server,
                         struct phone_sockets *sockets)
{
    static const char *const prefixes[FORWARD_KINDS] = {
        "tcp:",   "localabstract:", "localreserved:", "localfilesystem:",
        "local:",
    };

    for (size_t i = 0; i < FORWARD_KINDS; i++)
        server->kinds[i] = (struct forward_kind){sockets, prefixes[i]};
}

void forward_server_services(struct forward_server *server,
                             struct daemon_service services[FORWARD_KINDS])
{
    for (size_t i = 0; i < FORWARD_KINDS; i++)
        services[i] =
            (struct daemon_service){server->kinds[i].prefix, false,
                                    forward_server_serve, &server->kinds[i]};
}
