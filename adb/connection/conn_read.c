#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adb/connection/conn_private.h"

struct conn_stream *conn_find_stream(struct conn *conn, uint32_t local)
{
    struct conn_stream *stream = conn->streams;

    while (stream && stream->local != local)
        stream = stream->next;
    return stream;
}

/* A peer may speak of streams closed a moment ago, but not of future ones. */
static bool check_local_id(const struct conn *conn, const struct packet *packet,
                           struct err *err)
{
    if (packet->arg1 != 0 && packet->arg1 <= conn->issued)
        return true;
    return err_set(err, ERR_PROTOCOL,
                   "the peer sent %s for stream %u, which never existed",
                   packet_command_name(packet->command), packet->arg1);
}

/* Data begins to arrive: may it, and where does it go? */
static bool begin_data(struct conn *conn, struct err *err)
{
    struct packet_receiver *receiver = conn->receiver;
    const struct packet *packet = &receiver->packet;
    struct conn_stream *stream = conn_find_stream(conn, packet->arg1);

    if (!stream || stream->state != STREAM_OPEN)
        return check_local_id(conn, packet, err);
    if (!conn_flow_arrives(stream, packet->length) || !packet->length)
        return true;
    if (stream->direct && !stream->unread &&
        packet->length <= stream->direct_size) {
        packet_receiver_into(receiver, stream->direct);
        return true;
    }
    conn->incoming = chunk_new(packet->length);
    packet_receiver_into(receiver, conn->incoming->data);
    return true;
}

static bool out_of_turn(const struct packet *packet, struct err *err)
{
    return err_set(err, ERR_PROTOCOL, "the peer sent an unexpected %s",
                   packet_command_name(packet->command));
}

static bool begin_packet(struct conn *conn, struct err *err)
{
    const struct packet *packet = &conn->receiver->packet;

    conn_trace_packet(conn, "<-", packet);
    switch (packet->command) {
    case PACKET_WRTE:
        return begin_data(conn, err);
    case PACKET_OPEN:
        conn->incoming = chunk_new(packet->length);
        packet_receiver_into(conn->receiver, conn->incoming->data);
        return true;
    case PACKET_OKAY:
        if (packet->length == CONN_GRANT_SIZE)
            packet_receiver_into(conn->receiver, (char *)conn->grant);
        return true;
    case PACKET_CLSE:
    case PACKET_SYNC:
        return true;
    case PACKET_STLS:
        if (!conn->agreed.stls_due)
            return out_of_turn(packet, err);
        conn->agreed.stls_due = false;
        return true;
    case PACKET_CNXN:
        return err_set(err, ERR_LOST, "the device restarted the connection");
    default:
        return out_of_turn(packet, err);
    }
}

static void append_unread(struct conn_stream *stream, struct chunk *chunk)
{
    struct chunk *last = stream->unread ? stream->last_unread : NULL;

    if (last && chunk->length <= last->room - last->length) {
        memcpy(last->data + last->length, chunk->data, chunk->length);
        last->length += chunk->length;
        free(chunk);
        return;
    }
    *(last ? &last->next : &stream->unread) = chunk;
    stream->last_unread = chunk;
}

/* Keep the payload that has arrived, unless its stream is gone by now. */
static void end_data(struct conn *conn)
{
    struct packet_receiver *receiver = conn->receiver;
    struct conn_stream *stream = conn_find_stream(conn, receiver->packet.arg1);

    if (stream && conn->incoming) {
        append_unread(stream, conn->incoming);
        conn->incoming = NULL;
    } else if (stream && receiver->payload) {
        stream->direct_got = receiver->packet.length;
        stream->direct = NULL;
    }
    if (stream)
        conn_wake(conn, stream);
}

static size_t count_offered(const struct conn *conn)
{
    size_t count = 0;

    for (struct conn_stream *s = conn->streams; s; s = s->next)
        count += s->offered;
    return count;
}

static bool end_open(struct conn *conn, struct err *err)
{
    const struct packet *packet = &conn->receiver->packet;
    struct conn_stream *stream;
    struct buf service = BUF_INIT(PACKET_MAX_PAYLOAD);

    assert(conn->incoming); /* begin_packet saw to it */
    if (!packet->arg0)
        return err_set(err, ERR_PROTOCOL, "the peer opened stream 0");
    buf_append(&service, conn->incoming->data,
               strnlen(conn->incoming->data, conn->incoming->length));
    if (!conn_flow_may_open(conn, packet->arg1) || !conn->wanted ||
        !conn->wanted(conn->wanted_context, buf_cstr(&service)) ||
        count_offered(conn) >= CONN_BACKLOG) {
        conn_post(conn, PACKET_CLSE, 0, packet->arg0);
        buf_release(&service);
        return true;
    }
    stream = conn_stream_new(conn, STREAM_PENDING);
    stream->remote = packet->arg0;
    conn_flow_begin(stream, packet->arg1);
    stream->service = service;
    stream->offered = true;
    conn_wake(conn, conn);
    return true;
}

