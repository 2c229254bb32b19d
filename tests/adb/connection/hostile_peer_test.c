/* Protocol violations of a peer: which ones a connection tolerates. */
#include "adb/connection/conn.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/sockios.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/raw_peer.h"
#include "tests/support/heap.h"

#define SOON deadline_in_ms(60000)

/* The ids of the open stream: ours and the host's. */
#define OURS 77
#define HOSTS 1

/*
 * Memory limit of a connection apart from its streams, whatever the peer does.
 */
#define GROWTH_MAX ((size_t)1536 * 1024)

static void announce_4_gib(const struct raw_peer *peer)
{
    raw_peer_send(peer,
                  (struct packet){.command = PACKET_WRTE,
                                  .arg0 = OURS,
                                  .arg1 = HOSTS,
                                  .length = UINT32_MAX},
                  NULL);
}

static void announce_a_byte_too_many(const struct raw_peer *peer)
{
    raw_peer_send(peer,
                  (struct packet){.command = PACKET_WRTE,
                                  .arg0 = OURS,
                                  .arg1 = HOSTS,
                                  .length = PACKET_MAX_PAYLOAD + 1},
                  NULL);
}

static void send_unknown_command(const struct raw_peer *peer)
{
    raw_peer_send(peer, (struct packet){.command = 0x4b4e4a55}, NULL);
}

static void speak_http(const struct raw_peer *peer)
{
    static const char text[] = "HTTP/1.1 400 Bad Request\r\n\r\n";

    raw_peer_send_bytes(peer, text, sizeof(text) - 1);
}

static void send_wrong_magic(const struct raw_peer *peer)
{
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&(struct packet){.command = PACKET_OKAY}, header);
    header[20] ^= 1;
    raw_peer_send_bytes(peer, header, sizeof(header));
}

static void okay_a_future_stream(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_OKAY, OURS, 4711, "");
}

static void write_to_a_future_stream(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_WRTE, OURS, 4711, "hello");
}

static void close_a_future_stream(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_CLSE, OURS, 4711, "");
}

static void okay_stream_0(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_OKAY, OURS, 0, "");
}

static void open_stream_0(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_OPEN, 0, 0, "tcp:80");
}

static void ask_for_a_key(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_AUTH, 1, 0, "01234567890123456789");
}

static void ask_for_tls(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_STLS, PACKET_VERSION_MIN, 0, "");
}

static void greet_again(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_CNXN, PACKET_VERSION_SKIP_CHECKSUM,
                 PACKET_MAX_PAYLOAD, "device::");
}

static void disconnect(const struct raw_peer *peer)
{
    shutdown(peer->fd, SHUT_RDWR);
}

static void disconnect_in_a_header(const struct raw_peer *peer)
{
    raw_peer_send_bytes(peer, "WRTE", 4);
    disconnect(peer);
}

static void disconnect_in_a_payload(const struct raw_peer *peer)
{
    raw_peer_send(peer,
                  (struct packet){.command = PACKET_WRTE,
                                  .arg0 = OURS,
                                  .arg1 = HOSTS,
                                  .length = 100000},
                  NULL);
    raw_peer_send_bytes(peer, "begun", 5);
    disconnect(peer);
}

/* Never reads, although each of these needs an answer. */
static void flood_with_opens(const struct raw_peer *peer)
{
    for (uint32_t i = 1; i < 40000; i++)
        raw_peer_say(peer, PACKET_OPEN, i, 0, "tcp:80");
}

static void flood_with_empty_writes(const struct raw_peer *peer)
{
    for (uint32_t i = 1; i < 40000; i++)
        raw_peer_say(peer, PACKET_WRTE, OURS, HOSTS, "");
}

struct attack {
    const char *name;
    void (*run)(const struct raw_peer *peer);
    enum err_code code;
    const char *text;
};

