/* Which phones are listed. */
#include "adb/discover/discover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/adb/discover_sources.h"
#include "tests/support/adb/old_phone.h"
#include "tests/support/adb/tcp_phone.h"

static void known_phone_that_answers_is_listed_with_its_name(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct discover_entries entries;
    struct discover_sources sources;
    const char *serial;

    (void)state;
    discover_sources_init(&sources);
    serial = discover_sources_add_known(&sources, tcp_phone_port(phone));
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].serial, serial);
    assert_string_equal(entries.items[0].state, "device");
    assert_string_equal(entries.items[0].model, "Loop Device");
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_string_equal(entries.items[0].reason, "");
    assert_true(discover_usable(&entries.items[0]));
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void unusable_phone_is_listed_with_the_reason(void **state)
{
    struct tcp_phone *locked = tcp_phone_start(0, TCP_PHONE_WANTS_KEY);
    struct tcp_phone *silent = tcp_phone_start(0, TCP_PHONE_SILENT);
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, tcp_phone_port(locked));
    discover_sources_add_known(&sources, tcp_phone_port(silent));
    discover_sources_add_known(&sources, tcp_phone_refusing_port());
    entries = discover_sources_list(&sources, deadline_in_ms(5000));
    assert_int_equal(entries.count, 3);
    assert_string_equal(entries.items[0].state, "unauthorized");
    assert_non_null(strstr(entries.items[0].reason, "key"));
    assert_string_equal(entries.items[1].state, "offline");
    assert_non_null(strstr(entries.items[1].reason, "in time"));
    assert_string_equal(entries.items[2].state, "offline");
    assert_non_null(strstr(entries.items[2].reason, "refused"));
    for (size_t i = 0; i < 3; i++)
        assert_false(discover_usable(&entries.items[i]));
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    tcp_phone_stop(locked);
    tcp_phone_stop(silent);
}

static void phones_of_a_server_are_listed(void **state)
{
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_server(
        &sources,
        "abc device product:p model:m device:d transport_id:7\n"
        "def offline\n",
        "abc");
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.server.code, ERR_NONE);
    assert_int_equal(entries.count, 2);
    assert_string_equal(entries.items[0].serial, "abc");
    assert_string_equal(entries.items[0].product, "p");
    assert_string_equal(entries.items[0].model, "m");
    assert_string_equal(entries.items[0].device, "d");
    assert_int_equal(entries.items[0].transport_id, 7);
    assert_int_equal(entries.items[0].route, DISCOVER_SERVER);
    assert_string_equal(entries.items[1].state, "offline");
    discover_entries_release(&entries);
    discover_sources_release(&sources);
}

static void phone_reached_both_ways_is_listed_once_as_direct(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct discover_entries entries;
    struct discover_sources sources;
    char text[128];

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, tcp_phone_port(phone));
    snprintf(text, sizeof(text), "localhost:%u device transport_id:9\n",
             (unsigned)tcp_phone_port(phone));
    discover_sources_add_server(&sources, text, "-");
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_int_equal(entries.items[0].transport_id, 9);
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void a_broken_server_hides_no_other_phone(void **state)
{
    static const struct fake_adb_server_answer answer =
        FAKE_ADB_SERVER_SAYS("host:devices-l", "HTTP/1.1 400");
    struct fake_adb_server *peer = fake_adb_server_start(&answer, 1);
    struct server_client server = fake_adb_server_address(peer);
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, tcp_phone_refusing_port());
    sources.discover.server = &server;
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.server.code, ERR_PROTOCOL);
    assert_int_equal(entries.count, 1);
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    fake_adb_server_stop(peer);
}

static void a_cancelled_search_ends_at_once(void **state)
{
    struct tcp_phone *silent = tcp_phone_start(0, TCP_PHONE_SILENT);
    struct discover_entries entries = {0};
    struct discover_sources sources;
    struct cancel cancel;
    struct err err = ERR_INIT;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, tcp_phone_port(silent));
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    sources.discover.cancel = &cancel;
    assert_false(
        discover_list(&sources.discover, DEADLINE_NEVER, &entries, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    cancel_release(&cancel);
    discover_sources_release(&sources);
    tcp_phone_stop(silent);
}

static void a_phone_that_announces_itself_is_listed(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_announced(
        &sources, "adb-1._adb-tls-connect._tcp.local", tcp_phone_port(phone));
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].announced, "adb-1");
    assert_string_equal(entries.items[0].state, "device");
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void phone_that_only_offers_pairing_is_not_listed(void **state)
{
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_announced(&sources,
                                   "adb-1._adb-tls-pairing._tcp.local", 1);
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 0);
    discover_sources_release(&sources);
}

static void a_known_phone_that_announces_itself_is_listed_once(void **state)
{
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, tcp_phone_port(phone));
    discover_sources_add_announced(&sources, "adb-1._adb._tcp.local",
                                   tcp_phone_port(phone));
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].announced, "adb-1");
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void announced_phone_and_the_servers_entry_are_one(void **state)
{
    static const char serial[] = "adb-1._adb-tls-connect._tcp";
    struct tcp_phone *phone = tcp_phone_start(0, TCP_PHONE_TRUSTS);
    struct discover_entries entries;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_server(
        &sources, "adb-1._adb-tls-connect._tcp  device transport_id:7\n",
        serial);
    discover_sources_add_announced(
        &sources, "adb-1._adb-tls-connect._tcp.local", tcp_phone_port(phone));
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_int_equal(entries.items[0].transport_id, 7);
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    tcp_phone_stop(phone);
}

static void listed_phones_are_not_connected_again(void **state)
{
    struct old_phone *phone = old_phone_start(0);
    struct discover_entries entries;
    struct device *device;
    struct discover_sources sources;

    (void)state;
    discover_sources_init(&sources);
    discover_sources_add_known(&sources, old_phone_port(phone));
    entries = discover_sources_list(&sources, DISCOVER_SOURCES_IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_null(entries.items[0].opened);
    device = old_phone_open(phone); /* which would not be answered */
    device_close(device);
    discover_entries_release(&entries);
    discover_sources_release(&sources);
    old_phone_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_phone_that_answers_is_listed_with_its_name),
        cmocka_unit_test(unusable_phone_is_listed_with_the_reason),
        cmocka_unit_test(phones_of_a_server_are_listed),
        cmocka_unit_test(phone_reached_both_ways_is_listed_once_as_direct),
        cmocka_unit_test(a_broken_server_hides_no_other_phone),
        cmocka_unit_test(a_cancelled_search_ends_at_once),
        cmocka_unit_test(a_phone_that_announces_itself_is_listed),
        cmocka_unit_test(phone_that_only_offers_pairing_is_not_listed),
        cmocka_unit_test(a_known_phone_that_announces_itself_is_listed_once),
        cmocka_unit_test(announced_phone_and_the_servers_entry_are_one),
        cmocka_unit_test(listed_phones_are_not_connected_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
