#include "tools/phone/forward_server.h"

#include <stdio.h>

static void serve(void *context, const char *argument, struct stream *stream,
                  struct conn *conn)
{
    const struct forward_kind *kind = context;
    char spec[2 * SOCKETS_NAME_MAX];
    struct err err; /* the stream just ends where nothing listens */

    (void)conn;
    snprintf(spec, sizeof(spec), "%s%s", kind->prefix, argument);
    (void)!sockets_connect(kind->sockets, spec, stream, &err);
}

void forward_server_init(struct forward_server *server, struct sockets *sockets)
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
        services[i] = (struct daemon_service){server->kinds[i].prefix, false,
                                              serve, &server->kinds[i]};
}
