/* Versions of Android that the phone can behave as, over ADB. */
#include "tools/phone/core/android_level.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adb/connection/conn.h"
#include "adb/daemon/daemon.h"
#include "adb/device/device.h"
#include "adb/transport/tcp.h"
#include "adb/wire/packet.h"
#include "base/bytes.h"
#include "tools/phone/phone.h"

#define SOON deadline_in_ms(60000)
#define OUTPUT_MAX ((size_t)32 << 20)

static struct phone *start(enum android_version android)
{
    const struct phone_options options = {.seed = 5, .android = android};
    struct phone *phone = NULL;
    struct err err = ERR_INIT;

    if (!phone_start(&options, &phone, &err))
        fail_msg("%s", err.text);
    return phone;
}

/* A host that knows every feature. False: it was not answered in time. */
static bool greet(struct phone *phone, struct deadline by, struct conn **conn)
{
    const struct conn_options options = {
        .role = CONN_HOST,
        .banner = {.state = "host", .features = ~(feature_set)0},
    };
    struct transport *transport = NULL;
    struct err err = ERR_INIT;

    if (!tcp_open("127.0.0.1", phone_port(phone), (struct tcp_keepalive){0},
                  NULL, SOON, &transport, &err))
        fail_msg("%s", err.text);
    if (conn_open(transport, &options, by, conn, &err))
        return true;
    assert_int_equal(err.code, ERR_TIMEOUT);
    return false;
}

static struct conn *connect_to(struct phone *phone)
{
    struct conn *conn = NULL;

    assert_true(greet(phone, SOON, &conn));
    return conn;
}

/* The whole output of a service. False: it is refused. */
static bool ask(struct conn *conn, const char *service, struct buf *answer)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    buf_clear(answer);
    if (!conn_open_stream(conn, service, SOON, &stream, &err)) {
        assert_int_equal(err.code, ERR_REFUSED);
        return false;
    }
    if (!stream_read_all(stream, SOON, answer, &err))
        fail_msg("%s: %s", service, err.text);
    stream_close(stream);
    return true;
}

