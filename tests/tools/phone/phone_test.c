#include "tests/support/adb/shell_helper.h"
#include "tools/phone/phone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/install/install.h"
#include "adb/services/screenshot.h"
#include "adb/services/shell.h"
#include "adb/sync/sync.h"
#include "base/picture/png.h"
#include "tests/support/adb/test_key.h"
#include "tests/tools/phone/system/test_apk.h"

#define SOON deadline_in_ms(60000)

static struct phone *start(const struct phone_options *options)
{
    struct phone *phone = NULL;
    struct err err = ERR_INIT;

    if (!phone_start(options, &phone, &err))
        fail_msg("%s", err.text);
    return phone;
}

static void a_pushed_file_is_seen_by_its_shell(void **state)
{
    const struct phone_options options = {.seed = 7};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));
    char path[] = "/tmp/proctor-phone.XXXXXX";
    struct sync_totals totals = {0};
    struct sync *sync;
    struct err err = ERR_INIT;
    int fd = mkstemp(path);

    (void)state;
    assert_int_equal(write(fd, "hello\n", 6), 6);
    close(fd);
    if (!sync_open(device, &(struct sync_options){0}, SOON, &sync, &err) ||
        !sync_push(sync, path, "/sdcard/note.txt", SOON, &totals, &err))
        fail_msg("%s", err.text);
    sync_close(sync);
    unlink(path);
    shell_helper_expect(device, "cat /sdcard/note.txt | tr a-z A-Z", "HELLO\n");
    device_close(device);
    phone_stop(phone);
}

static void an_apk_is_installed_and_its_app_starts(void **state)
{
    const struct phone_options options = {.seed = 7};
    const struct test_apk apk = {.package = "com.example.real",
                                 .version = "1.0",
                                 .code = 1,
                                 .activity = ".Main"};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));
    char path[] = "/tmp/proctor-phone.XXXXXX";
    struct buf zip = BUF_INIT(1U << 18U);
    struct err err = ERR_INIT;
    int fd = mkstemp(path);

    (void)state;
    test_apk_write(&apk, &zip);
    assert_int_equal(write(fd, zip.data, zip.length), zip.length);
    close(fd);
    if (!install_apk(device, path, &(struct install_options){0}, SOON, &err))
        fail_msg("%s", err.text);
    shell_helper_expect(device,
                        "pm list packages real; monkey -p com.example.real 1 "
                        ">/dev/null; dumpsys activity top | grep -c real",
                        "package:com.example.real\n2\n");
    /* The home screen with its icon is drawn, and another app opens. */
    shell_helper_expect(
        device,
        "input keyevent HOME; [ $(screencap -p | wc -c) -gt 1000 "
        "] && am start -n com.android.settings/.Settings "
        ">/dev/null && [ $(screencap | wc -c) -gt 1000 ]; echo "
        "$?",
        "0\n");
    unlink(path);
    buf_release(&zip);
    device_close(device);
    phone_stop(phone);
}

static void adb_keyboard_is_installed_by_option(void **state)
{
    const struct phone_options options = {.adb_keyboard = true};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));

    (void)state;
    shell_helper_expect(
        device, "ime list -a -s; ime enable com.android.adbkeyboard/.AdbIME",
        "com.android.inputmethod.latin/.LatinIME\n"
        "com.android.adbkeyboard/.AdbIME\n"
        "Input method com.android.adbkeyboard/.AdbIME: now enabled "
        "for user #0\n");
    device_close(device);
    phone_stop(phone);
}

static void the_same_seed_gives_the_same_answers(void **state)
{
    const struct phone_options options = {.seed = 11};
    struct buf answers[2] = {BUF_INIT(1U << 20U), BUF_INIT(1U << 20U)};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct phone *phone = start(&options);
        struct device *device = shell_helper_connect(phone_port(phone));
        struct err err = ERR_INIT;

        if (!shell_exec(device, "date; getprop; ls -lR /sdcard; logcat -d",
                        SOON, &answers[i], &err))
            fail_msg("%s", err.text);
        device_close(device);
        phone_stop(phone);
    }
    assert_true(answers[0].length > 1000);
    assert_string_equal(buf_cstr(&answers[0]), buf_cstr(&answers[1]));
    buf_release(&answers[0]);
    buf_release(&answers[1]);
}

static void real_clock_stops_with_sleeping_commands(void **state)
{
    const struct phone_options options = {.realtime = true};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));
    int64_t before = clock_ns();

    (void)state;
    shell_helper_expect(device, "sleep 0.05; input swipe 1 1 9 9 50; echo done",
                        "done\n");
    assert_true(clock_ns() - before >= 100 * 1000000);
    device_close(device);
    phone_stop(phone);
}

