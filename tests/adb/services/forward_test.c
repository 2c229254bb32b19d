#include "adb/services/forward.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/services/pump_set.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/loopback_device.h"

#define MEGABYTE ((size_t)1024 * 1024)

struct fixture {
    struct loopback_device *loop;
    struct device *device;
    struct forward *forward;
};

static struct fixture forward_to(const char *remote)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    fixture.device = loopback_device_phone(NULL, &fixture.loop);
    if (!forward_start(fixture.device, "tcp:0", remote, NULL, &fixture.forward,
                       &err))
        fail_msg("%s", err.text);
    return fixture;
}

static void disconnect(struct fixture *fixture)
{
    forward_stop(fixture->forward);
    device_close(fixture->device);
    loopback_device_stop(fixture->loop);
}

static int connect_client(const struct fixture *fixture)
{
    int fd = echo_connect(forward_local(fixture->forward));

    assert_true(fd >= 0);
    return fd;
}

static void assert_at_end(int fd)
{
    char byte;

    assert_int_equal(recv(fd, &byte, 1, 0), 0);
}

static void megabyte_is_echoed(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fd = connect_client(&fixture);

    (void)state;
    assert_true(echo_check(fd, MEGABYTE, 1));
    close(fd);
    disconnect(&fixture);
}

static void many_connections_run_at_the_same_time(void **state)
{
    struct fixture fixture = forward_to("echo:");

    (void)state;
    assert_true(
        echo_check_many(forward_local(fixture.forward), 16, MEGABYTE / 4));
    disconnect(&fixture);
}

static void stream_closed_by_the_device_is_delivered_completely(void **state)
{
    struct fixture fixture = forward_to("say:hello");
    int fd = connect_client(&fixture);
    char text[5];

    (void)state;
    assert_int_equal(recv(fd, text, 5, MSG_WAITALL), 5);
    assert_memory_equal(text, "hello", 5);
    assert_at_end(fd);
    close(fd);
    disconnect(&fixture);
}

static void a_refused_service_closes_only_its_own_connection(void **state)
{
    struct fixture fixture = forward_to("nothing:");
    int first = connect_client(&fixture);
    int second = connect_client(&fixture);

    (void)state;
    assert_at_end(first);
    assert_at_end(second);
    close(first);
    close(second);
    disconnect(&fixture);
}

/* Errors that the forward reported. */
struct refusals {
    pthread_mutex_t lock;
    size_t count;
    struct err why;
};

static void note_refusal(void *context, size_t count, const struct err *why)
{
    struct refusals *refusals = context;

    pthread_mutex_lock(&refusals->lock);
    refusals->count += count;
    refusals->why = *why;
    pthread_mutex_unlock(&refusals->lock);
}

static void connection_beyond_the_limit_is_closed(void **state)
{
    struct refusals refusals = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct fixture fixture = forward_to("echo:");
    int fds[PUMP_SET_MAX];
    int extra;
    char byte;

    (void)state;
    forward_watch(fixture.forward, note_refusal, &refusals);
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        fds[i] = connect_client(&fixture);
        assert_true(echo_check(fds[i], 1, (unsigned)i));
    }
    extra = echo_connect(forward_local(fixture.forward));
    if (extra >= 0) { /* else it was reset within connect */
        assert_int_equal(recv(extra, &byte, 1, 0), -1);
        assert_int_equal(errno, ECONNRESET);
        close(extra);
    }
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        assert_true(echo_check(fds[i], 1000, (unsigned)i));
        close(fds[i]);
    }
    disconnect(&fixture);
    assert_int_equal(refusals.count, 1);
    assert_int_equal(refusals.why.code, ERR_LIMIT);
    assert_string_equal(refusals.why.text, "64 connections are open already");
}

/* Some within the same second: those are reported together, at the latest. */
static void every_refused_connection_is_counted(void **state)
{
    struct refusals refusals = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct fixture fixture = forward_to("nothing:");

    (void)state;
    forward_watch(fixture.forward, note_refusal, &refusals);
    for (int i = 0; i < 20; i++) {
        int fd = connect_client(&fixture);

        assert_at_end(fd);
        close(fd);
    }
    disconnect(&fixture);
    assert_int_equal(refusals.count, 20);
}

