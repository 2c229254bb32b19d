#include <assert.h>

#include "adb/connection/conn_private.h"
#include "base/bytes.h"

/* More than this is given back when it was needed once. */
#define KEPT_CAPACITY ((size_t)64 * 1024)

void conn_trace_packet(const struct conn *conn, const char *arrow,
                       const struct packet *packet)
{
    log_trace(conn->log, LOG_PACKET, "%s %s %u %u %u bytes", arrow,
              packet_command_name(packet->command), packet->arg0, packet->arg1,
              packet->length);
}

/* Step over what was sent; returns how much is left. */
static size_t skip_parts(struct iovec *parts, int count, size_t sent)
{
    size_t left = 0;

    for (int i = 0; i < count; i++) {
        size_t skip = sent < parts[i].iov_len ? sent : parts[i].iov_len;

        parts[i].iov_base = (char *)parts[i].iov_base + skip;
        parts[i].iov_len -= skip;
        sent -= skip;
        left += parts[i].iov_len;
    }
    return left;
}

/* Take the answers that wait. The caller is the writer, or there is none. */
static void take_outbox(struct conn *conn)
{
    if (conn->sending.length)
        return;
    buf_append(&conn->sending, conn->outbox.data, conn->outbox.length);
    buf_clear(&conn->outbox);
}

/* Step over what was sent of them. */
static void consume_sending(struct conn *conn, size_t sent)
{
    buf_consume(&conn->sending, sent);
    if (!conn->sending.length && conn->sending.capacity > KEPT_CAPACITY)
        buf_release(&conn->sending);
}

bool conn_has_posted(const struct conn *conn)
{
    return !conn->writing && conn->mute.code == ERR_NONE &&
           (conn->sending.length || conn->outbox.length);
}

void conn_flush(struct conn *conn)
{
    size_t put = 1;

    while (put && conn->lost.code == ERR_NONE && conn_has_posted(conn)) {
        struct iovec part;

        take_outbox(conn);
        part = (struct iovec){conn->sending.data, conn->sending.length};
        /*
         * A peer that disconnected may have sent something before: let the
         * reader get to the end of it, and tell.
         */
        if (!conn->transport->ops->write(conn->transport, &part, 1, &put,
                                         &conn->mute))
            return;
        consume_sending(conn, put);
    }
}

void conn_flush_or_leave(struct conn *conn)
{
    conn_flush(conn);
    if (conn_has_posted(conn))
        conn->transport->ops->wake(conn->transport, TRANSPORT_READ);
}

static void post_packet(struct conn *conn, const struct packet *packet,
                        const void *payload)
{
    uint8_t header[PACKET_HEADER_SIZE];
    struct err why;

    if (conn->mute.code != ERR_NONE)
        return;
    conn_trace_packet(conn, "->", packet);
    packet_encode(packet, header);
    buf_append(&conn->outbox, header, sizeof(header));
    buf_append(&conn->outbox, payload, packet->length);
    if (conn->outbox.overflow) {
        err_set(&why, ERR_PROTOCOL,
                "the peer sends requests without reading the answers");
        conn_fail(conn, &why);
    }
}

void conn_post(struct conn *conn, uint32_t command, uint32_t local,
               uint32_t remote)
{
    const struct packet packet = {
        .command = command, .arg0 = local, .arg1 = remote};

    post_packet(conn, &packet, NULL);
}

void conn_post_grant(struct conn_stream *stream, uint32_t bytes)
{
    const struct packet packet = {.command = PACKET_OKAY,
                                  .arg0 = stream->local,
                                  .arg1 = stream->remote,
                                  .length = CONN_GRANT_SIZE};
    uint8_t payload[CONN_GRANT_SIZE];

    put_u32le(payload, bytes);
    post_packet(stream->conn, &packet, payload);
}

