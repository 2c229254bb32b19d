#include "adb/services/pump.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/transport/tcp.h"
#include "base/mem.h"

#define MEGABYTE ((size_t)1024 * 1024)

/* A pump between a device and a client, both simulated by the test. */
struct fixture {
    int device; /* the other end of the stream */
    int client; /* the other end of the local socket */
    struct stream *stream;
    int local;
    struct cancel cancel;
    struct cancel stop_linger;
    struct pump_linger linger;
    sem_t lingers;
    pthread_t thread;
    int64_t took_ns;
};

static void ignore_lingering(void *context)
{
    (void)context;
}

static void note_lingering(void *context)
{
    struct fixture *fixture = context;

    sem_post(&fixture->lingers);
}

static void *run_pump(void *context)
{
    struct fixture *fixture = context;
    int64_t start = clock_ns();
    struct err err;

    if (!pump_run(fixture->stream, fixture->local, &fixture->cancel,
                  &fixture->linger, &err))
        abort();
    fixture->took_ns = clock_ns() - start;
    stream_close(fixture->stream);
    close(fixture->local);
    return NULL;
}

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    const struct timeval timeout = {.tv_sec = 60};
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
    setsockopt(far[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    setsockopt(near[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    if (!tcp_wrap(far[1], (struct tcp_keepalive){0}, NULL, &transport, &err) ||
        !cancel_init(&fixture->cancel, &err) ||
        !cancel_init(&fixture->stop_linger, &err) ||
        sem_init(&fixture->lingers, 0, 0))
        return -1;
    fixture->linger =
        (struct pump_linger){note_lingering, fixture, &fixture->stop_linger};
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
    cancel_release(&fixture->stop_linger);
    sem_destroy(&fixture->lingers);
    free(fixture);
    return 0;
}

static void assert_ends_within_ms(struct fixture *fixture, int64_t ms)
{
    pthread_join(fixture->thread, NULL);
    assert_true(fixture->took_ns < ms * 1000000);
}

/* One side that sends its bytes and then closes its direction. */
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

static void await_readable(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};

    assert_int_equal(poll(&readable, 1, 60000), 1);
}

static void megabyte_goes_both_ways_at_the_same_time(void **state)
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

static void last_bytes_of_the_device_are_delivered(void **state)
{
    struct fixture *fixture = *state;

    /* Unread input on our side must not cause a reset. */
    assert_int_equal(send(fixture->device, "bye", 3, 0), 3);
    shutdown(fixture->device, SHUT_RDWR);
    (void)send(fixture->client, "unheard", 7, MSG_NOSIGNAL);
    assert_receives(fixture->client, "bye", 3);
    assert_at_end(fixture->client);
    shutdown(fixture->client, SHUT_RDWR);
    assert_ends_within_ms(fixture, 60000);
}

/* Answer a client that has closed its sending side. False: too late for it. */
static bool answer_half_closed(void)
{
    struct fixture *fixture = NULL;
    const int64_t begin = clock_ns();
    bool in_time;

    assert_int_equal(setup((void **)&fixture), 0);
    assert_int_equal(send(fixture->client, "ask", 3, 0), 3);
    shutdown(fixture->client, SHUT_WR);
    assert_receives(fixture->device, "ask", 3);
    /* A pump that gives up after a client's end would have ended by now. */
    usleep(PUMP_LINGER_MS * 1000 / 10);
    (void)send(fixture->device, "answer", 6, MSG_NOSIGNAL);
    in_time = clock_ns() - begin < PUMP_LINGER_MS * INT64_C(1000000);
    if (in_time)
        assert_receives(fixture->client, "answer", 6);
    assert_at_end(fixture->client);
    pthread_join(fixture->thread, NULL);
    teardown((void **)&fixture);
    return in_time;
}

/* A busy machine may be late, but not every time. */
static void half_closed_client_gets_the_answer(void **state)
{
    int tries = 10;

    (void)state;
    while (!answer_half_closed())
        assert_true(--tries > 0);
}

/* The run time of a pump whose client disconnects. */
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

static void disconnected_client_ends_the_stream_at_once(void **state)
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

/* The run time of a pump whose linger is stopped. */
static int64_t run_stopped_linger(void)
{
    struct fixture *fixture = NULL;
    int64_t took_ns;

    assert_int_equal(setup((void **)&fixture), 0);
    shutdown(fixture->client, SHUT_WR);
    assert_int_equal(sem_wait(&fixture->lingers), 0);
    cancel_fire(&fixture->stop_linger);
    assert_at_end(fixture->client);
    pthread_join(fixture->thread, NULL);
    took_ns = fixture->took_ns;
    teardown((void **)&fixture);
    return took_ns;
}

static void lingering_can_be_stopped_early(void **state)
{
    int tries = 10;

    (void)state;
    while (run_stopped_linger() >= PUMP_LINGER_MS * INT64_C(1000000))
        assert_true(--tries > 0);
}

/* The client has closed its sending side and reads slowly. */
static void stopping_the_linger_does_not_cut_a_delivery(void **state)
{
    const size_t size = 4 * MEGABYTE;
    struct fixture *fixture = *state;
    char *answer = mem_new(size, 1);
    struct sender device = {fixture->device, answer, size};
    pthread_t thread;

    for (size_t i = 0; i < size; i++)
        answer[i] = (char)(i * 13 + i / 251);
    pthread_create(&thread, NULL, send_and_end, &device);
    await_readable(fixture->client);
    shutdown(fixture->client, SHUT_WR);
    assert_int_equal(sem_wait(&fixture->lingers), 0);
    cancel_fire(&fixture->stop_linger);
    assert_receives(fixture->client, answer, size);
    assert_at_end(fixture->client);
    pthread_join(thread, NULL);
    assert_ends_within_ms(fixture, 60000);
    free(answer);
}

static void wait_until_full(int fd)
{
    static char data[65536];
    struct pollfd room = {.fd = fd, .events = POLLOUT};

    while (poll(&room, 1, 200) > 0)
        (void)!send(fd, data, sizeof(data), MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void interrupt_ends_a_pump_whose_device_does_not_read(void **state)
{
    struct fixture *fixture = *state;

    wait_until_full(fixture->client);
    cancel_fire(&fixture->cancel);
    stream_interrupt(fixture->stream);
    assert_ends_within_ms(fixture, 60000);
}

static void cancel_ends_a_pump_whose_client_does_not_read(void **state)
{
    struct fixture *fixture = *state;

    wait_until_full(fixture->device);
    cancel_fire(&fixture->cancel);
    assert_ends_within_ms(fixture, 60000);
}

static void stopping_the_linger_ends_a_pump_whose_client_does_not_read(
    void **state)
{
    struct fixture *fixture = *state;

    wait_until_full(fixture->device);
    shutdown(fixture->client, SHUT_WR);
    assert_int_equal(sem_wait(&fixture->lingers), 0);
    cancel_fire(&fixture->stop_linger);
    assert_ends_within_ms(fixture, 60000);
}

/* A device that has ended its stream, and whose last bytes take their time. */
struct ended_stream {
    struct stream stream;
    sem_t interrupted;
    bool tail_is_read;
};

#define TAIL "the exit status"
#define TAIL_MS 300

static bool ended_read(struct stream *stream, void *data, size_t size,
                       struct deadline by, size_t *got, struct err *err)
{
    struct ended_stream *ended = (struct ended_stream *)stream;
    struct timespec until;

    (void)by;
    *got = 0;
    if (ended->tail_is_read)
        return true;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += TAIL_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    if (!sem_timedwait(&ended->interrupted, &until))
        return err_set(err, ERR_CANCELLED, "interrupted");
    assert_true(size >= strlen(TAIL));
    memcpy(data, TAIL, strlen(TAIL));
    *got = strlen(TAIL);
    ended->tail_is_read = true;
    return true;
}

static bool ended_write(struct stream *stream, const void *data, size_t size,
                        struct deadline by, struct err *err)
{
    (void)stream, (void)data, (void)size, (void)by;
    return err_set(err, ERR_CLOSED, "the device has ended the stream");
}

static void ended_interrupt(struct stream *stream)
{
    sem_post(&((struct ended_stream *)stream)->interrupted);
}

/* As when a shell's client closes stdin after the command has ended. */
static void input_after_the_end_does_not_cost_the_last_bytes(void **state)
{
    static const struct stream_ops ops = {
        .read = ended_read,
        .write = ended_write,
        .interrupt = ended_interrupt,
    };
    struct ended_stream ended = {.stream = {.ops = &ops}};
    struct cancel stop = CANCEL_INIT;
    const struct pump_linger linger = {ignore_lingering, NULL, &stop};
    struct err err;
    int near[2];

    (void)state;
    assert_int_equal(sem_init(&ended.interrupted, 0, 0), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, near), 0);
    assert_true(cancel_init(&stop, &err));
    cancel_fire(&stop);
    assert_int_equal(send(near[0], "end of input", 12, 0), 12);
    assert_true(pump_run(&ended.stream, near[1], NULL, &linger, &err));
    assert_receives(near[0], TAIL, strlen(TAIL));
    assert_at_end(near[0]);
    close(near[0]);
    close(near[1]);
    cancel_release(&stop);
    sem_destroy(&ended.interrupted);
}

int main(void)
{
#define WITH_PUMP(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_PUMP(megabyte_goes_both_ways_at_the_same_time),
        WITH_PUMP(last_bytes_of_the_device_are_delivered),
        cmocka_unit_test(input_after_the_end_does_not_cost_the_last_bytes),
        cmocka_unit_test(half_closed_client_gets_the_answer),
        cmocka_unit_test(disconnected_client_ends_the_stream_at_once),
        cmocka_unit_test(lingering_can_be_stopped_early),
        WITH_PUMP(stopping_the_linger_does_not_cut_a_delivery),
        WITH_PUMP(cancelling_ends_an_idle_pump),
        WITH_PUMP(interrupt_ends_a_pump_whose_device_does_not_read),
        WITH_PUMP(cancel_ends_a_pump_whose_client_does_not_read),
        WITH_PUMP(stopping_the_linger_ends_a_pump_whose_client_does_not_read),
    };

    return cmocka_run_group_tests_name("pump", tests, NULL, NULL);
}
