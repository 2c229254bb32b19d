/*
 * The services by which a host wants the phone or its adbd to start anew, as
 * a phone answers them that is sold to people: it reboots, and it changes
 * between USB and TCP, but nobody becomes root.
 *
 *   reboot:[WHAT]  root:  unroot:  remount:  tcpip:PORT  usb:
 */
#ifndef PHONE_RESTART_SERVER_H
#define PHONE_RESTART_SERVER_H

#include "adb/daemon.h"

enum restart_kind {
    RESTART_ADBD,  /* all hosts are hung up on */
    RESTART_PHONE, /* and the phone boots */
};

/* Do it, without waiting for it: the caller is in a host's stream. */
typedef void restart_fn(void *context, enum restart_kind kind);

#define RESTART_SERVICES 6

struct restart_server {
    restart_fn *restart;
    void *context;
};

/* Write down its services; server must stay where it is. */
void restart_server_services(struct restart_server *server,
                             struct daemon_service services[RESTART_SERVICES]);

#endif
