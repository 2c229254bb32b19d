#include "adb/services/adbd_control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"

#define SOON deadline_in_ms(60000)

static const struct loopback_answer answers[] = {
    LOOPBACK_SAYS("reboot:", ""),
    LOOPBACK_SAYS("reboot:bootloader", ""),
    LOOPBACK_SAYS("root:", "adbd cannot run as root in production builds\n"),
    LOOPBACK_SAYS("unroot:", "restarting adbd as non root\n"),
    LOOPBACK_SAYS("remount:", "remount succeeded\n"),
    LOOPBACK_SAYS("tcpip:5555", "restarting in TCP mode port: 5555\n"),
    LOOPBACK_SAYS("usb:", "restarting in USB mode\n"),
};

struct fixture {
    struct loopback_device *loop;
    struct device *device;
    struct buf answer;
};

static int setup(void **state)
{
    static struct fixture fixture;
    const struct loopback_device_options options = {
        .features = conn_host_features,
        .answers = answers,
        .answer_count = ARRAY_LEN(answers),
    };

    fixture.device = loopback_device_phone(&options, &fixture.loop);
    fixture.answer = (struct buf)BUF_INIT(4096);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    buf_release(&fixture->answer);
    device_close(fixture->device);
    loopback_device_stop(fixture->loop);
    return 0;
}

static void message_of_the_device_is_returned(void **state)
{
    struct fixture *fixture = *state;
    struct device *device = fixture->device;
    struct buf *answer = &fixture->answer;
    struct err err = ERR_INIT;

    assert_true(adbd_control_root(device, true, SOON, answer, &err));
    assert_true(adbd_control_root(device, false, SOON, answer, &err));
    assert_true(adbd_control_tcpip(device, 5555, SOON, answer, &err));
    assert_string_equal(buf_cstr(answer),
                        "adbd cannot run as root in production builds\n"
                        "restarting adbd as non root\n"
                        "restarting in TCP mode port: 5555\n");
}

static void rebooting_takes_a_target_or_none(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    assert_true(adbd_control_reboot(fixture->device, NULL, SOON, &err));
    assert_true(adbd_control_reboot(fixture->device, "", SOON, &err));
    assert_true(adbd_control_reboot(fixture->device, "bootloader", SOON, &err));
    assert_false(adbd_control_reboot(fixture->device, "a:b c", SOON, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(adbd_control_reboot(fixture->device, "nowhere", SOON, &err));
    assert_int_equal(err.code, ERR_REFUSED);
}

static void refused_request_leaves_the_answer_unchanged(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    assert_false(
        adbd_control_tcpip(fixture->device, 1, SOON, &fixture->answer, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_false(
        adbd_control_tcpip(fixture->device, 0, SOON, &fixture->answer, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_int_equal(fixture->answer.length, 0);
}

int main(void)
{
#define WITH_DEVICE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_DEVICE(message_of_the_device_is_returned),
        WITH_DEVICE(rebooting_takes_a_target_or_none),
        WITH_DEVICE(refused_request_leaves_the_answer_unchanged),
    };

    return cmocka_run_group_tests_name("service", tests, NULL, NULL);
}
