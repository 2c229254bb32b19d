/* Flow control, mostly with delayed_ack on both sides. */
#include "adb/connection/conn.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <linux/sockios.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/raw_peer.h"
#include "tests/support/heap.h"

#define SOON deadline_in_ms(60000)

/* The ids of the open stream: the peer's and the host's. */
#define OURS 77
#define HOSTS 1

#define KIB 1024U

/* Our initial grant: a full packet, and what may have been read before it. */
#define WINDOW (PACKET_WANTED_PAYLOAD / 8 * 9)

/* How long to wait for something that must not arrive. */
#define IN_VAIN_MS 50

/* Another id of the peer. */
#define OTHER 78

/* The limit of a stream's memory, and one or two packets in flight. */
#define HELD_BESIDE ((size_t)6 * PACKET_MAX_PAYLOAD)

#define READ_PIECE ((size_t)100000)

static char pattern_at(size_t at)
{
    return (char)(at * 7 + at / 251);
}

static void announce(const struct raw_peer *peer, uint32_t length)
{
    raw_peer_send(peer,
                  (struct packet){.command = PACKET_WRTE,
                                  .arg0 = OURS,
                                  .arg1 = HOSTS,
                                  .length = length},
                  NULL);
}

static void send_data(const struct raw_peer *peer, uint32_t length)
{
    char *data = mem_new(length, 1);

    announce(peer, length);
    raw_peer_send_bytes(peer, data, length);
    free(data);
}

static void read_data(struct stream *stream, size_t length)
{
    char *data = mem_new(length, 1);
    struct err err;

    assert_true(stream_read_exact(stream, data, length, SOON, &err));
    free(data);
}

static uint32_t next_grant(const struct raw_peer *peer)
{
    struct raw_packet packet = raw_peer_expect(peer, PACKET_OKAY);

    assert_int_equal(packet.packet.length, 4);
    return get_u32le((const uint8_t *)packet.data);
}

static void expect_nothing(const struct raw_peer *peer)
{
    struct raw_packet packet;

    assert_false(raw_peer_next(peer, IN_VAIN_MS, &packet));
}

static void large_payload_is_granted_again_when_it_begins(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);
    char *data = mem_new(PACKET_MAX_PAYLOAD, 1);

    (void)state;
    announce(&peer, PACKET_MAX_PAYLOAD);
    assert_int_equal(next_grant(&peer), PACKET_MAX_PAYLOAD);
    raw_peer_send_bytes(&peer, data, PACKET_MAX_PAYLOAD);
    read_data(stream, PACKET_MAX_PAYLOAD);
    expect_nothing(&peer); /* reading it grants nothing more */
    free(data);
    stream_close(stream);
    raw_peer_close(&peer);
}

static void later_bytes_are_granted_when_they_are_read(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);

    (void)state;
    send_data(&peer, 512 * KIB);
    assert_int_equal(next_grant(&peer), 512 * KIB);
    send_data(&peer, 512 * KIB);
    expect_nothing(&peer);
    read_data(stream, 512 * KIB);
    expect_nothing(&peer);
    read_data(stream, 512 * KIB);
    assert_int_equal(next_grant(&peer), 512 * KIB);
    stream_close(stream);
    raw_peer_close(&peer);
}

static void small_payloads_are_granted_many_at_once(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);

    (void)state;
    send_data(&peer, 64 * KIB);
    read_data(stream, 64 * KIB);
    expect_nothing(&peer);
    send_data(&peer, 64 * KIB);
    read_data(stream, 64 * KIB);
    assert_int_equal(next_grant(&peer), 128 * KIB);
    stream_close(stream);
    raw_peer_close(&peer);
}

/* Send size bytes with varying values, without waiting. */
static void send_pattern(const struct raw_peer *peer, size_t size, size_t piece)
{
    char *data = mem_new(piece, 1);

    for (size_t sent = 0; sent < size; sent += piece) {
        size_t length = size - sent < piece ? size - sent : piece;

        for (size_t i = 0; i < length; i++)
            data[i] = pattern_at(sent + i);
        announce(peer, (uint32_t)length);
        raw_peer_send_bytes(peer, data, length);
    }
    free(data);
}

/* Read them, and the end of the stream. */
static void read_pattern(struct stream *stream, size_t size)
{
    char *data = mem_new(READ_PIECE, 1);
    struct err err = ERR_INIT;
    size_t at = 0;
    size_t got = 1;

    while (got) {
        if (!stream_read(stream, data, READ_PIECE, SOON, &got, &err))
            fail_msg("after %zu of %zu bytes: %s", at, size, err.text);
        for (size_t i = 0; i < got; i++) {
            if (data[i] != pattern_at(at + i))
                fail_msg("byte %zu of %zu is wrong", at + i, size);
        }
        at += got;
    }
    assert_int_equal(at, size);
    free(data);
}

