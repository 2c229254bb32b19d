#include "adb/transport/tcp_acceptor.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/transport/resolve.h"
#include "base/cancel.h"
#include "base/mem.h"

/* How long the lookup of the address may take. */
#define RESOLVE_MS 10000

/* Pause after a failed accept: possibly no descriptor is free. */
#define PAUSE_MS 100

struct tcp_acceptor {
    int listener; /* owned; non-blocking */
    struct cancel stop;
    pthread_t thread;
    tcp_acceptor_take_fn *take;
    void *context;
};

static bool is_passing(int number)
{
    return number == EAGAIN || number == EINTR || number == ECONNABORTED;
}

static void *accept_all(void *context)
{
    struct tcp_acceptor *acceptor = context;
    struct pollfd polls[] = {
        {.fd = cancel_fd(&acceptor->stop), .events = POLLIN},
        {.fd = acceptor->listener, .events = POLLIN},
    };

    while (poll(polls, 2, -1) >= 0 || errno == EINTR) {
        int fd;

        if (polls[0].revents)
            break;
        fd = accept4(acceptor->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            acceptor->take(acceptor->context, fd);
        else if (!is_passing(errno))
            (void)poll(polls, 1, PAUSE_MS);
    }
    return NULL;
}

bool tcp_acceptor_adopt(int listener, tcp_acceptor_take_fn *take, void *context,
                        struct tcp_acceptor **acceptor, struct err *err)
{
    struct tcp_acceptor *started;
    struct cancel stop;
    int failed;

    if (fcntl(listener, F_SETFL, O_NONBLOCK))
        return err_errno(err, errno, "listening");
    if (!cancel_init(&stop, err))
        return false;
    started = mem_new(1, sizeof(*started));
    *started = (struct tcp_acceptor){
        .listener = listener, .stop = stop, .take = take, .context = context};
    failed = pthread_create(&started->thread, NULL, accept_all, started);
    if (failed) {
        cancel_release(&started->stop);
        free(started);
        return err_errno(err, failed, "starting a thread");
    }
    *acceptor = started;
    return true;
}

static bool bind_address(const struct addrinfo *address, int backlog,
                         int *bound, struct err *err)
{
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;

    if (fd < 0)
        return err_errno(err, errno, "making a socket");
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, address->ai_addr, address->ai_addrlen) ||
        listen(fd, backlog)) {
        err_errno(err, errno, "listening");
        close(fd);
        return false;
    }
    *bound = fd;
    return true;
}

static bool listen_there(const char *address, uint16_t port, int backlog,
                         int *listener, struct err *err)
{
    struct addrinfo *found;
    bool listens;

    if (!resolve(address, port, NULL, deadline_in_ms(RESOLVE_MS), &found, err))
        return false;
    listens = bind_address(found, backlog, listener, err);
    freeaddrinfo(found);
    return listens ||
           err_wrap(err, "port %u of %.100s", (unsigned)port, address);
}

bool tcp_acceptor_start(const char *address, uint16_t port, int backlog,
                        tcp_acceptor_take_fn *take, void *context,
                        struct tcp_acceptor **acceptor, struct err *err)
{
    int listener;

    if (!listen_there(address, port, backlog, &listener, err))
        return false;
    if (!tcp_acceptor_adopt(listener, take, context, acceptor, err)) {
        close(listener);
        return false;
    }
    return true;
}

uint16_t tcp_acceptor_port(const struct tcp_acceptor *acceptor)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {.v6 = {0}};
    socklen_t size = sizeof(address);

    if (getsockname(acceptor->listener, &address.any, &size))
        return 0;
    if (address.any.sa_family == AF_INET6)
        return ntohs(address.v6.sin6_port);
    return address.any.sa_family == AF_INET ? ntohs(address.v4.sin_port) : 0;
}

void tcp_acceptor_stop(struct tcp_acceptor *acceptor)
{
    if (!acceptor)
        return;
    cancel_fire(&acceptor->stop);
    pthread_join(acceptor->thread, NULL);
    close(acceptor->listener);
    cancel_release(&acceptor->stop);
    free(acceptor);
}
