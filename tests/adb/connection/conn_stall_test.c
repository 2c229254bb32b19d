/* A connection whose peer is slow to read, while several threads use it. */
#include "adb/connection/conn.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/connection/conn_private.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/raw_peer.h"
#include "tests/support/blocked_thread.h"
#include "tests/support/heap.h"

#define SOON deadline_in_ms(60000)

/* Two packets, of which the first is larger than a socket's buffer. */
#define MUCH (PACKET_WANTED_PAYLOAD + 1)

/* A call on a separate thread. */
struct call {
    struct stream *stream;
    struct deadline by;
    struct err err;
    struct blocked_thread blocked;
    void *(*function)(void *call);
    pthread_t thread;
};

static void *write_much(void *context)
{
    struct call *call = context;
    char *data = mem_new(MUCH, 1);

    if (stream_write(call->stream, data, MUCH, call->by, &call->err))
        call->err.code = ERR_NONE;
    free(data);
    return NULL;
}

/* Read until the call fails. */
static void *read_on(void *context)
{
    struct call *call = context;
    char byte;
    size_t got;

    while (stream_read(call->stream, &byte, 1, call->by, &got, &call->err))
        ;
    return NULL;
}

static void *read_to_end(void *context)
{
    struct call *call = context;
    char byte;
    size_t got;

    if (stream_read(call->stream, &byte, 1, call->by, &got, &call->err))
        call->err.code = ERR_NONE;
    return NULL;
}

static void *run_call(void *context)
{
    struct call *call = context;

    blocked_thread_enter(&call->blocked);
    return call->function(call);
}

static void start(struct call *call, void *(*function)(void *))
{
    call->function = function;
    assert_int_equal(pthread_create(&call->thread, NULL, run_call, call), 0);
}

static enum err_code outcome(struct call *call)
{
    pthread_join(call->thread, NULL);
    return call->err.code;
}

/* Long enough for a thread to block. */
static void nap(void)
{
    const struct timespec time = {.tv_nsec = 20000000};

    nanosleep(&time, NULL);
}

/* Wait until the writing thread has filled the socket. */
static void wait_for_stall(const struct raw_peer *peer)
{
    int before = -1;
    int now = 0;

    while (now == 0 || now != before) {
        before = now;
        nap();
        assert_int_equal(ioctl(peer->fd, FIONREAD, &now), 0);
    }
}

static void answers_go_out_when_a_long_write_ends(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call reader = {.stream = raw_peer_open(&peer, "a:", 71), .by = SOON};
    struct call writer = {.stream = raw_peer_open(&peer, "b:", 72), .by = SOON};

    (void)state;
    start(&writer, write_much);
    wait_for_stall(&peer);
    start(&reader, read_on);
    raw_peer_say(&peer, PACKET_WRTE, 71, 1, "x");
    wait_for_stall(&peer); /* the reader has read it, and waits again */
    raw_peer_expect(&peer, PACKET_WRTE);
    raw_peer_expect(&peer, PACKET_OKAY); /* though "b:" is not acknowledged */
    raw_peer_say(&peer, PACKET_OKAY, 72, 2, "");
    assert_int_equal(outcome(&writer), ERR_NONE);
    stream_interrupt(reader.stream);
    assert_int_equal(outcome(&reader), ERR_CANCELLED);
    stream_close(reader.stream);
    stream_close(writer.stream);
    raw_peer_close(&peer);
}

static void a_write_cut_short_by_its_deadline_is_finished_later(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call writer = {.stream = raw_peer_open(&peer, "b:", 72),
                          .by = deadline_in_ms(1000)};
    size_t before = heap_in_use();
    struct raw_packet packet;
    struct err err;

    (void)state;
    start(&writer, write_much);
    assert_int_equal(outcome(&writer), ERR_TIMEOUT);
    assert_false(conn_is_lost(peer.conn, NULL));
    assert_true(heap_in_use() < before + 2 * MUCH + 4096);
    packet = raw_peer_expect(&peer, PACKET_WRTE);
    assert_int_equal(packet.packet.length, PACKET_WANTED_PAYLOAD);
    raw_peer_say(&peer, PACKET_OKAY, 72, 1, "");
    assert_true(stream_write(writer.stream, "more", 4, SOON, &err));
    packet = raw_peer_expect(&peer, PACKET_WRTE);
    assert_string_equal(packet.data, "more");
    assert_true(heap_in_use() < before + 65536);
    stream_close(writer.stream);
    raw_peer_close(&peer);
}

