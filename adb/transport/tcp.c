#include "adb/transport/tcp.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/transport/resolve.h"
#include "adb/transport/wakeup.h"
#include "base/mem.h"

struct tcp {
    struct transport transport;
    int fd; /* owned */
    struct wakeup wakeup;
    const struct cancel *cancel; /* borrowed; may be NULL */
};

static struct tcp *tcp_of(struct transport *transport)
{
    return (struct tcp *)transport;
}

static bool fail_lost(struct err *err, int number)
{
    if (number == ETIMEDOUT)
        return err_set(err, ERR_LOST, "the peer no longer answers");
    if (number == EPIPE)
        return err_set(err, ERR_LOST, "the peer closed the connection");
    return err_set(err, ERR_LOST, "the connection broke: %s", strerror(number));
}

static bool tcp_read(struct transport *transport, void *data, size_t size,
                     size_t *got, struct err *err)
{
    ssize_t n = recv(tcp_of(transport)->fd, data, size, MSG_DONTWAIT);

    if (n > 0) {
        *got = (size_t)n;
        return true;
    }
    if (n == 0)
        return err_set(err, ERR_CLOSED, "the peer closed the connection");
    if (errno != EAGAIN && errno != EINTR)
        return fail_lost(err, errno);
    *got = 0;
    return true;
}

static bool tcp_write(struct transport *transport, const struct iovec *parts,
                      int count, size_t *put, struct err *err)
{
    struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)parts,
                             .msg_iovlen = (size_t)count};
    ssize_t n =
        sendmsg(tcp_of(transport)->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return fail_lost(err, errno);
    *put = n > 0 ? (size_t)n : 0;
    return true;
}

static bool tcp_wait(struct transport *transport, unsigned wants,
                     struct deadline by, struct err *err)
{
    struct tcp *tcp = tcp_of(transport);
    struct pollfd polls[] = {
        {.fd = tcp->fd,
         .events = (short)((wants & TRANSPORT_READ ? POLLIN : 0) |
                           (wants & TRANSPORT_WRITE ? POLLOUT : 0))},
        {.fd = wakeup_fd(&tcp->wakeup, wants), .events = POLLIN},
        {.fd = cancel_fd(tcp->cancel), .events = POLLIN},
    };
    int ready = poll(polls, 3, deadline_left_ms(by));

    if (ready < 0 && errno != EINTR)
        return err_errno(err, errno, "waiting for the peer");
    if (ready == 0)
        return err_set(err, ERR_TIMEOUT, "no answer in time");
    if (ready > 0 && polls[2].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (ready > 0 && polls[1].revents)
        wakeup_clear(&tcp->wakeup, wants);
    return true;
}

static void tcp_wake(struct transport *transport, unsigned whom)
{
    wakeup_send(&tcp_of(transport)->wakeup, whom);
}

static void tcp_shut(struct transport *transport)
{
    (void)shutdown(tcp_of(transport)->fd,
                   SHUT_RDWR); /* fails if it is already */
    tcp_wake(transport, TRANSPORT_READ | TRANSPORT_WRITE);
}

static void tcp_close(struct transport *transport)
{
    struct tcp *tcp = tcp_of(transport);

    close(tcp->fd);
    wakeup_release(&tcp->wakeup);
    free(tcp);
}

static const struct transport_ops tcp_ops = {
    .read = tcp_read,
    .write = tcp_write,
    .wait = tcp_wait,
    .wake = tcp_wake,
    .shut = tcp_shut,
    .close = tcp_close,
};

static void set_option(int fd, int level, int option, int value)
{
    /* Each option only improves the connection: continue without it. */
    (void)setsockopt(fd, level, option, &value, sizeof(value));
}

static void set_keepalive(int fd, struct tcp_keepalive keepalive)
{
    int idle = keepalive.idle_s ? keepalive.idle_s : 10;
    int interval = keepalive.interval_s ? keepalive.interval_s : 5;
    int probes = keepalive.probes ? keepalive.probes : 3;

    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
    set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
    set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, probes);
    /* The same limit for sent bytes that are not acknowledged. */
    set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT,
               (idle + interval * probes) * 1000);
}

bool tcp_wrap(int fd, struct tcp_keepalive keepalive,
              const struct cancel *cancel, struct transport **transport,
              struct err *err)
{
    struct tcp *tcp;
    struct wakeup wakeup;

    if (!wakeup_init(&wakeup, err)) {
        close(fd);
        return false;
    }
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_keepalive(fd, keepalive);
    tcp = mem_new(1, sizeof(*tcp));
    *tcp = (struct tcp){.transport = {.ops = &tcp_ops},
                        .fd = fd,
                        .wakeup = wakeup,
                        .cancel = cancel};
    *transport = &tcp->transport;
    return true;
}

