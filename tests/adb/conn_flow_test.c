/* Who may send how much, mostly where both sides know delayed_ack. */
#include "adb/conn.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "tests/support/raw_peer.h"

#define SOON deadline_in_ms(60000)

/* The one stream that is open: the peer's id of it, and the host's. */
#define OURS 77
#define HOSTS 1

#define KIB 1024U

/* What we grant: a full packet, and what may have been read before it. */
#define WINDOW (PACKET_WANTED_PAYLOAD / 8 * 9)

/* Long enough for what must not come. */
#define IN_VAIN_MS 50

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

static void a_large_payload_is_granted_anew_when_it_begins(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);
    char *data = mem_new(PACKET_MAX_PAYLOAD, 1);

    (void)state;
    announce(&peer, PACKET_MAX_PAYLOAD);
    assert_int_equal(next_grant(&peer), PACKET_MAX_PAYLOAD);
    raw_peer_send_bytes(&peer, data, PACKET_MAX_PAYLOAD);
    read_data(stream, PACKET_MAX_PAYLOAD);
    expect_nothing(&peer); /* reading it grants no more */
    free(data);
    stream_close(stream);
    raw_peer_close(&peer);
}

static void what_follows_it_is_granted_as_it_is_read(void **state)
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

static void a_peer_that_sends_beyond_its_window_is_cut_off(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "a:", OURS);
    struct err err;

    (void)state;
    for (uint32_t sent = 0; sent < WINDOW; sent += 32 * KIB)
        send_data(&peer, 32 * KIB);
    expect_nothing(&peer);
    assert_false(conn_is_lost(peer.conn, NULL));
    send_data(&peer, 1);
    assert_true(raw_peer_is_cut_off(&peer, 20000));
    assert_true(conn_is_lost(peer.conn, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    stream_close(stream);
    raw_peer_close(&peer);
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

/* A packet as large as both said, though the peer said more. */
static void expect_full_packet(const struct raw_peer *peer)
{
    assert_int_equal(raw_peer_expect(peer, PACKET_WRTE).packet.length,
                     PACKET_WANTED_PAYLOAD);
}

/* The third begins while there are two megabytes of which not all are sent. */
static void we_send_two_megabytes_ahead_of_a_large_window(void **state)
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

/* The peer writes while its reader writes too: both must get on. */
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
        cmocka_unit_test(a_large_payload_is_granted_anew_when_it_begins),
        cmocka_unit_test(what_follows_it_is_granted_as_it_is_read),
        cmocka_unit_test(small_payloads_are_granted_many_at_once),
        cmocka_unit_test(a_peer_that_sends_beyond_its_window_is_cut_off),
        cmocka_unit_test(we_send_two_megabytes_ahead_of_a_large_window),
        cmocka_unit_test(classic_small_packets_are_acknowledged_unread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