static void unsent_request_is_withdrawn(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call writer = {.stream = raw_peer_open(&peer, "b:", 72), .by = SOON};
    struct stream *other = raw_peer_open(&peer, "c:", 73);
    struct raw_packet packet;
    struct stream *stream;
    struct err err;

    (void)state;
    start(&writer, write_much);
    wait_for_stall(&peer);
    assert_false(conn_open_stream(peer.conn, "never:", deadline_in_ms(20),
                                  &stream, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_false(stream_write(other, "never", 5, deadline_in_ms(20), &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    raw_peer_expect(&peer, PACKET_WRTE);
    assert_true(stream_write(other, "now", 3, SOON, &err));
    packet = raw_peer_expect(&peer, PACKET_WRTE);
    assert_string_equal(packet.data, "now");
    raw_peer_say(&peer, PACKET_OKAY, 72, 1, "");
    assert_int_equal(outcome(&writer), ERR_NONE);
    stream_close(writer.stream);
    stream_close(other);
    raw_peer_close(&peer);
}

static void interrupt_reaches_waiting_writers(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call writers[] = {
        {.stream = raw_peer_open(&peer, "a:", 71), .by = DEADLINE_NEVER},
        {.stream = raw_peer_open(&peer, "b:", 72), .by = DEADLINE_NEVER},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
        start(&writers[i], write_much);
        wait_for_stall(&peer);
    }
    for (size_t i = ARRAY_LEN(writers); i-- > 0;) {
        stream_interrupt(writers[i].stream);
        assert_int_equal(outcome(&writers[i]), ERR_CANCELLED);
        stream_close(writers[i].stream);
    }
    assert_false(conn_is_lost(peer.conn, NULL));
    raw_peer_close(&peer);
}

/* Both wait on the same socket, and only one of them is interrupted. */
static void interrupt_of_a_reader_does_not_hit_a_writer(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call writer = {.stream = raw_peer_open(&peer, "b:", 72), .by = SOON};
    struct stream *streams[64];

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(streams); i++)
        streams[i] = raw_peer_open(&peer, "a:", 100 + i);
    start(&writer, write_much);
    wait_for_stall(&peer);
    for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
        struct call reader = {.stream = streams[i], .by = SOON};

        start(&reader, read_on);
        blocked_thread_await(&reader.blocked);
        stream_interrupt(streams[i]);
        assert_int_equal(outcome(&reader), ERR_CANCELLED);
        stream_close(streams[i]);
    }
    stream_interrupt(writer.stream);
    assert_int_equal(outcome(&writer), ERR_CANCELLED);
    stream_close(writer.stream);
    raw_peer_close(&peer);
}

static void *write_twice(void *context)
{
    struct call *call = context;

    if (stream_write(call->stream, "one", 3, call->by, &call->err) &&
        stream_write(call->stream, "two", 3, call->by, &call->err))
        call->err.code = ERR_NONE;
    return NULL;
}

static void writing_thread_lets_others_read(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call reader = {.stream = raw_peer_open(&peer, "a:", 71), .by = SOON};
    struct call writer = {.stream = raw_peer_open(&peer, "b:", 72), .by = SOON};
    struct call third = {.stream = raw_peer_open(&peer, "c:", 73), .by = SOON};

    (void)state;
    start(&third, write_twice);
    raw_peer_expect(&peer, PACKET_WRTE);
    /* It is the reading thread now, and waits for an acknowledgement. */
    blocked_thread_await(&third.blocked);
    start(&reader, read_to_end);
    start(&writer, write_much);
    wait_for_stall(&peer);
    raw_peer_say(&peer, PACKET_OKAY, 73, 3, "");
    nap(); /* it slept before, too: nothing shows that it waits to write now */
    raw_peer_say(&peer, PACKET_CLSE, 71, 1, "");
    assert_int_equal(outcome(&reader), ERR_NONE);
    stream_interrupt(writer.stream);
    assert_int_equal(outcome(&writer), ERR_CANCELLED);
    raw_peer_expect(&peer, PACKET_WRTE);
    assert_int_equal(outcome(&third), ERR_NONE);
    stream_close(reader.stream);
    stream_close(writer.stream);
    stream_close(third.stream);
    raw_peer_close(&peer);
}

static void writers_get_the_error_that_ended_the_connection(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call writer = {.stream = raw_peer_open(&peer, "b:", 72), .by = SOON};

    (void)state;
    start(&writer, write_much);
    wait_for_stall(&peer);
    raw_peer_say(&peer, PACKET_OPEN, 0, 0, "x:");
    assert_int_equal(outcome(&writer), ERR_PROTOCOL);
    assert_string_equal(writer.err.text, "the peer opened stream 0");
    stream_close(writer.stream);
    raw_peer_close(&peer);
}

/* Like a restarting device: sends a last message, closes and disconnects. */
static void last_bytes_of_a_peer_are_delivered(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        struct raw_peer peer = raw_peer_start();
        struct stream *stream = raw_peer_open(&peer, "root:", 71);
        struct buf words = BUF_INIT(64);
        struct err err = ERR_INIT;

        raw_peer_say(&peer, PACKET_WRTE, 71, 1, "restarting");
        raw_peer_say(&peer, PACKET_WRTE, 71, 1, " as root");
        raw_peer_say(&peer, PACKET_CLSE, 71, 1, "");
        shutdown(peer.fd, SHUT_RDWR);
        if (i % 2)
            nap(); /* the watcher notices it, not the reader */
        if (!stream_read_all(stream, SOON, &words, &err))
            fail_msg("%s", err.text);
        assert_string_equal(buf_cstr(&words), "restarting as root");
        buf_release(&words);
        stream_close(stream);
        raw_peer_close(&peer);
    }
}

/* An attempt to open a stream, on a separate thread. */
struct opener {
    struct conn *conn;
    struct err err;
    struct blocked_thread blocked;
    pthread_t thread;
};

/*
 * Called by the reading thread with the connection locked, so that no other
 * thread continues.
 */
static bool wants_nothing_after_long_thought(void *context, const char *service)
{
    const struct timespec time = {.tv_nsec = 600000000};

    (void)context;
    (void)service;
    nanosleep(&time, NULL);
    return false;
}

static void *open_late(void *context)
{
    struct opener *opener = context;
    struct stream *stream;

    blocked_thread_enter(&opener->blocked);
    if (conn_open_stream(opener->conn, "late:", deadline_in_ms(300), &stream,
                         &opener->err))
        opener->err.code = ERR_NONE;
    return NULL;
}

/* Open a service that answers late, and accept what the host opens. */
static void ask_and_accept(const struct raw_peer *peer, uint32_t id,
                           uint32_t hosts)
{
    uint8_t both[2 * PACKET_HEADER_SIZE]; /* at once, so that both are read */

    packet_encode(&(struct packet){.command = PACKET_OPEN, .arg0 = 99}, both);
    packet_encode(
        &(struct packet){.command = PACKET_OKAY, .arg0 = id, .arg1 = hosts},
        both + PACKET_HEADER_SIZE);
    raw_peer_send_bytes(peer, both, sizeof(both));
}

/*
 * Another thread reads the answer just when the caller times out: the stream is
 * open then, and must be closed.
 */
static void stream_that_opens_at_the_deadline_is_closed(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct call reader = {.stream = raw_peer_open(&peer, "a:", 71), .by = SOON};
    struct opener opener = {.conn = peer.conn};
    struct raw_packet packet;

    (void)state;
    conn_listen(peer.conn, wants_nothing_after_long_thought, NULL);
    start(&reader, read_on);
    blocked_thread_await(&reader.blocked); /* it is the reading thread now */
    assert_int_equal(pthread_create(&opener.thread, NULL, open_late, &opener),
                     0);
    packet = raw_peer_expect(&peer, PACKET_OPEN);
    blocked_thread_await(&opener.blocked); /* it waits for its answer */
    ask_and_accept(&peer, 72, packet.packet.arg0);
    pthread_join(opener.thread, NULL);
    assert_int_equal(opener.err.code, ERR_TIMEOUT);
    packet = raw_peer_expect(&peer, PACKET_CLSE);
    assert_int_equal(packet.packet.arg1, 99);
    packet = raw_peer_expect(&peer, PACKET_CLSE);
    assert_int_equal(packet.packet.arg1, 72);
    stream_interrupt(reader.stream);
    assert_int_equal(outcome(&reader), ERR_CANCELLED);
    stream_close(reader.stream);
    raw_peer_close(&peer);
}

static void ids_wrap_around_without_collisions(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct stream *first = raw_peer_open(&peer, "a:", 71);
    struct stream *last;
    struct stream *next;
    struct raw_packet packet;
    struct err err;

    (void)state;
    peer.conn->issued = UINT32_MAX - 1;
    last = raw_peer_open(&peer, "b:", 72);
    next = raw_peer_open(&peer, "c:", 73);
    raw_peer_say(&peer, PACKET_OKAY, 74, 4711, ""); /* from long ago */
    raw_peer_expect(&peer, PACKET_CLSE);
    assert_true(stream_write(next, "hello", 5, SOON, &err));
    packet = raw_peer_expect(&peer, PACKET_WRTE);
    assert_int_equal(packet.packet.arg0, 2);
    stream_close(first);
    stream_close(last);
    stream_close(next);
    raw_peer_close(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_go_out_when_a_long_write_ends),
        cmocka_unit_test(a_write_cut_short_by_its_deadline_is_finished_later),
        cmocka_unit_test(unsent_request_is_withdrawn),
        cmocka_unit_test(interrupt_reaches_waiting_writers),
        cmocka_unit_test(interrupt_of_a_reader_does_not_hit_a_writer),
        cmocka_unit_test(writing_thread_lets_others_read),
        cmocka_unit_test(writers_get_the_error_that_ended_the_connection),
        cmocka_unit_test(last_bytes_of_a_peer_are_delivered),
        cmocka_unit_test(stream_that_opens_at_the_deadline_is_closed),
        cmocka_unit_test(ids_wrap_around_without_collisions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
