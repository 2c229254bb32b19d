/*
 * The inside of a connection, for the conn_*.c files alone.
 *
 * The connection is a monitor with three roles beside its lock:
 *
 *   the reader   takes packets from the transport and hands them out. A thread
 *                that waits for the peer becomes the reader if there is none;
 *                others sleep until their stream changes or the role is free.
 *   the writer   sends one packet, with the answers in the outbox before it.
 *   the watcher  is the background thread: it reads while no other does.
 *
 * The lock is never held while the transport blocks. Functions below expect
 * it held unless they say otherwise.
 */
#ifndef ADB_CONNECTION_CONN_PRIVATE_H
#define ADB_CONNECTION_CONN_PRIVATE_H

#include <pthread.h>

#include "adb/connection/conn.h"
#include "adb/connection/handshake.h"
#include "adb/connection/packet_receiver.h"

/*
 * Unread bytes. Small payloads share a chunk: a peer may send as many as there
 * are bytes in its window.
 */
struct chunk {
    struct chunk *next;
    size_t room;
    size_t length; /* what of it is used */
    size_t begin;  /* what was read of it already */
    char data[];
};

/*
 * A stream's life:
 *
 *   conn_open_stream          OKAY               CLSE from the peer
 *  ───────────────▶ OPENING ───────▶ OPEN ──────────────────────▶ ENDED
 *                      │ CLSE         ▲                             ▲
 *                      ▼              │ conn_confirm                │
 *                   REFUSED        PENDING ─────────────────────────┘
 *                                     ▲ OPEN from the peer      CLSE
 *
 * stream_close ends it in any state. An OPEN or ENDED stream becomes OVERFLOWED
 * when conn_flow_arrives drops it.
 */
enum stream_state {
    STREAM_OPENING,
    STREAM_PENDING,
    STREAM_OPEN,
    STREAM_REFUSED,
    STREAM_ENDED,
    STREAM_OVERFLOWED,
};

struct conn_stream {
    struct stream stream;
    struct conn *conn;
    struct conn_stream *next; /* in conn->streams */
    uint32_t local;
    uint32_t remote; /* 0 until the peer has sent it */
    enum stream_state state;
    bool offered; /* opened by the peer, and conn_accept has not taken it */
    bool interrupted;
    int64_t credit;   /* above 0 we may send: see conn_flow.c */
    size_t queued;    /* bytes that came and were not read */
    bool owes_ack;    /* classic: the peer waits for us to acknowledge */
    size_t unacked;   /* delayed: bytes that came and were not granted again */
    size_t ungranted; /* delayed: those of them that were read */
    size_t granted_early; /* delayed: granted, but not read yet */
    struct chunk *unread;
    struct chunk *last_unread; /* while there is one */
    struct buf service;        /* what the peer opened, while offered */
    char *direct;              /* where its owner, the reader, wants data */
    size_t direct_size;
    size_t direct_got;
};

/* The payload of an OKAY under delayed_ack: a number of bytes. */
#define CONN_GRANT_SIZE 4

/* A caller that sleeps until its subject changes; lives on its stack. */
struct sleeper {
    pthread_cond_t changed;
    const void *subject;
    struct sleeper *next;
};

struct conn {
    struct transport *transport; /* owned */
    const struct log *log;       /* borrowed; may be NULL */
    struct handshake agreed;
    feature_set features;

    pthread_mutex_t lock; /* guards all below */
    struct err lost;      /* why the peer is gone; ERR_NONE: it is not */
    struct conn_stream *streams;
    uint64_t issued; /* ids so far; the last one's lower half is that id */
    conn_wanted_fn *wanted;
    void *wanted_context;
    struct sleeper *sleepers;

    bool reading;
    struct packet_receiver *receiver; /* owned; the reader's while reading */
    struct chunk *incoming;           /* the current payload, if not direct */
    uint8_t grant[CONN_GRANT_SIZE];   /* the payload of the current OKAY */
    int64_t last_read_ns;

    bool writing;
    struct err mute;    /* why the peer takes no more; it is still read */
    struct buf outbox;  /* answers for the next writer to take */
    struct buf sending; /* taken, perhaps sent in part; the writer's */

    pthread_t background;
    pthread_condattr_t monotonic;
    pthread_cond_t background_wake;
    bool background_sleeps; /* until the reader is done */
    bool watching;
    bool closing;
};

/* ---- conn.c: sleeping, waking, ending ---- */