static void each_level_has_its_banner(void **state)
{
    static const struct {
        enum android_version android;
        uint32_t version;
        uint32_t max_payload;
        feature_set has, lacks;
        const char *release;
        const char *sdk;
    } cases[] = {
        {ANDROID_4_4, 0x01000000, 4096, 0, ~(feature_set)0, "4.4.2", "19"},
        {ANDROID_7, 0x01000000, 262144, FEATURE_BIT(FEATURE_SHELL_V2),
         FEATURE_BIT(FEATURE_STAT_V2), "7.0", "24"},
        {ANDROID_13, 0x01000001, PACKET_WANTED_PAYLOAD,
         FEATURE_BIT(FEATURE_SENDRECV_V2), FEATURE_BIT(FEATURE_DELAYED_ACK),
         "13", "33"},
        {ANDROID_14, 0x01000001, PACKET_WANTED_PAYLOAD,
         FEATURE_BIT(FEATURE_DELAYED_ACK), 0, "14", "34"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct phone *phone = start(cases[i].android);
        struct conn *conn = connect_to(phone);
        struct buf output = BUF_INIT(OUTPUT_MAX);
        char wanted[64];

        assert_int_equal(conn_version(conn), cases[i].version);
        assert_int_equal(conn_max_payload(conn), cases[i].max_payload);
        assert_int_equal(conn_features(conn) & cases[i].lacks, 0);
        assert_int_equal(conn_features(conn) & cases[i].has, cases[i].has);
        snprintf(wanted, sizeof(wanted), "%s %s", cases[i].release,
                 cases[i].sdk);
        assert_true(ask(conn,
                        "shell:echo $(getprop ro.build.version.release) "
                        "$(getprop ro.build.version.sdk)",
                        &output));
        assert_int_equal(strncmp(buf_cstr(&output), wanted, strlen(wanted)), 0);
        buf_release(&output);
        conn_close(conn);
        phone_stop(phone);
    }
}

/* Before Android 5 there is only a terminal, which adds CRs. */
static void an_old_shell_is_a_terminal_and_there_is_no_exec(void **state)
{
    struct phone *phone = start(ANDROID_4_4);
    struct conn *conn = connect_to(phone);
    struct buf output = BUF_INIT(OUTPUT_MAX);

    (void)state;
    assert_false(ask(conn, "exec:echo hi", &output));
    assert_false(ask(conn, "shell,v2,raw:echo hi", &output));
    assert_false(ask(conn, "shell,raw:echo hi", &output));
    assert_true(ask(conn, "shell:echo hi; echo no >&2; exit 3", &output));
    assert_string_equal(buf_cstr(&output), "hi\r\nno\r\n");
    conn_close(conn);
    phone_stop(phone);
    phone = start(ANDROID_7);
    conn = connect_to(phone);
    assert_true(ask(conn, "exec:echo hi", &output));
    assert_string_equal(buf_cstr(&output), "hi\n");
    assert_true(ask(conn, "shell:echo hi", &output));
    assert_string_equal(buf_cstr(&output), "hi\n");
    buf_release(&output);
    conn_close(conn);
    phone_stop(phone);
}

static void pause_for(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Connect until there is an answer: the phone needs a moment after a close. */
static struct conn *insist(struct phone *phone)
{
    struct conn *conn = NULL;

    while (!greet(phone, deadline_in_ms(100), &conn))
        pause_for(2 * DAEMON_ONE_HOST_MS);
    return conn;
}

static void an_old_adbd_answers_one_connection_at_a_time(void **state)
{
    struct phone *phone = start(ANDROID_4_4);
    struct conn *first = connect_to(phone);
    struct conn *second = NULL;
    struct buf output = BUF_INIT(OUTPUT_MAX);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_false(greet(phone, deadline_in_ms(50), &second));
    assert_true(ask(first, "shell:echo still", &output));
    conn_close(first);
    second = insist(phone);
    assert_true(ask(second, "shell:echo there", &output));
    assert_string_equal(buf_cstr(&output), "there\r\n");
    buf_release(&output);
    conn_close(second);
    phone_stop(phone);
}

/* Any number of other connections are answered at once. */
static void a_new_adbd_answers_many(void **state)
{
    struct phone *phone = start(ANDROID_7);
    struct conn *conns[4];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(conns); i++)
        conns[i] = connect_to(phone);
    for (size_t i = 0; i < ARRAY_LEN(conns); i++)
        conn_close(conns[i]);
    phone_stop(phone);
}

/* ---- pictures ---- */

/* Removes what a terminal adds to a command's output. */
static void drop_crs(struct buf *bytes)
{
    size_t kept = 0;

    for (size_t i = 0; i < bytes->length; i++) {
        if (i + 1 == bytes->length || bytes->data[i] != '\r' ||
            bytes->data[i + 1] != '\n')
            bytes->data[kept++] = bytes->data[i];
    }
    buf_truncate(bytes, kept);
}

static uint32_t word_at(const struct buf *bytes, size_t at)
{
    return get_u32le((const uint8_t *)bytes->data + at);
}

static void screencap_has_the_header_of_its_level(void **state)
{
    static const struct {
        enum android_version android;
        const char *service;
        size_t header;
        uint32_t format;
        size_t pixel;
    } cases[] = {
        {ANDROID_4_4, "shell:screencap", 12, PIXEL_RGB_565, 2},
        {ANDROID_7, "exec:screencap", 12, PIXEL_RGBA_8888, 4},
        {ANDROID_13, "exec:screencap", 16, PIXEL_RGBA_8888, 4},
        {ANDROID_14, "exec:screencap", 16, PIXEL_RGBA_8888, 4},
    };
    struct buf raw = BUF_INIT(OUTPUT_MAX);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct phone *phone = start(cases[i].android);
        struct conn *conn = connect_to(phone);

        assert_true(ask(conn, cases[i].service, &raw));
        if (cases[i].android == ANDROID_4_4)
            drop_crs(&raw);
        assert_int_equal(word_at(&raw, 0), 1080);
        assert_int_equal(word_at(&raw, 4), 2400);
        assert_int_equal(word_at(&raw, 8), cases[i].format);
        assert_int_equal(raw.length, cases[i].header +
                                         (size_t)1080 * 2400 * cases[i].pixel);
        conn_close(conn);
        phone_stop(phone);
    }
    buf_release(&raw);
}

