#include "adb/services/local_endpoint.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LISTEN_BACKLOG 64

/* A socket address of any family used here. */
union address {
    struct sockaddr any;
    struct sockaddr_in ip4;
    struct sockaddr_in6 ip6;
    struct sockaddr_un local;
};

static bool fail_form(const char *text, struct err *err)
{
    return err_set(
        err, ERR_INVALID,
        "\"%.80s\" is not a local endpoint: use tcp:PORT, tcp:HOST:PORT, "
        "localabstract:NAME or localfilesystem:PATH",
        text);
}

/* The text after prefix, or NULL when text does not start with it. */
static const char *behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) ? NULL : text + length;
}

static bool parse_tcp(const char *text, struct local_endpoint *endpoint,
                      struct err *err)
{
    if (!strchr(text, ':')) {
        snprintf(endpoint->host, sizeof(endpoint->host), "localhost");
        return !strcmp(text, "0") || tcp_parse_port(text, &endpoint->port);
    }
    return tcp_parse_address(text, 0, endpoint->host, &endpoint->port, err) &&
           endpoint->port;
}

static bool parse_name(const char *text, struct local_endpoint *endpoint)
{
    size_t length = strlen(text);

    if (length == 0 || length >= sizeof(endpoint->name))
        return false;
    memcpy(endpoint->name, text, length + 1);
    return true;
}

bool local_endpoint_parse(const char *text, struct local_endpoint *endpoint,
                          struct err *err)
{
    struct local_endpoint parsed = {.kind = LOCAL_ENDPOINT_TCP};
    const char *rest;
    bool good = false;

    if ((rest = behind(text, "tcp:"))) {
        good = parse_tcp(rest, &parsed, err);
    } else if ((rest = behind(text, "localabstract:"))) {
        parsed.kind = LOCAL_ENDPOINT_ABSTRACT;
        good = parse_name(rest, &parsed);
    } else if ((rest = behind(text, "localfilesystem:"))) {
        parsed.kind = LOCAL_ENDPOINT_FILESYSTEM;
        good = parse_name(rest, &parsed);
    }
    if (!good)
        return fail_form(text, err);
    *endpoint = parsed;
    return true;
}

void local_endpoint_format(const struct local_endpoint *endpoint,
                           struct buf *text)
{
    switch (endpoint->kind) {
    case LOCAL_ENDPOINT_TCP:
        buf_text(text, "tcp:");
        if (strchr(endpoint->host, ':'))
            buf_printf(text, "[%s]:", endpoint->host);
        else if (strcmp(endpoint->host, "localhost") != 0)
            buf_printf(text, "%s:", endpoint->host);
        buf_printf(text, "%u", (unsigned)endpoint->port);
        break;
    case LOCAL_ENDPOINT_ABSTRACT:
        buf_printf(text, "localabstract:%s", endpoint->name);
        break;
    case LOCAL_ENDPOINT_FILESYSTEM:
        buf_printf(text, "localfilesystem:%s", endpoint->name);
        break;
    }
}

/* An abstract name follows a NUL, and its length is part of the address. */
static socklen_t local_address(const struct local_endpoint *endpoint,
                               union address *address)
{
    size_t length = strlen(endpoint->name);
    bool abstract = endpoint->kind == LOCAL_ENDPOINT_ABSTRACT;

    *address = (union address){.local = {.sun_family = AF_UNIX}};
    memcpy(address->local.sun_path + abstract, endpoint->name,
           abstract ? length : length + 1);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

static bool loopback_address(const struct local_endpoint *endpoint,
                             union address *address, socklen_t *size,
                             struct err *err)
{
    const char *host = endpoint->host;
    in_port_t port = htons(endpoint->port);

    memset(address, 0, sizeof(*address));
    if (!strcmp(host, "localhost"))
        host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &address->ip4.sin_addr) == 1 &&
        ntohl(address->ip4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET) {
        address->ip4.sin_family = AF_INET;
        address->ip4.sin_port = port;
        *size = sizeof(address->ip4);
        return true;
    }
    memset(address, 0, sizeof(*address));
    if (inet_pton(AF_INET6, host, &address->ip6.sin6_addr) == 1 &&
        IN6_IS_ADDR_LOOPBACK(&address->ip6.sin6_addr)) {
        address->ip6.sin6_family = AF_INET6;
        address->ip6.sin6_port = port;
        *size = sizeof(address->ip6);
        return true;
    }
    return err_set(err, ERR_INVALID,
                   "listening on %.100s would give others access: only this "
                   "computer's loopback is allowed",
                   host);
}

