#include "adb/daemon/daemon.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/transport/tcp.h"
#include "adb/transport/tcp_acceptor.h"
#include "base/mem.h"
#include "base/thread_group.h"

/* How long the handshake may take; the phone's owner may have to be asked. */
#define GREETING_MS (5 * 60 * 1000)

/* Hosts that were disconnected may take a while to end. */
#define THREADS_MAX (DAEMON_HOSTS_MAX + 2 * DAEMON_GREETING_MAX)

struct daemon {
    struct daemon_options options;
    struct tcp_acceptor *acceptor;    /* owned; NULL until daemon_listen */
    struct thread_group thread_group; /* one for each host */
    atomic_size_t streams;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct daemon_host *hosts; /* oldest first */
    size_t greeting;
    size_t served;
    int64_t answered_until; /* when the last host that was answered left */
    bool resting;
    bool stopping;
};

/*
 *   host_new        host_let_in
 *   ───────▶ GREETING ───────▶ SERVED
 *                │ disconnect     │ disconnect
 *                └────▶ LEAVING ◀─┘
 */
enum host_state {
    HOST_GREETING,
    HOST_SERVED,
    HOST_LEAVING,
};

/* A host, and its streams. */
struct daemon_host {
    struct daemon *daemon;
    enum host_state state; /* guarded by the daemon's lock, as is next */
    bool ignored;          /* it came while there was another: see one_host */
    struct daemon_host *next;
    struct cancel disconnect;
    int fd; /* of the transport, once there is one */
    struct conn *conn;
    struct thread_group thread_group; /* one for each stream */
};

/* A stream that is being served. */
struct daemon_stream {
    struct daemon_host *host;
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

static bool is_offered(void *context, const char *name)
{
    const struct daemon *daemon = context;
    const struct daemon_options *options = &daemon->options;

    return find_service(daemon, name) &&
           (!options->offers || options->offers(options->offers_context, name));
}

static void serving_free(struct daemon_stream *serving)
{
    atomic_fetch_sub(&serving->host->daemon->streams, 1);
    stream_close(serving->stream);
    buf_release(&serving->name);
    free(serving);
}

static void serve_stream(void *context)
{
    struct daemon_stream *serving = context;
    const struct daemon_service *service = serving->service;
    struct err err;

    if (conn_confirm(serving->stream, &err))
        service->serve(service->context,
                       buf_cstr(&serving->name) + strlen(service->name),
                       serving->stream, serving->host->conn);
    serving_free(serving);
}

/* Serve a stream that the host has opened, or refuse it. */
static void begin_stream(struct daemon_host *host, struct buf *name,
                         struct stream *stream)
{
    struct daemon_stream *serving = mem_new(1, sizeof(*serving));

    *serving = (struct daemon_stream){
        .host = host,
        .service = find_service(host->daemon, buf_cstr(name)),
        .name = *name,
        .stream = stream,
    };
    if (atomic_fetch_add(&host->daemon->streams, 1) >= DAEMON_ALL_STREAMS_MAX ||
        !thread_group_start(&host->thread_group, serve_stream, serving))
        serving_free(serving);
}

/* ---- the list of hosts; with the lock held ---- */

/* Update the counters when a host changes its state. */
static void uncount(struct daemon_host *host)
{
    struct daemon *daemon = host->daemon;

    daemon->greeting -= host->state == HOST_GREETING;
    daemon->served -= host->state == HOST_SERVED;
    host->state = HOST_LEAVING;
}

static void disconnect(struct daemon_host *host)
{
    uncount(host);
    cancel_fire(&host->disconnect);
}

static void hang_up_on_oldest(struct daemon *daemon)
{
    struct daemon_host *host = daemon->hosts;

    while (host->state != HOST_GREETING)
        host = host->next;
    disconnect(host);
}

static void hang_up_on_all(struct daemon *daemon)
{
    for (struct daemon_host *host = daemon->hosts; host; host = host->next)
        disconnect(host);
}

/* Is there another one that has an answer, or was there a moment ago? */
static bool is_taken(const struct daemon *daemon)
{
    int64_t pause = DAEMON_ONE_HOST_MS * INT64_C(1000000);

    for (struct daemon_host *host = daemon->hosts; host; host = host->next) {
        if (!host->ignored)
            return true;
    }
    return daemon->answered_until &&
           clock_ns() < daemon->answered_until + pause;
}

static void enlist(struct daemon_host *host)
{
    struct daemon *daemon = host->daemon;
    struct daemon_host **link = &daemon->hosts;

    host->ignored = daemon->options.one_host && is_taken(daemon);

    if (daemon->greeting == DAEMON_GREETING_MAX)
        hang_up_on_oldest(daemon);
    daemon->greeting++;
    while (*link)
        link = &(*link)->next;
    *link = host;
}

static void unlist(struct daemon_host *host)
{
    struct daemon *daemon = host->daemon;
    struct daemon_host **link = &daemon->hosts;

    while (*link != host)
        link = &(*link)->next;
    *link = host->next;
    uncount(host);
    if (!host->ignored)
        daemon->answered_until = clock_ns();
    pthread_cond_broadcast(&daemon->changed);
}

/* ---- hosts ---- */

/* NULL when the daemon accepts no more; the caller then closes fd. */
static struct daemon_host *host_new(struct daemon *daemon, int fd)
{
    struct daemon_host *host = mem_new(1, sizeof(*host));
    struct err err;
    bool taken;

