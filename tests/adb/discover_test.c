#include "adb/discover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "tests/support/mdns_peer.h"
#include "tests/support/phone_peer.h"
#include "tests/support/server_peer.h"

#define IN_TIME deadline_in_ms(60000)

/* Where a test looks: a server that lists some text, and known addresses. */
struct places {
    struct server_peer_answer answers[2];
    struct buf listing;
    struct buf features_of;
    struct server_peer *peer;
    struct server server;
    struct known known;
    struct buf announcement;
    struct mdns_peer *network;
    struct mdns mdns;
    struct discover discover;
};

static void places_init(struct places *places)
{
    *places = (struct places){.listing = BUF_INIT(4096),
                              .features_of = BUF_INIT(4096),
                              .announcement = BUF_INIT(4096)};
    places->discover.known = &places->known;
}

/* Run a server that lists text and tells the features of serial. */
static void add_server(struct places *places, const char *text,
                       const char *serial)
{
    buf_printf(&places->listing, "OKAY%04zx%s", strlen(text), text);
    buf_printf(&places->features_of, "host-serial:%s:features", serial);
    places->answers[0] = (struct server_peer_answer){
        .request = "host:devices-l",
        .bytes = places->listing.data,
        .length = places->listing.length,
    };
    places->answers[1] = (struct server_peer_answer)SERVER_PEER_SAYS(
        places->features_of.data, "OKAY0008shell_v2");
    places->peer = server_peer_start(places->answers, 2);
    places->server = server_peer_address(places->peer);
    places->discover.server = &places->server;
}

static const char *add_known(struct places *places, uint16_t port)
{
    char address[TCP_ADDRESS_MAX];

    tcp_format_address("127.0.0.1", port, address);
    places->known.addresses[places->known.count] = mem_dup(address);
    return places->known.addresses[places->known.count++];
}

/* A phone on this computer announces itself on the network. */
static void add_announced(struct places *places, const char *name,
                          uint16_t port)
{
    const struct mdns_peer_service service = {name, "phone.local", "127.0.0.1",
                                              port};

    mdns_peer_answer(&service, 1, &places->announcement);
    places->network = mdns_peer_start(&places->announcement);
    places->mdns.responder = mdns_peer_address(places->network);
    places->discover.mdns = &places->mdns;
}

static void places_release(struct places *places)
{
    if (places->network)
        mdns_peer_stop(places->network);
    buf_release(&places->announcement);
    if (places->peer)
        server_peer_stop(places->peer);
    buf_release(&places->listing);
    buf_release(&places->features_of);
    known_release(&places->known);
}

/* A port that refuses: it was free a moment ago. */
static uint16_t refusing_port(void)
{
    struct phone_peer *peer = phone_peer_start(0, PHONE_PEER_SILENT);
    uint16_t port = phone_peer_port(peer);

    phone_peer_stop(peer);
    return port;
}

static struct discover_entries list(const struct places *places,
                                    struct deadline by)
{
    struct discover_entries entries = {0};
    struct err err = ERR_INIT;

    if (!discover_list(&places->discover, by, &entries, &err))
        fail_msg("%s", err.text);
    return entries;
}

static void each_serial_leads_where_it_should(void **state)
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
    struct known known = {.addresses = {mem_dup("kitchen:6001")}, .count = 1};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct discover_address address;

        assert_int_equal(
            discover_parse_serial(cases[i].serial, &known, &address),
            cases[i].host != NULL);
        if (!cases[i].host)
            continue;
        assert_string_equal(address.host, cases[i].host);
        assert_int_equal(address.port, cases[i].port);
        assert_int_equal(address.console, cases[i].console);
    }
    known_release(&known);
}

static void a_known_phone_that_answers_tells_its_name(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct discover_entries entries;
    struct places places;
    const char *serial;

    (void)state;
    places_init(&places);
    serial = add_known(&places, phone_peer_port(phone));
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].serial, serial);
    assert_string_equal(entries.items[0].state, "device");
    assert_string_equal(entries.items[0].model, "Loop Device");
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_string_equal(entries.items[0].reason, "");
    assert_true(discover_usable(&entries.items[0]));
    discover_entries_release(&entries);
    places_release(&places);
    phone_peer_stop(phone);
}

