#include <assert.h>

#include "adb/conn_private.h"

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

/* Take the answers that wait. The caller is the writer, or nobody is. */
static void take_outbox(struct conn *conn)
{
    struct buf empty = conn->sending;

    if (conn->sending.length)
        return;
    conn->sending = conn->outbox;
    conn->outbox = empty;
}

bool conn_has_posted(const struct conn *conn)
{
    return !conn->writing && (conn->sending.length || conn->outbox.length);
}

void conn_flush(struct conn *conn)
{
    struct err why;
    size_t put = 1;

    while (put && conn->lost.code == ERR_NONE && conn_has_posted(conn)) {
        struct iovec part;

        take_outbox(conn);
        part = (struct iovec){conn->sending.data, conn->sending.length};
        if (!conn->transport->ops->write(conn->transport, &part, 1, &put,
                                         &why)) {
            conn_fail(conn, &why);
            return;
        }
        buf_consume(&conn->sending, put);
    }
}

void conn_post(struct conn *conn, uint32_t command, uint32_t local,
               uint32_t remote)
{
    const struct packet packet = {
        .command = command, .arg0 = local, .arg1 = remote};
    uint8_t header[PACKET_HEADER_SIZE];
    struct err why;

    conn_trace_packet(conn, "->", &packet);
    packet_encode(&packet, header);
    buf_append(&conn->outbox, header, sizeof(header));
    if (conn->outbox.overflow) {
        err_set(&why, ERR_PROTOCOL, "the peer floods us and reads no answer");
        conn_fail(conn, &why);
    }
}

/* The peer may be waiting for us to read before it reads on. */
static void see_that_somebody_reads(struct conn *conn)
{
    pthread_mutex_lock(&conn->lock);
    conn->last_read_ns = 0; /* no lingering */
    if (!conn->reading)
        conn_pass_reading_on(conn);
    pthread_cond_signal(&conn->background_wake);
    pthread_mutex_unlock(&conn->lock);
}

/* Write all parts. Called by the writer without the lock. */
static bool write_parts(struct conn *conn, struct iovec *parts, int count,
                        struct deadline by, struct err *err)
{
    struct transport *transport = conn->transport;
    size_t left = skip_parts(parts, count, 0);

    while (left) {
        size_t put;

        if (!transport->ops->write(transport, parts, count, &put, err))
            return false;
        left = skip_parts(parts, count, put);
        if (put)
            continue;
        see_that_somebody_reads(conn);
        if (!transport->ops->wait(transport, TRANSPORT_WRITE, by, err))
            return false;
    }
    return true;
}

static bool become_writer(struct conn *conn, struct deadline by,
                          struct err *err)
{
    while (conn->writing) {
        if (!conn_still_there(conn, err) ||
            !conn_sleep(conn, &conn->writing, by, err))
            return false;
    }
    if (!conn_still_there(conn, err))
        return false;
    conn->writing = true;
    return true;
}

/* Half a packet cannot be taken back, so nothing can follow it. */
static bool cut_short(struct conn *conn, const struct err *err)
{
    struct err why = *err;

    if (err->code == ERR_TIMEOUT)
        err_set(&why, ERR_LOST, "the peer stopped taking data");
    return conn_fail(conn, &why);
}

bool conn_send(struct conn *conn, struct packet packet, const void *payload,
               struct deadline by, struct err *err)
{
    uint8_t header[PACKET_HEADER_SIZE];
    struct iovec parts[3];
    bool sent;

    if (!become_writer(conn, by, err))
        return false;
    if (conn->agreed.version < PACKET_VERSION_SKIP_CHECKSUM)
        packet.check = packet_checksum(payload, packet.length);
    conn_trace_packet(conn, "->", &packet);
    packet_encode(&packet, header);
    take_outbox(conn);
    parts[0] = (struct iovec){conn->sending.data, conn->sending.length};
    parts[1] = (struct iovec){header, sizeof(header)};
    parts[2] = (struct iovec){(void *)(uintptr_t)payload, packet.length};
    pthread_mutex_unlock(&conn->lock);
    sent = write_parts(conn, parts, 3, by, err);
    pthread_mutex_lock(&conn->lock);
    buf_clear(&conn->sending);
    conn->writing = false;
    conn_wake(conn, &conn->writing);
    return sent || cut_short(conn, err);
}
