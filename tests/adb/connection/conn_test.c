#include "adb/connection/conn.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/loopback_device.h"

#define SOON deadline_in_ms(60000)

struct fixture {
    struct loopback_device *device;
    struct conn *conn;
};

/* A new device that does not know delayed_ack. */
static const struct loopback_device_options classic = {
    .features = FEATURE_BIT(FEATURE_SHELL_V2),
};

static struct fixture connect_to(const struct loopback_device_options *options)
{
    struct fixture fixture;
    struct transport *host;

    fixture.device = loopback_device_start(options, &host);
    fixture.conn = loopback_device_connect(host);
    return fixture;
}

static void disconnect(struct fixture *fixture)
{
    conn_close(fixture->conn);
    loopback_device_stop(fixture->device);
}

static struct stream *open_or_fail(struct conn *conn, const char *service)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!conn_open_stream(conn, service, SOON, &stream, &err))
        fail_msg("%s", err.text);
    return stream;
}

/* Read everything up to the stream's end. */
static size_t read_all(struct stream *stream, char *data, size_t size,
                       size_t piece)
{
    struct err err = ERR_INIT;
    size_t total = 0;
    size_t got;

    do {
        size_t room = size - total < piece ? size - total : piece;

        if (!stream_read(stream, data + total, room, SOON, &got, &err))
            fail_msg("%s", err.text);
        total += got;
    } while (got && total < size);
    return total;
}

static void banner_names_the_device(void **state)
{
    struct fixture fixture = connect_to(NULL);

    (void)state;
    assert_string_equal(conn_peer(fixture.conn)->state, "device");
    assert_string_equal(conn_peer(fixture.conn)->model, "Loop Device");
    assert_int_equal(conn_features(fixture.conn), conn_host_features);
    assert_int_equal(conn_max_payload(fixture.conn), PACKET_WANTED_PAYLOAD);
    disconnect(&fixture);
}

static void service_sends_its_text_and_ends(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct stream *stream = open_or_fail(fixture.conn, "say:hello");
    char text[64];

    (void)state;
    assert_int_equal(read_all(stream, text, sizeof(text), sizeof(text)), 5);
    assert_memory_equal(text, "hello", 5);
    stream_close(stream);
    disconnect(&fixture);
}

static void an_unknown_service_is_refused_by_name(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct stream *stream;
    struct err err;

    (void)state;
    assert_false(
        conn_open_stream(fixture.conn, "nonsense:x", SOON, &stream, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_string_equal(err.text,
                        "opening nonsense: the device does not offer it");
    disconnect(&fixture);
}

static void check_source(struct conn *conn, size_t size, size_t piece)
{
    char *data = mem_new(size + 1, 1);
    char service[64];
    struct stream *stream;

    snprintf(service, sizeof(service), "source:%zu", size);
    stream = open_or_fail(conn, service);
    assert_int_equal(read_all(stream, data, size + 1, piece), size);
    for (size_t i = 0; i < size; i++) {
        if (data[i] != (char)(i % 251))
            fail_msg("byte %zu of %zu is wrong", i, size);
    }
    stream_close(stream);
    free(data);
}

static void bytes_arrive_complete_in_pieces_of_any_size(void **state)
{
    static const size_t sizes[] = {0,     1,     4095,  4096,      4097,
                                   16383, 16384, 65536, 1U << 20U, 3000001};
    static const size_t pieces[] = {7, 4096, 70000, 8U << 20U};
    struct fixture delayed = connect_to(NULL);
    struct fixture one_by_one = connect_to(&classic);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        for (size_t j = 0; j < ARRAY_LEN(pieces); j++) {
            if (sizes[i] / pieces[j] >= 20000)
                continue;
            check_source(delayed.conn, sizes[i], pieces[j]);
            check_source(one_by_one.conn, sizes[i], pieces[j]);
        }
    }
    disconnect(&delayed);
    disconnect(&one_by_one);
}

static void old_peer_gets_small_packets_with_checksums(void **state)
{
    const struct loopback_device_options old = {
        .version = PACKET_VERSION_MIN, .max_payload = PACKET_MAX_PAYLOAD_V1};
    struct fixture fixture = connect_to(&old);

    (void)state;
    assert_int_equal(conn_max_payload(fixture.conn), 4096);
    assert_int_equal(conn_features(fixture.conn), 0);
    check_source(fixture.conn, 100001, 50000);
    disconnect(&fixture);
}

#define THREADS 8
#define STREAMS_A_THREAD 4

/* Four echo streams at the same time, written and read in turn. */
static void *echo_on_four_streams(void *context)
{
    struct conn *conn = context;
    struct stream *streams[STREAMS_A_THREAD];
    char *sent = mem_new(100000, 1);
    char *back = mem_new(100000, 1);
    struct err err = ERR_INIT;
    bool intact = true;

    for (size_t i = 0; i < STREAMS_A_THREAD; i++)
        intact =
            intact && conn_open_stream(conn, "echo:", SOON, &streams[i], &err);
    for (size_t round = 0; intact && round < 20; round++) {
        for (size_t i = 0; i < STREAMS_A_THREAD; i++) {
            size_t size = 1 + (round * 4999 + i * 977) % 99999;

            memset(sent, (int)(round * 4 + i), size);
            intact = intact &&
                     stream_write(streams[i], sent, size, SOON, &err) &&
                     stream_read_exact(streams[i], back, size, SOON, &err) &&
                     !memcmp(sent, back, size);
        }
    }
    if (!intact)
        fprintf(stderr, "%s\n", err.text);
    for (size_t i = 0; i < STREAMS_A_THREAD; i++)
        stream_close(streams[i]);
    free(sent);
    free(back);
    return intact ? conn : NULL;
}

static void run_thirty_two_streams(
    const struct loopback_device_options *options)
{
    struct fixture fixture = connect_to(options);
    pthread_t threads[THREADS];
    void *intact;

    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, echo_on_four_streams,
                                        fixture.conn),
                         0);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &intact);
        assert_non_null(intact);
    }
    disconnect(&fixture);
}

