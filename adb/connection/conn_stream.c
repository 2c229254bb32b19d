#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adb/connection/conn_private.h"
#include "base/mem.h"

/* Room for other small payloads that come after a small one. */
#define CHUNK_MIN ((size_t)4096)

struct chunk *chunk_new(size_t length)
{
    size_t room = length < CHUNK_MIN ? CHUNK_MIN : length;
    struct chunk *chunk = mem_resize(NULL, sizeof(*chunk) + room, 1);

    chunk->next = NULL;
    chunk->room = room;
    chunk->length = length;
    chunk->begin = 0;
    return chunk;
}

static struct conn_stream *stream_of(struct stream *stream)
{
    return (struct conn_stream *)stream;
}

/* Copy from the oldest payload. */
static size_t take_unread(struct conn_stream *stream, void *data, size_t size)
{
    struct chunk *chunk = stream->unread;
    size_t left = chunk->length - chunk->begin;
    size_t take = size < left ? size : left;

    memcpy(data, chunk->data + chunk->begin, take);
    chunk->begin += take;
    if (chunk->begin == chunk->length) {
        stream->unread = chunk->next;
        free(chunk);
    }
    return take;
}

/* Half a payload lies in the caller's memory, which it will not lend on. */
static void rescue_direct(struct conn_stream *stream)
{
    struct conn *conn = stream->conn;
    struct packet_receiver *receiver = conn->receiver;

    if (!conn->reading && receiver->in_payload && stream->direct &&
        receiver->payload == stream->direct) {
        conn->incoming = chunk_new(receiver->packet.length);
        packet_receiver_into(receiver, conn->incoming->data);
    }
    stream->direct = NULL;
}

/* Wait for the stream to change, unless its owner was asked to stop. */
static bool stream_wait(struct conn_stream *stream, struct deadline by,
                        struct err *err)
{
    if (stream->interrupted)
        return err_set(err, ERR_CANCELLED, "interrupted");
    return conn_wait(stream->conn, stream, by, err);
}

/* Wait for data, which may be received straight into the caller's memory. */
static bool wait_for_data(struct conn_stream *stream, void *data, size_t size,
                          struct deadline by, struct err *err)
{
    /* Only our own reading may fill our memory: it ends when we do. */
    if (!stream->conn->reading) {
        stream->direct = data;
        stream->direct_size = size;
    }
    return stream_wait(stream, by, err);
}

static bool conn_stream_read(struct stream *base, void *data, size_t size,
                             struct deadline by, size_t *got, struct err *err)
{
    struct conn_stream *stream = stream_of(base);
    struct conn *conn = stream->conn;
    bool fine = true;

    conn_enter(conn);
    assert(stream->state != STREAM_PENDING);
    *got = 0;
    stream->direct_got = 0;
    while (fine && !*got) {
        if (stream->unread)
            *got = take_unread(stream, data, size);
        else if (stream->state == STREAM_ENDED)
            break;
        else if (stream->state == STREAM_OVERFLOWED)
            fine = conn_flow_overflowed(err);
        else if ((fine = wait_for_data(stream, data, size, by, err)))
            *got = stream->direct_got;
    }
    rescue_direct(stream);
    conn_flow_was_read(stream, *got);
    conn_leave(conn);
    return fine;
}

/* Send one packet's worth once the peer has acknowledged the last one. */
static bool send_some(struct conn_stream *stream, const void *data, size_t size,
                      struct deadline by, struct err *err)
{
    int64_t cost;
    bool begun;
    bool sent;

    while (stream->credit <= 0 && stream->state == STREAM_OPEN) {
        if (!stream_wait(stream, by, err))
            return false;
    }
    if (stream->state == STREAM_OVERFLOWED)
        return conn_flow_overflowed(err);
    if (stream->state != STREAM_OPEN)
        return err_set(err, ERR_CLOSED, "the device has ended the stream");
    cost = conn_flow_spend(stream, size); /* an OKAY may come meanwhile */
    sent = conn_send(stream, PACKET_WRTE, data, size, by, &begun, err);
    if (!begun)
        stream->credit += cost;
    return sent;
}

static bool conn_stream_write(struct stream *base, const void *data,
                              size_t size, struct deadline by, struct err *err)
{
    struct conn_stream *stream = stream_of(base);
    struct conn *conn = stream->conn;
    const char *next = data;
    bool fine = true;

    conn_enter(conn);
    assert(stream->state != STREAM_PENDING);
    while (fine && size) {
        size_t part =
            size < conn->agreed.max_payload ? size : conn->agreed.max_payload;

        fine = send_some(stream, next, part, by, err);
        next += part;
        size -= part;
    }
    conn_leave(conn);
    return fine;
}

void conn_stream_drop_unread(struct conn_stream *stream)
{
    while (stream->unread) {
        struct chunk *chunk = stream->unread;

        stream->unread = chunk->next;
        stream->queued -= chunk->length - chunk->begin;
        free(chunk);
    }
}

void conn_stream_free(struct conn_stream *stream)
{
    struct conn_stream **link = &stream->conn->streams;

    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    conn_stream_drop_unread(stream);
    buf_release(&stream->service);
    free(stream);
}

static void conn_stream_interrupt(struct stream *base)
{
    struct conn_stream *stream = stream_of(base);
    struct conn *conn = stream->conn;

    conn_enter(conn);
    stream->interrupted = true;
    conn_wake(conn, stream);
    conn_wake(conn, &conn->writing);
    /* Its threads may be the ones that read and write. */
    conn->transport->ops->wake(conn->transport,
                               TRANSPORT_READ | TRANSPORT_WRITE);
    conn_leave(conn);
}

