/* Faults of the phone, as a host notices them over TCP. */
#include "tools/phone/adbd/wire_faults.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/adbd_control.h"
#include "adb/services/screenshot.h"
#include "adb/services/shell.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define OUTPUT_MAX ((size_t)1 << 20)

struct fixture {
    struct phone *phone;
    struct device *device;
    char log[1024];
};

static void note(void *context, const char *line)
{
    struct fixture *fixture = context;
    size_t used = strlen(fixture->log);

    snprintf(fixture->log + used, sizeof(fixture->log) - used, "%s\n", line);
}

static bool connect_to(struct fixture *fixture, struct err *err)
{
    const struct device_options options = {.log = NULL};

    return device_open_tcp("127.0.0.1", phone_port(fixture->phone), &options,
                           SOON, &fixture->device, err);
}

static void start(struct fixture *fixture, const char *faults)
{
    const struct phone_options options = {
        .faults = faults, .tell_fault = note, .tell_context = fixture};
    struct err err = ERR_INIT;

    *fixture = (struct fixture){.phone = NULL};
    if (!phone_start(&options, &fixture->phone, &err))
        fail_msg("%s", err.text);
}

static void start_and_connect(struct fixture *fixture, const char *faults)
{
    struct err err = ERR_INIT;

    start(fixture, faults);
    if (!connect_to(fixture, &err))
        fail_msg("%s", err.text);
}

static void stop(struct fixture *fixture)
{
    device_close(fixture->device);
    phone_stop(fixture->phone);
}

/* Run it; out has what was received, also after a failure. */
static bool run(struct fixture *fixture, const char *command, struct buf *out,
                struct err *err)
{
    *out = (struct buf)BUF_INIT(OUTPUT_MAX);
    return shell_exec(fixture->device, command, SOON, out, err);
}

static void assert_runs(struct fixture *fixture, const char *command,
                        const char *expected)
{
    struct err err = ERR_INIT;
    struct buf out;

    if (!run(fixture, command, &out, &err))
        fail_msg("%s", err.text);
    assert_string_equal(buf_cstr(&out), expected);
    buf_release(&out);
}

static void a_dropped_connection_is_lost(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;
    struct buf out;

    (void)state;
    start_and_connect(&fixture, "drop:service=exec:echo,after=3,skip=1");
    assert_runs(&fixture, "echo hello", "hello\n");
    assert_false(run(&fixture, "echo hello", &out, &err));
    buf_release(&out);
    assert_true(conn_is_lost(device_conn(fixture.device), NULL));
    assert_non_null(strstr(fixture.log, "fault 1 drop:"));
    assert_non_null(strstr(fixture.log, " at exec:echo hello\n"));
    stop(&fixture);
}

static void service_does_not_run_for_a_dropped_host(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;
    struct buf out;

    (void)state;
    start_and_connect(&fixture, "drop:service=exec:touch,times=1");
    assert_false(run(&fixture, "touch /sdcard/a", &out, &err));
    buf_release(&out);
    device_close(fixture.device);
    assert_true(connect_to(&fixture, &err));
    assert_runs(&fixture, "ls /sdcard/a 2>/dev/null", "");
    stop(&fixture);
}

static void a_cut_stream_ends_early(void **state)
{
    struct fixture fixture;

    (void)state;
    start_and_connect(&fixture, "cut:service=exec:echo,after=3,times=1");
    assert_runs(&fixture, "echo hello", "hel");
    assert_runs(&fixture, "echo hello", "hello\n");
    stop(&fixture);
}

