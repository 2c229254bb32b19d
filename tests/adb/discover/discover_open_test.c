/* Which phone is opened for a serial, or without one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "tests/support/adb/discover_sources.h"
#include "tests/support/adb/old_phone.h"
#include "tests/support/adb/tcp_phone.h"

static void each_serial_has_its_source(void **state)
{
    static const struct {
        const char *serial;
        const char *host; /* NULL: nowhere */
        uint16_t port;
        uint16_t console;
    } cases[] = {
        {"10.0.0.2:5555", "10.0.0.2", 5555, 0},
        {"10.0.0.2", "10.0.0.2", 5555, 0},
        {"phone.local:6000", "phone.local", 6000, 0},
        {"[fe80::1]:6000", "fe80::1", 6000, 0},
        {"fe80::1", "fe80::1", 5555, 0},
        {"kitchen", "kitchen", 6001, 0},
        {"emulator-5554", "127.0.0.1", 5555, 5554},
        {"emulator-5584", "127.0.0.1", 5585, 5584},
        {"emulator-65534", "127.0.0.1", 65535, 65534},
        {"emulator-65535", NULL, 0, 0},
        {"emulator-0", NULL, 0, 0},
        {"emulator-", NULL, 0, 0},
        {"emulator-x", NULL, 0, 0},
        {"emulator- 5554", NULL, 0, 0},
        {"6563c026", NULL, 0, 0},
        {"phone.local", NULL, 0, 0},
        {"phone:port", NULL, 0, 0},
        {"adb-1A2B-xYz._adb-tls-connect._tcp", NULL, 0, 0},
    };
    struct known_hosts known_hosts = {.addresses = {mem_dup("kitchen:6001")},
                                      .count = 1};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct discover_address address;

        assert_int_equal(
            discover_parse_serial(cases[i].serial, &known_hosts, &address),
            cases[i].host != NULL);
        if (!cases[i].host)
            continue;
        assert_string_equal(address.host, cases[i].host);
        assert_int_equal(address.port, cases[i].port);
        assert_int_equal(address.console, cases[i].console);
    }
    known_hosts_release(&known_hosts);
}

