#include "adb/services/reverse.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "adb/services/pump_set.h"
#include "base/clean_text.h"
#include "base/mem.h"

/* Longer specs are refused: the name of a socket has at most 108 bytes. */
#define SPEC_MAX 512

/* A local end that the device may open. */
struct reverse_target {
    struct reverse_target *next;
    char remote[SPEC_MAX];
    char local[SPEC_MAX];
    struct local_endpoint endpoint;
};

struct reverse {
    struct device *device;               /* borrowed */
    const struct log *log;               /* borrowed; may be NULL */
    const struct local_network *network; /* borrowed; NULL: this process's */
    reverse_wrap_fn *wrap;               /* NULL: none */
    void *wrap_context;

    /* Only for direct connections: */
    struct conn *conn;         /* borrowed; NULL through an adb server */
    struct pump_set *pump_set; /* owned */
    pthread_t acceptor;   /* passes streams that the device opens to pump_set */
    pthread_mutex_t lock; /* guards targets; innermost lock */
    struct reverse_target *targets;
};

/* With the lock held. */
static struct reverse_target *find_local(const struct reverse *reverse,
                                         const char *local)
{
    struct reverse_target *target = reverse->targets;

    while (target && strcmp(target->local, local) != 0)
        target = target->next;
    return target;
}

/* May the device open this? Called with the connection locked. */
static bool is_registered(void *context, const char *service)
{
    struct reverse *reverse = context;
    bool found;

    pthread_mutex_lock(&reverse->lock);
    found = find_local(reverse, service);
    pthread_mutex_unlock(&reverse->lock);
    return found;
}

static bool open_local(void *context, const char *local, struct deadline by,
                       struct pump_ends *ends, struct err *err)
{
    struct reverse *reverse = context;
    const struct reverse_target *target;
    struct local_endpoint endpoint;
    char remote[SPEC_MAX];
    bool found;

    pthread_mutex_lock(&reverse->lock);
    target = find_local(reverse, local);
    found = target;
    if (found) {
        endpoint = target->endpoint;
        memcpy(remote, target->remote, sizeof(remote));
    }
    pthread_mutex_unlock(&reverse->lock);
    if (!found)
        return err_set(err, ERR_REFUSED, "no longer registered");
    if (!local_network_connect(reverse->network, &endpoint, by, &ends->fd,
                               err) ||
        !conn_confirm(ends->stream, err))
        return false;
    if (reverse->wrap)
        ends->stream =
            reverse->wrap(reverse->wrap_context, remote, ends->stream);
    return true;
}

static void *accept_all(void *context)
{
    struct reverse *reverse = context;
    struct stream *stream;
    struct buf service;
    struct err err;

    while (
        conn_accept(reverse->conn, DEADLINE_NEVER, &service, &stream, &err)) {
        const struct pump_ends ends = {.stream = stream, .fd = -1};

        /* A connection that cannot be served is refused and reported. */
        (void)!pump_set_add(reverse->pump_set, ends, buf_cstr(&service), &err);
        buf_release(&service);
    }
    return NULL;
}

static bool start_accepting(struct reverse *reverse, struct err *err)
{
    int failed;

    if (!pump_set_start(open_local, reverse, reverse->log, &reverse->pump_set,
                        err))
        return false;
    conn_listen(reverse->conn, is_registered, reverse);
    failed = pthread_create(&reverse->acceptor, NULL, accept_all, reverse);
    if (failed) {
        conn_listen(reverse->conn, NULL, NULL);
        pump_set_stop(reverse->pump_set);
        return err_errno(err, failed, "starting a thread");
    }
    return true;
}

bool reverse_start(struct device *device, const struct log *log,
                   struct reverse **reverse, struct err *err)
{
    struct reverse *started = mem_new(1, sizeof(*started));