/* The framebuffer and screencap show the same, in 16 bits as well. */
static void an_old_framebuffer_has_16_bits(void **state)
{
    struct phone *phone = start(ANDROID_4_4);
    struct conn *conn = connect_to(phone);
    struct buf frame = BUF_INIT(OUTPUT_MAX);
    struct buf raw = BUF_INIT(OUTPUT_MAX);
    const size_t header = 13 * 4;

    (void)state;
    assert_true(ask(conn, "framebuffer:", &frame));
    assert_int_equal(word_at(&frame, 0), 1);
    assert_int_equal(word_at(&frame, 4), 16);
    assert_int_equal(word_at(&frame, 8), 1080 * 2400 * 2);
    assert_true(ask(conn, "shell:screencap", &raw));
    drop_crs(&raw);
    assert_int_equal(frame.length - header, raw.length - 12);
    assert_memory_equal(frame.data + header, raw.data + 12, raw.length - 12);
    buf_release(&frame);
    buf_release(&raw);
    conn_close(conn);
    phone_stop(phone);
}

/* ---- files ---- */

static void put_request(struct buf *out, const char *id, const char *text)
{
    buf_append(out, id, 4);
    buf_u32le(out, (uint32_t)strlen(text));
    buf_text(out, text);
}

/* It is stored and acknowledged, and the stream ends. */
static void an_old_sync_session_ends_after_a_send(void **state)
{
    struct phone *phone = start(ANDROID_4_4);
    struct conn *conn = connect_to(phone);
    struct stream *stream = NULL;
    struct buf out = BUF_INIT(256);
    struct buf output = BUF_INIT(OUTPUT_MAX);
    struct err err = ERR_INIT;

    (void)state;
    put_request(&out, "SEND", "/sdcard/a,33188");
    put_request(&out, "DATA", "hello");
    buf_append(&out, "DONE\0\0\0\0", 8);
    if (!conn_open_stream(conn, "sync:", SOON, &stream, &err) ||
        !stream_write(stream, out.data, out.length, SOON, &err) ||
        !stream_read_all(stream, SOON, &output, &err))
        fail_msg("%s", err.text);
    assert_int_equal(output.length, 8);
    assert_memory_equal(output.data, "OKAY", 4);
    stream_close(stream);
    assert_true(ask(conn, "shell:cat /sdcard/a", &output));
    assert_string_equal(buf_cstr(&output), "hello");
    buf_release(&out);
    buf_release(&output);
    conn_close(conn);
    phone_stop(phone);
}

static void version_2_of_sync_is_unknown_to_old_ones(void **state)
{
    static const enum android_version old[] = {ANDROID_4_4, ANDROID_7};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(old); i++) {
        struct phone *phone = start(old[i]);
        struct conn *conn = connect_to(phone);
        struct stream *stream = NULL;
        struct buf out = BUF_INIT(256);
        struct buf output = BUF_INIT(OUTPUT_MAX);
        struct err err = ERR_INIT;

        put_request(&out, "STA2", "/sdcard");
        if (!conn_open_stream(conn, "sync:", SOON, &stream, &err) ||
            !stream_write(stream, out.data, out.length, SOON, &err) ||
            !stream_read_all(stream, SOON, &output, &err))
            fail_msg("%s", err.text);
        assert_memory_equal(output.data, "FAIL", 4);
        stream_close(stream);
        buf_release(&out);
        buf_release(&output);
        conn_close(conn);
        phone_stop(phone);
    }
}

/* ---- settings ---- */

static void old_phones_have_settings_that_are_null(void **state)
{
    struct phone *phone = start(ANDROID_4_4);
    struct conn *conn = connect_to(phone);
    struct buf output = BUF_INIT(OUTPUT_MAX);

    (void)state;
    assert_true(ask(conn,
                    "shell:settings get system font_scale; settings get "
                    "global window_animation_scale; settings get system "
                    "screen_brightness",
                    &output));
    assert_string_equal(buf_cstr(&output), "null\r\nnull\r\n102\r\n");
    buf_release(&output);
    conn_close(conn);
    phone_stop(phone);
}