static const struct attack fatal[] = {
    {"4 GiB announced", announce_4_gib, ERR_PROTOCOL,
     "the peer announced WRTE with 4294967295 bytes; "
     "at most 1048576 were agreed"},
    {"a byte too many", announce_a_byte_too_many, ERR_PROTOCOL,
     "the peer announced WRTE with 1048577 bytes; "
     "at most 1048576 were agreed"},
    {"unknown command", send_unknown_command, ERR_PROTOCOL,
     "the peer sent an unknown command 0x4b4e4a55 (is this an ADB port?)"},
    {"HTTP", speak_http, ERR_PROTOCOL,
     "the peer sent an unknown command 0x50545448 (is this an ADB port?)"},
    {"wrong magic", send_wrong_magic, ERR_PROTOCOL,
     "the peer sent OKAY with a wrong magic 0xa6beb4b1"},
    {"OKAY, future stream", okay_a_future_stream, ERR_PROTOCOL,
     "the peer sent OKAY for stream 4711, which never existed"},
    {"WRTE, future stream", write_to_a_future_stream, ERR_PROTOCOL,
     "the peer sent WRTE for stream 4711, which never existed"},
    {"CLSE, future stream", close_a_future_stream, ERR_PROTOCOL,
     "the peer sent CLSE for stream 4711, which never existed"},
    {"OKAY, stream 0", okay_stream_0, ERR_PROTOCOL,
     "the peer sent OKAY for stream 0, which never existed"},
    {"OPEN of stream 0", open_stream_0, ERR_PROTOCOL,
     "the peer opened stream 0"},
    {"AUTH", ask_for_a_key, ERR_PROTOCOL, "the peer sent an unexpected AUTH"},
    {"STLS", ask_for_tls, ERR_PROTOCOL, "the peer sent an unexpected STLS"},
    {"CNXN", greet_again, ERR_LOST, "the device restarted the connection"},
    {"disconnect", disconnect, ERR_LOST, "the peer closed the connection"},
    {"disconnect in a header", disconnect_in_a_header, ERR_LOST,
     "the peer closed the connection"},
    {"disconnect in a payload", disconnect_in_a_payload, ERR_LOST,
     "the peer closed the connection"},
    {"flood of OPEN", flood_with_opens, ERR_PROTOCOL,
     "the peer sends requests without reading the answers"},
    {"flood of empty WRTE", flood_with_empty_writes, ERR_PROTOCOL,
     "the peer sends requests without reading the answers"},
};

/* A thread whose call waits during the attack. */
struct victim {
    struct conn *conn;
    struct stream *stream;
    struct err err;
};

/* Read slowly, so that unread bytes pile up to the limit. */
static void *read_on(void *context)
{
    struct victim *victim = context;
    struct deadline by = SOON;
    char data[1];
    size_t got;

    do {
        if (!stream_read(victim->stream, data, sizeof(data), by, &got,
                         &victim->err))
            return NULL;
    } while (got);
    err_set(&victim->err, ERR_NONE, "the stream ended");
    return NULL;
}

static void check_cut_off(const struct raw_peer *peer,
                          const struct attack *attack, size_t before)
{
    size_t grown = heap_in_use() - before;
    struct stream *late;
    struct err err;

    assert_true(conn_is_lost(peer->conn, &err));
    assert_string_equal(err.text, attack->text);
    assert_int_equal(err.code, attack->code);
    assert_false(conn_open_stream(peer->conn, "late:", SOON, &late, &err));
    assert_int_equal(err.code, attack->code);
    assert_true(raw_peer_is_cut_off(peer, 20000));
    if (heap_in_use() > before && grown > GROWTH_MAX)
        fail_msg("%s: %zu bytes more are held", attack->name, grown);
}

static void violations_end_a_waiting_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fatal); i++) {
        struct raw_peer peer = raw_peer_start();
        struct victim victim = {.stream =
                                    raw_peer_open(&peer, "victim:", OURS)};
        size_t before = heap_in_use();
        pthread_t thread;

        pthread_create(&thread, NULL, read_on, &victim);
        fatal[i].run(&peer);
        pthread_join(thread, NULL);
        assert_string_equal(victim.err.text, fatal[i].text);
        assert_int_equal(victim.err.code, fatal[i].code);
        check_cut_off(&peer, &fatal[i], before);
        stream_close(victim.stream);
        raw_peer_close(&peer);
    }
}

static void violations_are_noticed_while_idle(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fatal); i++) {
        struct raw_peer peer = raw_peer_start();
        struct stream *stream = raw_peer_open(&peer, "victim:", OURS);
        size_t before = heap_in_use();
        struct deadline by = SOON;

        fatal[i].run(&peer);
        while (!conn_is_lost(peer.conn, NULL) && !deadline_passed(by))
            sched_yield();
        check_cut_off(&peer, &fatal[i], before);
        stream_close(stream);
        raw_peer_close(&peer);
    }
}

/* Discard the host's answers so far. */
static void drop_answers(const struct raw_peer *peer, int64_t ms)
{
    struct raw_packet answer;

    while (raw_peer_next(peer, ms, &answer))
        ;
}

static void write_nothing(const struct raw_peer *peer)
{
    for (int i = 0; i < 100; i++) {
        raw_peer_say(peer, PACKET_WRTE, OURS, HOSTS, "");
        raw_peer_expect(peer, PACKET_OKAY);
    }
}

static void okay_again(const struct raw_peer *peer)
{
    for (int i = 0; i < 100; i++)
        raw_peer_say(peer, PACKET_OKAY, OURS, HOSTS, "");
}

static void send_obsolete_sync(const struct raw_peer *peer)
{
    raw_peer_say(peer, PACKET_SYNC, 1, 1, "");
}

