#include "adb/forward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/pumps.h"
#include "tests/support/echo.h"
#include "tests/support/loop_device.h"

#define MEGABYTE ((size_t)1024 * 1024)

struct fixture {
    struct loop_device *loop;
    struct device *device;
    struct forward *forward;
};

static struct fixture forward_to(const char *remote)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    fixture.device = loop_device_phone(NULL, &fixture.loop);
    if (!forward_start(fixture.device, "tcp:0", remote, NULL, &fixture.forward,
                       &err))
        fail_msg("%s", err.text);
    return fixture;
}

static void hang_up(struct fixture *fixture)
{
    forward_stop(fixture->forward);
    device_close(fixture->device);
    loop_device_stop(fixture->loop);
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

static void a_megabyte_goes_there_and_back(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fd = connect_client(&fixture);

    (void)state;
    assert_true(echo_check(fd, MEGABYTE, 1));
    close(fd);
    hang_up(&fixture);
}

static void many_connections_run_at_once(void **state)
{
    struct fixture fixture = forward_to("echo:");

    (void)state;
    assert_true(
        echo_check_many(forward_local(fixture.forward), 16, MEGABYTE / 4));
    hang_up(&fixture);
}

static void what_the_device_ends_ends_here_with_all_it_said(void **state)
{
    struct fixture fixture = forward_to("say:hello");
    int fd = connect_client(&fixture);
    char text[5];

    (void)state;
    assert_int_equal(recv(fd, text, 5, MSG_WAITALL), 5);
    assert_memory_equal(text, "hello", 5);
    assert_at_end(fd);
    close(fd);
    hang_up(&fixture);
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
    hang_up(&fixture);
}

static void one_connection_too_many_is_turned_away(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fds[PUMPS_MAX];
    int extra;

    (void)state;
    for (size_t i = 0; i < PUMPS_MAX; i++) {
        fds[i] = connect_client(&fixture);
        assert_true(echo_check(fds[i], 1, (unsigned)i));
    }
    extra = connect_client(&fixture);
    assert_at_end(extra);
    close(extra);
    for (size_t i = 0; i < PUMPS_MAX; i++) {
        assert_true(echo_check(fds[i], 1000, (unsigned)i));
        close(fds[i]);
    }
    hang_up(&fixture);
}

static void connections_can_be_made_again_and_again(void **state)
{
    struct fixture fixture = forward_to("say:x");

    (void)state;
    for (size_t i = 0; i < PUMPS_MAX + 32; i++) {
        int fd = connect_client(&fixture);
        char byte;

        assert_int_equal(recv(fd, &byte, 1, 0), 1);
        close(fd);
    }
    hang_up(&fixture);
}

static void stopping_ends_open_connections(void **state)
{
    struct fixture fixture = forward_to("silent:");
    int fd = connect_client(&fixture);

    (void)state;
    usleep(50000);
    hang_up(&fixture);
    assert_at_end(fd);
    close(fd);
}

static void a_lost_device_ends_the_connections(void **state)
{
    struct fixture fixture = forward_to("echo:");
    int fd = connect_client(&fixture);

    (void)state;
    assert_true(echo_check(fd, 100, 0));
    loop_device_vanish(fixture.loop);
    assert_at_end(fd);
    close(fd);
    hang_up(&fixture);
}

static void nonsense_is_refused_at_the_start(void **state)
{
    struct loop_device *loop;
    struct device *device = loop_device_phone(NULL, &loop);
    struct forward *forward;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        forward_start(device, "nonsense", "tcp:1", NULL, &forward, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(forward_start(device, "tcp:0", "", NULL, &forward, &err));
    assert_int_equal(err.code, ERR_INVALID);
    device_close(device);
    loop_device_stop(loop);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_megabyte_goes_there_and_back),
        cmocka_unit_test(many_connections_run_at_once),
        cmocka_unit_test(what_the_device_ends_ends_here_with_all_it_said),
        cmocka_unit_test(a_refused_service_closes_only_its_own_connection),
        cmocka_unit_test(one_connection_too_many_is_turned_away),
        cmocka_unit_test(connections_can_be_made_again_and_again),
        cmocka_unit_test(stopping_ends_open_connections),
        cmocka_unit_test(a_lost_device_ends_the_connections),
        cmocka_unit_test(nonsense_is_refused_at_the_start),
    };

    return cmocka_run_group_tests_name("forward", tests, NULL, NULL);
}
