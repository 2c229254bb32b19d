/*
 * Forwards: hosts connect to sockets inside the phone through services with the
 * sockets' names: "tcp:7", "localabstract:echo".
 */
#ifndef TOOLS_PHONE_ADBD_FORWARD_SERVER_H
#define TOOLS_PHONE_ADBD_FORWARD_SERVER_H

#include "adb/daemon/daemon.h"
#include "tools/phone/system/sockets.h"

/* The kinds of socket names, each a separate service. */
#define FORWARD_KINDS 5

struct forward_server {
    struct forward_kind {
        struct phone_sockets *sockets; /* borrowed */
        const char *prefix;
    } kinds[FORWARD_KINDS];
};

void forward_server_init(struct forward_server *server,
                         struct phone_sockets *sockets);

/* False for a socket on which nothing listens. context is the server. */
bool forward_server_offers(void *context, const char *service);

/* Fill in its services; server must not move. */
void forward_server_services(struct forward_server *server,
                             struct daemon_service services[FORWARD_KINDS]);

#endif
