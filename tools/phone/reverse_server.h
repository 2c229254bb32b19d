/*
 * Reverse forwards: hosts let the phone listen on sockets of its own, and
 * whoever connects to one inside the phone reaches the host.
 *
 *   reverse:forward:[norebind:]REMOTE;LOCAL      OKAY, and a port for tcp:0
 *   reverse:killforward:REMOTE                   OKAY
 *   reverse:killforward-all                      OKAY
 *   reverse:list-forward                         a block of lines
 */
#ifndef PHONE_REVERSE_SERVER_H
#define PHONE_REVERSE_SERVER_H

#include <pthread.h>

#include "adb/conn.h"
#include "tools/phone/sockets.h"

struct reverse_server {
    struct sockets *sockets; /* borrowed */
    pthread_mutex_t lock;    /* guards all below */
    pthread_cond_t changed;
    struct reverse_forward *first; /* owned by what listens */
    unsigned hosts;                /* that have ever asked */
};

void reverse_server_init(struct reverse_server *server,
                         struct sockets *sockets);

/* Every host has left. */
void reverse_server_release(struct reverse_server *server);

/* A daemon_serve_fn for "reverse:", whose context is the server. */
void reverse_server_serve(void *context, const char *argument,
                          struct stream *stream, struct conn *conn);

/* A daemon_left_fn: its forwards are gone with the host. */
void reverse_server_left(void *context, struct conn *conn);

#endif
