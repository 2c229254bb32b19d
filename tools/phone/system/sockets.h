/*
 * The phone's sockets: listeners inside of it, by the names that forwards use:
 *
 *   tcp:PORT, tcp:HOST:PORT      HOST must be the phone itself
 *   localabstract:NAME
 *   localreserved:NAME, local:NAME
 *   localfilesystem:PATH
 *
 * No name leads to a socket of the computer. A listener runs in the thread that
 * connects. Safe from any thread.
 */
#ifndef TOOLS_PHONE_SYSTEM_SOCKETS_H
#define TOOLS_PHONE_SYSTEM_SOCKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/connection/stream.h"

/* Limit of listeners. */
#define SOCKETS_MAX 64

#define SOCKETS_NAME_MAX 128

/* A listener. Functions may be NULL. */
struct socket_service {
    /* Serve one connection; it is closed when this returns. */
    void (*serve)(void *context, struct stream *stream);
    /* Called when serve will not be called again. */
    void (*release)(void *context);
    void *context;
};

struct phone_sockets {
    pthread_mutex_t lock; /* guards everything below */
    struct socket *first; /* owned */
    size_t count;
    uint16_t next_port;
};

/* Add the services that always listen, from sockets.c. */
void sockets_init(struct phone_sockets *sockets);

/* Call it when nothing is connected any more. */
void sockets_release(struct phone_sockets *sockets);

/*
 * Listen on spec. *port (may be NULL) is the port that was chosen for "tcp:0",
 * otherwise 0. Fails with ERR_INVALID if spec is no name, ERR_REFUSED if it is
 * in use, ERR_LIMIT when there are too many. On failure service is released,
 * too.
 */
MUST_USE bool sockets_listen(struct phone_sockets *sockets, const char *spec,
                             struct socket_service service, uint16_t *port,
                             struct err *err);

/* Stop listening; open connections stay. False if it is not listening. */
bool sockets_unlisten(struct phone_sockets *sockets, const char *spec);

/*
 * Connect stream to the listener of spec. Blocks until it has served it. Fails
 * with ERR_REFUSED if there is none.
 */
MUST_USE bool sockets_connect(struct phone_sockets *sockets, const char *spec,
                              struct stream *stream, struct err *err);

/* Does anything listen on spec? */
bool sockets_has_listener(struct phone_sockets *sockets, const char *spec);

/* The canonical name of spec. False if it is invalid here. */
MUST_USE bool sockets_name(const char *spec, char name[SOCKETS_NAME_MAX]);

#endif