static void a_refused_service_is_reported(void **state)
{
    struct refusals refusals = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct fixture fixture = forward_to("nothing:");
    int fd;

    (void)state;
    forward_watch(fixture.forward, note_refusal, &refusals);
    fd = connect_client(&fixture);
    assert_at_end(fd);
    close(fd);
    disconnect(&fixture);
    assert_int_equal(refusals.count, 1);
    assert_int_equal(refusals.why.code, ERR_REFUSED);
}

/* Each connection lingers after its client has closed it. */
static void six_hundred_short_connections_are_all_served(void **state)
{
    struct refusals refusals = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct fixture fixture = forward_to("echo:");

    (void)state;
    forward_watch(fixture.forward, note_refusal, &refusals);
    for (unsigned i = 0; i < 600; i++) {
        int fd = connect_client(&fixture);

        if (!echo_check(fd, 100, i))
            fail_msg("connection %u was lost", i);
        close(fd);
    }
    disconnect(&fixture);
    assert_int_equal(refusals.count, 0);
}

/* Half-closed clients that wait for an answer use all slots. */
static void lingering_connections_are_ended_for_new_ones(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fds[PUMP_SET_MAX];

    (void)state;
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        fds[i] = connect_client(&fixture);
        assert_true(echo_check(fds[i], 1, (unsigned)i));
        shutdown(fds[i], SHUT_WR);
    }
    assert_true(echo_check_many(forward_local(fixture.forward), 1, 1000));
    for (size_t i = 0; i < PUMP_SET_MAX; i++) {
        assert_at_end(fds[i]);
        close(fds[i]);
    }
    disconnect(&fixture);
}

static void connections_can_be_made_repeatedly(void **state)
{
    struct fixture fixture = forward_to("say:x");

    (void)state;
    for (size_t i = 0; i < PUMP_SET_MAX + 32; i++) {
        int fd = connect_client(&fixture);
        char byte;

        assert_int_equal(recv(fd, &byte, 1, 0), 1);
        close(fd);
    }
    disconnect(&fixture);
}

static void stopping_ends_open_connections(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fd = connect_client(&fixture);

    (void)state;
    assert_true(echo_check(fd, 1, 0)); /* it is open, and then idle */
    disconnect(&fixture);
    assert_at_end(fd);
    close(fd);
}

static void a_lost_device_ends_the_connections(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fd = connect_client(&fixture);

    (void)state;
    assert_true(echo_check(fd, 100, 0));
    loopback_device_vanish(fixture.loop);
    assert_at_end(fd);
    close(fd);
    disconnect(&fixture);
}

static void invalid_endpoints_are_refused_at_the_start(void **state)
{
    struct loopback_device *loop;
    struct device *device = loopback_device_phone(NULL, &loop);
    struct forward *forward;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        forward_start(device, "nonsense", "tcp:1", NULL, &forward, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(forward_start(device, "tcp:0", "", NULL, &forward, &err));
    assert_int_equal(err.code, ERR_INVALID);
    device_close(device);
    loopback_device_stop(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(megabyte_is_echoed),
        cmocka_unit_test(many_connections_run_at_the_same_time),
        cmocka_unit_test(stream_closed_by_the_device_is_delivered_completely),
        cmocka_unit_test(a_refused_service_closes_only_its_own_connection),
        cmocka_unit_test(connection_beyond_the_limit_is_closed),
        cmocka_unit_test(a_refused_service_is_reported),
        cmocka_unit_test(every_refused_connection_is_counted),
        cmocka_unit_test(connections_can_be_made_repeatedly),
        cmocka_unit_test(six_hundred_short_connections_are_all_served),
        cmocka_unit_test(lingering_connections_are_ended_for_new_ones),
        cmocka_unit_test(stopping_ends_open_connections),
        cmocka_unit_test(a_lost_device_ends_the_connections),
        cmocka_unit_test(invalid_endpoints_are_refused_at_the_start),
    };

    return cmocka_run_group_tests_name("forward", tests, NULL, NULL);
}
