#include "adb/server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/server_peer.h"

#define IN_TIME deadline_in_ms(60000)

static void nothing_in_the_environment_means_this_computer(void **state)
{
    struct server server;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_from_environment(&server, &err));
    assert_string_equal(server.host, "127.0.0.1");
    assert_int_equal(server.port, 5037);
}

static void the_environment_names_another_server(void **state)
{
    static const struct {
        const char *socket;
        const char *address;
        const char *port;
        const char *host;
        uint16_t number;
    } cases[] = {
        {"", "", "", "127.0.0.1", 5037},
        {"", "", "6000", "127.0.0.1", 6000},
        {"", "farm.example", "", "farm.example", 5037},
        {"", "::1", "6001", "::1", 6001},
        {"tcp:6002", "ignored", "1", "127.0.0.1", 6002},
        {"tcp:farm.example:6003", "", "", "farm.example", 6003},
        {"tcp:[::1]:6004", "", "", "::1", 6004},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct server server;
        struct err err = ERR_INIT;

        setenv("ADB_SERVER_SOCKET", cases[i].socket, 1);
        setenv("ANDROID_ADB_SERVER_ADDRESS", cases[i].address, 1);
        setenv("ANDROID_ADB_SERVER_PORT", cases[i].port, 1);
        assert_true(server_from_environment(&server, &err));
        assert_string_equal(server.host, cases[i].host);
        assert_int_equal(server.port, cases[i].number);
    }
}

