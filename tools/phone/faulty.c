#include "tools/phone/faulty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PLACE_SIZE 160

void faulty_init(struct faulty *faulty, struct faults *faults)
{
    *faulty = (struct faulty){.faults = faults};
    pthread_mutex_init(&faulty->lock, NULL);
}

void faulty_release(struct faulty *faulty)
{
    pthread_mutex_destroy(&faulty->lock);
}

/* How many bytes still get through. */
static size_t bytes_until(const struct fault *fault)
{
    return fault->after > 0 ? (size_t)fault->after : 0;
}

/* ---- a stream that goes wrong ---- */

struct faulty_stream {
    struct stream stream;
    struct stream *inner; /* borrowed */
    struct conn *conn;    /* borrowed */
    enum fault_kind kind; /* FAULT_DROP, CUT or STALL */
    size_t left;          /* bytes until then */
    bool struck;
};

static bool read_through(struct stream *stream, void *data, size_t size,
                         struct deadline by, size_t *got, struct err *err)
{
    struct faulty_stream *self = (struct faulty_stream *)stream;

    return stream_read(self->inner, data, size, by, got, err);
}

/* What is written from now on reaches nobody. */
static bool strike(struct faulty_stream *self, struct err *err)
{
    if (!self->struck && self->kind == FAULT_DROP)
        conn_hang_up(self->conn);
    self->struck = true;
    return self->kind == FAULT_STALL ||
           err_set(err, ERR_CLOSED, "a fault has struck");
}

static bool write_until(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    struct faulty_stream *self = (struct faulty_stream *)stream;
    size_t fits = size < self->left ? size : self->left;

    if (fits && !stream_write(self->inner, data, fits, by, err))
        return false;
    self->left -= fits;
    return fits == size || strike(self, err);
}

static void interrupt_through(struct stream *stream)
{
    stream_interrupt(((struct faulty_stream *)stream)->inner);
}

/* The daemon closes the one that it opened. */
static void keep_open(struct stream *stream)
{
    (void)stream;
}

static const struct stream_ops stream_ops = {read_through, write_until,
                                             interrupt_through, keep_open};

/* Take what the host says until it hangs up, and answer nothing. */
static void stay_silent(struct stream *stream)
{
    char bytes[4096];
    size_t got;
    struct err err;

    while (
        stream_read(stream, bytes, sizeof(bytes), DEADLINE_NEVER, &got, &err) &&
        got)
        continue;
}

/* ---- services ---- */

/* "shell,v2,raw:ls" is "shell:ls". */
static void name_place(const struct daemon_service *service,
                       const char *argument, char place[static PLACE_SIZE])
{
    size_t name = strcspn(service->name, ":");
    const char *colon = strchr(argument, ':');

    if (!service->name[name] && colon)
        argument = colon + 1;
    snprintf(place, PLACE_SIZE, "%.*s:%s", (int)name, service->name, argument);
}

/* This host's stream is not even closed in order. */
static void go_offline(struct faulty *faulty, const struct fault *fault,
                       struct conn *conn)
{
    pthread_mutex_lock(&faulty->lock);
    faulty->away_hosts = fault->hosts;
    faulty->away = deadline_in_ms(fault->ms);
    pthread_mutex_unlock(&faulty->lock);
    daemon_hang_up(faulty->daemon);
    conn_hang_up(conn);
}

/* What happens before the service begins. False when it is not to. */
static bool strike_before(struct faulty *faulty, const char *place,
                          struct conn *conn)
{
    static const enum fault_kind events[] = {FAULT_ROTATE, FAULT_POPUP,
                                             FAULT_PERMISSION};
    struct fault fault;

    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (faults_strike(faulty->faults, events[i], place, &fault) &&
            faulty->event)
            faulty->event(faulty->event_context, &fault);
    }
    if (faults_strike(faulty->faults, FAULT_DELAY, place, &fault))
        faults_delay(faulty->faults, fault.ms);
    if (!faults_strike(faulty->faults, FAULT_OFFLINE, place, &fault))
        return true;
    go_offline(faulty, &fault, conn);
    return false;
}

/* Serve with what strikes in the middle of it. */
static void serve_faultily(const struct daemon_service *service,
                           const char *argument, const struct fault *fault,
                           struct stream *stream, struct conn *conn)
{
    struct faulty_stream faulty = {
        .stream = {&stream_ops},
        .inner = stream,
        .conn = conn,
        .kind = fault->kind,
        .left = bytes_until(fault),
    };
    struct err err;

