#include "tools/benchmark/peers/loopback_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons(port),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static void send_at_once(int fd)
{
    const int yes = 1;

    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

static bool listen_anywhere(int *listener, uint16_t *port, struct err *err)
{
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) ||
        listen(fd, SOMAXCONN) ||
        getsockname(fd, (struct sockaddr *)&address, &size)) {
        err_errno(err, errno, "listening on 127.0.0.1");
        if (fd >= 0)
            close(fd);
        return false;
    }
    *listener = fd;
    *port = ntohs(address.sin_port);
    return true;
}

static void end_with_parent(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static void accept_for_ever(int listener, loopback_socket_serve_fn *serve)
{
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

        if (fd >= 0 && fork() == 0) {
            end_with_parent();
            send_at_once(fd);
            serve(fd);
            _exit(EXIT_SUCCESS);
        }
        if (fd >= 0)
            close(fd);
    }
}

bool loopback_socket_serve(loopback_socket_serve_fn *serve, uint16_t *port,
                           struct err *err)
{
    int listener;
    uint16_t number;
    pid_t pid;

    if (!listen_anywhere(&listener, &number, err))
        return false;
    pid = fork();
    if (pid == 0) {
        end_with_parent();
        (void)signal(SIGCHLD,
                     SIG_IGN); /* the parent does not wait for grandchildren */
        accept_for_ever(listener, serve);
    }
    close(listener);
    if (pid < 0)
        return err_errno(err, errno, "starting a process");
    *port = number;
    return true;
}

bool loopback_socket_connect(uint16_t port, int *connected, struct err *err)
{
    struct sockaddr_in address = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address))) {
        err_errno(err, errno, "connecting to 127.0.0.1:%u", port);
        if (fd >= 0)
            close(fd);
        return false;
    }
    send_at_once(fd);
    *connected = fd;
    return true;
}

bool loopback_socket_read_some(int fd, void *data, size_t size, size_t *got,
                               struct err *err)
{
    ssize_t n;

    do {
        n = recv(fd, data, size, 0);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return err_errno(err, errno, "reading a socket");
    *got = (size_t)n;
    return true;
}

bool loopback_socket_read(int fd, void *data, size_t size, struct err *err)
{
    char *next = data;

    while (size) {
        size_t got;

        if (!loopback_socket_read_some(fd, next, size, &got, err))
            return false;
        if (!got)
            return err_set(err, ERR_CLOSED, "the socket ended early");
        next += got;
        size -= got;
    }
    return true;
}

bool loopback_socket_write(int fd, const void *data, size_t size,
                           struct err *err)
{
    const char *next = data;

    while (size) {
        ssize_t n = send(fd, next, size, MSG_NOSIGNAL);

        if (n < 0 && errno != EINTR)
            return err_errno(err, errno, "writing a socket");
        if (n > 0) {
            next += n;
            size -= (size_t)n;
        }
    }
    return true;
}