/* Around every call: take the lock; on leaving, see that a thread reads. */
void conn_enter(struct conn *conn);
void conn_leave(struct conn *conn);

/* Sleep until subject changes or the reader's role is free. */
MUST_USE bool conn_sleep(struct conn *conn, const void *subject,
                         struct deadline by, struct err *err);
void conn_wake(struct conn *conn, const void *subject);

/* Wait for the peer to change subject, reading if no other thread does. */
MUST_USE bool conn_wait(struct conn *conn, const void *subject,
                        struct deadline by, struct err *err);

/* Let a sleeper or the background thread read from now on. */
void conn_pass_reading_on(struct conn *conn);

/* The peer is gone: all threads get the same reason. Always false. */
bool conn_fail(struct conn *conn, const struct err *why);

/* Fails with why the peer is gone, if it is. */
MUST_USE bool conn_still_there(const struct conn *conn, struct err *err);

/* ---- conn_write.c: the writer ---- */

/*
 * Send one packet of a stream, blocking. When by passes or the stream is
 * interrupted first, a packet that has begun is finished later by others;
 * else it is taken back: *begun says which, also on success.
 */
MUST_USE bool conn_send(struct conn_stream *stream, uint32_t command,
                        const void *payload, size_t length, struct deadline by,
                        bool *begun, struct err *err);

/* Queue a packet without payload: never blocks, so the reader may call it. */
void conn_post(struct conn *conn, uint32_t command, uint32_t local,
               uint32_t remote);

/* Queue an OKAY that grants the peer this many more bytes. */
void conn_post_grant(struct conn_stream *stream, uint32_t bytes);

/* Send what was posted, as far as it goes without blocking. */
void conn_flush(struct conn *conn);

/* The same, and let the thread that waits on the transport send the rest. */
void conn_flush_or_leave(struct conn *conn);

/* Is something posted that the thread that waits on the transport must send? */
bool conn_has_posted(const struct conn *conn);

void conn_trace_packet(const struct conn *conn, const char *arrow,
                       const struct packet *packet);

/* ---- conn_read.c: the reader ---- */

/*
 * Wait for the peer once, and hand out what came, which may be nothing: the
 * caller looks at what it waits for, and calls again. A time-out leaves half
 * a packet where it is, for the next reader; other failures end the
 * connection.
 */
MUST_USE bool conn_read(struct conn *conn, struct deadline by, struct err *err);

/* Read what is there without blocking, and hand it out. */
void conn_read_ready(struct conn *conn);

/* The events of the transport for which the reader waits. */
unsigned conn_reader_wants(const struct conn *conn);

struct conn_stream *conn_find_stream(struct conn *conn, uint32_t local);

/* ---- conn_flow.c: who may send how much ---- */

/* The window that an OPEN of ours grants the peer: its second argument. */
uint32_t conn_flow_window(const struct conn *conn);

/* Does what an OPEN from the peer grants fit what was agreed? */
bool conn_flow_may_open(const struct conn *conn, uint32_t window);

/* The peer opened the stream, and granted us that window. */
void conn_flow_begin(struct conn_stream *stream, uint32_t window);

/* We accept the stream, and grant the peer what it may send. */
void conn_flow_accept(struct conn_stream *stream);

/* An OKAY came, with its payload in grant. */
MUST_USE bool conn_flow_granted(struct conn_stream *stream,
                                const struct packet *packet,
                                const uint8_t *grant, struct err *err);

/* We send size bytes: returns what credit it cost, to give back if not sent. */
int64_t conn_flow_spend(struct conn_stream *stream, size_t size);

/*
 * A packet with data begins to arrive. If the connection's unread data exceeds
 * CONN_OVERRUN_MAX, the stream with the most unread data is dropped. Returns
 * false if that is this stream: the packet's data is then discarded.
 */
MUST_USE bool conn_flow_arrives(struct conn_stream *stream, size_t length);

/* The owner has read size bytes. */
void conn_flow_was_read(struct conn_stream *stream, size_t size);

/* Fill err for a call on an OVERFLOWED stream. Always false. */
bool conn_flow_overflowed(struct err *err);

/* ---- conn_stream.c ---- */

struct chunk *chunk_new(size_t length);
struct conn_stream *conn_stream_new(struct conn *conn, enum stream_state state);
void conn_stream_free(struct conn_stream *stream);

/* Free the unread data. */
void conn_stream_drop_unread(struct conn_stream *stream);

/* The offered stream that has waited longest; NULL: none. */
struct conn_stream *conn_next_offered(struct conn *conn);

#endif