static bool end_okay(struct conn *conn, struct err *err)
{
    const struct packet *packet = &conn->receiver->packet;
    struct conn_stream *stream = conn_find_stream(conn, packet->arg1);

    if (!stream) {
        if (!check_local_id(conn, packet, err))
            return false;
        /* We gave up on it before the peer had opened it. */
        conn_post(conn, PACKET_CLSE, packet->arg1, packet->arg0);
        return true;
    }
    if (!packet->arg0)
        return err_set(err, ERR_PROTOCOL,
                       "the peer accepted stream %u as stream 0",
                       stream->local);
    if (!conn_flow_granted(stream, packet, conn->grant, err))
        return false;
    if (stream->state == STREAM_OPENING) {
        stream->remote = packet->arg0;
        stream->state = STREAM_OPEN;
    }
    conn_wake(conn, stream);
    return true;
}

static bool end_close(struct conn *conn, struct err *err)
{
    const struct packet *packet = &conn->receiver->packet;
    struct conn_stream *stream = conn_find_stream(conn, packet->arg1);

    if (!stream)
        return check_local_id(conn, packet, err);
    switch (stream->state) {
    case STREAM_OPENING:
        stream->state = STREAM_REFUSED;
        break;
    case STREAM_OPEN:
    case STREAM_PENDING:
        conn_post(conn, PACKET_CLSE, stream->local, stream->remote);
        stream->state = STREAM_ENDED;
        break;
    case STREAM_REFUSED:
    case STREAM_ENDED:
    case STREAM_OVERFLOWED:
        break;
    }
    conn_wake(conn, stream);
    return true;
}

static bool check_sum(const struct conn *conn, struct err *err)
{
    const struct packet_receiver *receiver = conn->receiver;

    if (conn->agreed.version >= PACKET_VERSION_SKIP_CHECKSUM ||
        !receiver->payload ||
        receiver->packet.check ==
            packet_checksum(receiver->payload, receiver->packet.length))
        return true;
    return err_set(err, ERR_PROTOCOL, "the peer sent %s with a wrong checksum",
                   packet_command_name(receiver->packet.command));
}

static bool end_packet(struct conn *conn, struct err *err)
{
    bool fine = check_sum(conn, err);

    if (fine) {
        switch (conn->receiver->packet.command) {
        case PACKET_WRTE:
            end_data(conn);
            break;
        case PACKET_OPEN:
            fine = end_open(conn, err);
            break;
        case PACKET_OKAY:
            fine = end_okay(conn, err);
            break;
        case PACKET_CLSE:
            fine = end_close(conn, err);
            break;
        default:
            break;
        }
    }
    free(conn->incoming);
    conn->incoming = NULL;
    return fine;
}

/*
 * Hand out every packet that is complete. *any says whether one was; the
 * peer's breach of the protocol ends the connection.
 */
static bool hand_out(struct conn *conn, bool *any, struct err *err)
{
    enum packet_receiver_event event;

    *any = false;
    do {
        if (!packet_receiver_next(conn->receiver, &event, err) ||
            (event == PACKET_RECEIVER_BEGUN && !begin_packet(conn, err)) ||
            (event == PACKET_RECEIVER_DONE && !end_packet(conn, err)))
            return conn_fail(conn, err);
        *any |= event == PACKET_RECEIVER_DONE;
    } while (event != PACKET_RECEIVER_NOTHING);
    return conn_still_there(conn, err);
}

unsigned conn_reader_wants(const struct conn *conn)
{
    return TRANSPORT_READ |
           (conn_has_posted(conn) ? (unsigned)TRANSPORT_WRITE : 0U);
}

/* Take from the transport what is there, and hand it out. */
static bool read_ready(struct conn *conn, struct err *err)
{
    size_t got;
    bool any;
    bool fine;

    pthread_mutex_unlock(&conn->lock);
    fine = packet_receiver_read(conn->receiver, conn->transport, &got, err);
    pthread_mutex_lock(&conn->lock);
    return fine ? hand_out(conn, &any, err) : conn_fail(conn, err);
}

bool conn_read(struct conn *conn, struct deadline by, struct err *err)
{
    struct transport *transport = conn->transport;
    unsigned wants;
    bool any;
    bool fine;

    conn->reading = true;
    fine = hand_out(conn, &any, err);
    if (fine && !any) {
        conn_flush(conn);
        wants = conn_reader_wants(conn);
        pthread_mutex_unlock(&conn->lock);
        fine = transport->ops->wait(transport, wants, by, err);
        pthread_mutex_lock(&conn->lock);
        if (fine)
            fine = read_ready(conn, err);
        else if (err->code != ERR_TIMEOUT)
            conn_fail(conn, err);
    }
    conn->reading = false;
    conn->last_read_ns = clock_ns();
    return fine || (err->code != ERR_TIMEOUT && conn_still_there(conn, err));
}

void conn_read_ready(struct conn *conn)
{
    struct err why;

    conn->reading = true;
    if (read_ready(conn, &why))
        conn_flush(conn);
    conn->reading = false;
}
