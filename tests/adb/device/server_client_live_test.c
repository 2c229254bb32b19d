/* A real adb server, and a real device behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/device/server_client.h"
#include "adb/discover/discover.h"
#include "tests/support/adb/tcp_phone.h"

#define IN_TIME deadline_in_ms(60000)

/* The port at which our phone looks like an emulator. */
#define EMULATOR_CONSOLE 5572
#define EMULATOR_SERIAL "emulator-5572"

static struct server_client real_server(void)
{
    struct server_client server;
    struct err err = ERR_INIT;

    if (!server_client_from_environment(&server, &err))
        fail_msg("%s", err.text);
    return server;
}

static const char *real_serial(void)
{
    const char *serial = getenv("PROCTOR_PEER_ADBD");

    assert_non_null(serial);
    return serial;
}

static const char *real_port(void)
{
    return strrchr(real_serial(), ':') + 1;
}

/* Let the server connect to an address, or disconnect. */
static void ask(const char *what, const char *address)
{
    struct server_client server = real_server();
    struct buf reply = BUF_INIT(4096);
    struct err err = ERR_INIT;
    char request[128];

    snprintf(request, sizeof(request), "host:%s:%s", what, address);
    if (!server_client_ask(&server, request, IN_TIME, &reply, &err))
        fail_msg("%s: %s", request, err.text);
    buf_release(&reply);
}

static const struct server_device *find(
    const struct server_device_list *devices, const char *serial)
{
    for (size_t i = 0; i < devices->count; i++) {
        if (!strcmp(devices->items[i].serial, serial))
            return &devices->items[i];
    }
    return NULL;
}

static void server_reports_its_version(void **state)
{
    struct server_client server = real_server();
    struct err err = ERR_INIT;
    unsigned version = 0;

    (void)state;
    assert_true(server_client_version(&server, IN_TIME, &version, &err));
    assert_int_equal(version, 41);
}

static void the_device_is_listed(void **state)
{
    struct server_client server = real_server();
    struct server_device_list devices = {0};
    const struct server_device *device;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_client_list(&server, IN_TIME, &devices, &err));
    device = find(&devices, real_serial());
    assert_non_null(device);
    assert_string_equal(device->state, "device");
    assert_true(device->transport_id > 0);
    server_device_list_release(&devices);
}

