/*
 * Reverse forwards: a host makes the phone listen on one of the phone's
 * sockets; a connection to it inside the phone is forwarded to the host.
 *
 *   reverse:forward:[norebind:]REMOTE;LOCAL      OKAY, and a port for tcp:0
 *   reverse:killforward:REMOTE                   OKAY
 *   reverse:killforward-all                      OKAY
 *   reverse:list-forward                         a block of lines
 */
#ifndef TOOLS_PHONE_ADBD_REVERSE_SERVER_H
#define TOOLS_PHONE_ADBD_REVERSE_SERVER_H

#include <pthread.h>

#include "adb/connection/conn.h"
#include "tools/phone/system/sockets.h"

struct reverse_server {
    struct phone_sockets *sockets; /* borrowed */
    pthread_mutex_t lock;          /* guards everything below */
    pthread_cond_t changed;
    struct reverse_forward *first; /* owned by their listeners */
    unsigned hosts;                /* number of hosts so far */
};

void reverse_server_init(struct reverse_server *server,
                         struct phone_sockets *sockets);

/* All hosts must have disconnected. */
void reverse_server_release(struct reverse_server *server);

/* A daemon_serve_fn for "reverse:", whose context is the server. */
void reverse_server_serve(void *context, const char *argument,
                          struct stream *stream, struct conn *conn);

/* A daemon_left_fn: removes the forwards of the host. */
void reverse_server_left(void *context, struct conn *conn);

#endif
