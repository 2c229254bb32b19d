#include "adb/device/server_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/adb/fake_adb_server.h"

#define IN_TIME deadline_in_ms(60000)

static void default_server_is_on_this_computer(void **state)
{
    struct server_client server;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_client_from_environment(&server, &err));
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
        struct server_client server;
        struct err err = ERR_INIT;

        setenv("ADB_SERVER_SOCKET", cases[i].socket, 1);
        setenv("ANDROID_ADB_SERVER_ADDRESS", cases[i].address, 1);
        setenv("ANDROID_ADB_SERVER_PORT", cases[i].port, 1);
        assert_true(server_client_from_environment(&server, &err));
        assert_string_equal(server.host, cases[i].host);
        assert_int_equal(server.port, cases[i].number);
    }
}

static void invalid_environment_is_refused(void **state)
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
        struct server_client server = {.port = 1};
        struct err err = ERR_INIT;

        setenv(cases[i].name, cases[i].value, 1);
        assert_false(server_client_from_environment(&server, &err));
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

static void missing_server_is_reported(void **state)
{
    struct fake_adb_server *peer = fake_adb_server_start(NULL, 0);
    struct server_client server = fake_adb_server_address(peer);
    struct err err = ERR_INIT;
    unsigned version = 7;

    (void)state;
    fake_adb_server_stop(peer);
    assert_false(server_client_version(&server, IN_TIME, &version, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_int_equal(strncmp(err.text, "no adb server", 13), 0);
    assert_int_equal(version, 7);
}

static void the_version_is_a_hexadecimal_number(void **state)
{
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host:version", "OKAY00040029"),
    };
    struct fake_adb_server *peer =
        fake_adb_server_start(answers, ARRAY_LEN(answers));
    struct server_client server = fake_adb_server_address(peer);
    struct err err = ERR_INIT;
    unsigned version = 0;

    (void)state;
    assert_true(server_client_version(&server, IN_TIME, &version, &err));
    assert_int_equal(version, 41);
    fake_adb_server_stop(peer);
}

/* Ask a server with the given answer to "host:version"; returns the error. */
static struct err version_error(const char *bytes, size_t length,
                                bool disconnect)
{
    const struct fake_adb_server_answer answer = {.request = "host:version",
                                                  .bytes = bytes,
                                                  .length = length,
                                                  .disconnect = disconnect};
    struct fake_adb_server *peer = fake_adb_server_start(&answer, 1);
    struct server_client server = fake_adb_server_address(peer);
    struct deadline by = disconnect ? IN_TIME : deadline_in_ms(10);
    struct err err = ERR_INIT;
    unsigned version = 7;

    assert_false(server_client_version(&server, by, &version, &err));
    assert_int_equal(version, 7);
    fake_adb_server_stop(peer);
    return err;
}

static void answer_truncated_at_any_byte_is_an_error(void **state)
{
    static const char whole[] = "OKAY00040029";
    struct err err = version_error(whole, 0, true);

    (void)state;
    assert_int_equal(err.code, ERR_CLOSED);
    for (size_t length = 1; length < strlen(whole); length++) {
        err = version_error(whole, length, true);
        /*
         * After a complete OKAY, the server disconnected before the next bytes.
         */
        assert_int_equal(err.code, length == 4 ? ERR_CLOSED : ERR_PROTOCOL);
        assert_non_null(strstr(err.text, "adb closed the connection"));
    }
}

static void an_answer_stalled_at_any_byte_ends_at_the_deadline(void **state)
{
    static const char whole[] = "OKAY00040029";

    (void)state;
    for (size_t length = 0; length < strlen(whole); length++)
        assert_int_equal(version_error(whole, length, false).code, ERR_TIMEOUT);
}

static void garbage_is_a_protocol_error(void **state)
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
    static const struct fake_adb_server_answer none =
        FAKE_ADB_SERVER_SAYS("host:devices-l", "OKAY0000");
    static const struct fake_adb_server_answer some = FAKE_ADB_SERVER_SAYS(
        "host:devices-l", "OKAY0020a device model:M\nb unauthorized\n");
    struct server_device_list devices = {0};
    struct err err = ERR_INIT;
    struct fake_adb_server *peer = fake_adb_server_start(&none, 1);
    struct server_client server = fake_adb_server_address(peer);

    (void)state;
    assert_true(server_client_list(&server, IN_TIME, &devices, &err));
    assert_int_equal(devices.count, 0);
    fake_adb_server_stop(peer);

    peer = fake_adb_server_start(&some, 1);
    server = fake_adb_server_address(peer);
    assert_true(server_client_list(&server, IN_TIME, &devices, &err));
    assert_int_equal(devices.count, 2);
    assert_string_equal(devices.items[0].model, "M");
    assert_string_equal(devices.items[1].state, "unauthorized");
    server_device_list_release(&devices);
    fake_adb_server_stop(peer);
}