    started->device = device;
    started->log = log;
    started->conn = device_conn(device);
    pthread_mutex_init(&started->lock, NULL);
    if (started->conn && !start_accepting(started, err)) {
        pthread_mutex_destroy(&started->lock);
        free(started);
        return false;
    }
    *reverse = started;
    return true;
}

void reverse_watch(struct reverse *reverse, pump_set_refused_fn *refused,
                   void *context)
{
    if (reverse->pump_set)
        pump_set_watch(reverse->pump_set, refused, context);
}

void reverse_set_network(struct reverse *reverse,
                         const struct local_network *network)
{
    reverse->network = network;
}

void reverse_set_wrap(struct reverse *reverse, reverse_wrap_fn *wrap,
                      void *context)
{
    reverse->wrap = wrap;
    reverse->wrap_context = context;
}

/* Remove the targets of remote (NULL: all) except keep. */
static void forget(struct reverse *reverse, const char *remote,
                   const struct reverse_target *keep)
{
    struct reverse_target **link = &reverse->targets;

    pthread_mutex_lock(&reverse->lock);
    while (*link) {
        struct reverse_target *target = *link;

        if (target == keep || (remote && strcmp(target->remote, remote) != 0)) {
            link = &target->next;
        } else {
            *link = target->next;
            free(target);
        }
    }
    pthread_mutex_unlock(&reverse->lock);
}

void reverse_stop(struct reverse *reverse)
{
    if (!reverse)
        return;
    if (reverse->conn) {
        conn_listen(reverse->conn, NULL, NULL);
        pthread_join(reverse->acceptor, NULL);
        pump_set_stop(reverse->pump_set);
    }
    forget(reverse, NULL, NULL);
    pthread_mutex_destroy(&reverse->lock);
    free(reverse);
}

/* Send a request to the device; the reply is read from stream. */
static bool ask(struct device *device, const char *request, struct deadline by,
                struct stream **stream, struct err *err)
{
    return device_open_service(device, request, by, stream, err) ||
           err_wrap(err, "asking for a reverse forward");
}

static bool ask_plainly(struct device *device, const char *request,
                        struct deadline by, struct err *err)
{
    struct stream *stream = NULL;
    bool done = ask(device, request, by, &stream, err) &&
                status_reply_read_status(stream, by, err);

    stream_close(stream);
    return done;
}

/* Read the port for "tcp:0": decimal text in a block. */
static bool read_port(struct stream *stream, struct deadline by, uint16_t *port,
                      struct err *err)
{
    struct buf block = STATUS_REPLY_BLOCK_INIT;
    bool done = status_reply_read_block(stream, by, &block, err);

    if (done && !tcp_parse_port(buf_cstr(&block), port))
        done = err_set(err, ERR_PROTOCOL,
                       "the device did not report the port that it picked");
    buf_release(&block);
    return done;
}

static bool ask_to_listen(struct reverse *reverse,
                          const struct reverse_target *target, bool rebind,
                          struct deadline by, uint16_t *port, struct err *err)
{
    bool any_port = !strcmp(target->remote, "tcp:0");
    struct stream *stream = NULL;
    char request[2 * SPEC_MAX + 64];
    bool done;

    snprintf(request, sizeof(request), "reverse:forward:%s%s;%s",
             rebind ? "" : "norebind:", target->remote, target->local);
    *port = 0;
    done = ask(reverse->device, request, by, &stream, err) &&
           status_reply_read_status(stream, by, err) &&
           (!any_port || read_port(stream, by, port, err));
    stream_close(stream);
    return done;
}

static bool is_spec(const char *text)
{
    return *text && strlen(text) < SPEC_MAX && !strchr(text, ';');
}

static bool make_target(const char *remote, const char *local,
                        struct reverse_target **target, struct err *err)
{
    struct local_endpoint endpoint;
    struct reverse_target *made;