static void a_phone_that_cannot_be_used_says_why(void **state)
{
    struct phone_peer *locked = phone_peer_start(0, PHONE_PEER_WANTS_KEY);
    struct phone_peer *silent = phone_peer_start(0, PHONE_PEER_SILENT);
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_known(&places, phone_peer_port(locked));
    add_known(&places, phone_peer_port(silent));
    add_known(&places, refusing_port());
    entries = list(&places, deadline_in_ms(5000));
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
    places_release(&places);
    phone_peer_stop(locked);
    phone_peer_stop(silent);
}

static void what_a_server_has_is_listed(void **state)
{
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_server(&places,
               "abc device product:p model:m device:d transport_id:7\n"
               "def offline\n",
               "abc");
    entries = list(&places, IN_TIME);
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
    places_release(&places);
}

static void a_phone_reached_both_ways_is_one_and_direct(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct discover_entries entries;
    struct places places;
    char text[128];

    (void)state;
    places_init(&places);
    add_known(&places, phone_peer_port(phone));
    snprintf(text, sizeof(text), "localhost:%u device transport_id:9\n",
             (unsigned)phone_peer_port(phone));
    add_server(&places, text, "-");
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_int_equal(entries.items[0].transport_id, 9);
    discover_entries_release(&entries);
    places_release(&places);
    phone_peer_stop(phone);
}

static void a_phone_that_trusts_only_the_server_goes_through_it(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_WANTS_KEY);
    struct discover_entries entries;
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;
    const char *serial;
    char text[128];

    (void)state;
    places_init(&places);
    serial = add_known(&places, phone_peer_port(phone));
    snprintf(text, sizeof(text), "%s device transport_id:9\n", serial);
    add_server(&places, text, serial);
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_int_equal(entries.items[0].route, DISCOVER_SERVER);
    assert_true(discover_usable(&entries.items[0]));
    discover_entries_release(&entries);

    assert_true(
        discover_open(&places.discover, serial, IN_TIME, &device, &err));
    assert_null(device_conn(device));
    assert_string_equal(device_serial(device), serial);
    assert_true(device_has(device, FEATURE_SHELL_V2));
    device_close(device);
    places_release(&places);
    phone_peer_stop(phone);
}

static void a_broken_server_hides_no_other_phone(void **state)
{
    static const struct server_peer_answer answer =
        SERVER_PEER_SAYS("host:devices-l", "HTTP/1.1 400");
    struct server_peer *peer = server_peer_start(&answer, 1);
    struct server server = server_peer_address(peer);
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_known(&places, refusing_port());
    places.discover.server = &server;
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.server.code, ERR_PROTOCOL);
    assert_int_equal(entries.count, 1);
    discover_entries_release(&entries);
    places_release(&places);
    server_peer_stop(peer);
}

