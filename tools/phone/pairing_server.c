#include "tools/phone/pairing_server.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/endpoint.h"
#include "adb/pairing.h"
#include "base/crew.h"
#include "base/mem.h"

/* When a computer cannot be accepted, before the next is tried. */
#define PAUSE_MS 100

struct pairing_server {
    struct pairing_server_options options;
    struct endpoint endpoint;
    int listener;
    struct cancel stop;
    struct crew crew; /* one for each computer */
    pthread_t acceptor;
    atomic_uint tries; /* wrong codes, and those that are still at it */
};

/* One computer at the port. */
struct guest {
    struct pairing_server *server;
    int fd;
};

/* False when the code was wrong. */
static bool pair_with(struct pairing_server *server, int fd)
{
    const struct pairing_server_options *options = &server->options;
    struct buf line = BUF_INIT(KEY_PUBLIC_TEXT_MAX);
    struct transport *transport;
    struct err err = ERR_INIT;

    if (tcp_wrap(fd, (struct tcp_keepalive){0}, &server->stop, &transport,
                 &err) &&
        pairing_device(transport, options->code, options->own, options->guid,
                       deadline_in_ms(PAIRING_SERVER_MS), &line, &err))
        trust_add(options->trust, buf_cstr(&line));
    buf_release(&line);
    return err.code != ERR_UNAUTHORIZED;
}

static void receive_guest(void *context)
{
    struct guest *guest = context;
    struct pairing_server *server = guest->server;

    if (pair_with(server, guest->fd))
        atomic_fetch_sub(&server->tries, 1);
    free(guest);
}

static void receive(struct pairing_server *server, int fd)
{
    struct guest *guest = mem_new(1, sizeof(*guest));

    *guest = (struct guest){server, fd};
    if (atomic_fetch_add(&server->tries, 1) < PAIRING_SERVER_TRIES_MAX &&
        crew_start(&server->crew, receive_guest, guest))
        return;
    atomic_fetch_sub(&server->tries, 1);
    close(fd);
    free(guest);
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

    server->endpoint = (struct endpoint){.kind = ENDPOINT_TCP,
                                         .host = "127.0.0.1",
                                         .port = server->options.port};
    if (!endpoint_listen(&server->endpoint, &server->listener, err))
        return err_wrap(err, "the port for pairing");
    failed = pthread_create(&server->acceptor, NULL, accept_all, server);
    if (!failed)
        return true;
    endpoint_unlisten(&server->endpoint, server->listener);
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
    crew_init(&made->crew, PAIRING_SERVER_HOSTS_MAX);
    if (!start(made, err)) {
        crew_release(&made->crew);
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
    endpoint_unlisten(&server->endpoint, server->listener);
    crew_wait(&server->crew);
    crew_release(&server->crew);
    cancel_release(&server->stop);
    free(server);
}

uint16_t pairing_server_port(const struct pairing_server *server)
{
    return server->endpoint.port;
}
