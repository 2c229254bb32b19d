/*
 * Flow control: how much each side may send.
 *
 * Classic: one packet at a time. An incoming one is acknowledged as soon as it
 * begins to arrive, as long as little else is unread: the peer is one packet
 * ahead of its reader, or many small ones, and by the rules a stream never
 * holds more than QUEUE_MAX and two payloads.
 *
 * delayed_ack, where both sides know it: each side grants the other a window
 * of bytes when a stream opens, and more as they are read, or when a large
 * payload begins to arrive and nothing older is unread. A peer may begin a
 * packet while its window is above zero, so by the rules a stream never holds
 * more than the window and two payloads.
 *
 * AOSP breaks these rules when a service ends: if its process has exited, or
 * the client of an adb server has closed its socket, the event loop reads all
 * that is left in the socket and sends it, and then CLSE, whatever was granted.
 * That is at most a socket buffer: about 200 KiB for a shell, 4 MiB for abb,
 * and tcp_rmem (6 MiB by default) for TCP. We store such data for the reader
 * like all other data. To bound memory against a hostile peer, all streams of a
 * connection together store at most CONN_OVERRUN_MAX beyond the rules. If a
 * packet exceeds that, the stream with the most unread data is dropped.
 *
 * Windows are small on purpose. Data that waits in sockets leaves the CPU
 * cache, and a stock adbd that is let further ahead, or sent more at once,
 * needs half as much CPU time again.
 */
#include "adb/connection/conn_private.h"
#include "base/bytes.h"

/* Grant again what was read, or begins to arrive, once it is this much. */
#define GRANT_MIN (PACKET_WANTED_PAYLOAD / 8)

/*
 * The bytes that the peer may send: one full packet, or many small ones. A peer
 * that waits until a packet is granted as a whole (@yume-chan/adb does) must
 * not wait for what we have read and not yet granted again.
 */
#define WINDOW (PACKET_WANTED_PAYLOAD + GRANT_MIN)

/*
 * Classic: the bytes that may be unread while the next packet is acknowledged.
 * Both sides may write small things while the other writes too, as they could
 * if the services were behind sockets: requests sent ahead, and replies to
 * them.
 */
#define QUEUE_MAX ((size_t)64 * 1024)

/* The bytes that a stream may hold by the rules, with either flow control. */
#define ALLOWED_MAX (WINDOW + 2 * PACKET_MAX_PAYLOAD)

/* The most that we send ahead of a grant, however large the peer's window. */
#define AHEAD_MAX (2 * PACKET_MAX_PAYLOAD)

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
    if (!is_delayed(stream->conn))
        stream->credit = 1; /* one packet */
    else
        stream->credit = window < AHEAD_MAX ? window : AHEAD_MAX;
}

/* A peer that grants without end, or takes back, must not make it overflow. */
static int64_t within_reason(int64_t credit)
{
    if (credit > AHEAD_MAX)
        return AHEAD_MAX;
    return credit < INT32_MIN ? INT32_MIN : credit;
}

bool conn_flow_granted(struct conn_stream *stream, const struct packet *packet,
                       const uint8_t *grant, struct err *err)
{
    if (is_delayed(stream->conn) && packet->length != CONN_GRANT_SIZE)
        return err_set(err, ERR_PROTOCOL,
                       "the peer sent OKAY with %u bytes instead of %d",
                       packet->length, CONN_GRANT_SIZE);
    if (stream->state == STREAM_OPENING || !is_delayed(stream->conn))
        conn_flow_begin(stream, get_u32le(grant));
    else
        stream->credit =
            within_reason(stream->credit + (int32_t)get_u32le(grant));
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

static void arrives_delayed(struct conn_stream *stream, size_t length)
{
    if (length < GRANT_MIN || stream->unread) {
        stream->unacked += length;
        return;
    }
    grant(stream, (uint32_t)length);
    stream->granted_early += length;
}

static void arrives_classic(struct conn_stream *stream, size_t length)
{
    if (stream->owes_ack)
        return;
    stream->owes_ack = stream->queued - length >= QUEUE_MAX;
    if (!stream->owes_ack)
        grant(stream, 0);
}

static size_t overrun_of(const struct conn_stream *stream)
{
    return stream->queued > ALLOWED_MAX ? stream->queued - ALLOWED_MAX : 0;
}

/* Is the limit exceeded? *largest is the stream with the most unread data. */
static bool limit_exceeded(const struct conn *conn,
                           struct conn_stream **largest)
{
    size_t sum = 0;

    *largest = conn->streams;
    for (struct conn_stream *s = conn->streams; s; s = s->next) {
        sum += overrun_of(s);
        if (s->queued > (*largest)->queued)
            *largest = s;
    }
    return sum > CONN_OVERRUN_MAX;
}

static void drop_stream(struct conn_stream *stream)
{
    struct conn *conn = stream->conn;

    log_trace(conn->log, LOG_CONN, "stream %u: dropped with %zu bytes unread",
              stream->local, stream->queued);
    if (stream->state == STREAM_OPEN)
        conn_post(conn, PACKET_CLSE, stream->local, stream->remote);
    stream->state = STREAM_OVERFLOWED;
    conn_stream_drop_unread(stream);
    conn_wake(conn, stream);
}

bool conn_flow_overflowed(struct err *err)
{
    return err_set(err, ERR_LIMIT,
                   "the peer sent more than %zu MiB that was not read; the "
                   "stream was closed",
                   CONN_OVERRUN_MAX / 1024 / 1024);
}

bool conn_flow_arrives(struct conn_stream *stream, size_t length)
{
    struct conn_stream *largest;

    stream->queued += length;
    if (overrun_of(stream) && limit_exceeded(stream->conn, &largest))
        drop_stream(largest);
    if (stream->state != STREAM_OPEN) {
        stream->queued -= length;
        return false;
    }
    if (is_delayed(stream->conn))
        arrives_delayed(stream, length);
    else
        arrives_classic(stream, length);
    return true;
}

/* Early grants are read first: they were given when nothing was unread. */
static void was_read_delayed(struct conn_stream *stream, size_t size)
{
    size_t early = size < stream->granted_early ? size : stream->granted_early;

    stream->granted_early -= early;
    stream->ungranted += size - early;
    if (stream->ungranted < GRANT_MIN)
        return;
    grant(stream, (uint32_t)stream->ungranted);
    stream->unacked -= stream->ungranted;
    stream->ungranted = 0;
}

static void was_read_classic(struct conn_stream *stream)
{
    if (stream->owes_ack && stream->queued < QUEUE_MAX) {
        stream->owes_ack = false;
        grant(stream, 0);
    }
}

void conn_flow_was_read(struct conn_stream *stream, size_t size)
{
    stream->queued -= size;
    if (stream->state != STREAM_OPEN)
        return;
    if (is_delayed(stream->conn))
        was_read_delayed(stream, size);
    else
        was_read_classic(stream);
}
