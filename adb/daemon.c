#include "adb/daemon.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
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

/* Those we have hung up on may take a while to be gone. */
#define CREW_MAX (DAEMON_HOSTS_MAX + 2 * DAEMON_GREETING_MAX)

struct daemon {
    struct daemon_options options;
    struct cancel stop;
    int listening; /* owned; -1 until daemon_listen */
    pthread_t acceptor;
    struct crew crew; /* one for each host */
    atomic_size_t streams;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct host *hosts; /* the oldest first */
    size_t greeting;
    size_t served;
    bool resting;
    bool stopping;
};

/*
 *   host_new        host_let_in
 *   ───────▶ GREETING ───────▶ SERVED
 *                │ hang_up        │ hang_up
 *                └────▶ LEAVING ◀─┘
 */
enum host_state {
    HOST_GREETING,
    HOST_SERVED,
    HOST_LEAVING,
};

/* One host, and what it has open. */
struct host {
    struct daemon *daemon;
    enum host_state state; /* under the daemon's lock, as next is */
    struct host *next;
    struct cancel hang_up;
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
    atomic_fetch_sub(&serving->host->daemon->streams, 1);
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
    if (atomic_fetch_add(&host->daemon->streams, 1) >= DAEMON_ALL_STREAMS_MAX ||
        !crew_start(&host->crew, serve_stream, serving))
        serving_free(serving);
}

/* ---- the list of hosts; with the lock held ---- */

/* It no longer counts as what it was. */
static void uncount(struct host *host)
{
    struct daemon *daemon = host->daemon;

    daemon->greeting -= host->state == HOST_GREETING;
    daemon->served -= host->state == HOST_SERVED;
    host->state = HOST_LEAVING;
}

static void hang_up(struct host *host)
{
    uncount(host);
    cancel_fire(&host->hang_up);
}

static void hang_up_on_oldest(struct daemon *daemon)
{
    struct host *host = daemon->hosts;

    while (host->state != HOST_GREETING)
        host = host->next;
    hang_up(host);
}

static void hang_up_on_all(struct daemon *daemon)
{
    for (struct host *host = daemon->hosts; host; host = host->next)
        hang_up(host);
}

static void enlist(struct host *host)
{
    struct daemon *daemon = host->daemon;
    struct host **link = &daemon->hosts;

    if (daemon->greeting == DAEMON_GREETING_MAX)
        hang_up_on_oldest(daemon);
    daemon->greeting++;
    while (*link)
        link = &(*link)->next;
    *link = host;
}

static void unlist(struct host *host)
{
    struct daemon *daemon = host->daemon;
    struct host **link = &daemon->hosts;

    while (*link != host)
        link = &(*link)->next;
    *link = host->next;
    uncount(host);
    pthread_cond_broadcast(&daemon->changed);
}

/* ---- hosts ---- */

/* NULL when the daemon takes no more; fd is the caller's then. */
static struct host *host_new(struct daemon *daemon, int fd)
{
    struct host *host = mem_new(1, sizeof(*host));
    struct err err;
    bool taken;

    if (!cancel_init(&host->hang_up, &err)) {
        free(host);
        return NULL;
    }
    host->daemon = daemon;
    host->fd = fd;
    crew_init(&host->crew, DAEMON_STREAMS_MAX);
    pthread_mutex_lock(&daemon->lock);
    taken = !daemon->stopping && !daemon->resting;
    if (taken)
        enlist(host);
    pthread_mutex_unlock(&daemon->lock);
    if (taken)
        return host;
    crew_release(&host->crew);
    cancel_release(&host->hang_up);
    free(host);
    return NULL;
}

static void host_free(struct host *host)
{
    struct daemon *daemon = host->daemon;

    pthread_mutex_lock(&daemon->lock);
    unlist(host);
    pthread_mutex_unlock(&daemon->lock);
    crew_release(&host->crew);
    cancel_release(&host->hang_up);
    free(host);
}

/* It is no stranger any more. False when there are too many. */
static bool host_let_in(struct host *host, struct err *err)
{
    struct daemon *daemon = host->daemon;
    bool room;

    pthread_mutex_lock(&daemon->lock);
    room = host->state == HOST_GREETING && daemon->served < DAEMON_HOSTS_MAX;
    if (room) {
        uncount(host);
        daemon->served++;
        host->state = HOST_SERVED;
    }
    pthread_mutex_unlock(&daemon->lock);
    return room || err_set(err, ERR_LIMIT, "there is no room for more hosts");
}

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

    if (!tcp_wrap(host->fd, (struct tcp_keepalive){0}, &host->hang_up,
                  &transport, err))
        return false;
    if (wanted->wrap)
        transport = wanted->wrap(wanted->wrap_context, transport);
    return conn_open(transport, &options, deadline_in_ms(GREETING_MS),
                     &host->conn, err);
}