static void open_nothing(const struct raw_peer *peer)
{
    struct raw_packet answer;

    raw_peer_say(peer, PACKET_OPEN, 5, 0, "");
    answer = raw_peer_expect(peer, PACKET_CLSE);
    assert_int_equal(answer.packet.arg0, 0);
    assert_int_equal(answer.packet.arg1, 5);
}

static void open_a_very_long_name(const struct raw_peer *peer)
{
    char *name = mem_new(PACKET_MAX_PAYLOAD, 1);

    memset(name, 'a', PACKET_MAX_PAYLOAD);
    raw_peer_send(peer,
                  (struct packet){.command = PACKET_OPEN,
                                  .arg0 = 5,
                                  .length = PACKET_MAX_PAYLOAD},
                  name);
    raw_peer_expect(peer, PACKET_CLSE);
    free(name);
}

static void open_names_with_nuls(const struct raw_peer *peer)
{
    raw_peer_send(
        peer, (struct packet){.command = PACKET_OPEN, .arg0 = 5, .length = 8},
        "tcp:80\0x");
    raw_peer_expect(peer, PACKET_CLSE);
    raw_peer_send(
        peer, (struct packet){.command = PACKET_OPEN, .arg0 = 5, .length = 4},
        "\0\0\0");
    raw_peer_expect(peer, PACKET_CLSE);
}

static void open_while_reading(const struct raw_peer *peer)
{
    for (uint32_t i = 1; i < 10000; i++) {
        raw_peer_say(peer, PACKET_OPEN, i, 0, "tcp:80");
        raw_peer_expect(peer, PACKET_CLSE);
    }
}

/* A stream that was open before: late packets for it are normal. */
static void speak_of_a_closed_stream(const struct raw_peer *peer)
{
    stream_close(raw_peer_open(peer, "past:", 78));
    raw_peer_say(peer, PACKET_WRTE, 78, 2, "too late");
    raw_peer_say(peer, PACKET_OKAY, 78, 2, "");
    raw_peer_say(peer, PACKET_CLSE, 78, 2, "");
    raw_peer_say(peer, PACKET_CLSE, 78, 2, "");
    drop_answers(peer, 100);
}

static const struct attack harmless[] = {
    {.name = "empty WRTE", .run = write_nothing},
    {.name = "OKAY without cause", .run = okay_again},
    {.name = "SYNC", .run = send_obsolete_sync},
    {.name = "OPEN without name", .run = open_nothing},
    {.name = "OPEN of 1 MiB", .run = open_a_very_long_name},
    {.name = "OPEN with NULs", .run = open_names_with_nuls},
    {.name = "10000 times OPEN", .run = open_while_reading},
    {.name = "closed stream", .run = speak_of_a_closed_stream},
};

static void harmless_violations_are_tolerated(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
        struct raw_peer peer = raw_peer_start();
        struct stream *stream = raw_peer_open(&peer, "victim:", OURS);
        size_t before = heap_in_use();
        char data[8] = "";
        struct err err = ERR_INIT;
        size_t got;

        harmless[i].run(&peer);
        raw_peer_say(&peer, PACKET_WRTE, OURS, HOSTS, "fine");
        if (!stream_read(stream, data, sizeof(data), SOON, &got, &err))
            fail_msg("%s: %s", harmless[i].name, err.text);
        assert_string_equal(data, "fine");
        assert_true(heap_in_use() < before + GROWTH_MAX);
        stream_close(stream);
        raw_peer_close(&peer);
    }
}

static void a_stream_closed_twice_ends_once(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct stream *stream = raw_peer_open(&peer, "victim:", OURS);
    struct raw_packet answer;
    struct err err;
    char byte;
    size_t got;

    (void)state;
    raw_peer_say(&peer, PACKET_CLSE, OURS, HOSTS, "");
    raw_peer_say(&peer, PACKET_CLSE, OURS, HOSTS, "");
    assert_true(stream_read(stream, &byte, 1, SOON, &got, &err));
    assert_int_equal(got, 0);
    assert_false(stream_write(stream, "x", 1, SOON, &err));
    assert_int_equal(err.code, ERR_CLOSED);
    raw_peer_expect(&peer, PACKET_CLSE);
    stream_close(stream);
    assert_false(raw_peer_next(&peer, 50, &answer));
    raw_peer_close(&peer);
}

static void *open_late(void *context)
{
    struct victim *victim = context;

    if (conn_open_stream(victim->conn, "late:", SOON, &victim->stream,
                         &victim->err))
        victim->err.code = ERR_NONE;
    return NULL;
}

