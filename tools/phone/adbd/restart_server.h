/*
 * The services that restart the phone or its adbd, answered as a retail phone
 * does: it reboots and switches between USB and TCP, but never becomes root.
 *
 *   reboot:[WHAT]  root:  unroot:  remount:  tcpip:PORT  usb:
 */
#ifndef TOOLS_PHONE_ADBD_RESTART_SERVER_H
#define TOOLS_PHONE_ADBD_RESTART_SERVER_H

#include "adb/daemon/daemon.h"

enum restart_kind {
    RESTART_ADBD,  /* close all connections */
    RESTART_PHONE, /* the same, and reboot the phone */
};

/* Request it without waiting, because the caller serves a host's stream. */
typedef void restart_fn(void *context, enum restart_kind kind);

#define RESTART_SERVICES 6

struct restart_server {
    restart_fn *restart;
    void *context;
};

/* Fill in its services; server must not move. */
void restart_server_services(struct restart_server *server,
                             struct daemon_service services[RESTART_SERVICES]);

#endif
