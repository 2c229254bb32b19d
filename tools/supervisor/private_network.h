/*
 * A network for the program alone: it has the loopback interface and nothing
 * else, so that 127.0.0.1:5037 is what we put there. Sockets in it are made
 * for the caller on request.
 */
#ifndef TOOLS_SUPERVISOR_PRIVATE_NETWORK_H
#define TOOLS_SUPERVISOR_PRIVATE_NETWORK_H

#include <stdbool.h>

/*
 * Move this process into a new network, as the same user. hosts is a file that
 * it sees as /etc/hosts (NULL: its own). False: not possible here; errno says
 * why, and *what names what failed.
 */
bool private_network_enter(const char *hosts, const char **what);

struct private_network_server {
    int socket;         /* requests come here; -1: no network was entered */
    unsigned addresses; /* of other computers that lead to this one */
    bool started;       /* a request asked to start the program */
};

/*
 * Answer the next request (private_network_wire.h); blocks until there is one.
 * False: there are no more.
 */
bool private_network_serve(struct private_network_server *network);

#endif
