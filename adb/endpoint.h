/*
 * One end of a forward on this computer, as users and devices write it:
 *
 *   tcp:PORT                 this computer's loopback; listening on 0: any
 *   tcp:HOST:PORT            another computer, to connect to only
 *   localabstract:NAME       a Unix socket in the abstract name space
 *   localfilesystem:PATH     a Unix socket with a path
 *
 * Nothing here ever listens beyond the loopback interface.
 */
#ifndef ADB_ENDPOINT_H
#define ADB_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/tcp.h"
#include "base/buf.h"

enum endpoint_kind {
    ENDPOINT_TCP,
    ENDPOINT_ABSTRACT,
    ENDPOINT_FILESYSTEM,
};

/* What struct sockaddr_un holds, a NUL included. */
#define ENDPOINT_NAME_MAX 108

struct endpoint {
    enum endpoint_kind kind;
    char host[TCP_HOST_MAX];      /* TCP */
    uint16_t port;                /* TCP; 0: any that is free */
    char name[ENDPOINT_NAME_MAX]; /* the others: name or path */
};

/* Fails with ERR_INVALID and a message that shows the forms. */
MUST_USE bool endpoint_parse(const char *text, struct endpoint *endpoint,
                             struct err *err);

/* Append it in the form that endpoint_parse takes. */
void endpoint_format(const struct endpoint *endpoint, struct buf *text);

/*
 * Listen there. The port that was picked replaces a 0 in endpoint. A socket
 * file that nobody listens on any more is replaced.
 * Fails with ERR_INVALID when that would be beyond the loopback interface.
 */
MUST_USE bool endpoint_listen(struct endpoint *endpoint, int *listener,
                              struct err *err);

/* Stop listening; the file of a localfilesystem socket goes with it. */
void endpoint_unlisten(const struct endpoint *endpoint, int listener);

/* Connect to it; fd does not block. Fails with ERR_UNREACHABLE. */
MUST_USE bool endpoint_connect(const struct endpoint *endpoint,
                               const struct cancel *cancel, struct deadline by,
                               int *fd, struct err *err);

#endif
