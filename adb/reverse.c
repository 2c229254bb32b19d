#include "adb/reverse.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/endpoint.h"
#include "adb/pumps.h"
#include "adb/reply.h"
#include "base/mem.h"
#include "base/text.h"

/* Specs longer than that are nobody's: a socket's name has 108 bytes. */
#define SPEC_MAX 512

/* A local end that the device may ask for. */
struct target {
    struct target *next;
    char remote[SPEC_MAX];
    char local[SPEC_MAX];
    struct endpoint endpoint;
};

struct reverse {
    struct device *device; /* borrowed */
    const struct log *log; /* borrowed; may be NULL */

    /* Directly connected, and only then: */
    struct conn *conn;    /* borrowed; NULL through an adb server */
    struct pumps *pumps;  /* owned */
    pthread_t acceptor;   /* hands to pumps what the device opens */
    pthread_mutex_t lock; /* over targets; nothing else is locked under it */
    struct target *targets;
};

/* Under the lock. */
static struct target *find_local(const struct reverse *reverse,
                                 const char *local)
{
    struct target *target = reverse->targets;

    while (target && strcmp(target->local, local) != 0)
        target = target->next;
    return target;
}

/* The gate: may the device open this? Called with the connection locked. */
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
    const struct target *target;
    struct endpoint endpoint;
    bool found;

    pthread_mutex_lock(&reverse->lock);
    target = find_local(reverse, local);
    found = target;
    if (found)
        endpoint = target->endpoint;
    pthread_mutex_unlock(&reverse->lock);
    if (!found)
        return err_set(err, ERR_REFUSED, "no longer registered");
    return endpoint_connect(&endpoint, NULL, by, &ends->fd, err) &&
           conn_confirm(ends->stream, err);
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

        if (!pumps_add(reverse->pumps, ends, buf_cstr(&service), &err))
            log_trace(reverse->log, LOG_CONN, "reverse: %s: %s",
                      buf_cstr(&service), err.text);
        buf_release(&service);
    }
    return NULL;
}

