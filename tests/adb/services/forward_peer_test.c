/* Forwards and reverse forwards with a stock adbd and a stock adb server. */
#include "adb/services/forward.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/services/reverse.h"
#include "base/macros.h"
#include "tests/support/adb/echo_server.h"
#include "tests/support/adb/one_way.h"
#include "tests/support/adb/stock_adbd.h"

#define SOON deadline_in_ms(60000)
#define MEGABYTE ((size_t)1024 * 1024)

/* The device shares our network: its tcp:PORT is ours. */
struct fixture {
    struct device *device;
    struct echo_server *echo;
    struct reverse *reverse;
};

static int setup(void **state, enum stock_adbd_route way)
{
    static struct fixture fixture;
    struct err err;

    fixture.device = stock_adbd_open(way);
    fixture.echo = echo_server_start();
    *state = &fixture;
    return !reverse_start(fixture.device, NULL, &fixture.reverse, &err);
}

static int open_direct(void **state)
{
    return setup(state, STOCK_ADBD_DIRECT);
}

static int open_server(void **state)
{
    return setup(state, STOCK_ADBD_SERVER);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;
    bool removed = reverse_remove_all(fixture->reverse, SOON, &err);

    reverse_stop(fixture->reverse);
    echo_server_stop(fixture->echo);
    device_close(fixture->device);
    if (!removed)
        printf("%s\n", err.text);
    return !removed;
}

static void assert_at_end(int fd)
{
    char byte;

    assert_true(fd >= 0);
    assert_true(recv(fd, &byte, 1, 0) == 0 || errno == ECONNRESET);
    close(fd);
}

static void a_forward_carries_data_on_several_connections(void **state)
{
    struct fixture *fixture = *state;
    struct forward *forward;
    struct err err = ERR_INIT;

    if (!forward_start(fixture->device, "tcp:0",
                       echo_server_endpoint(fixture->echo), NULL, &forward,
                       &err))
        fail_msg("%s", err.text);
    assert_true(echo_check_many(forward_local(forward), 1, MEGABYTE));
    assert_true(echo_check_many(forward_local(forward), 8, MEGABYTE));
    forward_stop(forward);
}

/* Let the device listen on any port for our echo; returns its name. */
static void add_echo(struct fixture *fixture, char *remote, size_t size)
{
    struct err err = ERR_INIT;
    uint16_t port = 0;

    if (!reverse_add(fixture->reverse, "tcp:0",
                     echo_server_endpoint(fixture->echo), true, SOON, &port,
                     &err))
        fail_msg("%s", err.text);
    assert_int_not_equal(port, 0);
    snprintf(remote, size, "tcp:%u", (unsigned)port);
}

static void six_hundred_short_connections_are_all_served(void **state)
{
    struct fixture *fixture = *state;
    struct forward *forward;
    struct err err = ERR_INIT;
    char remote[16];

    if (!forward_start(fixture->device, "tcp:0",
                       echo_server_endpoint(fixture->echo), NULL, &forward,
                       &err))
        fail_msg("%s", err.text);
    assert_int_equal(echo_check_in_a_row(forward_local(forward), 600), 600);
    forward_stop(forward);
    add_echo(fixture, remote, sizeof(remote));
    assert_int_equal(echo_check_in_a_row(remote, 600), 600);
}

/* adbd sends the rest at once when the client has closed its socket. */
static void reverse_delivers_everything_from_a_closed_client(void **state)
{
    static const size_t sizes[] = {1,       262144,  400000,  1048576,
                                   1300000, 3000000, 8000000, 24000000};
    struct fixture *fixture = *state;
    struct one_way server;
    struct err err = ERR_INIT;
    uint16_t port = 0;
    char remote[16];

    one_way_start(&server);
    if (!reverse_add(fixture->reverse, "tcp:0", server.endpoint, true, SOON,
                     &port, &err))
        fail_msg("%s", err.text);
    snprintf(remote, sizeof(remote), "tcp:%u", (unsigned)port);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        assert_int_equal(one_way_send(&server, remote, sizes[i]), sizes[i]);
    one_way_stop(&server);
}

static void forward_without_a_listener_closes_its_connections(void **state)
{
    struct fixture *fixture = *state;
    struct forward *forward;
    struct err err = ERR_INIT;

    assert_true(
        forward_start(fixture->device, "tcp:0", "tcp:1", NULL, &forward, &err));
    assert_at_end(echo_connect(forward_local(forward)));
    assert_at_end(echo_connect(forward_local(forward)));
    forward_stop(forward);
}

static void a_reverse_carries_data_on_several_connections(void **state)
{
    char remote[16];

    add_echo(*state, remote, sizeof(remote));
    assert_true(echo_check_many(remote, 1, MEGABYTE));
    assert_true(echo_check_many(remote, 8, MEGABYTE));
}

static void note_entry(void *context, const char *remote, const char *local)
{
    buf_printf(context, "%s>%s ", remote, local);
}

static void assert_listed(struct fixture *fixture, const char *expected)
{
    struct buf seen = BUF_INIT(4096);
    struct err err = ERR_INIT;

    if (!reverse_list(fixture->device, note_entry, &seen, SOON, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&seen), expected);
    buf_release(&seen);
}

static void reverses_are_listed_and_removed(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;
    char remote[16];
    char expected[64];

    assert_listed(fixture, "");
    add_echo(fixture, remote, sizeof(remote));
    snprintf(expected, sizeof(expected), "%s>%s ", remote,
             echo_server_endpoint(fixture->echo));
    assert_listed(fixture, expected);
    assert_true(reverse_remove(fixture->reverse, remote, SOON, &err));
    assert_listed(fixture, "");
    assert_true(echo_connect(remote) < 0);
    assert_false(reverse_remove(fixture->reverse, remote, SOON, &err));
    assert_int_equal(err.code, ERR_REMOTE);
}

static void port_in_use_is_rebound_only_on_request(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;
    char remote[16];

    add_echo(fixture, remote, sizeof(remote));
    assert_false(reverse_add(fixture->reverse, remote, "tcp:1", false, SOON,
                             NULL, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_true(echo_check_many(remote, 1, 1000));
    assert_true(
        reverse_add(fixture->reverse, remote, "tcp:1", true, SOON, NULL, &err));
    assert_at_end(echo_connect(remote));
}

/* A device that opens a target which is no longer registered. */
static void an_unregistered_target_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;
    char remote[16];

    add_echo(fixture, remote, sizeof(remote));
    reverse_stop(fixture->reverse);
    assert_at_end(echo_connect(remote));
    assert_true(reverse_start(fixture->device, NULL, &fixture->reverse, &err));
    assert_at_end(echo_connect(remote));
}

/* A test over one way to the device. */
#define WITH(open, test)                                                       \
    {                                                                          \
        .name = #test " (" #open ")", .test_func = (test),                     \
        .setup_func = (open), .teardown_func = teardown                        \
    }
#define BOTH_WAYS(test) WITH(open_direct, test), WITH(open_server, test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH_WAYS(a_forward_carries_data_on_several_connections),
        BOTH_WAYS(forward_without_a_listener_closes_its_connections),
        BOTH_WAYS(a_reverse_carries_data_on_several_connections),
        BOTH_WAYS(six_hundred_short_connections_are_all_served),
        BOTH_WAYS(reverse_delivers_everything_from_a_closed_client),
        BOTH_WAYS(reverses_are_listed_and_removed),
        BOTH_WAYS(port_in_use_is_rebound_only_on_request),
        WITH(open_direct, an_unregistered_target_is_refused),
    };

    return cmocka_run_group_tests_name("forward with peers", tests, NULL, NULL);
}