static bool serve_streams(struct host *host, struct err *err)
{
    const struct daemon_options *options = &host->daemon->options;
    struct stream *stream;
    struct buf name;

    while (conn_accept(host->conn, DEADLINE_NEVER, &name, &stream, err))
        begin_stream(host, &name, stream);
    crew_wait(&host->crew);
    if (options->left)
        options->left(options->left_context, host->conn);
    return false;
}

static void serve_host(void *context)
{
    struct host *host = context;
    struct err err;

    (void)!(greet(host, &err) && host_let_in(host, &err) &&
            serve_streams(host, &err));
    conn_close(host->conn);
    log_trace(host->daemon->options.log, LOG_CONN, "a host is gone: %s",
              err.text);
    host_free(host);
}

void daemon_adopt(struct daemon *daemon, int fd)
{
    struct host *host = host_new(daemon, fd);

    if (host && crew_start(&daemon->crew, serve_host, host))
        return;
    close(fd);
    if (host)
        host_free(host);
}

/* ---- listening ---- */

/* Those who come while the daemon rests wait at the door. False: stop. */
static bool await_work(struct daemon *daemon)
{
    bool goes_on;

    pthread_mutex_lock(&daemon->lock);
    while (daemon->resting && !daemon->stopping)
        pthread_cond_wait(&daemon->changed, &daemon->lock);
    goes_on = !daemon->stopping;
    pthread_mutex_unlock(&daemon->lock);
    return goes_on;
}

static void *accept_hosts(void *context)
{
    struct daemon *daemon = context;
    struct pollfd polls[] = {
        {.fd = daemon->listening, .events = POLLIN},
        {.fd = cancel_fd(&daemon->stop), .events = POLLIN},
    };

    while (!polls[1].revents) {
        int fd = -1;

        if (poll(polls, 2, -1) > 0 && await_work(daemon) && polls[0].revents)
            fd = accept4(daemon->listening, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            daemon_adopt(daemon, fd);
        else if (polls[0].revents) /* no descriptor is free, perhaps */
            poll(&polls[1], 1, PAUSE_MS);
    }
    return NULL;
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
        listen(fd, DAEMON_GREETING_MAX)) {
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
    int failed;

    if (!resolve(address, port, &daemon->stop, deadline_in_ms(10000), &found,
                 err))
        return false;
    listens = bind_address(found, &daemon->listening, err);
    freeaddrinfo(found);
    if (!listens)
        return err_wrap(err, "port %u of %.100s", (unsigned)port, address);
    failed = pthread_create(&daemon->acceptor, NULL, accept_hosts, daemon);
    if (failed) {
        close(daemon->listening);
        daemon->listening = -1;
        return err_errno(err, failed, "starting a thread");
    }
    *bound = port_of(daemon->listening);
    return true;
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
    crew_init(&started->crew, CREW_MAX);
    pthread_mutex_init(&started->lock, NULL);
    pthread_cond_init(&started->changed, NULL);
    *daemon = started;
    return true;
}

void daemon_wait(struct daemon *daemon)
{
    crew_wait(&daemon->crew);
}

void daemon_hang_up(struct daemon *daemon)
{
    pthread_mutex_lock(&daemon->lock);
    hang_up_on_all(daemon);
    pthread_mutex_unlock(&daemon->lock);
}

void daemon_rest(struct daemon *daemon)
{
    pthread_mutex_lock(&daemon->lock);
    daemon->resting = true;
    hang_up_on_all(daemon);
    while (daemon->hosts)
        pthread_cond_wait(&daemon->changed, &daemon->lock);
    pthread_mutex_unlock(&daemon->lock);
}

void daemon_resume(struct daemon *daemon)
{
    pthread_mutex_lock(&daemon->lock);
    daemon->resting = false;
    pthread_cond_broadcast(&daemon->changed);
    pthread_mutex_unlock(&daemon->lock);
}

static void stop_listening(struct daemon *daemon)
{
    if (daemon->listening < 0)
        return;
    pthread_join(daemon->acceptor, NULL);
    close(daemon->listening);
}

void daemon_stop(struct daemon *daemon)
{
    if (!daemon)
        return;
    pthread_mutex_lock(&daemon->lock);
    daemon->stopping = true;
    hang_up_on_all(daemon);
    pthread_cond_broadcast(&daemon->changed);
    pthread_mutex_unlock(&daemon->lock);
    cancel_fire(&daemon->stop);
    stop_listening(daemon);
    crew_wait(&daemon->crew);
    crew_release(&daemon->crew);
    pthread_cond_destroy(&daemon->changed);
    pthread_mutex_destroy(&daemon->lock);
    cancel_release(&daemon->stop);
    free(daemon);
}