    if (!is_spec(remote) || strchr(remote, ':') == NULL)
        return err_set(err, ERR_INVALID,
                       "\"%.80s\" is not a remote endpoint: use tcp:PORT or "
                       "localabstract:NAME",
                       remote);
    if (!local_endpoint_parse(local, &endpoint, err))
        return false;
    if (!is_spec(local) ||
        (endpoint.kind == LOCAL_ENDPOINT_TCP && endpoint.port == 0))
        return err_set(err, ERR_INVALID, "\"%.80s\" cannot be connected to",
                       local);
    made = mem_new(1, sizeof(*made));
    made->endpoint = endpoint;
    snprintf(made->remote, sizeof(made->remote), "%s", remote);
    snprintf(made->local, sizeof(made->local), "%s", local);
    *target = made;
    return true;
}

/* The device may open it before it has answered, so it is added first. */
static void register_target(struct reverse *reverse,
                            struct reverse_target *target)
{
    pthread_mutex_lock(&reverse->lock);
    target->next = reverse->targets;
    reverse->targets = target;
    pthread_mutex_unlock(&reverse->lock);
}

static void unregister_target(struct reverse *reverse,
                              struct reverse_target *target)
{
    struct reverse_target **link = &reverse->targets;

    pthread_mutex_lock(&reverse->lock);
    while (*link && *link != target)
        link = &(*link)->next;
    if (*link) {
        *link = target->next;
        free(target);
    }
    pthread_mutex_unlock(&reverse->lock);
}

/*
 * The device listens for target, which replaces earlier ones of its remote end.
 * port: the one that was picked; 0: none. Another thread may have removed it.
 */
static void settle_target(struct reverse *reverse,
                          struct reverse_target *target, const char *remote,
                          uint16_t port)
{
    char name[SPEC_MAX];
    struct reverse_target *at;

    snprintf(name, sizeof(name), "%s", remote);
    if (port)
        snprintf(name, sizeof(name), "tcp:%u", (unsigned)port);
    pthread_mutex_lock(&reverse->lock);
    at = reverse->targets;
    while (at && at != target)
        at = at->next;
    if (at)
        memcpy(at->remote, name, sizeof(name));
    pthread_mutex_unlock(&reverse->lock);
    forget(reverse, name, target);
}

bool reverse_add(struct reverse *reverse, const char *remote, const char *local,
                 bool rebind, struct deadline by, uint16_t *port,
                 struct err *err)
{
    struct reverse_target *target;
    uint16_t picked;

    if (!make_target(remote, local, &target, err))
        return false;
    register_target(reverse, target);
    if (!ask_to_listen(reverse, target, rebind, by, &picked, err)) {
        unregister_target(reverse, target);
        return false;
    }
    settle_target(reverse, target, remote, picked);
    if (port)
        *port = picked;
    return true;
}

bool reverse_remove(struct reverse *reverse, const char *remote,
                    struct deadline by, struct err *err)
{
    char request[SPEC_MAX + 64];

    if (!is_spec(remote))
        return err_set(err, ERR_INVALID, "\"%.80s\" is not a remote endpoint",
                       remote);
    forget(reverse, remote, NULL);
    snprintf(request, sizeof(request), "reverse:killforward:%s", remote);
    return ask_plainly(reverse->device, request, by, err);
}

/* The remote end of any target; false: there is none. */
static bool any_remote(struct reverse *reverse, char remote[SPEC_MAX])
{
    bool found;

    pthread_mutex_lock(&reverse->lock);
    found = reverse->targets;
    if (found)
        memcpy(remote, reverse->targets->remote, SPEC_MAX);
    pthread_mutex_unlock(&reverse->lock);
    return found;
}

bool reverse_remove_added(struct reverse *reverse, struct deadline by,
                          struct err *err)
{
    char remote[SPEC_MAX];

    while (any_remote(reverse, remote)) {
        if (!reverse_remove(reverse, remote, by, err) &&
            err->code != ERR_REMOTE)
            return false;
    }
    return true;
}