static void stalled_stream_stays_silent(void **state)
{
    struct fixture fixture;
    struct stream *stream;
    struct err err = ERR_INIT;
    char bytes[8];
    size_t got;

    (void)state;
    start_and_connect(&fixture, "stall:service=exec:echo,after=3");
    assert_true(device_open_service(fixture.device, "exec:echo hello", SOON,
                                    &stream, &err));
    assert_true(stream_read_exact(stream, bytes, 3, SOON, &err));
    assert_memory_equal(bytes, "hel", 3);
    assert_false(stream_read(stream, bytes, sizeof(bytes), deadline_in_ms(50),
                             &got, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    stream_close(stream);
    assert_runs(&fixture, "true", "");
    stop(&fixture);
}

static void delay_moves_the_phones_clock(void **state)
{
    struct fixture fixture;

    (void)state;
    start_and_connect(&fixture, "delay:service=exec:true,ms=30");
    assert_runs(&fixture, "true", "");
    assert_runs(&fixture, "true", "");
    assert_non_null(strstr(fixture.log, "[ 3600.000] fault 1 delay:"));
    assert_non_null(strstr(fixture.log, "[ 3600.030] fault 1 delay:"));
    stop(&fixture);
}

static void an_offline_phone_comes_back(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;
    struct buf out;

    (void)state;
    start_and_connect(&fixture, "offline:service=exec:true,hosts=2,times=1");
    assert_false(run(&fixture, "true", &out, &err));
    buf_release(&out);
    device_close(fixture.device);
    fixture.device = NULL;
    assert_false(connect_to(&fixture, &err));
    assert_false(connect_to(&fixture, &err));
    assert_true(connect_to(&fixture, &err));
    assert_runs(&fixture, "echo back", "back\n");
    stop(&fixture);
}

/* Also in the middle of the handshake. */
static void a_connection_breaks_at_a_byte(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;

    (void)state;
    start(&fixture, "drop:service=connection,after=30,times=2");
    assert_false(connect_to(&fixture, &err));
    assert_false(connect_to(&fixture, &err));
    assert_true(connect_to(&fixture, &err));
    assert_non_null(strstr(fixture.log, " at connection\n"));
    stop(&fixture);
}

static void picture_is_truncated(void **state)
{
    struct fixture fixture;
    struct err err = ERR_INIT;
    struct buf whole;
    struct buf half;

    (void)state;
    start_and_connect(&fixture, "png:skip=1,times=2");
    assert_true(run(&fixture, "screencap -p", &whole, &err));
    assert_true(run(&fixture, "screencap -p", &half, &err));
    assert_int_equal(half.length, whole.length / 2);
    assert_memory_equal(half.data, whole.data, half.length);
    buf_release(&half);
    assert_true(run(&fixture, "screencap -p /sdcard/a.png; cat /sdcard/a.png",
                    &half, &err));
    assert_int_equal(half.length, whole.length / 2);
    buf_release(&half);
    buf_release(&whole);
    stop(&fixture);
}

static void uiautomator_fails_like_on_real_phones(void **state)
{
    static const struct {
        const char *how;
        const char *says;
    } cases[] = {
        {"null-root",
         "ERROR: null root node returned by UiTestAutomationBridge.\n0\n"},
        {"no-idle", "ERROR: could not get idle state.\n0\n"},
        {"killed", "Killed\n137\n"},
        {"stale", "UI hierchary dumped to: /sdcard/window_dump.xml\n0\n"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture fixture;
        char faults[64];

        snprintf(faults, sizeof(faults), "dump:times=1,how=%s", cases[i].how);
        start_and_connect(&fixture, faults);
        assert_runs(&fixture,
                    "echo old > /sdcard/window_dump.xml; "
                    "uiautomator dump 2>&1; echo $?",
                    cases[i].says);
        assert_runs(&fixture, "cat /sdcard/window_dump.xml", "old\n");
        assert_runs(&fixture,
                    "uiautomator dump >/dev/null; "
                    "head -c 5 /sdcard/window_dump.xml",
                    "<?xml");
        stop(&fixture);
    }
}

/* The screen is up to date when the phone's time has passed. */
static void slow_frames_show_an_earlier_screen(void **state)
{
    static const char look[] = "uiautomator dump /dev/tty | md5sum";
    struct fixture fixture;
    struct err err = ERR_INIT;
    struct buf before;
    struct buf during;
    struct buf after;

    (void)state;
    start_and_connect(&fixture, "slow:ms=1000");
    assert_true(run(&fixture, look, &before, &err));
    assert_runs(&fixture, "input tap 540 2200", "");
    assert_true(run(&fixture, look, &during, &err));
    assert_string_equal(buf_cstr(&before), buf_cstr(&during));
    assert_runs(&fixture, "sleep 1", "");
    assert_true(run(&fixture, look, &after, &err));
    assert_string_not_equal(buf_cstr(&before), buf_cstr(&after));
    buf_release(&before);
    buf_release(&during);
    buf_release(&after);
    stop(&fixture);
}

static void rotate_fault_rotates_the_phone(void **state)
{
    struct fixture fixture;
    struct screenshot shot = SCREENSHOT_INIT;
    struct err err = ERR_INIT;

    (void)state;
    start_and_connect(&fixture, "rotate:service=*screencap,skip=1");
    for (int i = 0; i < 2; i++) {
        assert_true(
            screenshot_take(fixture.device, SCREENSHOT_RAW, SOON, &shot, &err));
        assert_int_equal(shot.picture.width, i ? 2400 : 1080);
    }
    screenshot_release(&shot);
    stop(&fixture);
}

/* It is in the tree, takes the taps, and disappears. */
static void popup_fault_covers_the_app(void **state)
{
    static const struct {
        const char *faults;
        const char *shown;
        const char *gone;
    } cases[] = {
        {"popup:service=exec:true,text=Rate us\\, please,times=1",
         "Rate us, please", "input keyevent 4"},
        {"permission:service=exec:true,times=1", "permission_allow_button",
         "input keyevent BACK"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fixture fixture;
        char count[160];

        snprintf(count, sizeof(count),
                 "uiautomator dump /dev/tty | grep -c '%s'", cases[i].shown);
        start_and_connect(&fixture, cases[i].faults);
        assert_runs(&fixture, count, "0\n");
        assert_runs(&fixture, "true", "");
        assert_runs(&fixture, count, "1\n");
        assert_runs(&fixture, cases[i].gone, "");
        assert_runs(&fixture, count, "0\n");
        stop(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_connection_is_lost),
        cmocka_unit_test(service_does_not_run_for_a_dropped_host),
        cmocka_unit_test(a_cut_stream_ends_early),
        cmocka_unit_test(stalled_stream_stays_silent),
        cmocka_unit_test(delay_moves_the_phones_clock),
        cmocka_unit_test(an_offline_phone_comes_back),
        cmocka_unit_test(a_connection_breaks_at_a_byte),
        cmocka_unit_test(picture_is_truncated),
        cmocka_unit_test(uiautomator_fails_like_on_real_phones),
        cmocka_unit_test(slow_frames_show_an_earlier_screen),
        cmocka_unit_test(rotate_fault_rotates_the_phone),
        cmocka_unit_test(popup_fault_covers_the_app),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