static void thirty_two_streams_run_from_eight_threads(void **state)
{
    (void)state;
    run_thirty_two_streams(NULL);
}

static void thirty_two_streams_run_without_delayed_ack(void **state)
{
    (void)state;
    run_thirty_two_streams(&classic);
}

struct half_connection {
    struct stream *stream;
    size_t size;
    bool fine;
};

static void *write_much(void *context)
{
    struct half_connection *way = context;
    char *data = mem_new(way->size, 1);
    struct err err = ERR_INIT;

    memset(data, 'x', way->size);
    way->fine = stream_write(way->stream, data, way->size, SOON, &err);
    if (!way->fine)
        fprintf(stderr, "writing: %s\n", err.text);
    free(data);
    return NULL;
}

static void *read_much(void *context)
{
    struct half_connection *way = context;
    char *data = mem_new(way->size, 1);
    struct err err = ERR_INIT;

    way->fine = stream_read_exact(way->stream, data, way->size, SOON, &err);
    if (!way->fine)
        fprintf(stderr, "reading: %s\n", err.text);
    free(data);
    return NULL;
}

/* More bytes in flight than all socket buffers hold, in both directions. */
static void fill_both_ways(const struct loopback_device_options *options)
{
    struct fixture fixture = connect_to(options);
    struct half_connection ways[2 * THREADS];
    pthread_t threads[2 * THREADS];

    for (size_t i = 0; i < THREADS; i++) {
        struct stream *stream = open_or_fail(fixture.conn, "echo:");

        ways[2 * i] = (struct half_connection){stream, 4U << 20U, false};
        ways[2 * i + 1] = ways[2 * i];
        pthread_create(&threads[2 * i], NULL, write_much, &ways[2 * i]);
        pthread_create(&threads[2 * i + 1], NULL, read_much, &ways[2 * i + 1]);
    }
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        pthread_join(threads[i], NULL);
        assert_true(ways[i].fine);
    }
    for (size_t i = 0; i < THREADS; i++)
        stream_close(ways[2 * i].stream);
    disconnect(&fixture);
}

static void full_pipes_both_ways_do_not_deadlock(void **state)
{
    (void)state;
    fill_both_ways(NULL);
    fill_both_ways(&classic);
}