/* A command, and what a terminal shows of it. */
struct shown_command {
    const char *command;
    const char *output;
};

/* Run them one after another on a phone of Android 4.4. */
static void check_commands(const struct shown_command *cases, size_t count)
{
    struct phone *phone = start(ANDROID_4_4);
    struct conn *conn = connect_to(phone);
    struct buf output = BUF_INIT(OUTPUT_MAX);
    char service[512];

    for (size_t i = 0; i < count; i++) {
        snprintf(service, sizeof(service), "shell:%s", cases[i].command);
        assert_true(ask(conn, service, &output));
        assert_string_equal(buf_cstr(&output), cases[i].output);
    }
    buf_release(&output);
    conn_close(conn);
    phone_stop(phone);
}

/* Commands of new phones that fail on old ones. */
static void old_tools_refuse_newer_options(void **state)
{
    static const struct shown_command cases[] = {
        {"cd /sdcard; mkdir -p -- a/b; echo $?; ls -d -- a; [ -d -- ] && "
         "echo made; [ -d a/b ] && echo too",
         "0\r\nls: Unknown option '--'. Aborting.\r\nmade\r\ntoo\r\n"},
        {"cd /sdcard; mkdir c; mkdir c; echo $?",
         "mkdir failed for c, File exists\r\n255\r\n"},
        {"rm /sdcard/c; echo $?; rm -r /sdcard/c; rm -f /sdcard/c; echo $?",
         "rm failed for /sdcard/c, Is a directory\r\n255\r\n0\r\n"},
        {"cmd package list packages; echo $?",
         "/system/bin/sh: cmd: not found\r\n127\r\n"},
        {"settings put system x 1; settings delete system x >/dev/null 2>&1; "
         "echo $?; settings get system x",
         "0\r\n1\r\n"},
        {"input text 'a b' 2>&1 | head -n 1; input text '' 2>&1 | head -n 1",
         "Error: Invalid arguments for command: text\r\n"
         "Error: Invalid arguments for command: text\r\n"},
        {"pm path no.such; echo $?", "0\r\n"},
        {"input keyevent 223; dumpsys window | grep -c mCurrentFocus=null",
         "0\r\n"},
        {"input keyevent 26; dumpsys window | grep -c mCurrentFocus=null",
         "1\r\n"},
        {"input keyevent 224; dumpsys window | grep -c mCurrentFocus=null",
         "1\r\n"},
    };

    (void)state;
    check_commands(cases, ARRAY_LEN(cases));
}

