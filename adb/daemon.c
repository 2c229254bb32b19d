#include "adb/daemon.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/resolve.h"
#include "adb/tcp.h"
#include "base/crew.h"
#include "base/mem.h"

/* How long a host may take to greet us; its owner may have to be asked. */
#define GREETING_MS (5 * 60 * 1000)

/* When a host cannot be accepted, before the next is tried. */
#define PAUSE_MS 100

struct daemon {
    struct daemon_options options;
    struct cancel stop;
    int listening;    /* owned; -1 until daemon_listen */
    struct crew crew; /* one for each host, and one that accepts them */
};

/* One host, and what it has open. */
struct host {
    struct daemon *daemon;
    int fd; /* the transport's, once there is one */
    struct conn *conn;
    struct crew crew; /* one for each stream */
};

/* One stream under service. */
struct serving {
    struct host *host;
    const struct daemon_service *service;
    struct buf name;
    struct stream *stream;
};

/* ---- services ---- */

static const struct daemon_service *find_service(const struct daemon *daemon,
                                                 const char *name)
{
    const struct daemon_options *options = &daemon->options;

    for (size_t i = 0; i < options->service_count; i++) {
        const struct daemon_service *service = &options->services[i];
        size_t length = strlen(service->name);

        if (!strncmp(name, service->name, length) &&
            (!service->exact || !name[length]))
            return service;
    }
    return NULL;
}

static bool is_offered(void *context, const char *service)
{
    return find_service(context, service) != NULL;
}

static void serving_free(struct serving *serving)
{
    stream_close(serving->stream);
    buf_release(&serving->name);
    free(serving);
}

static void serve_stream(void *context)
{
    struct serving *serving = context;
    const struct daemon_service *service = serving->service;
    struct err err;

    if (conn_confirm(serving->stream, &err))
        service->serve(service->context,
                       buf_cstr(&serving->name) + strlen(service->name),
                       serving->stream, serving->host->conn);
    serving_free(serving);
}

/* Take over what the host has opened, or turn it down. */
static void begin_stream(struct host *host, struct buf *name,
                         struct stream *stream)
{
    struct serving *serving = mem_new(1, sizeof(*serving));

    *serving = (struct serving){
        .host = host,
        .service = find_service(host->daemon, buf_cstr(name)),
        .name = *name,
        .stream = stream,
    };
    if (!crew_start(&host->crew, serve_stream, serving))
        serving_free(serving);
}

/* ---- hosts ---- */

static bool greet(struct host *host, struct err *err)
{
    struct daemon *daemon = host->daemon;
    const struct daemon_options *wanted = &daemon->options;
    const struct conn_options options = {
        .role = CONN_DEVICE,
        .banner = wanted->banner,
        .version = wanted->version,
        .max_payload = wanted->max_payload,
        .gate = wanted->gate,
        .wanted = is_offered,
        .wanted_context = daemon,
        .log = wanted->log,
    };
    struct transport *transport;

    return tcp_wrap(host->fd, (struct tcp_keepalive){0}, &daemon->stop,
                    &transport, err) &&
           conn_open(transport, &options, deadline_in_ms(GREETING_MS),
                     &host->conn, err);
}

static void serve_host(void *context)
{
    struct host *host = context;
    struct stream *stream;
    struct buf name;
    struct err err;

    if (greet(host, &err)) {
        while (conn_accept(host->conn, DEADLINE_NEVER, &name, &stream, &err))
            begin_stream(host, &name, stream);
        crew_wait(&host->crew);
        conn_close(host->conn);
    }
    log_trace(host->daemon->options.log, LOG_CONN, "a host is gone: %s",
              err.text);
    crew_release(&host->crew);
    free(host);
}

void daemon_adopt(struct daemon *daemon, int fd)
{
    struct host *host = mem_new(1, sizeof(*host));

    host->daemon = daemon;
    host->fd = fd;
    crew_init(&host->crew, DAEMON_STREAMS_MAX);
    if (crew_start(&daemon->crew, serve_host, host))
        return;
    close(fd);
    crew_release(&host->crew);
    free(host);
}

/* ---- listening ---- */

static void accept_hosts(void *context)
{
    struct daemon *daemon = context;
    struct pollfd polls[] = {
        {.fd = daemon->listening, .events = POLLIN},
        {.fd = cancel_fd(&daemon->stop), .events = POLLIN},
    };

    while (!polls[1].revents) {
        int fd = -1;

        if (poll(polls, 2, -1) > 0 && polls[0].revents)
            fd = accept4(daemon->listening, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            daemon_adopt(daemon, fd);
        else if (polls[0].revents) /* no descriptor is free, perhaps */
            poll(&polls[1], 1, PAUSE_MS);
    }
}

static bool bind_address(const struct addrinfo *address, int *bound,
                         struct err *err)
{
    int fd = socket(address->ai_family,
                    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;

    if (fd < 0)
        return err_errno(err, errno, "making a socket");
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, address->ai_addr, address->ai_addrlen) ||
        listen(fd, DAEMON_HOSTS_MAX)) {
        err_errno(err, errno, "listening");
        close(fd);
        return false;
    }
    *bound = fd;
    return true;
}

static uint16_t port_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {.v6 = {0}};
    socklen_t size = sizeof(address);

    (void)getsockname(fd, &address.any, &size);
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port
                                                   : address.v4.sin_port);
}

bool daemon_listen(struct daemon *daemon, const char *address, uint16_t port,
                   uint16_t *bound, struct err *err)
{
    struct addrinfo *found;
    bool listens;

    if (!resolve(address, port, &daemon->stop, deadline_in_ms(10000), &found,
                 err))
        return false;
    listens = bind_address(found, &daemon->listening, err);
    freeaddrinfo(found);
    if (!listens)
        return err_wrap(err, "port %u of %.100s", (unsigned)port, address);
    *bound = port_of(daemon->listening);
    return crew_start(&daemon->crew, accept_hosts, daemon) ||
           err_set(err, ERR_IO, "no thread can be started");
}

/* ---- the whole ---- */

bool daemon_start(const struct daemon_options *options, struct daemon **daemon,
                  struct err *err)
{
    struct daemon *started = mem_new(1, sizeof(*started));

    if (!cancel_init(&started->stop, err)) {
        free(started);
        return false;
    }
    started->options = *options;
    started->listening = -1;
    crew_init(&started->crew, DAEMON_HOSTS_MAX + 1);
    *daemon = started;
    return true;
}

void daemon_wait(struct daemon *daemon)
{
    crew_wait(&daemon->crew);
}

void daemon_stop(struct daemon *daemon)
{
    if (!daemon)
        return;
    cancel_fire(&daemon->stop);
    crew_wait(&daemon->crew);
    crew_release(&daemon->crew);
    if (daemon->listening >= 0)
        close(daemon->listening);
    cancel_release(&daemon->stop);
    free(daemon);
}