bool reverse_remove_all(struct reverse *reverse, struct deadline by,
                        struct err *err)
{
    forget(reverse, NULL, NULL);
    return ask_plainly(reverse->device, "reverse:killforward-all", by, err);
}

/* Send a request and append the whole answer to reply. */
static bool ask_all(struct device *device, const char *request,
                    struct deadline by, struct buf *reply, struct err *err)
{
    struct stream *stream = NULL;
    bool done = ask(device, request, by, &stream, err) &&
                stream_read_all(stream, by, reply, err);

    stream_close(stream);
    return done;
}

/* The port that the device picked, from "OKAY" and a block; 0: none. */
static uint16_t picked_port(const struct buf *reply)
{
    const size_t start = 4 + STATUS_REPLY_DIGITS;
    uint16_t port = 0;

    if (reply->length > start && tcp_parse_port(reply->data + start, &port))
        return port;
    return 0;
}

/* "[norebind:]REMOTE;LOCAL", which is a part of request. */
static bool request_forward(struct reverse *reverse, const char *request,
                            const char *spec, struct deadline by,
                            struct buf *reply, struct err *err)
{
    struct reverse_target *target;
    char remote[SPEC_MAX];
    const char *local;
    bool answered;

    if (!strncmp(spec, "norebind:", strlen("norebind:")))
        spec += strlen("norebind:");
    local = strchr(spec, ';');
    if (!local || (size_t)(local - spec) >= sizeof(remote))
        return err_set(err, ERR_INVALID, "bad forward");
    snprintf(remote, sizeof(remote), "%.*s", (int)(local - spec), spec);
    if (!make_target(remote, local + 1, &target, err)) {
        /* The server may know more kinds of local ends. */
        return !reverse->conn &&
               ask_all(reverse->device, request, by, reply, err);
    }
    register_target(reverse, target);
    answered = ask_all(reverse->device, request, by, reply, err);
    if (answered && !strncmp(buf_cstr(reply), "OKAY", 4))
        settle_target(reverse, target, remote,
                      strcmp(remote, "tcp:0") ? 0 : picked_port(reply));
    else
        unregister_target(reverse, target);
    return answered;
}

bool reverse_request(struct reverse *reverse, const char *request,
                     struct deadline by, struct buf *reply, struct err *err)
{
    static const char forward[] = "reverse:forward:";
    static const char kill[] = "reverse:killforward:";

    if (!strncmp(request, forward, strlen(forward)))
        return request_forward(reverse, request, request + strlen(forward), by,
                               reply, err);
    if (!strncmp(request, kill, strlen(kill)))
        forget(reverse, request + strlen(kill), NULL);
    else if (!strcmp(request, "reverse:killforward-all"))
        forget(reverse, NULL, NULL);
    return ask_all(reverse->device, request, by, reply, err);
}

/* A line is "HOST REMOTE LOCAL"; others are skipped. */
static void tell_entry(const char *line, size_t length, reverse_entry_fn *entry,
                       void *context)
{
    char words[3 * SPEC_MAX];
    char *remote;
    char *local;

    clean_text_copy(words, sizeof(words), line, length);
    remote = strchr(words, ' ');
    local = remote ? strchr(remote + 1, ' ') : NULL;
    if (!local)
        return;
    *local = '\0';
    entry(context, remote + 1, local + 1);
}

bool reverse_list(struct device *device, reverse_entry_fn *entry, void *context,
                  struct deadline by, struct err *err)
{
    struct buf block = STATUS_REPLY_BLOCK_INIT;
    struct stream *stream = NULL;
    bool done = ask(device, "reverse:list-forward", by, &stream, err) &&
                status_reply_read_block(stream, by, &block, err);
    const char *line = buf_cstr(&block);
    const char *end;

    stream_close(stream);
    while (done && (end = strchr(line, '\n'))) {
        tell_entry(line, (size_t)(end - line), entry, context);
        line = end + 1;
    }
    buf_release(&block);
    return done;
}
