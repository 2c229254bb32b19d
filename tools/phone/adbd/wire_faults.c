#include "tools/phone/adbd/wire_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PLACE_SIZE 160

void wire_faults_init(struct wire_faults *wire_faults,
                      struct phone_faults *faults)
{
    *wire_faults = (struct wire_faults){.faults = faults};
    pthread_mutex_init(&wire_faults->lock, NULL);
}

void wire_faults_release(struct wire_faults *wire_faults)
{
    pthread_mutex_destroy(&wire_faults->lock);
}

/* Number of bytes that still pass. */
static size_t bytes_until(const struct phone_fault *fault)
{
    return fault->after > 0 ? (size_t)fault->after : 0;
}

/* ---- a stream with a fault ---- */

struct wire_faults_stream {
    struct stream stream;
    struct stream *inner;       /* borrowed */
    struct conn *conn;          /* borrowed */
    enum phone_fault_kind kind; /* FAULT_DROP, CUT or STALL */
    size_t left;                /* bytes before it strikes */
    bool struck;
};

static bool read_through(struct stream *stream, void *data, size_t size,
                         struct deadline by, size_t *got, struct err *err)
{
    struct wire_faults_stream *self = (struct wire_faults_stream *)stream;

    return stream_read(self->inner, data, size, by, got, err);
}

/* Discard everything written from now on. */
static bool strike(struct wire_faults_stream *self, struct err *err)
{
    if (!self->struck && self->kind == FAULT_DROP)
        conn_hang_up(self->conn);
    self->struck = true;
    return self->kind == FAULT_STALL ||
           err_set(err, ERR_CLOSED, "an injected fault broke it");
}

static bool write_until(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    struct wire_faults_stream *self = (struct wire_faults_stream *)stream;
    size_t fits = size < self->left ? size : self->left;

    if (fits && !stream_write(self->inner, data, fits, by, err))
        return false;
    self->left -= fits;
    return fits == size || strike(self, err);
}

static void interrupt_through(struct stream *stream)
{
    stream_interrupt(((struct wire_faults_stream *)stream)->inner);
}

/* The daemon closes the inner stream. */
static void keep_open(struct stream *stream)
{
    (void)stream;
}

static bool is_writable_through(struct stream *stream)
{
    return stream_is_writable(((struct wire_faults_stream *)stream)->inner);
}

static const struct stream_ops stream_ops = {read_through, write_until,
                                             interrupt_through, keep_open,
                                             is_writable_through};

/* Read until the host disconnects, without an answer. */
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

/* Shortens "shell,v2,raw:ls" to "shell:ls". */
static void name_place(const struct daemon_service *service,
                       const char *argument, char place[static PLACE_SIZE])
{
    size_t name = strcspn(service->name, ":");
    const char *colon = strchr(argument, ':');

    if (!service->name[name] && colon)
        argument = colon + 1;
    snprintf(place, PLACE_SIZE, "%.*s:%s", (int)name, service->name, argument);
}

/* Breaks the connection without closing the stream. */
static void go_offline(struct wire_faults *wire_faults,
                       const struct phone_fault *fault, struct conn *conn)
{
    pthread_mutex_lock(&wire_faults->lock);
    wire_faults->away_hosts = fault->hosts;
    wire_faults->away = deadline_in_ms(fault->ms);
    pthread_mutex_unlock(&wire_faults->lock);
    daemon_hang_up(wire_faults->daemon);
    conn_hang_up(conn);
}

/* Faults before the service starts. False if it must not start. */
static bool strike_before(struct wire_faults *wire_faults, const char *place,
                          struct conn *conn)
{
    static const enum phone_fault_kind events[] = {
        FAULT_ROTATE,  FAULT_POPUP, FAULT_PERMISSION,
        FAULT_BATTERY, FAULT_CALL,  FAULT_UPDATE};
    struct phone_fault fault;

    for (size_t i = 0; i < ARRAY_LEN(events); i++) {
        if (faults_strike(wire_faults->faults, events[i], place, &fault) &&
            wire_faults->event)
            wire_faults->event(wire_faults->event_context, &fault);
    }
    if (faults_strike(wire_faults->faults, FAULT_DELAY, place, &fault))
        faults_delay(wire_faults->faults, fault.ms);
    if (!faults_strike(wire_faults->faults, FAULT_OFFLINE, place, &fault))
        return true;
    go_offline(wire_faults, &fault, conn);
    return false;
}