static void an_environment_that_makes_no_sense_is_refused(void **state)
{
    static const struct {
        const char *name;
        const char *value;
    } cases[] = {
        {"ADB_SERVER_SOCKET", "localfilesystem:/tmp/adb"},
        {"ADB_SERVER_SOCKET", "tcp:"},
        {"ADB_SERVER_SOCKET", "tcp:host:99999"},
        {"ANDROID_ADB_SERVER_PORT", "http"},
        {"ANDROID_ADB_SERVER_PORT", "0"},
        {"ANDROID_ADB_SERVER_PORT", "70000"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct server server = {.port = 1};
        struct err err = ERR_INIT;

        setenv(cases[i].name, cases[i].value, 1);
        assert_false(server_from_environment(&server, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_non_null(strstr(err.text, "SERVER"));
        assert_int_equal(server.port, 1);
        unsetenv(cases[i].name);
    }
}

static int clear_environment(void **state)
{
    (void)state;
    unsetenv("ADB_SERVER_SOCKET");
    unsetenv("ANDROID_ADB_SERVER_ADDRESS");
    unsetenv("ANDROID_ADB_SERVER_PORT");
    return 0;
}

static void where_no_server_runs_the_error_says_so(void **state)
{
    struct server_peer *peer = server_peer_start(NULL, 0);
    struct server server = server_peer_address(peer);
    struct err err = ERR_INIT;
    unsigned version = 7;

    (void)state;
    server_peer_stop(peer);
    assert_false(server_version(&server, IN_TIME, &version, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_int_equal(strncmp(err.text, "no adb server", 13), 0);
    assert_int_equal(version, 7);
}

static void the_version_is_a_hexadecimal_number(void **state)
{
    static const struct server_peer_answer answers[] = {
        SERVER_PEER_SAYS("host:version", "OKAY00040029"),
    };
    struct server_peer *peer = server_peer_start(answers, ARRAY_LEN(answers));
    struct server server = server_peer_address(peer);
    struct err err = ERR_INIT;
    unsigned version = 0;

    (void)state;
    assert_true(server_version(&server, IN_TIME, &version, &err));
    assert_int_equal(version, 41);
    server_peer_stop(peer);
}

/* Ask a server whose answer to "host:version" is given; what went wrong? */
static struct err version_error(const char *bytes, size_t length, bool hang_up)
{
    const struct server_peer_answer answer = {.request = "host:version",
                                              .bytes = bytes,
                                              .length = length,
                                              .hang_up = hang_up};
    struct server_peer *peer = server_peer_start(&answer, 1);
    struct server server = server_peer_address(peer);
    struct deadline by = hang_up ? IN_TIME : deadline_in_ms(10);
    struct err err = ERR_INIT;
    unsigned version = 7;

    assert_false(server_version(&server, by, &version, &err));
    assert_int_equal(version, 7);
    server_peer_stop(peer);
    return err;
}

static void an_answer_cut_at_any_byte_is_an_error(void **state)
{
    static const char whole[] = "OKAY00040029";
    struct err err = version_error(whole, 0, true);

    (void)state;
    assert_int_equal(err.code, ERR_CLOSED);
    for (size_t length = 1; length < strlen(whole); length++) {
        err = version_error(whole, length, true);
        /* After a whole OKAY, the server hung up before its next word. */
        assert_int_equal(err.code, length == 4 ? ERR_CLOSED : ERR_PROTOCOL);
        assert_non_null(strstr(err.text, "adb hung up"));
    }
}

static void an_answer_stalled_at_any_byte_ends_at_the_deadline(void **state)
{
    static const char whole[] = "OKAY00040029";

    (void)state;
    for (size_t length = 0; length < strlen(whole); length++)
        assert_int_equal(version_error(whole, length, false).code, ERR_TIMEOUT);
}

static void garbage_is_an_error_of_the_peer(void **state)
{
    static const char *const answers[] = {
        "HTTP/1.1 400 Bad Request", "OKAY0004zzzz", "OKAYzzzz", "OKAY000000",
        "OKAY0005000291",           "okay00040029",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        struct err err = version_error(answers[i], strlen(answers[i]), true);

        assert_int_equal(err.code, ERR_PROTOCOL);
    }
}

static void a_list_may_be_empty_or_long(void **state)
{
    static const struct server_peer_answer none =
        SERVER_PEER_SAYS("host:devices-l", "OKAY0000");
    static const struct server_peer_answer some = SERVER_PEER_SAYS(
        "host:devices-l", "OKAY0020a device model:M\nb unauthorized\n");
    struct server_devices devices = {0};
    struct err err = ERR_INIT;
    struct server_peer *peer = server_peer_start(&none, 1);
    struct server server = server_peer_address(peer);

    (void)state;
    assert_true(server_list(&server, IN_TIME, &devices, &err));
    assert_int_equal(devices.count, 0);
    server_peer_stop(peer);

    peer = server_peer_start(&some, 1);
    server = server_peer_address(peer);
    assert_true(server_list(&server, IN_TIME, &devices, &err));
    assert_int_equal(devices.count, 2);
    assert_string_equal(devices.items[0].model, "M");
    assert_string_equal(devices.items[1].state, "unauthorized");
    server_devices_release(&devices);
    server_peer_stop(peer);
}

static void a_list_is_followed_through_time_outs(void **state)
{
    static const struct server_peer_answer answer = SERVER_PEER_SAYS(
        "host:track-devices-l", "OKAY0009a device\n000aa offline\n0000"
                                "0009a dev");
    struct server_peer *peer = server_peer_start(&answer, 1);
    struct server server = server_peer_address(peer);
    struct server_tracker *tracker = NULL;
    struct server_devices devices = {0};
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_track(&server, IN_TIME, &tracker, &err));
    assert_true(server_track_next(tracker, IN_TIME, &devices, &err));
    assert_string_equal(devices.items[0].state, "device");
    server_devices_release(&devices);
    assert_true(server_track_next(tracker, IN_TIME, &devices, &err));
    assert_string_equal(devices.items[0].state, "offline");
    server_devices_release(&devices);
    assert_true(server_track_next(tracker, IN_TIME, &devices, &err));
    assert_int_equal(devices.count, 0);
    for (int i = 0; i < 2; i++) {
        assert_false(
            server_track_next(tracker, deadline_in_ms(10), &devices, &err));
        assert_int_equal(err.code, ERR_TIMEOUT);
    }
    server_track_close(tracker);
    server_peer_stop(peer);
}

static void features_are_asked_for_by_serial(void **state)
{
    static const struct server_peer_answer answer = SERVER_PEER_SAYS(
        "host-serial:10.0.0.2:5555:features", "OKAY0011shell_v2,what,cmd");
    struct server_peer *peer = server_peer_start(&answer, 1);
    struct server server = server_peer_address(peer);
    feature_set features = 0;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(
        server_features(&server, "10.0.0.2:5555", IN_TIME, &features, &err));
    assert_int_equal(features,
                     FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_CMD));
    server_peer_stop(peer);
}

static void a_service_carries_bytes_to_their_end(void **state)
{
    static const struct server_peer_answer answers[] = {
        SERVER_PEER_SAYS("host:transport:a", "OKAY"),
        {.request = "shell:date",
         .bytes = "OKAYnow\r\n\0!",
         .length = 11,
         .hang_up = true},
    };
    struct server_peer *peer = server_peer_start(answers, ARRAY_LEN(answers));
    struct server server = server_peer_address(peer);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char said[7];
    size_t got;

    (void)state;
    assert_true(server_open_service(&server, "a", "shell:date", IN_TIME,
                                    &stream, &err));
    assert_true(stream_read_exact(stream, said, 7, IN_TIME, &err));
    assert_memory_equal(said, "now\r\n\0!", 7);
    assert_true(stream_read(stream, said, 7, IN_TIME, &got, &err));
    assert_int_equal(got, 0);
    stream_close(stream);
    server_peer_stop(peer);
}

static void each_way_to_miss_a_service_has_its_error(void **state)
{
    static const struct {
        struct server_peer_answer answers[2];
        enum err_code code;
        const char *text;
    } cases[] = {
        {{SERVER_PEER_SAYS("host:transport:a", "FAIL0014device 'a' not found")},
         ERR_NOT_FOUND,
         "adb says: device 'a' not found"},
        {{SERVER_PEER_SAYS("host:transport:a", "FAIL000edevice offline")},
         ERR_LOST,
         "adb says: device offline"},
        {{SERVER_PEER_SAYS("host:transport:a", "FAIL0013device unauthorized")},
         ERR_UNAUTHORIZED,
         "adb says: device unauthorized"},
        {{SERVER_PEER_SAYS("host:transport:a", "OKAY"),
          SERVER_PEER_SAYS("framebuffer:", "FAIL0006closed")},
         ERR_REFUSED,
         "the device does not offer framebuffer"},
        /* Here the server hangs up on the service. */
        {{SERVER_PEER_SAYS("host:transport:a", "OKAY"),
          SERVER_PEER_SAYS("-", "")},
         ERR_CLOSED,
         "adb hung up without an answer"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct server_peer *peer = server_peer_start(
            cases[i].answers, cases[i].answers[1].request ? 2 : 1);
        struct server server = server_peer_address(peer);
        struct stream *stream = NULL;
        struct err err = ERR_INIT;

        assert_false(server_open_service(&server, "a", "framebuffer:", IN_TIME,
                                         &stream, &err));
        assert_int_equal(err.code, cases[i].code);
        assert_string_equal(err.text, cases[i].text);
        assert_null(stream);
        server_peer_stop(peer);
    }
}

static void a_request_too_long_to_frame_is_not_sent(void **state)
{
    struct server_peer *peer = server_peer_start(NULL, 0);
    struct server server = server_peer_address(peer);
    char *request = mem_new(0x10001, 1);
    struct err err = ERR_INIT;

    (void)state;
    memset(request, 'x', 0x10000);
    assert_false(server_ask(&server, request, IN_TIME, NULL, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(request);
    server_peer_stop(peer);
}

static void an_answer_beyond_the_callers_limit_is_refused(void **state)
{
    static const struct server_peer_answer answer =
        SERVER_PEER_SAYS("host:features", "OKAY0005abcde");
    struct server_peer *peer = server_peer_start(&answer, 1);
    struct server server = server_peer_address(peer);
    struct buf reply = BUF_INIT(4);
    struct err err = ERR_INIT;

    (void)state;
    assert_false(server_ask(&server, "host:features", IN_TIME, &reply, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_release(&reply);
    server_peer_stop(peer);
}

static void a_cancelled_request_ends_at_once(void **state)
{
    static const struct server_peer_answer silence =
        SERVER_PEER_SAYS("host:version", "");
    struct server_peer *peer = server_peer_start(&silence, 1);
    struct server server = server_peer_address(peer);
    struct cancel cancel;
    struct err err = ERR_INIT;
    unsigned version;

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    server.cancel = &cancel;
    assert_false(server_version(&server, DEADLINE_NEVER, &version, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    cancel_release(&cancel);
    server_peer_stop(peer);
}

static void what_somebody_typed_stays_out_of_the_trace(void **state)
{
    static const struct server_peer_answer answers[] = {
        SERVER_PEER_SAYS("host:transport:a", "OKAY"),
        SERVER_PEER_SAYS("shell:secret", "OKAY"),
    };
    struct server_peer *peer = server_peer_start(answers, ARRAY_LEN(answers));
    struct server server = server_peer_address(peer);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    struct log log;

    (void)state;
    assert_non_null(out);
    assert_true(log_init(&log, out, "server", &err));
    server.log = &log;
    assert_true(server_open_service(&server, "a", "shell:secret", IN_TIME,
                                    &stream, &err));
    stream_close(stream);
    fclose(out);
    assert_non_null(strstr(text, "host:transport:a"));
    assert_non_null(strstr(text, "a: shell, 12 bytes"));
    assert_null(strstr(text, "secret"));
    server_peer_stop(peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_in_the_environment_means_this_computer,
                               clear_environment),
        cmocka_unit_test_setup(the_environment_names_another_server,
                               clear_environment),
        cmocka_unit_test_setup(an_environment_that_makes_no_sense_is_refused,
                               clear_environment),
        cmocka_unit_test(where_no_server_runs_the_error_says_so),
        cmocka_unit_test(the_version_is_a_hexadecimal_number),
        cmocka_unit_test(an_answer_cut_at_any_byte_is_an_error),
        cmocka_unit_test(an_answer_stalled_at_any_byte_ends_at_the_deadline),
        cmocka_unit_test(garbage_is_an_error_of_the_peer),
        cmocka_unit_test(a_list_may_be_empty_or_long),
        cmocka_unit_test(a_list_is_followed_through_time_outs),
        cmocka_unit_test(features_are_asked_for_by_serial),
        cmocka_unit_test(a_service_carries_bytes_to_their_end),
        cmocka_unit_test(each_way_to_miss_a_service_has_its_error),
        cmocka_unit_test(a_request_too_long_to_frame_is_not_sent),
        cmocka_unit_test(an_answer_beyond_the_callers_limit_is_refused),
        cmocka_unit_test(a_cancelled_request_ends_at_once),
        cmocka_unit_test(what_somebody_typed_stays_out_of_the_trace),
    };

    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
