/* Services of the phone for hosts, besides its shell, files and screen. */
#include "tests/support/adb/shell_helper.h"
#include "tools/phone/adbd/adbd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/reverse.h"
#include "adb/services/shell.h"
#include "tests/support/adb/echo_server.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)

struct fixture {
    struct phone *phone;
    struct device *device;
};

static struct fixture start(void)
{
    const struct phone_options options = {.seed = 5};
    struct fixture fixture = {0};
    struct err err = ERR_INIT;

    if (!phone_start(&options, &fixture.phone, &err))
        fail_msg("%s", err.text);
    fixture.device = shell_helper_connect(phone_port(fixture.phone));
    return fixture;
}

static void stop(struct fixture *fixture)
{
    device_close(fixture->device);
    phone_stop(fixture->phone);
}

/* Open service, send "ping", and read what there is until end or 4 bytes. */
static void ping(struct device *device, const char *service, char answer[5])
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    memset(answer, 0, 5);
    if (!device_open_service(device, service, SOON, &stream, &err)) {
        assert_int_equal(err.code, ERR_REFUSED);
        return;
    }
    (void)!(stream_write(stream, "ping", 4, SOON, &err) &&
            stream_read_exact(stream, answer, 4, SOON, &err));
    stream_close(stream);
}

static void forwards_reach_listeners_inside(void **state)
{
    static const char *const there[] = {
        "tcp:7",
        "tcp:localhost:7",
        "tcp:127.0.0.1:7",
        "localabstract:echo",
    };
    static const char *const nowhere[] = {
        "tcp:8",          "tcp:10.0.0.1:7", "tcp:example.org:7",
        "tcp:",           "tcp:99999",      "localabstract:missing",
        "localreserved:", "local:echo",     "localfilesystem:/dev/log",
        "jdwp:4242",      "track-jdwp",     "dev:/dev/null",
    };
    struct fixture fixture = start();
    char answer[5];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(there); i++) {
        ping(fixture.device, there[i], answer);
        assert_string_equal(answer, "ping");
    }
    for (size_t i = 0; i < ARRAY_LEN(nowhere); i++) {
        ping(fixture.device, nowhere[i], answer);
        assert_string_equal(answer, "");
    }
    stop(&fixture);
}

static void programs_connect_to_listeners_inside(void **state)
{
    struct fixture fixture = start();

    (void)state;
    shell_helper_expect(fixture.device, "echo hi | nc localhost 7", "hi\n");
    shell_helper_expect(fixture.device,
                        "seq 1 30000 | nc localhost 7 | tail -n 1", "30000\n");
    shell_helper_expect(fixture.device, "echo hi | nc localhost 8; echo $?",
                        "1\n");
    shell_helper_expect(fixture.device, "nc 192.0.2.1 7 </dev/null; echo $?",
                        "1\n");
    stop(&fixture);
}

/* A connection to a port on which a server will soon listen, and send foo. */
static struct stream *hear_foo(struct device *device, const char *service)
{
    struct deadline by = SOON;

    for (;;) {
        struct stream *stream = NULL;
        struct err err = ERR_INIT;
        char answer[5] = "";

        assert_false(deadline_passed(by));
        if (device_open_service(device, service, by, &stream, &err) &&
            stream_read_exact(stream, answer, 4, by, &err)) {
            assert_string_equal(answer, "foo\n");
            return stream;
        }
        stream_close(stream);
    }
}

#define LISTEN "shell:echo foo | nc -l -p 12345; echo done"

static void a_program_on_the_phone_listens(void **state)
{
    struct fixture fixture = start();
    struct buf output = BUF_INIT(4096);
    struct stream *shell = NULL;
    struct stream *stream;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(
        device_open_service(fixture.device, LISTEN, SOON, &shell, &err));
    stream = hear_foo(fixture.device, "tcp:12345");
    assert_true(stream_write(stream, "ping", 4, SOON, &err));
    stream_close(stream);
    assert_true(stream_read_all(shell, SOON, &output, &err));
    assert_string_equal(buf_cstr(&output), "pingdone\n");
    stream_close(shell);
    buf_release(&output);
    stop(&fixture);
}

