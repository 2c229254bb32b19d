/*
 * One end of a forward on this computer, as users and devices write it:
 *
 *   tcp:PORT                 loopback; to listen, 0 means any free port
 *   tcp:HOST:PORT            another computer; only to connect
 *   localabstract:NAME       a Unix socket in the abstract name space
 *   localfilesystem:PATH     a Unix socket with a path
 *
 * Listening is possible on the loopback interface only.
 */
#ifndef ADB_SERVICES_LOCAL_ENDPOINT_H
#define ADB_SERVICES_LOCAL_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/transport/tcp.h"
#include "base/buf.h"

enum local_endpoint_kind {
    LOCAL_ENDPOINT_TCP,
    LOCAL_ENDPOINT_ABSTRACT,
    LOCAL_ENDPOINT_FILESYSTEM,
};

/* The size of a path in struct sockaddr_un, including a NUL. */
#define LOCAL_ENDPOINT_NAME_MAX 108

struct local_endpoint {
    enum local_endpoint_kind kind;
    char host[TCP_HOST_MAX];            /* TCP */
    uint16_t port;                      /* TCP; 0: any free port */
    char name[LOCAL_ENDPOINT_NAME_MAX]; /* the others: name or path */
};

/* Fails with ERR_INVALID and a message that lists the forms. */
MUST_USE bool local_endpoint_parse(const char *text,
                                   struct local_endpoint *endpoint,
                                   struct err *err);

/* The inverse of local_endpoint_parse; appended to text. */
void local_endpoint_format(const struct local_endpoint *endpoint,
                           struct buf *text);

/*
 * Listen there. A port 0 in endpoint is replaced by the port that was picked. A
 * stale socket file is replaced. Fails with ERR_INVALID when the endpoint is
 * not on the loopback interface.
 */
MUST_USE bool local_endpoint_listen(struct local_endpoint *endpoint,
                                    int *listener, struct err *err);

/* Stop listening; removes the file of a localfilesystem socket. */
void local_endpoint_unlisten(const struct local_endpoint *endpoint,
                             int listener);

/* Connect to it; fd is non-blocking. Fails with ERR_UNREACHABLE. */
MUST_USE bool local_endpoint_connect(const struct local_endpoint *endpoint,
                                     const struct cancel *cancel,
                                     struct deadline by, int *fd,
                                     struct err *err);

/*
 * Where local endpoints are, if not in this process's network: for example in
 * another network namespace. The functions do what local_endpoint_listen and
 * local_endpoint_connect do; they are called from any thread.
 */
struct local_network {
    bool (*listen)(void *context, struct local_endpoint *endpoint,
                   int *listener, struct err *err);
    bool (*connect)(void *context, const struct local_endpoint *endpoint,
                    struct deadline by, int *fd, struct err *err);
    void *context;
};

/* network may be NULL: this process's. */
MUST_USE bool local_network_listen(const struct local_network *network,
                                   struct local_endpoint *endpoint,
                                   int *listener, struct err *err);
MUST_USE bool local_network_connect(const struct local_network *network,
                                    const struct local_endpoint *endpoint,
                                    struct deadline by, int *fd,
                                    struct err *err);

#endif
