#include <assert.h>
#include <stdlib.h>

#include "adb/connection/conn_private.h"
#include "base/mem.h"

/* The background thread begins to watch after this long without a call. */
#define LINGER_NS INT64_C(20000000)

/* Answers that wait for the peer to read: a flood beyond that is cut off. */
#define OUTBOX_LIMIT (4096 * PACKET_HEADER_SIZE)

/* Those, and one packet whose sender did not wait for its end. */
#define SENDING_LIMIT (OUTBOX_LIMIT + PACKET_HEADER_SIZE + PACKET_MAX_PAYLOAD)

#define BACKGROUND_STACK (256 * 1024)

const feature_set conn_host_features =
    FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_CMD) |
    FEATURE_BIT(FEATURE_STAT_V2) | FEATURE_BIT(FEATURE_LS_V2) |
    FEATURE_BIT(FEATURE_SENDRECV_V2) | FEATURE_BIT(FEATURE_SENDRECV_V2_BROTLI) |
    FEATURE_BIT(FEATURE_SENDRECV_V2_LZ4) |
    FEATURE_BIT(FEATURE_SENDRECV_V2_ZSTD) |
    FEATURE_BIT(FEATURE_SENDRECV_V2_DRY_RUN_SEND) | FEATURE_BIT(FEATURE_ABB) |
    FEATURE_BIT(FEATURE_ABB_EXEC) | FEATURE_BIT(FEATURE_FIXED_PUSH_MKDIR) |
    FEATURE_BIT(FEATURE_FIXED_PUSH_SYMLINK_TIMESTAMP) |
    FEATURE_BIT(FEATURE_APEX) | FEATURE_BIT(FEATURE_DELAYED_ACK);

void conn_enter(struct conn *conn)
{
    pthread_mutex_lock(&conn->lock);
}

void conn_leave(struct conn *conn)
{
    conn_flush_or_leave(conn);
    if (!conn->reading)
        conn_pass_reading_on(conn);
    pthread_mutex_unlock(&conn->lock);
}

bool conn_sleep(struct conn *conn, const void *subject, struct deadline by,
                struct err *err)
{
    struct sleeper self = {.subject = subject, .next = conn->sleepers};
    struct timespec until = deadline_timespec(by);
    struct sleeper **link = &conn->sleepers;
    bool in_time;

    if (!conn->reading)
        conn_pass_reading_on(conn);
    pthread_cond_init(&self.changed, &conn->monotonic);
    conn->sleepers = &self;
    in_time = !pthread_cond_timedwait(&self.changed, &conn->lock, &until);
    while (*link != &self)
        link = &(*link)->next;
    *link = self.next;
    pthread_cond_destroy(&self.changed);
    return in_time || err_set(err, ERR_TIMEOUT, "no answer in time");
}

void conn_wake(struct conn *conn, const void *subject)
{
    for (struct sleeper *s = conn->sleepers; s; s = s->next) {
        if (s->subject == subject)
            pthread_cond_signal(&s->changed);
    }
}

bool conn_wait(struct conn *conn, const void *subject, struct deadline by,
               struct err *err)
{
    if (!conn_still_there(conn, err))
        return false;
    if (deadline_passed(by))
        return err_set(err, ERR_TIMEOUT, "no answer in time");
    if (conn->reading)
        return conn_sleep(conn, subject, by, err);
    if (conn->watching) {
        conn->watching = false;
        conn->transport->ops->wake(conn->transport, TRANSPORT_READ);
    }
    return conn_read(conn, by, err);
}

void conn_pass_reading_on(struct conn *conn)
{
    for (struct sleeper *s = conn->sleepers; s; s = s->next) {
        /* A thread that waits to write does not need the peer's next packet. */
        if (s->subject != &conn->writing) {
            pthread_cond_signal(&s->changed);
            return;
        }
    }
    if (conn->background_sleeps)
        pthread_cond_signal(&conn->background_wake);
}

bool conn_fail(struct conn *conn, const struct err *why)
{
    if (conn->lost.code != ERR_NONE)
        return false;
    /* The writer learns why the peer closed the connection, and the reader
     * only that. */
    if (why->code == ERR_CLOSED && conn->mute.code != ERR_NONE)
        conn->lost = conn->mute;
    else
        conn->lost = *why;
    if (conn->lost.code == ERR_CLOSED || conn->lost.code == ERR_IO)
        conn->lost.code = ERR_LOST;
    log_trace(conn->log, LOG_CONN, "lost: %s", conn->lost.text);
    for (struct sleeper *s = conn->sleepers; s; s = s->next)
        pthread_cond_signal(&s->changed);
    pthread_cond_signal(&conn->background_wake);
    conn->transport->ops->shut(conn->transport);
    return false;
}

bool conn_still_there(const struct conn *conn, struct err *err)
{
    if (conn->lost.code == ERR_NONE)
        return true;
    *err = conn->lost;
    return false;
}

