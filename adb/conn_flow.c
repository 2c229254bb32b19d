/*
 * Who may send how much.
 *
 * Classic: one packet at a time. An incoming one is acknowledged as soon as it
 * begins to arrive, as long as nothing older is unread: the peer is one packet
 * ahead of its reader, and a stream never holds more than two payloads.
 *
 * delayed_ack, where both sides know it: each side grants the other a window
 * of bytes when a stream opens, and more as they are read. A peer may begin a
 * packet while its window is above zero, so a stream never holds more than the
 * window and one payload.
 */
#include "adb/conn_private.h"
#include "base/bytes.h"

/* Enough for a fast network some milliseconds away, and no more memory. */
#define WINDOW (4U * 1024U * 1024U)

/* Grant again what was read once it is this much. */
#define GRANT_MIN (WINDOW / 8)

static bool is_delayed(const struct conn *conn)
{
    return conn->features & FEATURE_BIT(FEATURE_DELAYED_ACK);
}

uint32_t conn_flow_window(const struct conn *conn)
{
    return is_delayed(conn) ? WINDOW : 0;
}

/* ---- what we send ---- */

bool conn_flow_may_open(const struct conn *conn, uint32_t window)
{
    return is_delayed(conn) == (window != 0);
}

void conn_flow_begin(struct conn_stream *stream, uint32_t window)
{
    stream->credit = is_delayed(stream->conn) ? window : 1;
}

bool conn_flow_granted(struct conn_stream *stream, const struct packet *packet,
                       const uint8_t *grant, struct err *err)
{
    if (!is_delayed(stream->conn)) {
        stream->credit = 1; /* one packet */
        return true;
    }
    if (packet->length != CONN_GRANT_SIZE)
        return err_set(err, ERR_PROTOCOL,
                       "the peer sent OKAY with %u bytes instead of %d",
                       packet->length, CONN_GRANT_SIZE);
    stream->credit += (int32_t)get_u32le(grant);
    return true;
}

int64_t conn_flow_spend(struct conn_stream *stream, size_t size)
{
    int64_t cost = is_delayed(stream->conn) ? (int64_t)size : 1;

    stream->credit -= cost;
    return cost;
}

/* ---- what we receive ---- */

static void grant(struct conn_stream *stream, uint32_t bytes)
{
    if (is_delayed(stream->conn))
        conn_post_grant(stream, bytes);
    else
        conn_post(stream->conn, PACKET_OKAY, stream->local, stream->remote);
}

void conn_flow_accept(struct conn_stream *stream)
{
    grant(stream, WINDOW);
}

bool conn_flow_arrives(struct conn_stream *stream, size_t length,
                       struct err *err)
{
    bool too_much =
        is_delayed(stream->conn) ? stream->unacked >= WINDOW : stream->owes_ack;

    if (too_much)
        return err_set(err, ERR_PROTOCOL,
                       "the peer sends on stream %u without waiting for "
                       "its acknowledgement",
                       stream->local);
    if (is_delayed(stream->conn))
        stream->unacked += length;
    else if (stream->unread)
        stream->owes_ack = true;
    else
        grant(stream, 0);
    return true;
}

void conn_flow_was_read(struct conn_stream *stream, size_t size)
{
    if (stream->state != STREAM_OPEN)
        return;
    if (is_delayed(stream->conn)) {
        stream->ungranted += size;
        if (stream->ungranted < GRANT_MIN)
            return;
        grant(stream, (uint32_t)stream->ungranted);
        stream->unacked -= stream->ungranted;
        stream->ungranted = 0;
    } else if (stream->owes_ack && !stream->unread) {
        stream->owes_ack = false;
        grant(stream, 0);
    }
}