static void features_of_the_device_are_read(void **state)
{
    struct server_client server = real_server();
    feature_set features = 0;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(server_client_features(&server, real_serial(), IN_TIME,
                                       &features, &err));
    assert_true(features & FEATURE_BIT(FEATURE_SHELL_V2));
    assert_true(features & FEATURE_BIT(FEATURE_SENDRECV_V2_ZSTD));
    assert_false(server_client_features(&server, "no-such-phone", IN_TIME,
                                        &features, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void assert_echoes(struct device *device)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char said[6];
    size_t got;

    if (!device_open_service(device, "shell:echo hello", IN_TIME, &stream,
                             &err))
        fail_msg("%s", err.text);
    assert_true(stream_read_exact(stream, said, 5, IN_TIME, &err));
    assert_memory_equal(said, "hello", 5);
    do
        assert_true(stream_read(stream, said, 6, IN_TIME, &got, &err));
    while (got);
    stream_close(stream);
}

static void a_shell_runs_through_the_server(void **state)
{
    struct server_client server = real_server();
    struct device *device = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(
        device_open_server(&server, real_serial(), IN_TIME, &device, &err));
    assert_null(device_conn(device));
    assert_true(device_has(device, FEATURE_SHELL_V2));
    assert_echoes(device);
    device_close(device);
}

static void unknown_service_is_refused(void **state)
{
    struct server_client server = real_server();
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(server_client_open_service(
        &server, real_serial(), "framebuffer:", IN_TIME, &stream, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    assert_string_equal(err.text, "the device does not offer framebuffer");
}

static void a_serial_unknown_to_the_server_is_not_found(void **state)
{
    struct server_client server = real_server();
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(server_client_open_service(
        &server, "no-such-phone", "shell:true", IN_TIME, &stream, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_string_equal(err.text, "adb says: device 'no-such-phone' not found");
}

static void unknown_request_fails_with_the_servers_message(void **state)
{
    struct server_client server = real_server();
    struct err err = ERR_INIT;

    (void)state;
    assert_false(server_client_ask(&server, "host:dance", IN_TIME, NULL, &err));
    assert_int_equal(err.code, ERR_REMOTE);
    assert_non_null(strstr(err.text, "adb says: "));
}

/* Follow the list until serial has that state; NULL: is not listed. */
static void track_until(struct server_tracker *tracker, const char *serial,
                        const char *wanted)
{
    struct deadline by = IN_TIME;
    bool seen = false;

    while (!seen) {
        struct server_device_list devices = {0};
        const struct server_device *device;
        struct err err = ERR_INIT;

        if (!server_client_track_next(tracker, by, &devices, &err))
            fail_msg("%s", err.text);
        device = find(&devices, serial);
        seen = wanted ? device && !strcmp(device->state, wanted) : !device;
        server_device_list_release(&devices);
    }
}

static void a_phone_that_accepts_no_key_is_unauthorized(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_WANTS_KEY);
    struct server_client server = real_server();
    struct server_device_list devices = {0};
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    char serial[TCP_ADDRESS_MAX];

    (void)state;
    tcp_format_address("127.0.0.1", tcp_phone_port(phone), serial);
    ask("connect", serial);
    assert_true(server_client_list(&server, IN_TIME, &devices, &err));
    assert_non_null(find(&devices, serial));
    assert_string_equal(find(&devices, serial)->state, "unauthorized");
    server_device_list_release(&devices);
    assert_false(server_client_open_service(&server, serial, "shell:true",
                                            IN_TIME, &stream, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    ask("disconnect", serial);
    tcp_phone_stop(phone);
}

static void list_follows_phones_that_connect_and_disconnect(void **state)
{
    struct server_client server = real_server();
    struct server_tracker *tracker = NULL;
    struct server_device_list devices;
    struct err err = ERR_INIT;
    char second[TCP_ADDRESS_MAX];

    (void)state;
    snprintf(second, sizeof(second), "localhost:%s", real_port());
    assert_true(server_client_track(&server, IN_TIME, &tracker, &err));
    track_until(tracker, real_serial(), "device");
    assert_false(
        server_client_track_next(tracker, deadline_in_ms(50), &devices, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    ask("connect", second);
    track_until(tracker, second, "device");
    ask("disconnect", second);
    track_until(tracker, second, NULL);
    server_client_track_close(tracker);
}

static void discovery_prefers_the_direct_way(void **state)
{
    struct server_client server = real_server();
    struct known_hosts known_hosts = {.count = 1};
    struct discover discover = {.server = &server, .known_hosts = &known_hosts};
    struct discover_entries entries = {0};
    struct device *device = NULL;
    struct err err = ERR_INIT;
    char serial[TCP_ADDRESS_MAX];

    (void)state;
    snprintf(serial, sizeof(serial), "%s", real_serial());
    known_hosts.addresses[0] = serial;
    assert_true(discover_list(&discover, IN_TIME, &entries, &err));
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].serial, real_serial());
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_true(entries.items[0].transport_id > 0);
    discover_entries_release(&entries);

    assert_true(discover_open(&discover, NULL, IN_TIME, &device, &err));
    assert_non_null(device_conn(device));
    assert_echoes(device);
    device_close(device);
}

static void an_emulator_is_found_by_its_port(void **state)
{
    struct tcp_phone *phone =
        tcp_phone_start(EMULATOR_CONSOLE + 1, TCP_PHONE_TRUSTS);
    struct discover discover = {.emulators = true};
    struct discover_entries entries = {0};
    struct device *device = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(discover_list(&discover, IN_TIME, &entries, &err));
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].serial, EMULATOR_SERIAL);
    discover_entries_release(&entries);
    assert_true(
        discover_open(&discover, EMULATOR_SERIAL, IN_TIME, &device, &err));
    assert_string_equal(device_serial(device), EMULATOR_SERIAL);
    device_close(device);
    tcp_phone_stop(phone);
}

static void stopped_server_ends_the_following(void **state)
{
    struct server_client server = real_server();
    struct server_tracker *tracker = NULL;
    struct server_device_list devices = {0};
    struct err err = ERR_INIT;
    unsigned version;

    (void)state;
    assert_true(server_client_track(&server, IN_TIME, &tracker, &err));
    track_until(tracker, real_serial(), "device");
    assert_true(server_client_ask(&server, "host:kill", IN_TIME, NULL, &err));
    while (server_client_track_next(tracker, IN_TIME, &devices, &err))
        server_device_list_release(&devices);
    assert_int_equal(err.code, ERR_CLOSED);
    server_client_track_close(tracker);
    assert_false(server_client_version(&server, IN_TIME, &version, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(server_reports_its_version),
        cmocka_unit_test(the_device_is_listed),
        cmocka_unit_test(features_of_the_device_are_read),
        cmocka_unit_test(a_shell_runs_through_the_server),
        cmocka_unit_test(unknown_service_is_refused),
        cmocka_unit_test(a_serial_unknown_to_the_server_is_not_found),
        cmocka_unit_test(unknown_request_fails_with_the_servers_message),
        cmocka_unit_test(a_phone_that_accepts_no_key_is_unauthorized),
        cmocka_unit_test(list_follows_phones_that_connect_and_disconnect),
        cmocka_unit_test(discovery_prefers_the_direct_way),
        cmocka_unit_test(an_emulator_is_found_by_its_port),
        /* This test must be the last: it stops the server. */
        cmocka_unit_test(stopped_server_ends_the_following),
    };

    return cmocka_run_group_tests_name("server_live", tests, NULL, NULL);
}
