#include "adb/connection/stream.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "base/mem.h"
#include "tests/support/blocked_thread.h"

#define SOON deadline_in_ms(60000)

/* A stream on a socket, whose other end belongs to the test. */
struct fixture {
    struct stream *stream;
    int peer;
};

static int setup(void **state)
{
    static struct fixture fixture;
    struct transport *transport;
    struct err err;
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
        !tcp_wrap(ends[0], (struct tcp_keepalive){0}, NULL, &transport, &err))
        return -1;
    fixture.stream = stream_over_transport(transport);
    fixture.peer = ends[1];
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    stream_close(fixture->stream);
    close(fixture->peer);
    return 0;
}

static void say_and_end(struct fixture *fixture, const char *text)
{
    size_t length = strlen(text);

    assert_int_equal(send(fixture->peer, text, length, 0), length);
    shutdown(fixture->peer, SHUT_WR);
}

static void everything_is_appended_up_to_the_end(void **state)
{
    struct fixture *fixture = *state;
    struct buf data = BUF_INIT(11);
    struct err err = ERR_INIT;

    buf_text(&data, "say: ");
    say_and_end(fixture, "hello.");
    assert_true(stream_read_all(fixture->stream, SOON, &data, &err));
    assert_string_equal(buf_cstr(&data), "say: hello.");
    buf_release(&data);
}

static void one_byte_beyond_the_limit_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct buf data = BUF_INIT(5);
    struct err err = ERR_INIT;

    say_and_end(fixture, "hello.");
    assert_false(stream_read_all(fixture->stream, SOON, &data, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(buf_cstr(&data), "hello");
    buf_release(&data);
}

/* A stream that ends at once, and records the size of the read. */
struct asked_stream {
    struct stream stream;
    size_t asked;
};

static bool end_at_once(struct stream *stream, void *data, size_t size,
                        struct deadline by, size_t *got, struct err *err)
{
    (void)data, (void)by, (void)err;
    ((struct asked_stream *)stream)->asked = size;
    *got = 0;
    return true;
}

static size_t asked_with_room_for(size_t room)
{
    static const struct stream_ops ops = {.read = end_at_once};
    struct asked_stream asked = {.stream = {&ops}};
    struct buf data = BUF_INIT((size_t)16 << 20);
    struct err err;

    assert_non_null(buf_reserve(&data, room));
    assert_true(stream_read_all(&asked.stream, SOON, &data, &err));
    buf_release(&data);
    return asked.asked;
}

/* Then a large packet is received in place, without a copy. */
static void all_reserved_memory_is_offered_to_a_read(void **state)
{
    (void)state;
    assert_true(asked_with_room_for(1) < (size_t)1 << 20);
    assert_true(asked_with_room_for((size_t)8 << 20) >= (size_t)1 << 20);
}

static void end_before_the_requested_bytes_is_closed(void **state)
{
    struct fixture *fixture = *state;
    char data[8];
    struct err err = ERR_INIT;

    say_and_end(fixture, "hello");
    assert_false(
        stream_read_exact(fixture->stream, data, sizeof(data), SOON, &err));
    assert_int_equal(err.code, ERR_CLOSED);
    assert_non_null(strstr(err.text, "3 bytes early"));
}

static void timeout_leaves_the_stream_usable(void **state)
{
    struct fixture *fixture = *state;
    char byte;
    size_t got;
    struct err err = ERR_INIT;

    assert_false(
        stream_read(fixture->stream, &byte, 1, deadline_in_ms(20), &got, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    say_and_end(fixture, "x");
    assert_true(stream_read(fixture->stream, &byte, 1, SOON, &got, &err));
    assert_int_equal(byte, 'x');
}

/* A thread that waits on the stream, and its result. */
struct waiter {
    struct stream *stream;
    struct err err;
    pthread_t thread;
    struct blocked_thread blocked;
};

static void *wait_to_read(void *context)
{
    struct waiter *waiter = context;
    char byte;
    size_t got;

    blocked_thread_enter(&waiter->blocked);
    if (stream_read(waiter->stream, &byte, 1, SOON, &got, &waiter->err))
        waiter->err.code = ERR_NONE;
    return NULL;
}

static void *wait_to_write(void *context)
{
    struct waiter *waiter = context;
    const size_t much = (size_t)8 << 20;
    char *data = mem_new(much, 1);

    blocked_thread_enter(&waiter->blocked);
    if (stream_write(waiter->stream, data, much, SOON, &waiter->err))
        waiter->err.code = ERR_NONE;
    free(data);
    return NULL;
}

static void interrupt_wakes_reader_and_writer(void **state)
{
    struct fixture *fixture = *state;
    struct waiter reader = {.stream = fixture->stream};
    struct waiter writer = {.stream = fixture->stream};

    pthread_create(&reader.thread, NULL, wait_to_read, &reader);
    pthread_create(&writer.thread, NULL, wait_to_write, &writer);
    blocked_thread_await(&reader.blocked);
    blocked_thread_await(&writer.blocked);
    stream_interrupt(fixture->stream);
    pthread_join(reader.thread, NULL);
    pthread_join(writer.thread, NULL);
    assert_int_equal(reader.err.code, ERR_CANCELLED);
    assert_int_equal(writer.err.code, ERR_CANCELLED);
}

static void interrupted_stream_never_waits_again(void **state)
{
    struct fixture *fixture = *state;
    struct waiter reader = {.stream = fixture->stream};

    stream_interrupt(fixture->stream);
    wait_to_read(&reader);
    assert_int_equal(reader.err.code, ERR_CANCELLED);
    wait_to_read(&reader);
    assert_int_equal(reader.err.code, ERR_CANCELLED);
}

int main(void)
{
#define WITH_STREAM(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_STREAM(everything_is_appended_up_to_the_end),
        WITH_STREAM(one_byte_beyond_the_limit_is_refused),
        cmocka_unit_test(all_reserved_memory_is_offered_to_a_read),
        WITH_STREAM(end_before_the_requested_bytes_is_closed),
        WITH_STREAM(timeout_leaves_the_stream_usable),
        WITH_STREAM(interrupt_wakes_reader_and_writer),
        WITH_STREAM(interrupted_stream_never_waits_again),
    };

    return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