/* Wait for bytes while no other thread does, and read them. */
static void watch(struct conn *conn)
{
    struct transport *transport = conn->transport;
    unsigned wants = conn_reader_wants(conn);
    struct err why;
    bool fine;

    conn->watching = true;
    pthread_mutex_unlock(&conn->lock);
    fine = transport->ops->wait(transport, wants, DEADLINE_NEVER, &why);
    pthread_mutex_lock(&conn->lock);
    if (!conn->watching) {
        /* A caller reads now; we may have consumed a wake-up meant for it. */
        transport->ops->wake(transport, TRANSPORT_READ);
        return;
    }
    conn->watching = false;
    if (!fine) {
        conn_fail(conn, &why);
        return;
    }
    conn_flush(conn);
    conn_read_ready(conn);
    if (conn->sleepers)
        conn_pass_reading_on(conn);
}

/* Sleep until woken, or until the last reader is gone for a while. */
static void linger(struct conn *conn, struct deadline until)
{
    struct timespec at = deadline_timespec(until);

    pthread_cond_timedwait(&conn->background_wake, &conn->lock, &at);
}

static void *background_main(void *context)
{
    struct conn *conn = context;

    pthread_mutex_lock(&conn->lock);
    while (!conn->closing && conn->lost.code == ERR_NONE) {
        struct deadline idle = {conn->last_read_ns + LINGER_NS};

        /* The thread that has just read usually reads on: no wake-up needed. */
        if (!deadline_passed(idle)) {
            linger(conn, idle);
        } else if (conn->reading) {
            conn->background_sleeps = true;
            pthread_cond_wait(&conn->background_wake, &conn->lock);
            conn->background_sleeps = false;
        } else {
            watch(conn);
        }
    }
    pthread_mutex_unlock(&conn->lock);
    return NULL;
}

static bool start_background(struct conn *conn, struct err *err)
{
    pthread_attr_t attributes;
    int failed;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, BACKGROUND_STACK);
    failed =
        pthread_create(&conn->background, &attributes, background_main, conn);
    pthread_attr_destroy(&attributes);
    return !failed || err_errno(err, failed, "starting a thread");
}

static struct conn *conn_new(struct transport *transport,
                             const struct conn_options *options,
                             const struct handshake *agreed)
{
    struct conn *conn = mem_new(1, sizeof(*conn));

    conn->transport = transport;
    conn->log = options->log;
    conn->wanted = options->wanted;
    conn->wanted_context = options->wanted_context;
    conn->agreed = *agreed;
    conn->features = options->banner.features & agreed->peer.features;
    conn->outbox = (struct buf)BUF_INIT(OUTBOX_LIMIT);
    conn->sending = (struct buf)BUF_INIT(SENDING_LIMIT);
    conn->receiver = mem_new(1, sizeof(*conn->receiver));
    packet_receiver_init(conn->receiver, options->max_payload
                                             ? options->max_payload
                                             : PACKET_MAX_PAYLOAD);
    conn->last_read_ns = clock_ns();
    pthread_mutex_init(&conn->lock, NULL);
    pthread_condattr_init(&conn->monotonic);
    pthread_condattr_setclock(&conn->monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&conn->background_wake, &conn->monotonic);
    return conn;
}

static void conn_free(struct conn *conn)
{
    pthread_cond_destroy(&conn->background_wake);
    pthread_condattr_destroy(&conn->monotonic);
    pthread_mutex_destroy(&conn->lock);
    free(conn->incoming);
    free(conn->receiver);
    buf_release(&conn->outbox);
    buf_release(&conn->sending);
    transport_close(conn->transport);
    free(conn);
}

bool conn_open(struct transport *transport, const struct conn_options *options,
               struct deadline by, struct conn **conn, struct err *err)
{
    struct handshake agreed;
    struct conn *opened;

    if (!handshake_run(&transport, options, by, &agreed, err)) {
        transport_close(transport);
        return false;
    }
    log_trace(options->log, LOG_CONN,
              "%s: %s, version 0x%08x, payloads up to %u", agreed.peer.state,
              agreed.peer.model, agreed.version, agreed.max_payload);
    opened = conn_new(transport, options, &agreed);
    if (!start_background(opened, err)) {
        conn_free(opened);
        return false;
    }
    *conn = opened;
    return true;
}

void conn_hang_up(struct conn *conn)
{
    conn->transport->ops->shut(conn->transport);
}

void conn_close(struct conn *conn)
{
    struct conn_stream *offered;

    if (!conn)
        return;
    pthread_mutex_lock(&conn->lock);
    conn->closing = true;
    pthread_cond_signal(&conn->background_wake);
    conn->transport->ops->wake(conn->transport, TRANSPORT_READ);
    pthread_mutex_unlock(&conn->lock);
    pthread_join(conn->background, NULL);
    while ((offered = conn_next_offered(conn)))
        conn_stream_free(offered);
    assert(!conn->streams);
    conn_free(conn);
}

const struct banner *conn_peer(const struct conn *conn)
{
    return &conn->agreed.peer;
}

feature_set conn_features(const struct conn *conn)
{
    return conn->features;
}

uint32_t conn_version(const struct conn *conn)
{
    return conn->agreed.version;
}

uint32_t conn_max_payload(const struct conn *conn)
{
    return conn->agreed.max_payload;
}

const struct log *conn_log(const struct conn *conn)
{
    return conn->log;
}

bool conn_is_lost(struct conn *conn, struct err *err)
{
    struct err why;
    bool lost;

    pthread_mutex_lock(&conn->lock);
    lost = !conn_still_there(conn, &why);
    pthread_mutex_unlock(&conn->lock);
    if (lost && err)
        *err = why;
    return lost;
}
