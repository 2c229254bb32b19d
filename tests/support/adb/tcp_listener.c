#include "tests/support/adb/tcp_listener.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"

struct tcp_listener {
    int fd; /* owned */
    uint16_t port;
    tcp_listener_serve_fn *serve;
    void *context;
    pthread_t thread;
};

static void *serve_all(void *context)
{
    const struct tcp_listener *listener = context;
    const int one = 1;
    int fd;

    while ((fd = accept(listener->fd, NULL, NULL)) >= 0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
        listener->serve(fd, listener->context);
    }
    return NULL;
}

struct tcp_listener *tcp_listener_start(uint16_t port,
                                        tcp_listener_serve_fn *serve,
                                        void *context)
{
    struct tcp_listener *listener = mem_new(1, sizeof(*listener));
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(port)};
    struct sockaddr *any = (struct sockaddr *)&address;
    socklen_t size = sizeof(address);
    const int one = 1;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener->serve = serve;
    listener->context = context;
    listener->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener->fd >= 0);
    setsockopt(listener->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    assert_int_equal(bind(listener->fd, any, size), 0);
    assert_int_equal(listen(listener->fd, 16), 0);
    assert_int_equal(getsockname(listener->fd, any, &size), 0);
    listener->port = ntohs(address.sin_port);
    assert_int_equal(
        pthread_create(&listener->thread, NULL, serve_all, listener), 0);
    return listener;
}

uint16_t tcp_listener_port(const struct tcp_listener *listener)
{
    return listener->port;
}

void tcp_listener_stop(struct tcp_listener *listener)
{
    shutdown(listener->fd, SHUT_RDWR); /* accept() returns */
    pthread_join(listener->thread, NULL);
    close(listener->fd);
    free(listener);
}
