#include "adb/pump.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/tcp.h"
#include "base/mem.h"

#define MEGABYTE ((size_t)1024 * 1024)

/* A pump between a device and a client, both of which the test plays. */
struct fixture {
    int device; /* the far side of the stream */
    int client; /* the far side of the local socket */
    struct stream *stream;
    int local;
    struct cancel cancel;
    pthread_t thread;
    int64_t took_ns;
};

static void *run_pump(void *context)
{
    struct fixture *fixture = context;
    int64_t start = clock_ns();
    struct err err;

    if (!pump_run(fixture->stream, fixture->local, &fixture->cancel, &err))
        abort();
    fixture->took_ns = clock_ns() - start;
    stream_close(fixture->stream);
    close(fixture->local);
    return NULL;
}

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct timeval patience = {.tv_sec = 60};
    struct transport *transport;
    struct err err;
    int far[2];
    int near[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, far) ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, near))
        return -1;
    fixture->device = far[0];
    fixture->client = near[0];
    fixture->local = near[1];
    setsockopt(far[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(near[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    if (!tcp_wrap(far[1], (struct tcp_keepalive){0}, NULL, &transport, &err) ||
        !cancel_init(&fixture->cancel, &err))
        return -1;
    fixture->stream = stream_over_transport(transport);
    *state = fixture;
    return pthread_create(&fixture->thread, NULL, run_pump, fixture);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    close(fixture->device);
    close(fixture->client);
    cancel_release(&fixture->cancel);
    free(fixture);
    return 0;
}

static void assert_ends_within_ms(struct fixture *fixture, int64_t ms)
{
    pthread_join(fixture->thread, NULL);
    assert_true(fixture->took_ns < ms * 1000000);
}

/* One side that sends what it is given and then says that this was all. */
struct sender {
    int fd;
    const char *data;
    size_t size;
};

static void *send_and_end(void *context)
{
    struct sender *sender = context;

    for (size_t at = 0; at < sender->size;) {
        ssize_t n = send(sender->fd, sender->data + at, sender->size - at,
                         MSG_NOSIGNAL);

        if (n <= 0)
            break;
        at += (size_t)n;
    }
    shutdown(sender->fd, SHUT_WR);
    return NULL;
}

static void assert_receives(int fd, const char *data, size_t size)
{
    char *got = mem_new(size, 1);

    assert_int_equal(recv(fd, got, size, MSG_WAITALL), size);
    assert_memory_equal(got, data, size);
    free(got);
}

static void assert_at_end(int fd)
{
    char byte;

    assert_int_equal(recv(fd, &byte, 1, 0), 0);
}

static void a_megabyte_goes_both_ways_at_once(void **state)
{
    struct fixture *fixture = *state;
    char *up = mem_new(MEGABYTE, 1);
    char *down = mem_new(MEGABYTE, 1);
    struct sender client = {fixture->client, up, MEGABYTE};
    struct sender device = {fixture->device, down, MEGABYTE};
    pthread_t threads[2];

    for (size_t i = 0; i < MEGABYTE; i++) {
        up[i] = (char)(i * 7);
        down[i] = (char)(i * 13 + 5);
    }
    pthread_create(&threads[0], NULL, send_and_end, &client);
    pthread_create(&threads[1], NULL, send_and_end, &device);
    assert_receives(fixture->device, up, MEGABYTE);
    assert_receives(fixture->client, down, MEGABYTE);
    assert_at_end(fixture->client);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert_ends_within_ms(fixture, 60000);
    free(up);
    free(down);
}

static void what_the_device_said_last_is_delivered_whole(void **state)
{
    struct fixture *fixture = *state;

    /* Unread input on our side must not turn the end into a reset. */
    assert_int_equal(send(fixture->device, "bye", 3, 0), 3);
    shutdown(fixture->device, SHUT_RDWR);
    assert_int_equal(send(fixture->client, "unheard", 7, MSG_NOSIGNAL), 7);
    assert_receives(fixture->client, "bye", 3);
    assert_at_end(fixture->client);
    shutdown(fixture->client, SHUT_RDWR);
    assert_ends_within_ms(fixture, 60000);
}

static void a_client_that_has_asked_all_still_hears_the_answer(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(send(fixture->client, "ask", 3, 0), 3);
    shutdown(fixture->client, SHUT_WR);
    assert_receives(fixture->device, "ask", 3);
    usleep(PUMP_LINGER_MS * 1000 / 10);
    assert_int_equal(send(fixture->device, "answer", 6, 0), 6);
    assert_receives(fixture->client, "answer", 6);
    assert_at_end(fixture->client);
    assert_ends_within_ms(fixture, 60000);
}

/* How long a pump runs whose client goes away. */
static int64_t run_deserted(void)
{
    struct fixture *fixture = NULL;
    int64_t took_ns;

    assert_int_equal(setup((void **)&fixture), 0);
    shutdown(fixture->client, SHUT_RDWR);
    assert_at_end(fixture->device);
    pthread_join(fixture->thread, NULL);
    took_ns = fixture->took_ns;
    teardown((void **)&fixture);
    return took_ns;
}

/* A busy machine may be late with it, but not every time. */
static void a_client_that_went_away_ends_the_stream_at_once(void **state)
{
    int tries = 10;

    (void)state;
    while (run_deserted() >= PUMP_LINGER_MS * INT64_C(1000000))
        assert_true(--tries > 0);
}

static void cancelling_ends_an_idle_pump(void **state)
{
    struct fixture *fixture = *state;

    cancel_fire(&fixture->cancel);
    assert_ends_within_ms(fixture, 60000);
}

static void wait_until_full(int fd)
{
    static char data[65536];
    struct pollfd room = {.fd = fd, .events = POLLOUT};

    while (poll(&room, 1, 200) > 0)
        (void)!send(fd, data, sizeof(data), MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void interrupting_frees_a_pump_whose_device_takes_nothing(void **state)
{
    struct fixture *fixture = *state;

    wait_until_full(fixture->client);
    cancel_fire(&fixture->cancel);
    stream_interrupt(fixture->stream);
    assert_ends_within_ms(fixture, 60000);
}

static void cancelling_frees_a_pump_whose_client_takes_nothing(void **state)
{
    struct fixture *fixture = *state;

    wait_until_full(fixture->device);
    cancel_fire(&fixture->cancel);
    assert_ends_within_ms(fixture, 60000);
}

int main(void)
{
#define WITH_PUMP(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_PUMP(a_megabyte_goes_both_ways_at_once),
        WITH_PUMP(what_the_device_said_last_is_delivered_whole),
        WITH_PUMP(a_client_that_has_asked_all_still_hears_the_answer),
        cmocka_unit_test(a_client_that_went_away_ends_the_stream_at_once),
        WITH_PUMP(cancelling_ends_an_idle_pump),
        WITH_PUMP(interrupting_frees_a_pump_whose_device_takes_nothing),
        WITH_PUMP(cancelling_frees_a_pump_whose_client_takes_nothing),
    };

    return cmocka_run_group_tests_name("pump", tests, NULL, NULL);
}