/* Wait until the host has received everything. */
static void await_taken(const struct raw_peer *peer)
{
    struct deadline by = SOON;
    int left = 1;

    while (left && !deadline_passed(by)) {
        assert_int_equal(ioctl(peer->fd, SIOCOUTQ, &left), 0);
        sched_yield();
    }
    assert_int_equal(left, 0);
}

/* Does another stream of the same connection still work, both ways? */
static void check_another_stream(const struct raw_peer *peer, uint32_t hosts)
{
    struct stream *stream = raw_peer_open(peer, "other:", OTHER);
    struct err err = ERR_INIT;
    char data[8] = "";

    raw_peer_say(peer, PACKET_WRTE, OTHER, hosts, "alive");
    if (!stream_read_exact(stream, data, 5, SOON, &err) ||
        !stream_write(stream, "too", 3, SOON, &err))
        fail_msg("%s", err.text);
    assert_string_equal(data, "alive");
    stream_close(stream);
}

/* Everything that a peer sends at once when its service ends. */
static const size_t last_sizes[] = {
    0,       1,       4096,       (size_t)256 * KIB,
    400000,  WINDOW,  WINDOW + 1, (size_t)1024 * KIB,
    1300000, 3000000, 8000000,
};

/* All of it arrives, and CLSE, before the first read. */
static void check_last_bytes(uint32_t window, size_t size, size_t piece)
{
    struct raw_peer peer = raw_peer_start_granting(window);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);

    send_pattern(&peer, size, piece);
    raw_peer_say(&peer, PACKET_CLSE, OURS, HOSTS, "");
    await_taken(&peer);
    assert_false(conn_is_lost(peer.conn, NULL));
    read_pattern(stream, size);
    stream_close(stream);
    raw_peer_close(&peer);
}

static void last_bytes_of_a_service_arrive_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(last_sizes); i++) {
        check_last_bytes(PACKET_MAX_PAYLOAD, last_sizes[i],
                         PACKET_WANTED_PAYLOAD);
        check_last_bytes(PACKET_MAX_PAYLOAD, last_sizes[i], 5000);
        check_last_bytes(0, last_sizes[i], PACKET_WANTED_PAYLOAD);
        check_last_bytes(0, last_sizes[i], 5000);
    }
}

/* The peer ignores its window for a while, and must still get grants. */
static void check_beyond_window(uint32_t window)
{
    struct raw_peer peer = raw_peer_start_granting(window);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);

    for (int round = 0; round < 3; round++) {
        struct raw_packet packet;

        for (int i = 0; i < 4; i++)
            send_data(&peer, 768 * KIB);
        await_taken(&peer);
        read_data(stream, (size_t)4 * 768 * KIB);
        raw_peer_expect(&peer, PACKET_OKAY);
        while (raw_peer_next(&peer, IN_VAIN_MS, &packet))
            assert_int_equal(packet.packet.command, PACKET_OKAY);
    }
    check_another_stream(&peer, 2);
    stream_close(stream);
    raw_peer_close(&peer);
}

static void a_peer_beyond_its_window_is_granted_more_as_data_is_read(
    void **state)
{
    (void)state;
    check_beyond_window(PACKET_MAX_PAYLOAD);
    check_beyond_window(0);
}

static void send_to(const struct raw_peer *peer, uint32_t ours, uint32_t hosts,
                    size_t size)
{
    char *data = mem_new(PACKET_MAX_PAYLOAD, 1);

    while (size) {
        size_t length = size < PACKET_MAX_PAYLOAD ? size : PACKET_MAX_PAYLOAD;

        raw_peer_send(peer,
                      (struct packet){.command = PACKET_WRTE,
                                      .arg0 = ours,
                                      .arg1 = hosts,
                                      .length = (uint32_t)length},
                      data);
        size -= length;
    }
    free(data);
}