/* Both while a host is connected, and while none is. */
static void a_listener_ends_with_its_host(void **state)
{
    struct fixture fixture = start();
    struct stream *shell = NULL;
    struct stream *stream;
    struct err err = ERR_INIT;
    char byte;
    size_t got = 0;

    (void)state;
    assert_true(
        device_open_service(fixture.device, LISTEN, SOON, &shell, &err));
    stream = hear_foo(fixture.device, "tcp:12345");
    stream_close(shell);
    assert_false(stream_read(stream, &byte, 1, SOON, &got, &err) && got);
    assert_int_not_equal(err.code, ERR_TIMEOUT);
    stream_close(stream);
    assert_true(
        device_open_service(fixture.device, LISTEN, SOON, &shell, &err));
    stream_close(shell);
    stop(&fixture);
}

static void a_program_on_the_phone_reaches_the_host(void **state)
{
    struct fixture fixture = start();
    struct echo_server *echo = echo_server_start();
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;

    (void)state;
    if (!reverse_start(fixture.device, NULL, &reverse, &err) ||
        !reverse_add(reverse, "tcp:5000", echo_server_endpoint(echo), true,
                     SOON, NULL, &err))
        fail_msg("%s", err.text);
    shell_helper_expect(fixture.device,
                        "echo through the host | nc 127.0.0.1 5000",
                        "through the host\n");
    reverse_stop(reverse);
    echo_server_stop(echo);
    stop(&fixture);
}

static void take_entry(void *context, const char *remote, const char *local)
{
    struct buf *entries = context;

    buf_printf(entries, "%s>%s ", remote, local);
}

static void assert_reverses(struct device *device, const char *expected)
{
    struct buf entries = BUF_INIT(4096);
    struct err err = ERR_INIT;

    if (!reverse_list(device, take_entry, &entries, SOON, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&entries), expected);
    buf_release(&entries);
}

static void reverses_are_listed_rebound_and_removed(void **state)
{
    struct fixture fixture = start();
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;
    uint16_t port = 0;

    (void)state;
    assert_true(reverse_start(fixture.device, NULL, &reverse, &err));
    assert_true(reverse_add(reverse, "tcp:1", "tcp:2", true, SOON, NULL, &err));
    assert_true(reverse_add(reverse, "tcp:1", "tcp:3", true, SOON, NULL, &err));
    assert_false(
        reverse_add(reverse, "tcp:1", "tcp:4", false, SOON, NULL, &err));
    assert_non_null(strstr(err.text, "cannot rebind existing socket"));
    assert_true(
        reverse_add(reverse, "tcp:0", "tcp:5", true, SOON, &port, &err));
    assert_int_equal(port, 32768);
    assert_false(
        reverse_add(reverse, "tcp:7", "tcp:6", true, SOON, NULL, &err));
    assert_non_null(strstr(err.text, "Address already in use"));
    assert_reverses(fixture.device, "tcp:1>tcp:3 tcp:32768>tcp:5 ");
    assert_true(reverse_remove(reverse, "tcp:1", SOON, &err));
    assert_false(reverse_remove(reverse, "tcp:1", SOON, &err));
    assert_non_null(strstr(err.text, "listener 'tcp:1' not found"));
    assert_true(reverse_remove_all(reverse, SOON, &err));
    assert_reverses(fixture.device, "");
    reverse_stop(reverse);
    stop(&fixture);
}

/* Wait until the phone has noticed that the other host has disconnected. */
static void await_no_reverses(struct device *device)
{
    struct deadline by = SOON;
    struct buf entries = BUF_INIT(4096);
    struct err err = ERR_INIT;

    do {
        buf_clear(&entries);
        assert_true(reverse_list(device, take_entry, &entries, SOON, &err));
        assert_false(deadline_passed(by));
    } while (entries.length);
    buf_release(&entries);
}

static void reverses_of_a_disconnected_host_are_removed(void **state)
{
    struct fixture fixture = start();
    struct device *other = shell_helper_connect(phone_port(fixture.phone));
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(reverse_start(other, NULL, &reverse, &err));
    assert_true(reverse_add(reverse, "localabstract:a", "tcp:2", true, SOON,
                            NULL, &err));
    assert_reverses(fixture.device, "localabstract:a>tcp:2 ");
    reverse_stop(reverse);
    device_close(other);
    await_no_reverses(fixture.device);
    stop(&fixture);
}