static bool start_accepting(struct reverse *reverse, struct err *err)
{
    int failed;

    if (!pumps_start(open_local, reverse, reverse->log, &reverse->pumps, err))
        return false;
    conn_listen(reverse->conn, is_registered, reverse);
    failed = pthread_create(&reverse->acceptor, NULL, accept_all, reverse);
    if (failed) {
        conn_listen(reverse->conn, NULL, NULL);
        pumps_stop(reverse->pumps);
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

/* Forget the targets behind remote (NULL: all) except keep. */
static void forget(struct reverse *reverse, const char *remote,
                   const struct target *keep)
{
    struct target **link = &reverse->targets;

    pthread_mutex_lock(&reverse->lock);
    while (*link) {
        struct target *target = *link;

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
        pumps_stop(reverse->pumps);
    }
    forget(reverse, NULL, NULL);
    pthread_mutex_destroy(&reverse->lock);
    free(reverse);
}

/* Ask the device; the answer is read from stream. */
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
                reply_read_status(stream, by, err);

    stream_close(stream);
    return done;
}

/* The port that stands in place of "tcp:0", as decimal text in a block. */
static bool read_port(struct stream *stream, struct deadline by, uint16_t *port,
                      struct err *err)
{
    struct buf block = REPLY_BLOCK_INIT;
    bool done = reply_read_block(stream, by, &block, err);

    if (done && !tcp_parse_port(buf_cstr(&block), port))
        done = err_set(err, ERR_PROTOCOL,
                       "the device did not tell the port it picked");
    buf_release(&block);
    return done;
}

static bool ask_to_listen(struct reverse *reverse, const struct target *target,
                          bool rebind, struct deadline by, uint16_t *port,
                          struct err *err)
{
    bool any_port = !strcmp(target->remote, "tcp:0");
    struct stream *stream = NULL;
    char request[2 * SPEC_MAX + 64];
    bool done;

    snprintf(request, sizeof(request), "reverse:forward:%s%s;%s",
             rebind ? "" : "norebind:", target->remote, target->local);
    *port = 0;
    done = ask(reverse->device, request, by, &stream, err) &&
           reply_read_status(stream, by, err) &&
           (!any_port || read_port(stream, by, port, err));
    stream_close(stream);
    return done;
}

static bool is_spec(const char *text)
{
    return *text && strlen(text) < SPEC_MAX && !strchr(text, ';');
}

static bool make_target(const char *remote, const char *local,
                        struct target **target, struct err *err)
{
    struct endpoint endpoint;
    struct target *made;

    if (!is_spec(remote) || strchr(remote, ':') == NULL)
        return err_set(err, ERR_INVALID,
                       "\"%.80s\" is no remote end: give tcp:PORT or "
                       "localabstract:NAME",
                       remote);
    if (!endpoint_parse(local, &endpoint, err))
        return false;
    if (!is_spec(local) ||
        (endpoint.kind == ENDPOINT_TCP && endpoint.port == 0))
        return err_set(err, ERR_INVALID, "\"%.80s\" cannot be connected to",
                       local);
    made = mem_new(1, sizeof(*made));
    made->endpoint = endpoint;
    snprintf(made->remote, sizeof(made->remote), "%s", remote);
    snprintf(made->local, sizeof(made->local), "%s", local);
    *target = made;
    return true;
}

/* The device may ask for it before it has answered us, so this comes first. */
static void register_target(struct reverse *reverse, struct target *target)
{
    pthread_mutex_lock(&reverse->lock);
    target->next = reverse->targets;
    reverse->targets = target;
    pthread_mutex_unlock(&reverse->lock);
}

static void unregister_target(struct reverse *reverse, struct target *target)
{
    struct target **link = &reverse->targets;

    pthread_mutex_lock(&reverse->lock);
    while (*link != target)
        link = &(*link)->next;
    *link = target->next;
    pthread_mutex_unlock(&reverse->lock);
    free(target);
}

bool reverse_add(struct reverse *reverse, const char *remote, const char *local,
                 bool rebind, struct deadline by, uint16_t *port,
                 struct err *err)
{
    struct target *target;
    uint16_t picked;

    if (!make_target(remote, local, &target, err))
        return false;
    register_target(reverse, target);
    if (!ask_to_listen(reverse, target, rebind, by, &picked, err)) {
        unregister_target(reverse, target);
        return false;
    }
    if (picked) {
        pthread_mutex_lock(&reverse->lock);
        snprintf(target->remote, sizeof(target->remote), "tcp:%u",
                 (unsigned)picked);
        pthread_mutex_unlock(&reverse->lock);
    }
    forget(reverse, target->remote, target);
    if (port)
        *port = picked;
    return true;
}

bool reverse_remove(struct reverse *reverse, const char *remote,
                    struct deadline by, struct err *err)
{
    char request[SPEC_MAX + 64];

    if (!is_spec(remote))
        return err_set(err, ERR_INVALID, "\"%.80s\" is no remote end", remote);
    forget(reverse, remote, NULL);
    snprintf(request, sizeof(request), "reverse:killforward:%s", remote);
    return ask_plainly(reverse->device, request, by, err);
}

bool reverse_remove_all(struct reverse *reverse, struct deadline by,
                        struct err *err)
{
    forget(reverse, NULL, NULL);
    return ask_plainly(reverse->device, "reverse:killforward-all", by, err);
}

/* A line is "WHO REMOTE LOCAL"; what has another form is skipped. */
static void tell_entry(const char *line, size_t length, reverse_entry_fn *entry,
                       void *context)
{
    char words[3 * SPEC_MAX];
    char *remote;
    char *local;

    text_copy_clean(words, sizeof(words), line, length);
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
    struct buf block = REPLY_BLOCK_INIT;
    struct stream *stream = NULL;
    bool done = ask(device, "reverse:list-forward", by, &stream, err) &&
                reply_read_block(stream, by, &block, err);
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