static void assert_overflowed(struct stream *stream)
{
    struct err err = ERR_INIT;
    char byte;
    size_t got;

    assert_false(stream_read(stream, &byte, 1, SOON, &got, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(err.text, "the peer sent more than 64 MiB that was not "
                                  "read; the stream was closed");
    assert_false(stream_write(stream, "x", 1, SOON, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

static void await_close(const struct raw_peer *peer, uint32_t ours)
{
    struct raw_packet packet;

    do
        assert_true(raw_peer_next(peer, 60000, &packet));
    while (packet.packet.command != PACKET_CLSE);
    assert_int_equal(packet.packet.arg1, ours);
}

/* An unread stream is dropped, and uses no memory from then on. */
static void check_flood(uint32_t window)
{
    struct raw_peer peer = raw_peer_start_granting(window);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);
    size_t before = heap_in_use();

    send_to(&peer, OURS, HOSTS, CONN_OVERRUN_MAX);
    await_taken(&peer);
    assert_true(heap_in_use() < before + CONN_OVERRUN_MAX + HELD_BESIDE);
    assert_false(conn_is_lost(peer.conn, NULL));
    send_to(&peer, OURS, HOSTS, CONN_OVERRUN_MAX);
    await_taken(&peer);
    assert_true(heap_in_use() < before + HELD_BESIDE);
    assert_overflowed(stream);
    await_close(&peer, OURS);
    check_another_stream(&peer, 2);
    stream_close(stream);
    raw_peer_close(&peer);
}

static void a_flooded_stream_is_dropped_and_others_continue(void **state)
{
    (void)state;
    check_flood(PACKET_MAX_PAYLOAD);
    check_flood(0);
}

/* The limit applies to the connection; ended streams count while unread. */
static void check_floods(uint32_t window)
{
    struct raw_peer peer = raw_peer_start_granting(window);
    struct stream *small = raw_peer_open(&peer, "a:", OURS);
    struct stream *large = raw_peer_open(&peer, "b:", OTHER);
    size_t before = heap_in_use();

    send_to(&peer, OTHER, 2, CONN_OVERRUN_MAX / 2 + 8 * PACKET_MAX_PAYLOAD);
    raw_peer_say(&peer, PACKET_CLSE, OTHER, 2, "");
    send_pattern(&peer, CONN_OVERRUN_MAX / 2, PACKET_MAX_PAYLOAD);
    raw_peer_say(&peer, PACKET_CLSE, OURS, HOSTS, "");
    await_taken(&peer);
    assert_true(heap_in_use() < before + CONN_OVERRUN_MAX + HELD_BESIDE);
    assert_overflowed(large);
    read_pattern(small, CONN_OVERRUN_MAX / 2);
    stream_close(large);
    stream_close(small);
    raw_peer_close(&peer);
}

static void the_stream_with_the_most_unread_data_is_dropped(void **state)
{
    (void)state;
    check_floods(PACKET_MAX_PAYLOAD);
    check_floods(0);
}

static void *write_four_packets(void *context)
{
    const size_t size = (size_t)4 * PACKET_WANTED_PAYLOAD;
    char *data = mem_new(size, 1);
    struct err err;

    if (!stream_write(context, data, size, SOON, &err))
        context = NULL;
    free(data);
    return context;
}

/* A packet of the agreed size, although the peer offered more. */
static void expect_full_packet(const struct raw_peer *peer)
{
    assert_int_equal(raw_peer_expect(peer, PACKET_WRTE).packet.length,
                     PACKET_WANTED_PAYLOAD);
}

/* The third begins while not all of the two megabytes are sent. */
static void host_sends_at_most_two_megabytes_ahead(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(32 * PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);
    pthread_t thread;
    void *written;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, write_four_packets, stream),
                     0);
    for (int i = 0; i < 3; i++)
        expect_full_packet(&peer);
    expect_nothing(&peer);
    raw_peer_grant(&peer, OURS, HOSTS, PACKET_WANTED_PAYLOAD);
    expect_full_packet(&peer);
    pthread_join(thread, &written);
    assert_non_null(written);
    stream_close(stream);
    raw_peer_close(&peer);
}

/* Peer and host write at the same time: neither may block the other. */
static void classic_small_packets_are_acknowledged_unread(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);

    (void)state;
    for (int i = 0; i < 16; i++) {
        send_data(&peer, 4 * KIB);
        raw_peer_expect(&peer, PACKET_OKAY);
    }
    send_data(&peer, 4 * KIB);
    expect_nothing(&peer);
    read_data(stream, 4 * KIB);
    expect_nothing(&peer);
    read_data(stream, 4 * KIB);
    raw_peer_expect(&peer, PACKET_OKAY);
    stream_close(stream);
    raw_peer_close(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_payload_is_granted_again_when_it_begins),
        cmocka_unit_test(later_bytes_are_granted_when_they_are_read),
        cmocka_unit_test(small_payloads_are_granted_many_at_once),
        cmocka_unit_test(last_bytes_of_a_service_arrive_complete),
        cmocka_unit_test(
            a_peer_beyond_its_window_is_granted_more_as_data_is_read),
        cmocka_unit_test(a_flooded_stream_is_dropped_and_others_continue),
        cmocka_unit_test(the_stream_with_the_most_unread_data_is_dropped),
        cmocka_unit_test(host_sends_at_most_two_megabytes_ahead),
        cmocka_unit_test(classic_small_packets_are_acknowledged_unread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