static void list_is_followed_across_timeouts(void **state)
{
    static const struct fake_adb_server_answer answer = FAKE_ADB_SERVER_SAYS(
        "host:track-devices-l", "OKAY0009a device\n000aa offline\n0000"
                                "0009a dev");
    struct fake_adb_server *peer = fake_adb_server_start(&answer, 1);
    struct server_client server = fake_adb_server_address(peer);
    struct server_tracker *tracker = NULL;
    struct server_device_list devices = {0};
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_client_track(&server, IN_TIME, &tracker, &err));
    assert_true(server_client_track_next(tracker, IN_TIME, &devices, &err));
    assert_string_equal(devices.items[0].state, "device");
    server_device_list_release(&devices);
    assert_true(server_client_track_next(tracker, IN_TIME, &devices, &err));
    assert_string_equal(devices.items[0].state, "offline");
    server_device_list_release(&devices);
    assert_true(server_client_track_next(tracker, IN_TIME, &devices, &err));
    assert_int_equal(devices.count, 0);
    for (int i = 0; i < 2; i++) {
        assert_false(server_client_track_next(tracker, deadline_in_ms(10),
                                              &devices, &err));
        assert_int_equal(err.code, ERR_TIMEOUT);
    }
    server_client_track_close(tracker);
    fake_adb_server_stop(peer);
}

static void features_are_requested_by_serial(void **state)
{
    static const struct fake_adb_server_answer answer = FAKE_ADB_SERVER_SAYS(
        "host-serial:10.0.0.2:5555:features", "OKAY0011shell_v2,what,cmd");
    struct fake_adb_server *peer = fake_adb_server_start(&answer, 1);
    struct server_client server = fake_adb_server_address(peer);
    feature_set features = 0;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_client_features(&server, "10.0.0.2:5555", IN_TIME,
                                       &features, &err));
    assert_int_equal(features,
                     FEATURE_BIT(FEATURE_SHELL_V2) | FEATURE_BIT(FEATURE_CMD));
    fake_adb_server_stop(peer);
}

static void service_transfers_bytes_to_their_end(void **state)
{
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host:transport:a", "OKAY"),
        {.request = "shell:date",
         .bytes = "OKAYnow\r\n\0!",
         .length = 11,
         .disconnect = true},
    };
    struct fake_adb_server *peer =
        fake_adb_server_start(answers, ARRAY_LEN(answers));
    struct server_client server = fake_adb_server_address(peer);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char said[7];
    size_t got;

    (void)state;
    assert_true(server_client_open_service(&server, "a", "shell:date", IN_TIME,
                                           &stream, &err));
    assert_true(stream_read_exact(stream, said, 7, IN_TIME, &err));
    assert_memory_equal(said, "now\r\n\0!", 7);
    assert_true(stream_read(stream, said, 7, IN_TIME, &got, &err));
    assert_int_equal(got, 0);
    stream_close(stream);
    fake_adb_server_stop(peer);
}

