#include "tools/phone/adbd/pairing_server.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/services/local_endpoint.h"
#include "adb/trust/pairing.h"
#include "base/mem.h"
#include "base/thread_group.h"

/* Pause after a connection could not be accepted. */
#define PAUSE_MS 100

struct pairing_server {
    struct pairing_server_options options;
    struct local_endpoint endpoint;
    int listener;
    struct cancel stop;
    struct thread_group thread_group; /* one thread per client */
    pthread_t acceptor;
    atomic_uint tries; /* wrong codes, and running attempts */
};

/* One client. */
struct pairing_client {
    struct pairing_server *server;
    int fd;
};

static void store_key(void *context, const char *line)
{
    trust_add(context, line);
}

/* False if the code was wrong. */
static bool pair_with(struct pairing_server *server, int fd)
{
    const struct pairing_server_options *options = &server->options;
    struct transport *transport;
    struct err err = ERR_INIT;

    (void)!(tcp_wrap(fd, (struct tcp_keepalive){0}, &server->stop, &transport,
                     &err) &&
            pairing_device(transport, options->code, options->own,
                           options->guid, deadline_in_ms(PAIRING_SERVER_MS),
                           store_key, options->trust, &err));
    return err.code != ERR_UNAUTHORIZED;
}

static void serve_client(void *context)
{
    struct pairing_client *client = context;
    struct pairing_server *server = client->server;

    if (pair_with(server, client->fd))
        atomic_fetch_sub(&server->tries, 1);
    free(client);
}

static void receive(struct pairing_server *server, int fd)
{
    struct pairing_client *client = mem_new(1, sizeof(*client));

    *client = (struct pairing_client){server, fd};
    if (atomic_fetch_add(&server->tries, 1) < PAIRING_SERVER_TRIES_MAX &&
        thread_group_start(&server->thread_group, serve_client, client))
        return;
    atomic_fetch_sub(&server->tries, 1);
    close(fd);
    free(client);
}

static void *accept_all(void *context)
{
    struct pairing_server *server = context;
    struct pollfd polls[] = {
        {.fd = server->listener, .events = POLLIN},
        {.fd = cancel_fd(&server->stop), .events = POLLIN},
    };

    while (!polls[1].revents) {
        int fd = -1;

        if (poll(polls, 2, -1) > 0 && polls[0].revents)
            fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            receive(server, fd);
        else if (polls[0].revents)
            poll(&polls[1], 1, PAUSE_MS);
    }
    return NULL;
}

static bool start(struct pairing_server *server, struct err *err)
{
    int failed;

    server->endpoint = (struct local_endpoint){.kind = LOCAL_ENDPOINT_TCP,
                                               .host = "127.0.0.1",
                                               .port = server->options.port};
    if (!local_endpoint_listen(&server->endpoint, &server->listener, err))
        return err_wrap(err, "the port for pairing");
    failed = pthread_create(&server->acceptor, NULL, accept_all, server);
    if (!failed)
        return true;
    local_endpoint_unlisten(&server->endpoint, server->listener);
    return err_errno(err, failed, "starting a thread");
}

bool pairing_server_start(const struct pairing_server_options *options,
                          struct pairing_server **server, struct err *err)
{
    struct pairing_server *made = mem_new(1, sizeof(*made));

    made->options = *options;
    if (!cancel_init(&made->stop, err)) {
        free(made);
        return false;
    }
    thread_group_init(&made->thread_group, PAIRING_SERVER_HOSTS_MAX);
    if (!start(made, err)) {
        thread_group_release(&made->thread_group);
        cancel_release(&made->stop);
        free(made);
        return false;
    }
    *server = made;
    return true;
}

void pairing_server_stop(struct pairing_server *server)
{
    if (!server)
        return;
    cancel_fire(&server->stop);
    pthread_join(server->acceptor, NULL);
    local_endpoint_unlisten(&server->endpoint, server->listener);
    thread_group_wait(&server->thread_group);
    thread_group_release(&server->thread_group);
    cancel_release(&server->stop);
    free(server);
}

uint16_t pairing_server_port(const struct pairing_server *server)
{
    return server->endpoint.port;
}
