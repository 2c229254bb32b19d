/* What hosts reach on the phone, besides its shell, files and screen. */
#include "tests/support/shell_talk.h"
#include "tools/phone/adbd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device.h"
#include "adb/reverse.h"
#include "adb/shell.h"
#include "tests/support/echo.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)

struct visit {
    struct phone *phone;
    struct device *device;
};

static struct visit visit(void)
{
    const struct phone_options options = {.seed = 5};
    struct visit visit = {0};
    struct err err = ERR_INIT;

    if (!phone_start(&options, &visit.phone, &err))
        fail_msg("%s", err.text);
    visit.device = shell_talk_connect(phone_port(visit.phone));
    return visit;
}

static void leave(struct visit *visit)
{
    device_close(visit->device);
    phone_stop(visit->phone);
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

static void forwards_reach_what_listens_inside(void **state)
{
    static const char *const there[] = {
        "tcp:7",
        "tcp:localhost:7",
        "tcp:127.0.0.1:7",
        "localabstract:echo",
    };
    static const char *const nowhere[] = {
        "tcp:8",          "tcp:10.0.0.1:7", "tcp:example.org:7",
        "tcp:",           "tcp:99999",      "localabstract:nobody",
        "localreserved:", "local:echo",     "localfilesystem:/dev/log",
        "jdwp:4242",      "track-jdwp",     "dev:/dev/null",
    };
    struct visit here = visit();
    char answer[5];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(there); i++) {
        ping(here.device, there[i], answer);
        assert_string_equal(answer, "ping");
    }
    for (size_t i = 0; i < ARRAY_LEN(nowhere); i++) {
        ping(here.device, nowhere[i], answer);
        assert_string_equal(answer, "");
    }
    leave(&here);
}

static void programs_connect_to_what_listens_inside(void **state)
{
    struct visit here = visit();

    (void)state;
    shell_talk_expect(here.device, "echo hi | nc localhost 7", "hi\n");
    shell_talk_expect(here.device, "seq 1 30000 | nc localhost 7 | tail -n 1",
                      "30000\n");
    shell_talk_expect(here.device, "echo hi | nc localhost 8; echo $?", "1\n");
    shell_talk_expect(here.device, "nc 192.0.2.1 7 </dev/null; echo $?", "1\n");
    leave(&here);
}

static void a_program_on_the_phone_reaches_the_host(void **state)
{
    struct visit here = visit();
    struct echo_server *echo = echo_server_start();
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;

    (void)state;
    if (!reverse_start(here.device, NULL, &reverse, &err) ||
        !reverse_add(reverse, "tcp:5000", echo_server_endpoint(echo), true,
                     SOON, NULL, &err))
        fail_msg("%s", err.text);
    shell_talk_expect(here.device, "echo through the host | nc 127.0.0.1 5000",
                      "through the host\n");
    reverse_stop(reverse);
    echo_server_stop(echo);
    leave(&here);
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

static void reverses_are_listed_rebound_and_taken_back(void **state)
{
    struct visit here = visit();
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;
    uint16_t port = 0;

    (void)state;
    assert_true(reverse_start(here.device, NULL, &reverse, &err));
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
    assert_reverses(here.device, "tcp:1>tcp:3 tcp:32768>tcp:5 ");
    assert_true(reverse_remove(reverse, "tcp:1", SOON, &err));
    assert_false(reverse_remove(reverse, "tcp:1", SOON, &err));
    assert_non_null(strstr(err.text, "listener 'tcp:1' not found"));
    assert_true(reverse_remove_all(reverse, SOON, &err));
    assert_reverses(here.device, "");
    reverse_stop(reverse);
    leave(&here);
}

/* Wait until the phone has noticed that the other host is gone. */
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

static void a_host_that_leaves_takes_its_reverses_along(void **state)
{
    struct visit here = visit();
    struct device *other = shell_talk_connect(phone_port(here.phone));
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(reverse_start(other, NULL, &reverse, &err));
    assert_true(reverse_add(reverse, "localabstract:a", "tcp:2", true, SOON,
                            NULL, &err));
    assert_reverses(here.device, "localabstract:a>tcp:2 ");
    reverse_stop(reverse);
    device_close(other);
    await_no_reverses(here.device);
    leave(&here);
}

static void more_reverses_than_there_is_room_for_are_refused(void **state)
{
    struct visit here = visit();
    struct reverse *reverse = NULL;
    struct err err = ERR_INIT;
    unsigned added = 0;

    (void)state;
    assert_true(reverse_start(here.device, NULL, &reverse, &err));
    while (added <= SOCKETS_MAX &&
           reverse_add(reverse, "tcp:0", "tcp:2", true, SOON, NULL, &err))
        added++;
    assert_in_range(added, 1, SOCKETS_MAX);
    assert_non_null(strstr(err.text, "Too many open files"));
    reverse_stop(reverse);
    leave(&here);
}

static void nobody_becomes_root(void **state)
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
    struct visit here = visit();
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf text = BUF_INIT(256);
        struct stream *stream = NULL;

        if (!device_open_service(here.device, cases[i].service, SOON, &stream,
                                 &err) ||
            !stream_read_all(stream, SOON, &text, &err))
            fail_msg("%s", err.text);
        assert_string_equal(buf_cstr(&text), cases[i].says);
        stream_close(stream);
        buf_release(&text);
    }
    leave(&here);
}

/* Open service, and wait until the phone hangs up because of it. */
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

static void a_boot_keeps_what_is_stored(void **state)
{
    struct visit here = visit();

    (void)state;
    shell_talk_expect(here.device,
                      "echo kept > /sdcard/file; setprop a.b lost; "
                      "setprop persist.a kept; settings put global c kept",
                      "");
    assert_hangs_up(here.device, "reboot:");
    device_close(here.device);
    here.device = shell_talk_connect(phone_port(here.phone));
    shell_talk_expect(here.device,
                      "cat /sdcard/file; getprop a.b; getprop persist.a; "
                      "settings get global c; settings get global boot_count",
                      "kept\n\nkept\nkept\n2\n");
    shell_talk_expect(here.device, "uptime | cut -c 10-18", " up  0:00\n");
    leave(&here);
}

static void other_hosts_are_hung_up_on_too(void **state)
{
    struct visit here = visit();
    struct device *other = shell_talk_connect(phone_port(here.phone));

    (void)state;
    assert_hangs_up(here.device, "tcpip:5555");
    while (!conn_is_lost(device_conn(other), NULL))
        continue;
    device_close(other);
    device_close(here.device);
    here.device = shell_talk_connect(phone_port(here.phone));
    shell_talk_expect(here.device, "echo back", "back\n");
    leave(&here);
}

static void a_phone_can_be_switched_off_while_it_boots(void **state)
{
    struct visit here = visit();

    (void)state;
    assert_hangs_up(here.device, "reboot:");
    leave(&here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forwards_reach_what_listens_inside),
        cmocka_unit_test(programs_connect_to_what_listens_inside),
        cmocka_unit_test(a_program_on_the_phone_reaches_the_host),
        cmocka_unit_test(reverses_are_listed_rebound_and_taken_back),
        cmocka_unit_test(a_host_that_leaves_takes_its_reverses_along),
        cmocka_unit_test(more_reverses_than_there_is_room_for_are_refused),
        cmocka_unit_test(nobody_becomes_root),
        cmocka_unit_test(a_boot_keeps_what_is_stored),
        cmocka_unit_test(other_hosts_are_hung_up_on_too),
        cmocka_unit_test(a_phone_can_be_switched_off_while_it_boots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