/* Before the writer blocks, without the lock. */
static bool may_block(struct conn_stream *stream, struct err *err)
{
    struct conn *conn = stream->conn;
    bool interrupted;

    pthread_mutex_lock(&conn->lock);
    interrupted = stream->interrupted;
    /* The peer may be waiting for us to read before it reads on. */
    conn->last_read_ns = 0; /* no lingering */
    if (!conn->reading)
        conn_pass_reading_on(conn);
    pthread_cond_signal(&conn->background_wake);
    pthread_mutex_unlock(&conn->lock);
    return !interrupted || err_set(err, ERR_CANCELLED, "interrupted");
}

/* Write all parts. Called by the writer without the lock. */
static bool write_parts(struct conn_stream *stream, struct iovec *parts,
                        int count, struct deadline by, struct err *err)
{
    struct transport *transport = stream->conn->transport;
    size_t left = skip_parts(parts, count, 0);

    while (left) {
        size_t put;

        if (!transport->ops->write(transport, parts, count, &put, err))
            return false;
        left = skip_parts(parts, count, put);
        if (put)
            continue;
        if (!may_block(stream, err) ||
            !transport->ops->wait(transport, TRANSPORT_WRITE, by, err))
            return false;
    }
    return true;
}

static bool become_writer(struct conn_stream *stream, struct deadline by,
                          struct err *err)
{
    struct conn *conn = stream->conn;

    while (conn->writing && conn->lost.code == ERR_NONE) {
        if (stream->interrupted)
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (!conn_sleep(conn, &conn->writing, by, err))
            return false;
    }
    if (!conn_still_there(conn, err))
        return false;
    conn->writing = true;
    return true;
}

/* Keep the rest of a packet that has begun: it is sent before all others. */
static bool keep_rest(struct conn *conn, const struct iovec parts[3])
{
    bool begun = parts[1].iov_len < PACKET_HEADER_SIZE;

    consume_sending(conn, conn->sending.length - parts[0].iov_len);
    if (begun) {
        buf_append(&conn->sending, parts[1].iov_base, parts[1].iov_len);
        buf_append(&conn->sending, parts[2].iov_base, parts[2].iov_len);
        assert(!conn->sending.overflow);
    }
    return begun;
}

/*
 * A call that ran out of time does not affect other calls; all other failures
 * do.
 */
static bool fail_send(struct conn *conn, struct err *err)
{
    if (err->code == ERR_TIMEOUT || err->code == ERR_CANCELLED)
        return false;
    conn_fail(conn, err);
    *err = conn->lost;
    return false;
}

bool conn_send(struct conn_stream *stream, uint32_t command,
               const void *payload, size_t length, struct deadline by,
               bool *begun, struct err *err)
{
    struct conn *conn = stream->conn;
    struct packet packet = {.command = command,
                            .arg0 = stream->local,
                            .arg1 = command == PACKET_OPEN
                                        ? conn_flow_window(conn)
                                        : stream->remote,
                            .length = (uint32_t)length};
    uint8_t header[PACKET_HEADER_SIZE];
    struct iovec parts[3];
    bool sent;

    *begun = false;
    if (!become_writer(stream, by, err))
        return false;
    if (conn->agreed.version < PACKET_VERSION_SKIP_CHECKSUM)
        packet.check = packet_checksum(payload, length);
    conn_trace_packet(conn, "->", &packet);
    packet_encode(&packet, header);
    take_outbox(conn);
    parts[0] = (struct iovec){conn->sending.data, conn->sending.length};
    parts[1] = (struct iovec){header, sizeof(header)};
    parts[2] = (struct iovec){(void *)(uintptr_t)payload, length};
    pthread_mutex_unlock(&conn->lock);
    sent = write_parts(stream, parts, 3, by, err);
    pthread_mutex_lock(&conn->lock);
    *begun = keep_rest(conn, parts);
    conn->writing = false;
    conn_wake(conn, &conn->writing);
    conn_flush_or_leave(conn); /* others have posted meanwhile */
    return sent || fail_send(conn, err);
}