    if (faulty.left)
        service->serve(service->context, argument, &faulty.stream, conn);
    (void)!strike(&faulty, &err);
    if (fault->kind == FAULT_STALL)
        stay_silent(stream);
}

static void serve(void *context, const char *argument, struct stream *stream,
                  struct conn *conn)
{
    const struct faulty_service *self = context;
    const struct daemon_service *inner = &self->inner;
    struct faults *faults = self->faulty->faults;
    char place[PLACE_SIZE];
    struct fault fault;

    name_place(inner, argument, place);
    if (!strike_before(self->faulty, place, conn))
        return;
    if (faults_strike(faults, FAULT_DROP, place, &fault) ||
        faults_strike(faults, FAULT_CUT, place, &fault) ||
        faults_strike(faults, FAULT_STALL, place, &fault))
        serve_faultily(inner, argument, &fault, stream, conn);
    else
        inner->serve(inner->context, argument, stream, conn);
}

struct daemon_service faulty_service(struct faulty_service *service)
{
    struct daemon_service outer = service->inner;

    outer.serve = serve;
    outer.context = service;
    return outer;
}

/* ---- hosts ---- */

/* A connection that breaks once so many bytes were sent. */
struct faulty_transport {
    struct transport transport;
    struct transport *inner; /* owned */
    size_t left;
};

static bool transport_read(struct transport *transport, void *data, size_t size,
                           size_t *got, struct err *err)
{
    struct transport *inner = ((struct faulty_transport *)transport)->inner;

    return inner->ops->read(inner, data, size, got, err);
}

/* The first parts that fit, the last of them cut. */
static int cut_parts(const struct iovec *parts, int count, size_t left,
                     struct iovec cut[static 8])
{
    int used = 0;

    while (used < count && used < 8 && left) {
        cut[used] = parts[used];
        if (cut[used].iov_len > left)
            cut[used].iov_len = left;
        left -= cut[used++].iov_len;
    }
    return used;
}

static bool transport_write(struct transport *transport,
                            const struct iovec *parts, int count, size_t *put,
                            struct err *err)
{
    struct faulty_transport *self = (struct faulty_transport *)transport;
    struct transport *inner = self->inner;
    struct iovec cut[8];
    int used = cut_parts(parts, count, self->left, cut);

    if (!used) {
        inner->ops->shut(inner);
        return err_set(err, ERR_LOST, "a fault has struck");
    }
    if (!inner->ops->write(inner, cut, used, put, err))
        return false;
    self->left -= *put;
    return true;
}

static bool transport_wait(struct transport *transport, unsigned wants,
                           struct deadline by, struct err *err)
{
    struct transport *inner = ((struct faulty_transport *)transport)->inner;

    return inner->ops->wait(inner, wants, by, err);
}

static void transport_nudge(struct transport *transport, unsigned whom)
{
    struct transport *inner = ((struct faulty_transport *)transport)->inner;

    inner->ops->nudge(inner, whom);
}

static void transport_shut(struct transport *transport)
{
    struct transport *inner = ((struct faulty_transport *)transport)->inner;

    inner->ops->shut(inner);
}

static void transport_free(struct transport *transport)
{
    transport_close(((struct faulty_transport *)transport)->inner);
    free(transport);
}

static const struct transport_ops transport_ops = {
    .read = transport_read,
    .write = transport_write,
    .wait = transport_wait,
    .nudge = transport_nudge,
    .shut = transport_shut,
    .close = transport_free,
};

static bool is_turned_away(struct faulty *faulty)
{
    bool away;

    pthread_mutex_lock(&faulty->lock);
    away = faulty->away_hosts > 0 || !deadline_passed(faulty->away);
    if (faulty->away_hosts > 0)
        faulty->away_hosts--;
    pthread_mutex_unlock(&faulty->lock);
    return away;
}

struct transport *faulty_wrap(void *context, struct transport *transport)
{
    struct faulty *faulty = context;
    struct faulty_transport *wrapped;
    struct fault fault;

    if (is_turned_away(faulty)) {
        transport->ops->shut(transport);
        return transport;
    }
    if (faults_strike(faulty->faults, FAULT_DELAY, FAULTS_CONNECTION, &fault))
        faults_delay(faulty->faults, fault.ms);
    if (!faults_strike(faulty->faults, FAULT_DROP, FAULTS_CONNECTION, &fault))
        return transport;
    wrapped = mem_new(1, sizeof(*wrapped));
    wrapped->transport.ops = &transport_ops;
    wrapped->inner = transport;
    wrapped->left = bytes_until(&fault);
    return &wrapped->transport;
}
