/*
 * Forwards: hosts reach what listens inside the phone, by the services that
 * are the sockets' names: "tcp:7", "localabstract:echo".
 */
#ifndef PHONE_FORWARD_SERVER_H
#define PHONE_FORWARD_SERVER_H

#include "adb/daemon.h"
#include "tools/phone/sockets.h"

/* The kinds of names, each a service of its own. */
#define FORWARD_KINDS 5

struct forward_server {
    struct forward_kind {
        struct sockets *sockets; /* borrowed */
        const char *prefix;
    } kinds[FORWARD_KINDS];
};

void forward_server_init(struct forward_server *server,
                         struct sockets *sockets);

/* Write down its services; server must stay where it is. */
void forward_server_services(struct forward_server *server,
                             struct daemon_service services[FORWARD_KINDS]);

#endif
