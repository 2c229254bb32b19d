/*
 * Where runs can be met: each one listens on a Unix socket in a folder of the
 * user's state (~/.local/state/proctor/runs), which only that user can enter.
 *
 * A socket has its final name only while it listens, and its process removes
 * it. That of a process that was killed refuses connections, and is removed by
 * the next process that notices.
 */
#ifndef TOOLS_RUN_SOCKET_RUN_SOCKET_H
#define TOOLS_RUN_SOCKET_RUN_SOCKET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define RUN_SOCKET_NAME_MAX 80

/* A socket that listens. */
struct run_socket {
    int folder; /* owned */
    char name[RUN_SOCKET_NAME_MAX];
};

/*
 * Listen; *fd gets the listening socket, which the caller closes, and *socket
 * its name: the first characters of title, which may be of any kind, and the
 * number of the process. Fails with ERR_UNSUPPORTED without a home folder, and
 * as the system does.
 */
MUST_USE bool run_socket_listen(const char *title, struct run_socket *socket,
                                int *fd, struct err *err);

/* Remove it, so that no one finds it any more. */
void run_socket_remove(struct run_socket *socket);

/* ---- from other processes ---- */

struct run_socket_names {
    char (*items)[RUN_SOCKET_NAME_MAX]; /* owned */
    size_t count;
};

#define RUN_SOCKETS_MAX 64

/* The names of all sockets; empty if there is no folder. */
void run_socket_list(struct run_socket_names *names);
void run_socket_names_release(struct run_socket_names *names);

/*
 * Connect. Does not block. Fails with ERR_LOST, and removes the socket, if no
 * process listens; with ERR_DENIED if it is another user's; with ERR_BUSY while
 * too many connections wait there.
 */
MUST_USE bool run_socket_connect(const char *name, int *fd, struct err *err);

/* Is the peer a process of this user? Fails with ERR_DENIED. */
MUST_USE bool run_socket_check_peer(int fd, struct err *err);

#endif
