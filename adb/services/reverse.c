#include "adb/services/reverse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "adb/services/pump_set.h"
#include "adb/services/reverse_private.h"
#include "base/clean_text.h"
#include "base/mem.h"

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
        (reverse->conn && !conn_confirm(ends->stream, err)))
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

    conn_listen(reverse->conn, is_registered, reverse);
    failed = pthread_create(&reverse->acceptor, NULL, accept_all, reverse);
    if (failed) {
        conn_listen(reverse->conn, NULL, NULL);
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
    if (!pump_set_start(open_local, started, true, log, &started->pump_set,
                        err) ||
        (started->conn && !start_accepting(started, err))) {
        pump_set_stop(started->pump_set);
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

void reverse_free_targets(struct reverse_target *targets)
{
    while (targets) {
        struct reverse_target *target = targets;

        targets = target->next;
        reverse_relay_stop(target->relay);
        free(target);
    }
}

void reverse_forget(struct reverse *reverse, const char *remote,
                    const struct reverse_target *keep)
{
    struct reverse_target **link = &reverse->targets;
    struct reverse_target *forgotten = NULL;

    pthread_mutex_lock(&reverse->lock);
    while (*link) {
        struct reverse_target *target = *link;

        if (target == keep || (remote && strcmp(target->remote, remote) != 0)) {
            link = &target->next;
        } else {
            *link = target->next;
            target->next = forgotten;
            forgotten = target;
        }
    }
    pthread_mutex_unlock(&reverse->lock);
    reverse_free_targets(forgotten);
}

void reverse_stop(struct reverse *reverse)
{
    if (!reverse)
        return;
    if (reverse->conn) {
        conn_listen(reverse->conn, NULL, NULL);
        pthread_join(reverse->acceptor, NULL);
    }
    pump_set_close(reverse->pump_set);
    reverse_forget(reverse, NULL, NULL);
    pump_set_stop(reverse->pump_set);
    pthread_mutex_destroy(&reverse->lock);
    free(reverse);
}

bool reverse_ask(struct device *device, const char *request, struct deadline by,
                 struct stream **stream, struct err *err)
{
    return device_open_service(device, request, by, stream, err) ||
           err_wrap(err, "asking for a reverse forward");
}

static bool ask_plainly(struct device *device, const char *request,
                        struct deadline by, struct err *err)
{
    struct stream *stream = NULL;
    bool done = reverse_ask(device, request, by, &stream, err) &&
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
    done = reverse_ask(reverse->device, request, by, &stream, err) &&
           status_reply_read_status(stream, by, err) &&
           (!any_port || read_port(stream, by, port, err));
    stream_close(stream);
    return done;
}

static bool is_spec(const char *text)
{
    return *text && strlen(text) < SPEC_MAX && !strchr(text, ';');
}

bool reverse_make_target(const char *remote, const char *local,
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

void reverse_register_target(struct reverse *reverse,
                             struct reverse_target *target)
{
    pthread_mutex_lock(&reverse->lock);
    target->next = reverse->targets;
    reverse->targets = target;
    pthread_mutex_unlock(&reverse->lock);
}

void reverse_unregister_target(struct reverse *reverse,
                               struct reverse_target *target)
{
    struct reverse_target **link = &reverse->targets;
    struct reverse_target *found;

    pthread_mutex_lock(&reverse->lock);
    while (*link && *link != target)
        link = &(*link)->next;
    found = *link;
    if (found) {
        *link = found->next;
        found->next = NULL;
    }
    pthread_mutex_unlock(&reverse->lock);
    reverse_free_targets(found);
}

void reverse_settle_target(struct reverse *reverse,
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
    reverse_forget(reverse, name, target);
}

bool reverse_add(struct reverse *reverse, const char *remote, const char *local,
                 bool rebind, struct deadline by, uint16_t *port,
                 struct err *err)
{
    struct reverse_target *target;
    uint16_t picked;

    if (!reverse_make_target(remote, local, &target, err))
        return false;
    reverse_register_target(reverse, target);
    if (!ask_to_listen(reverse, target, rebind, by, &picked, err)) {
        reverse_unregister_target(reverse, target);
        return false;
    }
    reverse_settle_target(reverse, target, remote, picked);
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
    reverse_forget(reverse, remote, NULL);
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
    reverse_forget(reverse, NULL, NULL);
    return ask_plainly(reverse->device, "reverse:killforward-all", by, err);
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
    bool done = reverse_ask(device, "reverse:list-forward", by, &stream, err) &&
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