/* Free a stream; if the peer has opened it, close it there, too. */
static void end_stream(struct conn_stream *stream)
{
    if (stream->state == STREAM_OPEN)
        conn_post(stream->conn, PACKET_CLSE, stream->local, stream->remote);
    else if (stream->state == STREAM_PENDING)
        conn_post(stream->conn, PACKET_CLSE, 0, stream->remote);
    conn_stream_free(stream);
}

static void conn_stream_close(struct stream *base)
{
    struct conn_stream *stream = stream_of(base);
    struct conn *conn = stream->conn;

    conn_enter(conn);
    end_stream(stream);
    conn_leave(conn);
}

static bool conn_stream_is_writable(struct stream *base)
{
    struct conn_stream *stream = stream_of(base);
    bool writable;

    conn_enter(stream->conn);
    writable =
        stream->state == STREAM_OPEN && stream->conn->lost.code == ERR_NONE;
    conn_leave(stream->conn);
    return writable;
}

static const struct stream_ops conn_stream_ops = {
    .read = conn_stream_read,
    .write = conn_stream_write,
    .interrupt = conn_stream_interrupt,
    .close = conn_stream_close,
    .is_writable = conn_stream_is_writable,
};

struct conn_stream *conn_stream_new(struct conn *conn, enum stream_state state)
{
    struct conn_stream *stream = mem_new(1, sizeof(*stream));

    stream->stream.ops = &conn_stream_ops;
    stream->conn = conn;
    do
        stream->local = (uint32_t)++conn->issued;
    while (!stream->local || conn_find_stream(conn, stream->local));
    stream->state = state;
    stream->next = conn->streams;
    conn->streams = stream;
    return stream;
}

/* Ask for the service and wait for the peer's answer. */
static bool open_and_wait(struct conn_stream *stream, const char *service,
                          struct deadline by, struct err *err)
{
    bool begun;

    if (!conn_send(stream, PACKET_OPEN, service, strlen(service) + 1, by,
                   &begun, err))
        return false;
    while (stream->state == STREAM_OPENING) {
        if (!conn_wait(stream->conn, stream, by, err))
            return false;
    }
    if (stream->state == STREAM_REFUSED)
        return err_set(err, ERR_REFUSED, "the device does not offer it");
    return true;
}

/* A service's name for messages: without what its caller passes to it. */
static int name_length(const char *service)
{
    size_t length = strcspn(service, ":");

    return length > 40 ? 40 : (int)length;
}

bool conn_open_stream(struct conn *conn, const char *service,
                      struct deadline by, struct stream **stream,
                      struct err *err)
{
    struct conn_stream *opened;
    bool fine;

    if (strlen(service) >= conn->agreed.max_payload)
        return err_set(
            err, ERR_LIMIT,
            "the request is %zu bytes long; the device accepts at most %u",
            strlen(service), conn->agreed.max_payload - 1);
    conn_enter(conn);
    opened = conn_stream_new(conn, STREAM_OPENING);
    fine = open_and_wait(opened, service, by, err);
    log_trace(conn->log, LOG_CONN, "stream %u: %.*s: %s", opened->local,
              name_length(service), service, fine ? "open" : err->text);
    if (!fine)
        end_stream(opened); /* the peer may have opened it meanwhile */
    conn_leave(conn);
    if (!fine)
        return err_wrap(err, "opening %.*s", name_length(service), service);
    *stream = &opened->stream;
    return true;
}

void conn_listen(struct conn *conn, conn_wanted_fn *wanted, void *context)
{
    conn_enter(conn);
    conn->wanted = wanted;
    conn->wanted_context = context;
    conn_wake(conn, conn);
    /* conn_accept may read */
    conn->transport->ops->wake(conn->transport, TRANSPORT_READ);
    conn_leave(conn);
}

struct conn_stream *conn_next_offered(struct conn *conn)
{
    struct conn_stream *oldest = NULL;

    /* New ones are put in front. */
    for (struct conn_stream *s = conn->streams; s; s = s->next) {
        if (s->offered)
            oldest = s;
    }
    return oldest;
}

static bool wait_for_offer(struct conn *conn, struct deadline by,
                           struct err *err)
{
    if (!conn->wanted)
        return err_set(err, ERR_CANCELLED, "no longer listening");
    return conn_wait(conn, conn, by, err);
}

bool conn_accept(struct conn *conn, struct deadline by, struct buf *service,
                 struct stream **stream, struct err *err)
{
    struct conn_stream *offered;
    bool fine = true;

    conn_enter(conn);
    while (!(offered = conn_next_offered(conn)) && fine)
        fine = wait_for_offer(conn, by, err);
    if (offered) {
        *service = offered->service;
        offered->service = (struct buf)BUF_INIT(0);
        offered->offered = false;
        *stream = &offered->stream;
    }
    conn_leave(conn);
    return offered;
}

/*
 * The writing thread sends our answer, too. It must be out before the service
 * begins: that may end the connection, as one that restarts the device does.
 */
static bool await_writer(struct conn *conn, struct err *err)
{
    while (conn->writing && conn->outbox.length) {
        if (!conn_sleep(conn, &conn->writing, DEADLINE_NEVER, err) ||
            !conn_still_there(conn, err))
            return false;
    }
    return true;
}

bool conn_confirm(struct stream *base, struct err *err)
{
    struct conn_stream *stream = stream_of(base);
    struct conn *conn = stream->conn;
    bool fine;

    conn_enter(conn);
    fine = conn_still_there(conn, err);
    if (fine && stream->state == STREAM_PENDING) {
        stream->state = STREAM_OPEN;
        conn_flow_accept(stream);
        fine = await_writer(conn, err);
    } else if (fine) {
        fine = err_set(err, ERR_CLOSED, "the device closed the stream");
    }
    conn_leave(conn);
    return fine;
}