static void a_stream_cannot_be_accepted_as_0(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct victim victim = {.conn = peer.conn};
    pthread_t thread;

    (void)state;
    pthread_create(&thread, NULL, open_late, &victim);
    raw_peer_expect(&peer, PACKET_OPEN);
    raw_peer_say(&peer, PACKET_OKAY, 0, HOSTS, "");
    pthread_join(thread, NULL);
    assert_int_equal(victim.err.code, ERR_PROTOCOL);
    assert_string_equal(victim.err.text,
                        "opening late: the peer accepted stream 1 as stream 0");
    assert_true(raw_peer_is_cut_off(&peer, 20000));
    raw_peer_close(&peer);
}

static bool wants_all(void *context, const char *service)
{
    (void)context;
    (void)service;
    return true;
}

/* Streams that a peer opens beyond the backlog are refused. */
static void pending_streams_are_limited_by_the_backlog(void **state)
{
    struct raw_peer peer = raw_peer_start();
    struct raw_packet answer;
    struct stream *stream;
    struct buf service;
    struct err err;

    (void)state;
    conn_listen(peer.conn, wants_all, NULL);
    for (uint32_t i = 1; i <= CONN_BACKLOG + 1; i++)
        raw_peer_say(&peer, PACKET_OPEN, i, 0, "greeter:");
    answer = raw_peer_expect(&peer, PACKET_CLSE);
    assert_int_equal(answer.packet.arg1, CONN_BACKLOG + 1);
    raw_peer_say(&peer, PACKET_CLSE, 1, 1, ""); /* closes it again */
    raw_peer_expect(&peer, PACKET_CLSE);
    assert_true(conn_accept(peer.conn, SOON, &service, &stream, &err));
    assert_false(conn_confirm(stream, &err));
    assert_int_equal(err.code, ERR_CLOSED);
    buf_release(&service);
    stream_close(stream);
    raw_peer_close(&peer);
}

#define CRUMBS 50000U

/* Has the host received everything that was sent? */
static bool is_taken(const struct raw_peer *peer)
{
    int left;

    assert_int_equal(ioctl(peer->fd, SIOCOUTQ, &left), 0);
    return left == 0;
}

/* A window counts bytes, but each packet costs memory, too. */
static void window_full_of_tiny_packets_uses_little_memory(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "victim:", OURS);
    char *data = mem_new(CRUMBS, 1);
    size_t before = heap_in_use();
    struct deadline by = SOON;
    struct err err = ERR_INIT;

    (void)state;
    for (uint32_t i = 0; i < CRUMBS; i++)
        raw_peer_say(&peer, PACKET_WRTE, OURS, HOSTS, i % 2 ? "a" : "b");
    while (!is_taken(&peer) && !deadline_passed(by))
        sched_yield();
    assert_true(is_taken(&peer));
    assert_true(heap_in_use() < before + (size_t)2 * CRUMBS);
    if (!stream_read_exact(stream, data, CRUMBS, SOON, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < CRUMBS; i++)
        assert_int_equal(data[i], i % 2 ? 'a' : 'b');
    free(data);
    stream_close(stream);
    raw_peer_close(&peer);
}

/* A grant is an OKAY with four bytes; these have none, or far too many. */
static void invalid_grants_are_harmless(void **state)
{
    struct raw_peer peer = raw_peer_start_granting(PACKET_MAX_PAYLOAD);
    struct stream *stream = raw_peer_open(&peer, "victim:", OURS);
    struct packet okay = {
        .command = PACKET_OKAY, .arg0 = OURS, .arg1 = HOSTS, .length = 4};
    struct err err = ERR_INIT;

    (void)state;
    for (int i = 0; i < 1000; i++)
        raw_peer_send(&peer, okay, i % 2 ? "\xff\xff\xff\x7f" : "\0\0\0\x80");
    raw_peer_send(&peer, okay, "\xff\xff\xff\x7f");
    if (!stream_write(stream, "fine", 4, SOON, &err))
        fail_msg("%s", err.text);
    raw_peer_expect(&peer, PACKET_WRTE);
    raw_peer_say(&peer, PACKET_OKAY, OURS, HOSTS, "");
    assert_true(raw_peer_is_cut_off(&peer, 20000));
    assert_true(conn_is_lost(peer.conn, &err));
    assert_string_equal(err.text,
                        "the peer sent OKAY with 0 bytes instead of 4");
    stream_close(stream);
    raw_peer_close(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations_end_a_waiting_call),
        cmocka_unit_test(violations_are_noticed_while_idle),
        cmocka_unit_test(harmless_violations_are_tolerated),
        cmocka_unit_test(a_stream_closed_twice_ends_once),
        cmocka_unit_test(a_stream_cannot_be_accepted_as_0),
        cmocka_unit_test(window_full_of_tiny_packets_uses_little_memory),
        cmocka_unit_test(invalid_grants_are_harmless),
        cmocka_unit_test(pending_streams_are_limited_by_the_backlog),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