static void phone_that_trusts_only_the_server_is_opened_through_it(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_WANTS_KEY);
    struct discover_entries entries;
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;
    const char *serial;
    char text[128];

    (void)state;
    discover_sources_init(&sources);
    serial = discover_sources_add_known(&sources, tcp_phone_port(phone));
    snprintf(text, sizeof(text), "%s device transport_id:9\n", serial);
    discover_sources_add_server(&sources, text, serial);
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_int_equal(entries.items[0].route, DISCOVER_SERVER);
    assert_true(discover_usable(&entries.items[0]));
    discover_entries_release(&entries);

    assert_true(discover_open(&sources.discover, serial,
                              DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_null(device_conn(device));
    assert_string_equal(device_serial(device), serial);
    assert_true(device_has(device, FEATURE_SHELL_V2));
    device_close(device);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void an_address_is_opened_directly(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct stream *stream = NULL;
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;
    const char *serial;
    char said[5];

    (void)state;
    discover_sources_init(&sources);
    serial = discover_sources_add_known(&sources, tcp_phone_port(phone));
    if (!discover_open(&sources.discover, serial, DISCOVER_SOURCES_IN_TIME,
                       &device, &err))
        fail_msg("%s", err.text);
    assert_non_null(device_conn(device));
    assert_null(device_server(device));
    assert_string_equal(device_serial(device), serial);
    assert_true(device_has(device, FEATURE_SHELL_V2));
    assert_true(device_open_service(device, "say:hello",
                                    DISCOVER_SOURCES_IN_TIME, &stream, &err));
    assert_true(
        stream_read_exact(stream, said, 5, DISCOVER_SOURCES_IN_TIME, &err));
    assert_memory_equal(said, "hello", 5);
    stream_close(stream);
    assert_false(device_open_service(device, "none:", DISCOVER_SOURCES_IN_TIME,
                                     &stream, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    device_close(device);

    assert_true(discover_open(&sources.discover, "127.0.0.1",
                              DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_string_equal(device_serial(device), serial);
    device_close(device);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void an_address_that_refuses_is_tried_at_the_server(void **state)
{
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;
    char serial[TCP_ADDRESS_MAX];

    (void)state;
    tcp_format_address("127.0.0.1", tcp_phone_refusing_port(), serial);
    discover_sources_init(&sources);
    discover_sources_add_server(&sources, "", serial);
    assert_true(discover_open(&sources.discover, serial,
                              DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_non_null(device_server(device));
    device_close(device);
    discover_sources_release(&sources);
}

static void address_without_a_phone_is_unreachable(void **state)
{
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;
    char serial[TCP_ADDRESS_MAX];

    (void)state;
    tcp_format_address("127.0.0.1", tcp_phone_refusing_port(), serial);
    discover_sources_init(&sources);
    discover_sources_add_server(&sources, "abc device\n", "abc");
    assert_false(discover_open(&sources.discover, serial,
                               DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_null(device);
    discover_sources_release(&sources);
}

/* Open serial while a server lists text; must fail with that error. */
static void assert_open_fails(const char *text, const char *serial,
                              enum err_code code, const char *message)
{
    struct fake_adb_server_answer answers[] = {
        {.request = "host:devices-l"},
        FAKE_ADB_SERVER_SAYS("host-serial:ghost:features",
                             "FAIL0018device 'ghost' not found"),
    };
    struct buf listing = BUF_INIT(1 << 16);
    struct device *device = NULL;
    struct fake_adb_server *peer;
    struct server_client server;
    struct err err = ERR_INIT;

    buf_printf(&listing, "OKAY%04zx%s", strlen(text), text);
    answers[0].bytes = listing.data;
    answers[0].length = listing.length;
    peer = fake_adb_server_start(answers, ARRAY_LEN(answers));
    server = fake_adb_server_address(peer);
    assert_false(discover_open(&(struct discover){.server = &server}, serial,
                               DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_int_equal(err.code, code);
    assert_string_equal(err.text, message);
    assert_null(device);
    fake_adb_server_stop(peer);
    buf_release(&listing);
}

static void unknown_serial_is_reported_with_the_known_phones(void **state)
{
    (void)state;
    assert_open_fails("a device\nb offline\n", "ghost", ERR_NOT_FOUND,
                      "no device \"ghost\"; there are: a (device), "
                      "b (offline)");
    assert_open_fails(
        "", "ghost", ERR_NOT_FOUND,
        "no device \"ghost\", nor any other: plug in a phone that "
        "has USB debugging on, start an emulator, or give "
        "HOST:PORT");
}

static void missing_emulator_is_reported_with_the_known_phones(void **state)
{
    char serial[32];
    char message[128];

    (void)state;
    snprintf(serial, sizeof(serial), "emulator-%d",
             tcp_phone_refusing_port() - 1);
    snprintf(message, sizeof(message),
             "no device \"%s\"; there are: a (device)", serial);
    assert_open_fails("a device\n", serial, ERR_NOT_FOUND, message);
}

static void without_a_serial_several_phones_are_an_error(void **state)
{
    (void)state;
    assert_open_fails("a device\nb recovery\nc offline\n", NULL, ERR_INVALID,
                      "several devices, name one by its serial: a (device), "
                      "b (recovery), c (offline)");
    assert_open_fails("a unauthorized\nb offline\n", "", ERR_NOT_FOUND,
                      "no device can be used; there are: a (unauthorized), "
                      "b (offline)");
    assert_open_fails("", NULL, ERR_NOT_FOUND,
                      "no device found: plug in a phone that has USB debugging "
                      "on, start an emulator, or connect to a phone by "
                      "HOST:PORT");
}

static void only_usable_phone_needs_no_serial(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;
    const char *serial;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, tcp_phone_refusing_port());
    serial = discover_sources_add_known(&sources, tcp_phone_port(phone));
    discover_sources_add_server(&sources, "b unauthorized\n", "b");
    if (!discover_open(&sources.discover, NULL, DISCOVER_SOURCES_IN_TIME,
                       &device, &err))
        fail_msg("%s", err.text);
    assert_string_equal(device_serial(device), serial);
    device_close(device);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void without_a_server_the_error_lists_known_phones(void **state)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(discover_open(&(struct discover){0}, "ghost",
                               DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void a_long_list_is_cut_to_the_error(void **state)
{
    struct buf text = BUF_INIT(1 << 16);
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;

    (void)state;
    for (int i = 0; i < 100; i++)
        buf_printf(&text, "phone-%d device\n", i);
    discover_sources_init(&sources);
    discover_sources_add_server(&sources, buf_cstr(&text), "-");
    assert_false(discover_open(&sources.discover, NULL,
                               DISCOVER_SOURCES_IN_TIME, &device, &err));
    assert_non_null(strstr(err.text, "phone-0 (device), phone-1 (device)"));
    assert_string_equal(err.text + strlen(err.text) - 5, ", ...");
    discover_sources_release(&sources);
    buf_release(&text);
}

static void mdns_is_used_when_there_is_no_other_phone(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct device *device = NULL;
    struct discover_sources sources;
    struct err err = ERR_INIT;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_announced(
        &sources, "adb-1._adb-tls-connect._tcp.local", tcp_phone_port(phone));
    if (!discover_open(&sources.discover, NULL, DISCOVER_SOURCES_IN_TIME,
                       &device, &err))
        fail_msg("%s", err.text);
    device_close(device);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

/* It does not answer a second connection. */
static void the_only_phone_is_used_over_the_connection_that_found_it(
    void **state)
{
    struct old_phone *phone = old_phone_start(0);
    struct shell_result result;
    struct discover_sources sources;
    struct device *device;
    struct err err = ERR_INIT;
    const char *serial;

    (void)state;
    discover_sources_init(&sources);
    serial = discover_sources_add_known(&sources, old_phone_port(phone));
    if (!discover_open(&sources.discover, NULL, DISCOVER_SOURCES_IN_TIME,
                       &device, &err) ||
        !shell_run(device, "echo hello", 100, DISCOVER_SOURCES_IN_TIME, &result,
                   &err))
        fail_msg("%s", err.text);
    assert_string_equal(device_serial(device), serial);
    assert_string_equal(buf_cstr(&result.out), "hello\n");
    assert_int_equal(old_phone_connections(phone), 1);
    shell_result_release(&result);
    device_close(device);
    discover_sources_release(&sources);
    old_phone_stop(phone);
}

/* Happens when another connection was closed just before. */
static void connection_that_is_never_answered_is_retried(void **state)
{
    struct old_phone *phone = old_phone_start(1);
    struct device *device = old_phone_open(phone);

    (void)state;
    assert_int_equal(old_phone_connections(phone), 2);
    device_close(device);
    old_phone_stop(phone);
}

static void only_phone_is_found_after_a_first_failure(void **state)
{
    struct old_phone *phone = old_phone_start(1);
    struct discover_sources sources;
    struct device *device;
    struct err err = ERR_INIT;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, old_phone_port(phone));
    if (!discover_open(&sources.discover, NULL, DISCOVER_SOURCES_IN_TIME,
                       &device, &err))
        fail_msg("%s", err.text);
    assert_int_equal(old_phone_connections(phone), 2);
    device_close(device);
    discover_sources_release(&sources);
    old_phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_serial_has_its_source),
        cmocka_unit_test(
            phone_that_trusts_only_the_server_is_opened_through_it),
        cmocka_unit_test(an_address_is_opened_directly),
        cmocka_unit_test(an_address_that_refuses_is_tried_at_the_server),
        cmocka_unit_test(address_without_a_phone_is_unreachable),
        cmocka_unit_test(unknown_serial_is_reported_with_the_known_phones),
        cmocka_unit_test(missing_emulator_is_reported_with_the_known_phones),
        cmocka_unit_test(without_a_serial_several_phones_are_an_error),
        cmocka_unit_test(only_usable_phone_needs_no_serial),
        cmocka_unit_test(without_a_server_the_error_lists_known_phones),
        cmocka_unit_test(a_long_list_is_cut_to_the_error),
        cmocka_unit_test(mdns_is_used_when_there_is_no_other_phone),
        cmocka_unit_test(
            the_only_phone_is_used_over_the_connection_that_found_it),
        cmocka_unit_test(connection_that_is_never_answered_is_retried),
        cmocka_unit_test(only_phone_is_found_after_a_first_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