/* Serve with a fault in the middle of it. */
static void serve_faultily(const struct daemon_service *service,
                           const char *argument,
                           const struct phone_fault *fault,
                           struct stream *stream, struct conn *conn)
{
    struct wire_faults_stream wire_faults = {
        .stream = {&stream_ops},
        .inner = stream,
        .conn = conn,
        .kind = fault->kind,
        .left = bytes_until(fault),
    };
    struct err err;

    if (wire_faults.left)
        service->serve(service->context, argument, &wire_faults.stream, conn);
    (void)!strike(&wire_faults, &err);
    if (fault->kind == FAULT_STALL)
        stay_silent(stream);
}

static void serve(void *context, const char *argument, struct stream *stream,
                  struct conn *conn)
{
    const struct wire_faults_service *self = context;
    const struct daemon_service *inner = &self->inner;
    struct phone_faults *faults = self->wire_faults->faults;
    char place[PLACE_SIZE];
    struct phone_fault fault;

    name_place(inner, argument, place);
    if (!strike_before(self->wire_faults, place, conn))
        return;
    if (faults_strike(faults, FAULT_DROP, place, &fault) ||
        faults_strike(faults, FAULT_CUT, place, &fault) ||
        faults_strike(faults, FAULT_STALL, place, &fault))
        serve_faultily(inner, argument, &fault, stream, conn);
    else
        inner->serve(inner->context, argument, stream, conn);
}

struct daemon_service wire_faults_service(struct wire_faults_service *service)
{
    struct daemon_service outer = service->inner;

    outer.serve = serve;
    outer.context = service;
    return outer;
}

/* ---- connections ---- */

/* A connection that breaks after some bytes were sent. */
struct wire_faults_transport {
    struct transport transport;
    struct transport *inner; /* owned */
    size_t left;
};

static bool transport_read(struct transport *transport, void *data, size_t size,
                           size_t *got, struct err *err)
{
    struct transport *inner =
        ((struct wire_faults_transport *)transport)->inner;

    return inner->ops->read(inner, data, size, got, err);
}

/* The parts that fit, the last of them cut. */
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
    struct wire_faults_transport *self =
        (struct wire_faults_transport *)transport;
    struct transport *inner = self->inner;
    struct iovec cut[8];
    int used = cut_parts(parts, count, self->left, cut);

    if (!used) {
        inner->ops->shut(inner);
        return err_set(err, ERR_LOST, "an injected fault broke it");
    }
    if (!inner->ops->write(inner, cut, used, put, err))
        return false;
    self->left -= *put;
    return true;
}

static bool transport_wait(struct transport *transport, unsigned wants,
                           struct deadline by, struct err *err)
{
    struct transport *inner =
        ((struct wire_faults_transport *)transport)->inner;

    return inner->ops->wait(inner, wants, by, err);
}

static void transport_wake(struct transport *transport, unsigned whom)
{
    struct transport *inner =
        ((struct wire_faults_transport *)transport)->inner;

    inner->ops->wake(inner, whom);
}

static void transport_shut(struct transport *transport)
{
    struct transport *inner =
        ((struct wire_faults_transport *)transport)->inner;

    inner->ops->shut(inner);
}

static void transport_free(struct transport *transport)
{
    transport_close(((struct wire_faults_transport *)transport)->inner);
    free(transport);
}

static const struct transport_ops transport_ops = {
    .read = transport_read,
    .write = transport_write,
    .wait = transport_wait,
    .wake = transport_wake,
    .shut = transport_shut,
    .close = transport_free,
};

static bool is_turned_away(struct wire_faults *wire_faults)
{
    bool away;

    pthread_mutex_lock(&wire_faults->lock);
    away = wire_faults->away_hosts > 0 || !deadline_passed(wire_faults->away);
    if (wire_faults->away_hosts > 0)
        wire_faults->away_hosts--;
    pthread_mutex_unlock(&wire_faults->lock);
    return away;
}

struct transport *wire_faults_wrap(void *context, struct transport *transport)
{
    struct wire_faults *wire_faults = context;
    struct wire_faults_transport *wrapped;
    struct phone_fault fault;

    if (is_turned_away(wire_faults)) {
        transport->ops->shut(transport);
        return transport;
    }
    if (faults_strike(wire_faults->faults, FAULT_DELAY, FAULTS_CONNECTION,
                      &fault))
        faults_delay(wire_faults->faults, fault.ms);
    if (!faults_strike(wire_faults->faults, FAULT_DROP, FAULTS_CONNECTION,
                       &fault))
        return transport;
    wrapped = mem_new(1, sizeof(*wrapped));
    wrapped->transport.ops = &transport_ops;
    wrapped->inner = transport;
    wrapped->left = bytes_until(&fault);
    return &wrapped->transport;
}