/* Wait for a pending connect(); its result is the socket's error. */
static bool finish_connect(int fd, const struct cancel *cancel,
                           struct deadline by, struct err *err)
{
    struct pollfd polls[] = {
        {.fd = fd, .events = POLLOUT},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    int number = 0;
    socklen_t size = sizeof(number);
    int ready;

    do {
        ready = poll(polls, 2, deadline_left_ms(by));
    } while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return err_errno(err, errno, "connecting");
    if (ready == 0)
        return err_set(err, ERR_UNREACHABLE, "no answer in time");
    if (polls[1].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size))
        number = errno;
    if (number)
        return err_set(err, ERR_UNREACHABLE, "%s", strerror(number));
    return true;
}

static bool connect_one(const struct addrinfo *address,
                        const struct cancel *cancel, struct deadline by,
                        int *connected, struct err *err)
{
    int fd = socket(address->ai_family,
                    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return err_errno(err, errno, "making a socket");
    if (connect(fd, address->ai_addr, address->ai_addrlen)) {
        if (errno != EINPROGRESS) {
            err_set(err, ERR_UNREACHABLE, "%s", strerror(errno));
            close(fd);
            return false;
        }
        if (!finish_connect(fd, cancel, by, err)) {
            close(fd);
            return false;
        }
    }
    *connected = fd;
    return true;
}

/* A share of the time for an address that is followed by others. */
static struct deadline share(struct deadline by, const struct addrinfo *from)
{
    int64_t parts = 0;
    int64_t now = clock_ns();

    for (; from; from = from->ai_next)
        parts++;
    if (by.at_ns == DEADLINE_NEVER.at_ns || by.at_ns <= now)
        return by;
    return (struct deadline){now + (by.at_ns - now) / parts};
}

bool tcp_connect(const char *host, uint16_t port, const struct cancel *cancel,
                 struct deadline by, int *connected, struct err *err)
{
    struct addrinfo *addresses;
    int fd = -1;

    if (!resolve(host, port, cancel, by, &addresses, err))
        return false;
    for (struct addrinfo *a = addresses; a && fd < 0; a = a->ai_next) {
        if (!connect_one(a, cancel, share(by, a), &fd, err) &&
            err->code == ERR_CANCELLED)
            break;
    }
    freeaddrinfo(addresses);
    if (fd < 0)
        return err_wrap(err, "connecting to %.180s port %u", host,
                        (unsigned)port);
    *connected = fd;
    return true;
}

bool tcp_open(const char *host, uint16_t port, struct tcp_keepalive keepalive,
              const struct cancel *cancel, struct deadline by,
              struct transport **transport, struct err *err)
{
    int fd;

    return tcp_connect(host, port, cancel, by, &fd, err) &&
           tcp_wrap(fd, keepalive, cancel, transport, err);
}

bool tcp_parse_port(const char *text, uint16_t *port)
{
    char *end;
    unsigned long value;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    value = strtoul(text, &end, 10);
    if (errno || *end || value == 0 || value > UINT16_MAX)
        return false;
    *port = (uint16_t)value;
    return true;
}

/* Split host and port; port is NULL if not given. */
static bool split_address(const char *text, const char **host, size_t *length,
                          const char **port)
{
    const char *colon = strrchr(text, ':');

    *host = text;
    *length = strlen(text);
    *port = NULL;
    if (*text == '[') {
        const char *end = strchr(text, ']');

        if (!end || (end[1] && end[1] != ':'))
            return false;
        *host = text + 1;
        *length = (size_t)(end - text) - 1;
        *port = end[1] ? end + 2 : NULL;
    } else if (colon && strchr(text, ':') == colon) {
        *length = (size_t)(colon - text);
        *port = colon + 1;
    } /* else: a bare name, or a bare IPv6 address with its many colons */
    return *length > 0 && *length < TCP_HOST_MAX;
}

bool tcp_parse_address(const char *text, uint16_t default_port,
                       char host[TCP_HOST_MAX], uint16_t *port, struct err *err)
{
    const char *name;
    const char *digits;
    size_t length;
    uint16_t number = default_port;

    if (!split_address(text, &name, &length, &digits) ||
        (digits && !tcp_parse_port(digits, &number)))
        return err_set(err, ERR_INVALID,
                       "\"%.100s\" is not an address: use HOST:PORT, such as "
                       "192.168.1.20:5555",
                       text);
    memcpy(host, name, length);
    host[length] = '\0';
    *port = number;
    return true;
}

void tcp_format_address(const char *host, uint16_t port,
                        char text[TCP_ADDRESS_MAX])
{
    bool is_ipv6 = strchr(host, ':');

    snprintf(text, TCP_ADDRESS_MAX, "%s%.255s%s:%u", is_ipv6 ? "[" : "", host,
             is_ipv6 ? "]" : "", (unsigned)port);
}