static void each_failure_to_open_a_service_has_its_error(void **state)
{
    static const struct {
        struct fake_adb_server_answer answers[2];
        enum err_code code;
        const char *text;
    } cases[] = {
        {{FAKE_ADB_SERVER_SAYS("host:transport:a",
                               "FAIL0014device 'a' not found")},
         ERR_NOT_FOUND,
         "adb says: device 'a' not found"},
        {{FAKE_ADB_SERVER_SAYS("host:transport:a", "FAIL000edevice offline")},
         ERR_LOST,
         "adb says: device offline"},
        {{FAKE_ADB_SERVER_SAYS("host:transport:a",
                               "FAIL0013device unauthorized")},
         ERR_UNAUTHORIZED,
         "adb says: device unauthorized"},
        {{FAKE_ADB_SERVER_SAYS("host:transport:a", "OKAY"),
          FAKE_ADB_SERVER_SAYS("framebuffer:", "FAIL0006closed")},
         ERR_REFUSED,
         "the device does not offer framebuffer"},
        /* Here the server closes the service. */
        {{FAKE_ADB_SERVER_SAYS("host:transport:a", "OKAY"),
          FAKE_ADB_SERVER_SAYS("-", "")},
         ERR_CLOSED,
         "adb closed the connection without an answer"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fake_adb_server *peer = fake_adb_server_start(
            cases[i].answers, cases[i].answers[1].request ? 2 : 1);
        struct server_client server = fake_adb_server_address(peer);
        struct stream *stream = NULL;
        struct err err = ERR_INIT;

        assert_false(server_client_open_service(
            &server, "a", "framebuffer:", IN_TIME, &stream, &err));
        assert_int_equal(err.code, cases[i].code);
        assert_string_equal(err.text, cases[i].text);
        assert_null(stream);
        fake_adb_server_stop(peer);
    }
}

static void a_request_too_long_to_frame_is_not_sent(void **state)
{
    struct fake_adb_server *peer = fake_adb_server_start(NULL, 0);
    struct server_client server = fake_adb_server_address(peer);
    char *request = mem_new(0x10001, 1);
    struct err err = ERR_INIT;

    (void)state;
    memset(request, 'x', 0x10000);
    assert_false(server_client_ask(&server, request, IN_TIME, NULL, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(request);
    fake_adb_server_stop(peer);
}

static void an_answer_beyond_the_callers_limit_is_refused(void **state)
{
    static const struct fake_adb_server_answer answer =
        FAKE_ADB_SERVER_SAYS("host:features", "OKAY0005abcde");
    struct fake_adb_server *peer = fake_adb_server_start(&answer, 1);
    struct server_client server = fake_adb_server_address(peer);
    struct buf reply = BUF_INIT(4);
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        server_client_ask(&server, "host:features", IN_TIME, &reply, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    buf_release(&reply);
    fake_adb_server_stop(peer);
}

static void a_cancelled_request_ends_at_once(void **state)
{
    static const struct fake_adb_server_answer silence =
        FAKE_ADB_SERVER_SAYS("host:version", "");
    struct fake_adb_server *peer = fake_adb_server_start(&silence, 1);
    struct server_client server = fake_adb_server_address(peer);
    struct cancel cancel;
    struct err err = ERR_INIT;
    unsigned version;

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    server.cancel = &cancel;
    assert_false(
        server_client_version(&server, DEADLINE_NEVER, &version, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    cancel_release(&cancel);
    fake_adb_server_stop(peer);
}

static void typed_text_is_not_traced(void **state)
{
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host:transport:a", "OKAY"),
        FAKE_ADB_SERVER_SAYS("shell:secret", "OKAY"),
    };
    struct fake_adb_server *peer =
        fake_adb_server_start(answers, ARRAY_LEN(answers));
    struct server_client server = fake_adb_server_address(peer);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char text[512] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");
    struct log log;

    (void)state;
    assert_non_null(out);
    assert_true(log_init(&log, out, "server", &err));
    server.log = &log;
    assert_true(server_client_open_service(&server, "a", "shell:secret",
                                           IN_TIME, &stream, &err));
    stream_close(stream);
    fclose(out);
    assert_non_null(strstr(text, "host:transport:a"));
    assert_non_null(strstr(text, "a: shell, 12 bytes"));
    assert_null(strstr(text, "secret"));
    fake_adb_server_stop(peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(default_server_is_on_this_computer,
                               clear_environment),
        cmocka_unit_test_setup(the_environment_names_another_server,
                               clear_environment),
        cmocka_unit_test_setup(invalid_environment_is_refused,
                               clear_environment),
        cmocka_unit_test(missing_server_is_reported),
        cmocka_unit_test(the_version_is_a_hexadecimal_number),
        cmocka_unit_test(answer_truncated_at_any_byte_is_an_error),
        cmocka_unit_test(an_answer_stalled_at_any_byte_ends_at_the_deadline),
        cmocka_unit_test(garbage_is_a_protocol_error),
        cmocka_unit_test(a_list_may_be_empty_or_long),
        cmocka_unit_test(list_is_followed_across_timeouts),
        cmocka_unit_test(features_are_requested_by_serial),
        cmocka_unit_test(service_transfers_bytes_to_their_end),
        cmocka_unit_test(each_failure_to_open_a_service_has_its_error),
        cmocka_unit_test(a_request_too_long_to_frame_is_not_sent),
        cmocka_unit_test(an_answer_beyond_the_callers_limit_is_refused),
        cmocka_unit_test(a_cancelled_request_ends_at_once),
        cmocka_unit_test(typed_text_is_not_traced),
    };

    return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