/*
 * Is this a stale socket file, without a listener? connect() returns the same
 * error for files that are not sockets: those are kept.
 */
static bool is_abandoned(const char *path, const union address *address,
                         socklen_t size)
{
    struct stat facts;
    bool abandoned;
    int fd;

    if (lstat(path, &facts) || !S_ISSOCK(facts.st_mode))
        return false;
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    abandoned = connect(fd, &address->any, size) && errno == ECONNREFUSED;
    close(fd);
    return abandoned;
}

/* Returns 0 or an errno. */
static int bind_there(int fd, const struct local_endpoint *endpoint,
                      const union address *address, socklen_t size)
{
    const int on = 1;

    if (endpoint->kind == LOCAL_ENDPOINT_TCP)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (!bind(fd, &address->any, size))
        return 0;
    if (errno != EADDRINUSE || endpoint->kind != LOCAL_ENDPOINT_FILESYSTEM)
        return errno;
    if (!is_abandoned(endpoint->name, address, size))
        return EADDRINUSE;
    return unlink(endpoint->name) || bind(fd, &address->any, size) ? errno : 0;
}

/* Bind, listen, and find out which port was picked for 0. As bind_there. */
static int listen_there(int fd, struct local_endpoint *endpoint,
                        const union address *address, socklen_t size)
{
    union address bound = {.any = {.sa_family = AF_UNSPEC}};
    socklen_t bound_size = sizeof(bound);
    int failed = bind_there(fd, endpoint, address, size);

    if (failed)
        return failed;
    if (listen(fd, LISTEN_BACKLOG) || getsockname(fd, &bound.any, &bound_size))
        return errno;
    if (bound.any.sa_family == AF_INET)
        endpoint->port = ntohs(bound.ip4.sin_port);
    else if (bound.any.sa_family == AF_INET6)
        endpoint->port = ntohs(bound.ip6.sin6_port);
    return 0;
}

static bool fail_listening(const struct local_endpoint *endpoint, int number,
                           struct err *err)
{
    struct buf text = BUF_INIT(512);

    local_endpoint_format(endpoint, &text);
    err_errno(err, number, "listening on %.150s", buf_cstr(&text));
    buf_release(&text);
    return false;
}

bool local_endpoint_listen(struct local_endpoint *endpoint, int *listener,
                           struct err *err)
{
    union address address;
    socklen_t size;
    int failed;
    int fd;

    if (endpoint->kind != LOCAL_ENDPOINT_TCP)
        size = local_address(endpoint, &address);
    else if (!loopback_address(endpoint, &address, &size, err))
        return false;
    fd = socket(address.any.sa_family,
                SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return err_errno(err, errno, "making a socket");
    failed = listen_there(fd, endpoint, &address, size);
    if (failed) {
        close(fd);
        return fail_listening(endpoint, failed, err);
    }
    *listener = fd;
    return true;
}

void local_endpoint_unlisten(const struct local_endpoint *endpoint,
                             int listener)
{
    close(listener);
    if (endpoint->kind == LOCAL_ENDPOINT_FILESYSTEM)
        (void)unlink(endpoint->name);
}

static bool connect_local(const struct local_endpoint *endpoint, int *connected,
                          struct err *err)
{
    union address address;
    socklen_t size = local_address(endpoint, &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0)
        return err_errno(err, errno, "making a socket");
    if (connect(fd, &address.any, size)) {
        err_set(err, ERR_UNREACHABLE, "connecting to %.100s: %s",
                endpoint->name, strerror(errno));
        close(fd);
        return false;
    }
    *connected = fd;
    return true;
}

bool local_endpoint_connect(const struct local_endpoint *endpoint,
                            const struct cancel *cancel, struct deadline by,
                            int *fd, struct err *err)
{
    if (endpoint->kind != LOCAL_ENDPOINT_TCP)
        return connect_local(endpoint, fd, err);
    if (endpoint->port == 0)
        return err_set(err, ERR_INVALID,
                       "it is not possible to connect to port 0");
    return tcp_connect(endpoint->host, endpoint->port, cancel, by, fd, err);
}

bool local_network_listen(const struct local_network *network,
                          struct local_endpoint *endpoint, int *listener,
                          struct err *err)
{
    if (!network)
        return local_endpoint_listen(endpoint, listener, err);
    return network->listen(network->context, endpoint, listener, err);
}

bool local_network_connect(const struct local_network *network,
                           const struct local_endpoint *endpoint,
                           struct deadline by, int *fd, struct err *err)
{
    if (!network)
        return local_endpoint_connect(endpoint, NULL, by, fd, err);
    return network->connect(network->context, endpoint, by, fd, err);
}
