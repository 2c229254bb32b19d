/*
 * The WebSocket part of the server: clients, what comes from them, and what
 * waits for them. All is called in the server's thread, except the functions
 * of socket_clients_ that say otherwise.
 */
#ifndef TOOLS_HTTP_SERVER_SOCKET_CLIENT_H
#define TOOLS_HTTP_SERVER_SOCKET_CLIENT_H

#include <pthread.h>

#include "tools/http_server/http_server.h"
#include "tools/http_server/received_request.h"

struct socket_client;

struct socket_clients {
    const struct http_server_options *options; /* borrowed */
    size_t count;
    pthread_mutex_t lock; /* guards the list, and what waits for each */
    struct socket_client *first;
};

void socket_clients_init(struct socket_clients *clients,
                         const struct http_server_options *options);
/* All connections are closed. */
void socket_clients_release(struct socket_clients *clients);

/*
 * A connection wants to become a WebSocket; *client is set if it may. These are
 * results of callbacks of libwebsockets: not 0 closes the connection.
 */
int socket_client_admit(struct socket_clients *clients, struct lws *wsi,
                        uint64_t id, struct socket_client **client);
int socket_client_open(struct socket_clients *clients,
                       struct socket_client *client);
int socket_client_receive(struct socket_clients *clients,
                          struct socket_client *client, const void *data,
                          size_t length);
/* The connection can be written to. */
int socket_client_write(struct socket_clients *clients,
                        struct socket_client *client);

/* The connection is closed. */
void socket_client_drop(struct socket_clients *clients,
                        struct socket_client **client);

/* The server was woken up: let what waits be sent. */
void socket_clients_schedule(struct socket_clients *clients);

/* What libwebsockets has does not count. */
bool socket_clients_are_sending(struct socket_clients *clients);

/* As http_server_send and disconnect, except waking up the server. */
void socket_clients_send(struct socket_clients *clients,
                         const struct socket_message *message,
                         const uint64_t *ids, size_t count);
void socket_clients_disconnect(struct socket_clients *clients, uint64_t id);

#endif