/* The same screen in every way of capture. */
static void every_capture_method_gives_the_same_picture(void **state)
{
    const struct phone_options options = {.seed = 3};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));
    struct screenshot raw = SCREENSHOT_INIT;
    struct screenshot other = SCREENSHOT_INIT;
    struct err err = ERR_INIT;

    (void)state;
    if (!screenshot_take(device, SCREENSHOT_RAW, SOON, &raw, &err))
        fail_msg("%s", err.text);
    assert_int_equal(raw.picture.width, 1080);
    assert_int_equal(raw.picture.height, 2400);
    if (!screenshot_take(device, SCREENSHOT_FRAMEBUFFER, SOON, &other, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(raw.picture.pixels, other.picture.pixels,
                        (size_t)1080 * 2400 * 4);
    if (!screenshot_take(device, SCREENSHOT_PNG, SOON, &other, &err) ||
        !png_decode(other.bytes.data, other.bytes.length, &other.picture, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(raw.picture.pixels, other.picture.pixels,
                        (size_t)1080 * 2400 * 4);
    screenshot_release(&raw);
    screenshot_release(&other);
    device_close(device);
    phone_stop(phone);
}

static void trust_option_decides_about_keys(void **state)
{
    static const struct {
        enum phone_trust trust;
        bool comes_in;
    } cases[] = {{PHONE_ACCEPTS, true}, {PHONE_REFUSES, false}};
    struct keyring keys = {.count = 1};
    const struct auth_credentials credentials = {.keys = &keys};
    const struct device_options host = {.credentials = &credentials};
    struct err err = ERR_INIT;

    (void)state;
    assert_true(test_key_read("mine", &keys.keys[0], &err));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct phone_options options = {.trust = cases[i].trust};
        struct phone *phone = start(&options);
        struct device *device = NULL;

        assert_int_equal(device_open_tcp("127.0.0.1", phone_port(phone), &host,
                                         SOON, &device, &err),
                         cases[i].comes_in);
        device_close(device);
        phone_stop(phone);
    }
    keyring_release(&keys);
}

static void adb_keyboard_can_be_enabled_by_option(void **state)
{
    const struct phone_options options = {.adb_keyboard_enabled = true};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));

    (void)state;
    shell_helper_expect(device,
                        "settings get secure default_input_method; "
                        "input tap 540 2220; "
                        "am broadcast -a ADB_INPUT_TEXT --es msg typed "
                        ">/dev/null; uiautomator dump /dev/tty | "
                        "grep -o 'text=\"typed\"'",
                        "com.android.adbkeyboard/.AdbIME\ntext=\"typed\"\n");
    device_close(device);
    phone_stop(phone);
}

static void every_command_is_a_file(void **state)
{
    const struct phone_options options = {.seed = 0};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));

    (void)state;
    shell_helper_expect(device,
                        "cd /system/bin; for f in *; do "
                        "[ \"$(which $f)\" = /system/bin/$f ] || echo $f; "
                        "done; ls sh ls am screencap sed; readlink ls; "
                        "[ -x uiautomator ]; echo $?",
                        "am\nls\nscreencap\nsed\nsh\ntoybox\n0\n");
    shell_helper_expect(device, "echo x >/system/bin/ls; touch /system/bin/x",
                        "");
    device_close(device);
    phone_stop(phone);
}

static void several_phones_are_independent(void **state)
{
    const struct phone_options options = {.seed = 1};
    struct phone *phones[2] = {start(&options), start(&options)};
    struct device *devices[2] = {shell_helper_connect(phone_port(phones[0])),
                                 shell_helper_connect(phone_port(phones[1]))};

    (void)state;
    shell_helper_expect(devices[0], "echo one > /sdcard/which", "");
    shell_helper_expect(devices[1], "echo two > /sdcard/which", "");
    shell_helper_expect(devices[0], "cat /sdcard/which", "one\n");
    shell_helper_expect(devices[1], "cat /sdcard/which", "two\n");
    for (size_t i = 0; i < 2; i++) {
        device_close(devices[i]);
        phone_stop(phones[i]);
    }
}

/* The phone stops at once, although none of these commands ends alone. */
static void stopping_the_phone_ends_running_commands(void **state)
{
    static const char *const endless[] = {
        "while :; do :; done",
        "read x < /dev/zero",
        "x=$(cat /dev/zero)",
        "sort /dev/zero",
        "tail /dev/zero",
        "grep x /dev/zero",
        "md5sum /dev/zero",
        "gzip < /dev/zero > /dev/null",
        "dd if=/dev/zero of=/dev/null",
        "sed s/a/b/ /dev/zero > /dev/null",
        "yes | cat > /dev/null",
        "while screencap -p > /dev/null; do :; done",
        "logcat",
        "getevent",
    };
    const struct phone_options options = {.seed = 3};
    struct phone *phone = start(&options);
    struct device *device = shell_helper_connect(phone_port(phone));
    struct stream *streams[ARRAY_LEN(endless)];
    struct err err = ERR_INIT;
    int64_t begin;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(endless); i++) {
        char service[128];
        char go[3];

        snprintf(service, sizeof(service), "exec:echo go; %s", endless[i]);
        if (!device_open_service(device, service, SOON, &streams[i], &err) ||
            !stream_read_exact(streams[i], go, sizeof(go), SOON, &err))
            fail_msg("%s: %s", endless[i], err.text);
    }
    begin = clock_ns();
    phone_stop(phone);
    /* A second, where nothing else keeps the computer busy. */
    assert_in_range(clock_ns() - begin, 0, INT64_C(60000000000));
    for (size_t i = 0; i < ARRAY_LEN(endless); i++)
        stream_close(streams[i]);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pushed_file_is_seen_by_its_shell),
        cmocka_unit_test(stopping_the_phone_ends_running_commands),
        cmocka_unit_test(an_apk_is_installed_and_its_app_starts),
        cmocka_unit_test(adb_keyboard_is_installed_by_option),
        cmocka_unit_test(the_same_seed_gives_the_same_answers),
        cmocka_unit_test(real_clock_stops_with_sleeping_commands),
        cmocka_unit_test(every_capture_method_gives_the_same_picture),
        cmocka_unit_test(trust_option_decides_about_keys),
        cmocka_unit_test(adb_keyboard_can_be_enabled_by_option),
        cmocka_unit_test(every_command_is_a_file),
        cmocka_unit_test(several_phones_are_independent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