static void reverses_beyond_the_limit_are_refused(void **state)
{
    struct fixture fixture = start();
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;
    unsigned added = 0;

    (void)state;
    assert_true(reverse_start(fixture.device, NULL, &reverse, &err));
    while (added <= SOCKETS_MAX &&
           reverse_add(reverse, "tcp:0", "tcp:2", true, SOON, NULL, &err))
        added++;
    assert_in_range(added, 1, SOCKETS_MAX);
    assert_non_null(strstr(err.text, "Too many open files"));
    reverse_stop(reverse);
    stop(&fixture);
}

static void root_is_refused(void **state)
{
    static const struct {
        const char *service;
        const char *says;
    } cases[] = {
        {"root:", "adbd cannot run as root in production builds\n"},
        {"unroot:", "adbd not running as root\n"},
        {"remount:", "Not running as root. Try \"adb root\" first.\n"},
        {"tcpip:0", "invalid port\n"},
    };
    struct fixture fixture = start();
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf text = BUF_INIT(256);
        struct stream *stream = NULL;

        if (!device_open_service(fixture.device, cases[i].service, SOON,
                                 &stream, &err) ||
            !stream_read_all(stream, SOON, &text, &err))
            fail_msg("%s", err.text);
        assert_string_equal(buf_cstr(&text), cases[i].says);
        stream_close(stream);
        buf_release(&text);
    }
    stop(&fixture);
}

/* Open service, and wait until the phone disconnects because of it. */
static void assert_hangs_up(struct device *device, const char *service)
{
    struct buf text = BUF_INIT(256);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!device_open_service(device, service, SOON, &stream, &err))
        fail_msg("%s", err.text);
    (void)!stream_read_all(stream, SOON, &text, &err);
    stream_close(stream);
    while (!conn_is_lost(device_conn(device), NULL))
        continue;
    buf_release(&text);
}

static void reboot_keeps_stored_state(void **state)
{
    struct fixture fixture = start();

    (void)state;
    shell_helper_expect(fixture.device,
                        "echo kept > /sdcard/file; setprop a.b lost; "
                        "setprop persist.a kept; settings put global c kept",
                        "");
    assert_hangs_up(fixture.device, "reboot:");
    device_close(fixture.device);
    fixture.device = shell_helper_connect(phone_port(fixture.phone));
    shell_helper_expect(fixture.device,
                        "cat /sdcard/file; getprop a.b; getprop persist.a; "
                        "settings get global c; settings get global boot_count",
                        "kept\n\nkept\nkept\n2\n");
    shell_helper_expect(fixture.device, "uptime | cut -c 10-18", " up  0:00\n");
    stop(&fixture);
}

static void reboot_disconnects_all_hosts(void **state)
{
    struct fixture fixture = start();
    struct device *other = shell_helper_connect(phone_port(fixture.phone));

    (void)state;
    assert_hangs_up(fixture.device, "tcpip:5555");
    while (!conn_is_lost(device_conn(other), NULL))
        continue;
    device_close(other);
    device_close(fixture.device);
    fixture.device = shell_helper_connect(phone_port(fixture.phone));
    shell_helper_expect(fixture.device, "echo back", "back\n");
    stop(&fixture);
}

static void a_phone_can_be_switched_off_while_it_boots(void **state)
{
    struct fixture fixture = start();

    (void)state;
    assert_hangs_up(fixture.device, "reboot:");
    stop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forwards_reach_listeners_inside),
        cmocka_unit_test(programs_connect_to_listeners_inside),
        cmocka_unit_test(a_program_on_the_phone_listens),
        cmocka_unit_test(a_listener_ends_with_its_host),
        cmocka_unit_test(a_program_on_the_phone_reaches_the_host),
        cmocka_unit_test(reverses_are_listed_rebound_and_removed),
        cmocka_unit_test(reverses_of_a_disconnected_host_are_removed),
        cmocka_unit_test(reverses_beyond_the_limit_are_refused),
        cmocka_unit_test(root_is_refused),
        cmocka_unit_test(reboot_keeps_stored_state),
        cmocka_unit_test(reboot_disconnects_all_hosts),
        cmocka_unit_test(a_phone_can_be_switched_off_while_it_boots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
