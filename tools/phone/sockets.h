/*
 * The phone's own sockets: what listens inside of it, under the names that
 * forwards have for them:
 *
 *   tcp:PORT, tcp:HOST:PORT      HOST can be nothing but the phone itself
 *   localabstract:NAME
 *   localreserved:NAME, local:NAME
 *   localfilesystem:PATH
 *
 * No name here leads to a socket of the computer. Whoever connects lends its
 * thread to what listens. Safe from any thread.
 */
#ifndef PHONE_SOCKETS_H
#define PHONE_SOCKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/stream.h"

/* As many may listen at once. */
#define SOCKETS_MAX 64

#define SOCKETS_NAME_MAX 128

/* What listens. Functions that are NULL have nothing to do. */
struct socket_service {
    /* Serve one connection; it is closed when this returns. */
    void (*serve)(void *context, struct stream *stream);
    /* Nobody will call serve again. */
    void (*release)(void *context);
    void *context;
};

struct sockets {
    pthread_mutex_t lock; /* guards all below */
    struct socket *first; /* owned */
    size_t count;
    uint16_t next_port;
};

/* The phone's programs that always listen: those of sockets.c. */
void sockets_init(struct sockets *sockets);

/* Nobody is connected any more. */
void sockets_release(struct sockets *sockets);

/*
 * Listen on spec. *port (may be NULL) is the port that was picked for
 * "tcp:0", and 0 otherwise. Fails with ERR_INVALID when spec is no name,
 * ERR_REFUSED when it is taken, ERR_LIMIT when too many listen; service is
 * released then, too.
 */
MUST_USE bool sockets_listen(struct sockets *sockets, const char *spec,
                             struct socket_service service, uint16_t *port,
                             struct err *err);

/* Let nobody connect any more; who is connected stays. False: not there. */
bool sockets_unlisten(struct sockets *sockets, const char *spec);

/*
 * Connect stream to what listens on spec. Blocks until that has served it.
 * Fails with ERR_REFUSED when nothing listens there.
 */
MUST_USE bool sockets_connect(struct sockets *sockets, const char *spec,
                              struct stream *stream, struct err *err);

/* The one name of what spec means. False: it means nothing here. */
MUST_USE bool sockets_name(const char *spec, char name[SOCKETS_NAME_MAX]);

#endif