    if (!cancel_init(&host->disconnect, &err)) {
        free(host);
        return NULL;
    }
    host->daemon = daemon;
    host->fd = fd;
    thread_group_init(&host->thread_group, DAEMON_STREAMS_MAX);
    pthread_mutex_lock(&daemon->lock);
    taken = !daemon->stopping && !daemon->resting;
    if (taken)
        enlist(host);
    pthread_mutex_unlock(&daemon->lock);
    if (taken)
        return host;
    thread_group_release(&host->thread_group);
    cancel_release(&host->disconnect);
    free(host);
    return NULL;
}

static void host_free(struct daemon_host *host)
{
    struct daemon *daemon = host->daemon;

    pthread_mutex_lock(&daemon->lock);
    unlist(host);
    pthread_mutex_unlock(&daemon->lock);
    thread_group_release(&host->thread_group);
    cancel_release(&host->disconnect);
    free(host);
}

/* The handshake has succeeded. False when there are too many hosts. */
static bool host_let_in(struct daemon_host *host, struct err *err)
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

static bool greet(struct daemon_host *host, struct err *err)
{
    struct daemon *daemon = host->daemon;
    const struct daemon_options *wanted = &daemon->options;
    const struct conn_options options = {
        .role = CONN_DEVICE,
        .banner = wanted->banner,
        .version = wanted->version,
        .max_payload = wanted->max_payload,
        .policy = wanted->policy,
        .wanted = is_offered,
        .wanted_context = daemon,
        .log = wanted->log,
    };
    struct transport *transport;

    if (!tcp_wrap(host->fd, (struct tcp_keepalive){0}, &host->disconnect,
                  &transport, err))
        return false;
    if (wanted->wrap)
        transport = wanted->wrap(wanted->wrap_context, transport);
    return conn_open(transport, &options, deadline_in_ms(GREETING_MS),
                     &host->conn, err);
}

static bool serve_streams(struct daemon_host *host, struct err *err)
{
    const struct daemon_options *options = &host->daemon->options;
    struct stream *stream;
    struct buf name;

    while (conn_accept(host->conn, DEADLINE_NEVER, &name, &stream, err))
        begin_stream(host, &name, stream);
    thread_group_wait(&host->thread_group);
    if (options->left)
        options->left(options->left_context, host->conn);
    return false;
}

/* Send nothing until one side disconnects. */
static void ignore_host(struct daemon_host *host)
{
    struct pollfd polls[] = {
        {.fd = host->fd, .events = POLLRDHUP},
        {.fd = cancel_fd(&host->disconnect), .events = POLLIN},
    };

    while (poll(polls, 2, -1) < 0 && errno == EINTR)
        ;
    close(host->fd);
    host_free(host);
}

static void serve_host(void *context)
{
    struct daemon_host *host = context;
    struct err err;

    if (host->ignored) {
        ignore_host(host);
        return;
    }
    (void)!(greet(host, &err) && host_let_in(host, &err) &&
            serve_streams(host, &err));
    conn_close(host->conn);
    log_trace(host->daemon->options.log, LOG_CONN, "a host is gone: %s",
              err.text);
    host_free(host);
}

void daemon_adopt(struct daemon *daemon, int fd)
{
    struct daemon_host *host = host_new(daemon, fd);

    if (host && thread_group_start(&daemon->thread_group, serve_host, host))
        return;
    close(fd);
    if (host)
        host_free(host);
}

/* ---- listening ---- */

/* Wait while the daemon rests. False: stop. */
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

static void take_host(void *context, int fd)
{
    struct daemon *daemon = context;

    if (await_work(daemon))
        daemon_adopt(daemon, fd);
    else
        close(fd);
}

bool daemon_listen(struct daemon *daemon, const char *address, uint16_t port,
                   uint16_t *bound, struct err *err)
{
    if (!tcp_acceptor_start(address, port, DAEMON_GREETING_MAX, take_host,
                            daemon, &daemon->acceptor, err))
        return false;
    *bound = tcp_acceptor_port(daemon->acceptor);
    return true;
}

/* ---- the daemon ---- */

bool daemon_start(const struct daemon_options *options, struct daemon **daemon,
                  struct err *err)
{
    struct daemon *started = mem_new(1, sizeof(*started));

    (void)err;
    started->options = *options;
    thread_group_init(&started->thread_group, THREADS_MAX);
    pthread_mutex_init(&started->lock, NULL);
    pthread_cond_init(&started->changed, NULL);
    *daemon = started;
    return true;
}

void daemon_wait(struct daemon *daemon)
{
    thread_group_wait(&daemon->thread_group);
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

void daemon_stop(struct daemon *daemon)
{
    if (!daemon)
        return;
    pthread_mutex_lock(&daemon->lock);
    daemon->stopping = true;
    hang_up_on_all(daemon);
    pthread_cond_broadcast(&daemon->changed);
    pthread_mutex_unlock(&daemon->lock);
    tcp_acceptor_stop(daemon->acceptor);
    thread_group_wait(&daemon->thread_group);
    thread_group_release(&daemon->thread_group);
    pthread_cond_destroy(&daemon->changed);
    pthread_mutex_destroy(&daemon->lock);
    free(daemon);
}