static void a_cancelled_search_ends_at_once(void **state)
{
    struct phone_peer *silent = phone_peer_start(0, PHONE_PEER_SILENT);
    struct discover_entries entries = {0};
    struct places places;
    struct cancel cancel;
    struct err err = ERR_INIT;

    (void)state;
    places_init(&places);
    add_known(&places, phone_peer_port(silent));
    assert_true(cancel_init(&cancel, &err));
    cancel_fire(&cancel);
    places.discover.cancel = &cancel;
    assert_false(
        discover_list(&places.discover, DEADLINE_NEVER, &entries, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    cancel_release(&cancel);
    places_release(&places);
    phone_peer_stop(silent);
}

static void an_address_is_opened_directly(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct stream *stream = NULL;
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;
    const char *serial;
    char said[5];

    (void)state;
    places_init(&places);
    serial = add_known(&places, phone_peer_port(phone));
    if (!discover_open(&places.discover, serial, IN_TIME, &device, &err))
        fail_msg("%s", err.text);
    assert_non_null(device_conn(device));
    assert_null(device_server(device));
    assert_string_equal(device_serial(device), serial);
    assert_true(device_has(device, FEATURE_SHELL_V2));
    assert_true(
        device_open_service(device, "say:hello", IN_TIME, &stream, &err));
    assert_true(stream_read_exact(stream, said, 5, IN_TIME, &err));
    assert_memory_equal(said, "hello", 5);
    stream_close(stream);
    assert_false(device_open_service(device, "none:", IN_TIME, &stream, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    device_close(device);

    assert_true(
        discover_open(&places.discover, "127.0.0.1", IN_TIME, &device, &err));
    assert_string_equal(device_serial(device), serial);
    device_close(device);
    places_release(&places);
    phone_peer_stop(phone);
}

static void an_address_that_refuses_is_tried_at_the_server(void **state)
{
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;
    char serial[TCP_ADDRESS_MAX];

    (void)state;
    tcp_format_address("127.0.0.1", refusing_port(), serial);
    places_init(&places);
    add_server(&places, "", serial);
    assert_true(
        discover_open(&places.discover, serial, IN_TIME, &device, &err));
    assert_non_null(device_server(device));
    device_close(device);
    places_release(&places);
}

static void an_address_where_nobody_is_is_unreachable(void **state)
{
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;
    char serial[TCP_ADDRESS_MAX];

    (void)state;
    tcp_format_address("127.0.0.1", refusing_port(), serial);
    places_init(&places);
    add_server(&places, "abc device\n", "abc");
    assert_false(
        discover_open(&places.discover, serial, IN_TIME, &device, &err));
    assert_int_equal(err.code, ERR_UNREACHABLE);
    assert_null(device);
    places_release(&places);
}

/* Open serial where a server lists text; it must fail so. */
static void assert_open_fails(const char *text, const char *serial,
                              enum err_code code, const char *message)
{
    struct server_peer_answer answers[] = {
        {.request = "host:devices-l"},
        SERVER_PEER_SAYS("host-serial:ghost:features",
                         "FAIL0018device 'ghost' not found"),
    };
    struct buf listing = BUF_INIT(1 << 16);
    struct device *device = NULL;
    struct server_peer *peer;
    struct server server;
    struct err err = ERR_INIT;

    buf_printf(&listing, "OKAY%04zx%s", strlen(text), text);
    answers[0].bytes = listing.data;
    answers[0].length = listing.length;
    peer = server_peer_start(answers, ARRAY_LEN(answers));
    server = server_peer_address(peer);
    assert_false(discover_open(&(struct discover){.server = &server}, serial,
                               IN_TIME, &device, &err));
    assert_int_equal(err.code, code);
    assert_string_equal(err.text, message);
    assert_null(device);
    server_peer_stop(peer);
    buf_release(&listing);
}

static void a_serial_that_nobody_has_lists_what_is_there(void **state)
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

static void an_emulator_that_does_not_run_lists_what_is_there(void **state)
{
    char serial[32];
    char message[128];

    (void)state;
    snprintf(serial, sizeof(serial), "emulator-%d", refusing_port() - 1);
    snprintf(message, sizeof(message),
             "no device \"%s\"; there are: a (device)", serial);
    assert_open_fails("a device\n", serial, ERR_NOT_FOUND, message);
}

static void without_a_serial_there_must_be_a_choice_of_one(void **state)
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

static void the_only_usable_phone_needs_no_name(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;
    const char *serial;

    (void)state;
    places_init(&places);
    add_known(&places, refusing_port());
    serial = add_known(&places, phone_peer_port(phone));
    add_server(&places, "b unauthorized\n", "b");
    if (!discover_open(&places.discover, NULL, IN_TIME, &device, &err))
        fail_msg("%s", err.text);
    assert_string_equal(device_serial(device), serial);
    device_close(device);
    places_release(&places);
    phone_peer_stop(phone);
}

static void without_any_server_the_error_still_lists(void **state)
{
    struct device *device = NULL;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        discover_open(&(struct discover){0}, "ghost", IN_TIME, &device, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void a_long_list_is_cut_to_the_error(void **state)
{
    struct buf text = BUF_INIT(1 << 16);
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;

    (void)state;
    for (int i = 0; i < 100; i++)
        buf_printf(&text, "phone-%d device\n", i);
    places_init(&places);
    add_server(&places, buf_cstr(&text), "-");
    assert_false(discover_open(&places.discover, NULL, IN_TIME, &device, &err));
    assert_non_null(strstr(err.text, "phone-0 (device), phone-1 (device)"));
    assert_string_equal(err.text + strlen(err.text) - 5, ", ...");
    places_release(&places);
    buf_release(&text);
}

static void a_phone_that_announces_itself_is_listed(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_announced(&places, "adb-1._adb-tls-connect._tcp.local",
                  phone_peer_port(phone));
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].announced, "adb-1");
    assert_string_equal(entries.items[0].state, "device");
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    discover_entries_release(&entries);
    places_release(&places);
    phone_peer_stop(phone);
}

static void one_that_only_shows_a_code_is_not_listed(void **state)
{
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_announced(&places, "adb-1._adb-tls-pairing._tcp.local", 1);
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 0);
    places_release(&places);
}

static void a_known_phone_that_announces_itself_is_listed_once(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_known(&places, phone_peer_port(phone));
    add_announced(&places, "adb-1._adb._tcp.local", phone_peer_port(phone));
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_string_equal(entries.items[0].announced, "adb-1");
    discover_entries_release(&entries);
    places_release(&places);
    phone_peer_stop(phone);
}

static void the_servers_name_for_an_announced_phone_is_no_other(void **state)
{
    static const char serial[] = "adb-1._adb-tls-connect._tcp";
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct discover_entries entries;
    struct places places;

    (void)state;
    places_init(&places);
    add_server(&places, "adb-1._adb-tls-connect._tcp  device transport_id:7\n",
               serial);
    add_announced(&places, "adb-1._adb-tls-connect._tcp.local",
                  phone_peer_port(phone));
    entries = list(&places, IN_TIME);
    assert_int_equal(entries.count, 1);
    assert_int_equal(entries.items[0].route, DISCOVER_DIRECT);
    assert_int_equal(entries.items[0].transport_id, 7);
    discover_entries_release(&entries);
    places_release(&places);
    phone_peer_stop(phone);
}

static void the_network_is_asked_when_nothing_is_nearer(void **state)
{
    struct phone_peer *phone = phone_peer_start(0, PHONE_PEER_TRUSTS);
    struct device *device = NULL;
    struct places places;
    struct err err = ERR_INIT;

    (void)state;
    places_init(&places);
    add_announced(&places, "adb-1._adb-tls-connect._tcp.local",
                  phone_peer_port(phone));
    if (!discover_open(&places.discover, NULL, IN_TIME, &device, &err))
        fail_msg("%s", err.text);
    device_close(device);
    places_release(&places);
    phone_peer_stop(phone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_phone_that_announces_itself_is_listed),
        cmocka_unit_test(one_that_only_shows_a_code_is_not_listed),
        cmocka_unit_test(a_known_phone_that_announces_itself_is_listed_once),
        cmocka_unit_test(the_servers_name_for_an_announced_phone_is_no_other),
        cmocka_unit_test(the_network_is_asked_when_nothing_is_nearer),
        cmocka_unit_test(each_serial_leads_where_it_should),
        cmocka_unit_test(a_known_phone_that_answers_tells_its_name),
        cmocka_unit_test(a_phone_that_cannot_be_used_says_why),
        cmocka_unit_test(what_a_server_has_is_listed),
        cmocka_unit_test(a_phone_reached_both_ways_is_one_and_direct),
        cmocka_unit_test(a_phone_that_trusts_only_the_server_goes_through_it),
        cmocka_unit_test(a_broken_server_hides_no_other_phone),
        cmocka_unit_test(a_cancelled_search_ends_at_once),
        cmocka_unit_test(an_address_is_opened_directly),
        cmocka_unit_test(an_address_that_refuses_is_tried_at_the_server),
        cmocka_unit_test(an_address_where_nobody_is_is_unreachable),
        cmocka_unit_test(a_serial_that_nobody_has_lists_what_is_there),
        cmocka_unit_test(an_emulator_that_does_not_run_lists_what_is_there),
        cmocka_unit_test(without_a_serial_there_must_be_a_choice_of_one),
        cmocka_unit_test(the_only_usable_phone_needs_no_name),
        cmocka_unit_test(without_any_server_the_error_still_lists),
        cmocka_unit_test(a_long_list_is_cut_to_the_error),
    };

    return cmocka_run_group_tests_name("discover", tests, NULL, NULL);
}