static void timeout_leaves_the_stream_usable(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct stream *stream = open_or_fail(fixture.conn, "echo:");
    char data[16];
    struct err err;
    size_t got;

    (void)state;
    assert_false(stream_read(stream, data, sizeof(data), deadline_in_ms(20),
                             &got, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(stream_write(stream, "again", 5, SOON, &err));
    assert_true(stream_read_exact(stream, data, 5, SOON, &err));
    assert_memory_equal(data, "again", 5);
    stream_close(stream);
    disconnect(&fixture);
}

struct waiter {
    struct stream *stream;
    struct err err;
};

static void *wait_for_ever(void *context)
{
    struct waiter *waiter = context;
    char byte;
    size_t got;

    if (stream_read(waiter->stream, &byte, 1, SOON, &got, &waiter->err))
        err_set(&waiter->err, ERR_NONE, "read %zu bytes", got);
    return NULL;
}

static void lost_device_wakes_all_waiting_threads_with_one_error(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct waiter waiters[THREADS];
    pthread_t threads[THREADS];
    struct stream *late;
    struct err err;

    (void)state;
    for (size_t i = 0; i < THREADS; i++) {
        waiters[i].stream = open_or_fail(fixture.conn, "silent:");
        pthread_create(&threads[i], NULL, wait_for_ever, &waiters[i]);
    }
    loopback_device_vanish(fixture.device);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(waiters[i].err.code, ERR_LOST);
        assert_string_equal(waiters[i].err.text, waiters[0].err.text);
        stream_close(waiters[i].stream);
    }
    assert_true(conn_is_lost(fixture.conn, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_false(conn_open_stream(fixture.conn, "say:late", SOON, &late, &err));
    assert_int_equal(err.code, ERR_LOST);
    disconnect(&fixture);
}

static void device_lost_while_idle_is_noticed(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct deadline by = SOON;

    (void)state;
    loopback_device_vanish(fixture.device);
    while (!conn_is_lost(fixture.conn, NULL) && !deadline_passed(by))
        sched_yield();
    assert_true(conn_is_lost(fixture.conn, NULL));
    disconnect(&fixture);
}

static void an_interrupted_stream_wakes_its_reader(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct waiter waiter = {.stream = open_or_fail(fixture.conn, "silent:")};
    pthread_t thread;

    (void)state;
    pthread_create(&thread, NULL, wait_for_ever, &waiter);
    stream_interrupt(waiter.stream);
    pthread_join(thread, NULL);
    assert_int_equal(waiter.err.code, ERR_CANCELLED);
    stream_close(waiter.stream);
    check_source(fixture.conn, 1000, 1000);
    disconnect(&fixture);
}

static bool wants_greeter(void *context, const char *service)
{
    (void)context;
    return !strcmp(service, "greeter:");
}

static void device_can_open_only_registered_services(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct stream *refused = open_or_fail(fixture.conn, "open:greeter:");
    struct stream *relay;
    struct stream *incoming;
    struct buf service;
    char text[64];
    struct err err;

    (void)state;
    assert_int_equal(read_all(refused, text, sizeof(text), sizeof(text)), 7);
    assert_memory_equal(text, "refused", 7);
    stream_close(refused);

    conn_listen(fixture.conn, wants_greeter, NULL);
    relay = open_or_fail(fixture.conn, "open:greeter:");
    assert_true(conn_accept(fixture.conn, SOON, &service, &incoming, &err));
    assert_string_equal(buf_cstr(&service), "greeter:");
    assert_true(conn_confirm(incoming, &err));
    assert_true(stream_write(incoming, "good day", 8, SOON, &err));
    stream_close(incoming);
    assert_int_equal(read_all(relay, text, sizeof(text), sizeof(text)), 8);
    assert_memory_equal(text, "good day", 8);
    stream_close(relay);
    buf_release(&service);
    disconnect(&fixture);
}

/* A thread that waits for the device to open a stream. */
struct acceptor {
    struct conn *conn;
    struct err err;
};

static void *accept_one(void *context)
{
    struct acceptor *acceptor = context;
    struct stream *stream;
    struct buf service;

    if (conn_accept(acceptor->conn, SOON, &service, &stream, &acceptor->err))
        acceptor->err.code = ERR_NONE;
    return NULL;
}

static void unlisten_wakes_a_waiting_accept(void **state)
{
    struct fixture fixture = connect_to(NULL);
    struct acceptor acceptor = {.conn = fixture.conn};
    pthread_t thread;

    (void)state;
    conn_listen(fixture.conn, wants_greeter, NULL);
    pthread_create(&thread, NULL, accept_one, &acceptor);
    conn_listen(fixture.conn, NULL, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(acceptor.err.code, ERR_CANCELLED);
    disconnect(&fixture);
}

static void cancel_ends_a_waiting_call(void **state)
{
    struct cancel cancel;
    struct loopback_device *device;
    struct transport *host;
    struct conn *conn;
    struct waiter waiter;
    pthread_t thread;
    struct err err;
    int ends[2];

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    device = loopback_device_serve(NULL, ends[1]);
    assert_true(
        tcp_wrap(ends[0], (struct tcp_keepalive){0}, &cancel, &host, &err));
    conn = loopback_device_connect(host);
    waiter.stream = open_or_fail(conn, "silent:");
    pthread_create(&thread, NULL, wait_for_ever, &waiter);
    cancel_fire(&cancel);
    pthread_join(thread, NULL);
    assert_int_equal(waiter.err.code, ERR_CANCELLED);
    stream_close(waiter.stream);
    conn_close(conn);
    loopback_device_stop(device);
    cancel_release(&cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banner_names_the_device),
        cmocka_unit_test(service_sends_its_text_and_ends),
        cmocka_unit_test(an_unknown_service_is_refused_by_name),
        cmocka_unit_test(bytes_arrive_complete_in_pieces_of_any_size),
        cmocka_unit_test(old_peer_gets_small_packets_with_checksums),
        cmocka_unit_test(thirty_two_streams_run_from_eight_threads),
        cmocka_unit_test(thirty_two_streams_run_without_delayed_ack),
        cmocka_unit_test(full_pipes_both_ways_do_not_deadlock),
        cmocka_unit_test(timeout_leaves_the_stream_usable),
        cmocka_unit_test(lost_device_wakes_all_waiting_threads_with_one_error),
        cmocka_unit_test(device_lost_while_idle_is_noticed),
        cmocka_unit_test(an_interrupted_stream_wakes_its_reader),
        cmocka_unit_test(device_can_open_only_registered_services),
        cmocka_unit_test(unlisten_wakes_a_waiting_accept),
        cmocka_unit_test(cancel_ends_a_waiting_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