static void old_tools_have_their_own_messages(void **state)
{
    static const struct shown_command cases[] = {
        {"cat /none; sleep x; echo $?",
         "/system/bin/sh: cat: /none: No such file or directory\r\n"
         "/system/bin/sh: sleep: syntax error: Invalid argument 'x'\r\n1\r\n"},
        {"none; sh -c 'if then fi'; echo $?",
         "/system/bin/sh: none: not found\r\n"
         "sh: syntax error: 'fi' unexpected\r\n1\r\n"},
        {"toybox; which nc; ls /system/bin/toybox",
         "/system/bin/sh: toybox: not found\r\n"
         "/system/bin/toybox: No such file or directory\r\n"},
        {"cd /sdcard; mv a b; echo $?; echo 1 > a; mkdir d; mv a d; ls d",
         "failed on 'a' - No such file or directory\r\n255\r\na\r\n"},
        {"cd /sdcard; chmod u+x d; echo $?; chmod 700 d; echo $?",
         "Bad mode\r\n10\r\n0\r\n"},
        {"cd /data/local/tmp; echo 12345 > f; ls -l f; ls -n f",
         "-rw-rw-rw- shell    shell           6 2025-10-12 15:33 f\r\n"
         "-rw-rw-rw- 2000     2000            6 2025-10-12 15:33 f\r\n"},
        {"ls -ld /sdcard /data; ls /data; ls -1",
         "lrwxrwxrwx root     root              2025-10-12 15:33 sdcard -> "
         "/storage/self/primary\r\n"
         "drwxrwx--x system   system            2025-10-12 15:33 data\r\n"
         "opendir failed, Permission denied\r\n"
         "ls: Unknown option '-1'. Aborting.\r\n"},
        {"rm -q /data/local/tmp/f; rm x; rm -q",
         "rm: invalid option -- q\r\nrm failed for x, Read-only file "
         "system\r\nrm: invalid option -- q\r\n"
         "Usage: rm [-rR] [-f] <target>\r\n"},
        {"timeout 1 true; echo $?; timeout -t 1 echo in time; "
         "timeout -t 1 sleep 3; echo $?",
         "timeout: can't execute '1': Permission denied\r\n126\r\n"
         "in time\r\n124\r\n"},
        {"ps none; ps 1; ps zyg | grep -c ' zygote$'",
         "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\r\n"
         "USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\r\n"
         "root      1     0     10904444 11784 ffffffff 00000000 S init\r\n"
         "1\r\n"},
        {"df /none; echo abc | od -h; toolbox; toolbox echo a; toolbox toolbox",
         "Filesystem               Size     Used     Free   Blksize\r\n"
         "/none: No such file or directory\r\n"
         "0000000     6261    0a63                                           "
         "     \r\n0000004\r\nToolbox!\r\na\r\ntoolbox: no such tool\r\n"},
        {"input tap 1 2>&1 | head -n 1; input no 2>&1 | head -n 1; "
         "wm no > /dev/null 2>&1; echo $?",
         "Error: Invalid arguments for command: tap\r\n"
         "Error: Unknown command: no\r\n0\r\n"},
        {"settings get no x 2>&1 | head -n 1; sendevent; ime set no/.Ime",
         "Invalid namespace 'no'\r\nuse: sendevent device type code "
         "value\r\nError: Unknown id: no/.Ime\r\n"},
        {"pm path org.proctor.shop; pm path com.android.settings",
         "package:/data/app/org.proctor.shop-1.apk\r\n"
         "package:/system/priv-app/Settings.apk\r\n"},
    };

    (void)state;
    check_commands(cases, ARRAY_LEN(cases));
}

/* A command that this process runs sees the same shell. */
static void the_shell_is_the_same_without_a_connection(void **state)
{
    struct phone *phone = start(ANDROID_4_4);
    struct buf out = BUF_INIT(OUTPUT_MAX);
    struct buf errors = BUF_INIT(OUTPUT_MAX);

    (void)state;
    assert_int_equal(phone_run(phone, "none", &out, &errors), 127);
    assert_string_equal(buf_cstr(&errors), "/system/bin/sh: none: not found\n");
    buf_release(&out);
    buf_release(&errors);
    phone_stop(phone);
}

static void monkey_switches_auto_rotate_on(void **state)
{
    struct phone *phone = start(ANDROID_14);
    struct conn *conn = connect_to(phone);
    struct buf output = BUF_INIT(OUTPUT_MAX);

    (void)state;
    assert_true(
        ask(conn,
            "exec:s='settings get system accelerometer_rotation'; settings "
            "put system accelerometer_rotation 0; monkey -p no.such 1 "
            ">/dev/null 2>&1; $s; monkey -p com.android.settings 1 >/dev/null "
            "2>&1; $s",
            &output));
    assert_string_equal(buf_cstr(&output), "0\n1\n");
    buf_release(&output);
    conn_close(conn);
    phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_level_has_its_banner),
        cmocka_unit_test(an_old_shell_is_a_terminal_and_there_is_no_exec),
        cmocka_unit_test(an_old_adbd_answers_one_connection_at_a_time),
        cmocka_unit_test(a_new_adbd_answers_many),
        cmocka_unit_test(screencap_has_the_header_of_its_level),
        cmocka_unit_test(an_old_framebuffer_has_16_bits),
        cmocka_unit_test(an_old_sync_session_ends_after_a_send),
        cmocka_unit_test(version_2_of_sync_is_unknown_to_old_ones),
        cmocka_unit_test(old_phones_have_settings_that_are_null),
        cmocka_unit_test(old_tools_refuse_newer_options),
        cmocka_unit_test(old_tools_have_their_own_messages),
        cmocka_unit_test(the_shell_is_the_same_without_a_connection),
        cmocka_unit_test(monkey_switches_auto_rotate_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
