/* libusb over a bus made of software, and a phone on it that misbehaves. */
#include "adb/usb.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cmocka.h>
#include <libusb.h>

#include "adb/conn.h"
#include "adb/discover.h"
#include "adb/packet.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/loop_device.h"
#include "tests/support/mock_usb.h"
#include "tests/support/server_peer.h"

#define IN_TIME deadline_in_ms(60000)
#define MEGABYTE ((size_t)1024 * 1024)

struct fixture {
    struct mock_usb *usb;
    struct far_end *phone;
    struct loop_device *device;
};

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    fixture->device = loop_device_serve(NULL, ends[0]);
    fixture->phone = far_end_start(ends[1]);
    fixture->usb = mock_usb_start();
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    const char *why;
    unsigned breaches = far_end_breaches(fixture->phone, &why);

    if (breaches)
        print_error("the computer broke the rules: %s\n", why);
    mock_usb_stop(fixture->usb);
    far_end_stop(fixture->phone);
    loop_device_stop(fixture->device);
    free(fixture);
    return breaches ? -1 : 0;
}

static void plug(struct fixture *fixture)
{
    mock_usb_plug(fixture->usb, fixture->phone);
}

/* The one phone on the bus. */
static struct usb_phone the_phone(void)
{
    struct usb_phones phones = {0};
    struct usb_phone phone;
    struct err err = ERR_INIT;

    if (!usb_list(&phones, &err))
        fail_msg("%s", err.text);
    assert_int_equal(phones.count, 1);
    phone = phones.items[0];
    usb_phones_release(&phones);
    return phone;
}

static struct transport *open_phone(void)
{
    struct transport *transport = NULL;
    struct usb_phone phone;
    struct err err = ERR_INIT;

    if (!usb_open(MOCK_USB_PLACE, NULL, IN_TIME, &phone, &transport, &err))
        fail_msg("%s", err.text);
    return transport;
}

/* Plug the phone in and greet it. */
static struct conn *connect_phone(struct fixture *fixture)
{
    plug(fixture);
    return loop_device_connect(open_phone());
}

static struct stream *open_service(struct conn *conn, const char *service)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!conn_open_stream(conn, service, IN_TIME, &stream, &err))
        fail_msg("%s", err.text);
    return stream;
}

/* Read what "source:" sends until it ends or fails. */
static bool read_source(struct stream *stream, size_t size, struct err *err)
{
    uint8_t *data = mem_new(size + 1, 1);
    bool whole = stream_read_exact(stream, data, size, IN_TIME, err);

    for (size_t i = 0; whole && i < size; i++) {
        if (data[i] != i % 251)
            fail_msg("byte %zu is wrong", i);
    }
    free(data);
    return whole;
}

/* ---- finding ---- */

static void a_phone_is_listed_and_nothing_else(void **state)
{
    struct fixture *fixture = *state;
    struct usb_phones phones = {0};
    struct usb_phone phone;
    struct err err;

    mock_usb_plug_mouse(fixture->usb);
    assert_true(usb_list(&phones, &err));
    assert_int_equal(phones.count, 0);
    usb_phones_release(&phones);
    plug(fixture);
    phone = the_phone();
    assert_string_equal(phone.serial, MOCK_USB_CLEAN_SERIAL);
    assert_string_equal(phone.path, MOCK_USB_PATH);
    assert_string_equal(phone.node, MOCK_USB_NODE);
    assert_string_equal(phone.product, "Mock Phone");
    assert_string_equal(phone.manufacturer, "Nobody");
    assert_int_equal(phone.vendor, 0x18d1);
    assert_int_equal(phone.model, 0x4ee7);
    assert_true(phone.open_to_us);
}

static void plugging_in_and_out_is_noticed(void **state)
{
    struct fixture *fixture = *state;
    struct usb_watch *watch;
    struct err err;

    assert_true(usb_watch_open(NULL, &watch, &err));
    assert_false(usb_watch_wait(watch, deadline_in_ms(50), &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    plug(fixture);
    assert_true(usb_watch_wait(watch, IN_TIME, &err));
    mock_usb_unplug(fixture->usb);
    assert_true(usb_watch_wait(watch, IN_TIME, &err));
    assert_false(usb_watch_wait(watch, deadline_in_ms(50), &err));
    usb_watch_close(watch);
}

static void watching_can_be_interrupted(void **state)
{
    struct cancel cancel;
    struct usb_watch *watch;
    struct err err;

    (void)state;
    assert_true(cancel_init(&cancel, &err));
    assert_true(usb_watch_open(&cancel, &watch, &err));
    cancel_fire(&cancel);
    assert_false(usb_watch_wait(watch, IN_TIME, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    usb_watch_close(watch);
    cancel_release(&cancel);
}

/* ---- opening ---- */

static void a_phone_that_another_program_holds_is_busy(void **state)
{
    struct fixture *fixture = *state;
    struct transport *transport = NULL;
    struct usb_phone phone;
    struct err err;

    plug(fixture);
    mock_usb_refuse_claim(fixture->usb, EBUSY);
    assert_false(
        usb_open(MOCK_USB_PLACE, NULL, IN_TIME, &phone, &transport, &err));
    assert_int_equal(err.code, ERR_BUSY);
    assert_non_null(strstr(err.text, "another program holds this phone"));
}

static void a_phone_that_is_gone_is_not_found(void **state)
{
    struct fixture *fixture = *state;
    struct transport *transport = NULL;
    struct usb_phone phone;
    struct err err;

    plug(fixture);
    mock_usb_unplug(fixture->usb);
    assert_false(
        usb_open(MOCK_USB_PLACE, NULL, IN_TIME, &phone, &transport, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

static void an_open_phone_greets_and_closes(void **state)
{
    struct fixture *fixture = *state;
    struct conn *conn = connect_phone(fixture);

    assert_string_equal(conn_peer(conn)->model, "Loop Device");
    conn_close(conn);
    assert_int_equal(mock_usb_resets(fixture->usb), 0);
}

static void what_an_earlier_connection_left_is_skipped(void **state)
{
    struct fixture *fixture = *state;
    const struct packet old = {.command = PACKET_WRTE, .length = 1024};
    uint8_t payload[1024] = {0};
    uint8_t header[PACKET_HEADER_SIZE];
    struct conn *conn;

    far_end_send(fixture->phone, payload, 100); /* the end of a payload */
    packet_encode(&old, header);
    far_end_send(fixture->phone, header, sizeof(header));
    far_end_send(fixture->phone, payload, sizeof(payload));
    conn = connect_phone(fixture);
    conn_close(conn);
}

/* Greet a phone that never says anything. */
static enum err_code greet_silent(struct fixture *fixture, struct deadline by)
{
    const struct conn_options options = {.role = CONN_HOST,
                                         .banner = {.state = "host"}};
    struct far_end *silent = far_end_start(-1);
    struct conn *conn;
    struct err err = ERR_INIT;

    mock_usb_plug(fixture->usb, silent);
    assert_false(conn_open(open_phone(), &options, by, &conn, &err));
    mock_usb_unplug(fixture->usb);
    far_end_stop(silent);
    return err.code;
}

static void a_silent_phone_runs_into_the_deadline(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(greet_silent(fixture, deadline_in_ms(200)), ERR_TIMEOUT);
    assert_int_equal(mock_usb_resets(fixture->usb), 0);
    conn_close(connect_phone(fixture)); /* the device waits for somebody */
}

static void a_phone_that_stays_silent_is_set_back(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(greet_silent(fixture, IN_TIME), ERR_LOST);
    assert_int_equal(mock_usb_resets(fixture->usb), 1);
    conn_close(connect_phone(fixture));
}

/* ---- moving bytes ---- */

static void every_size_around_full_packets_comes_back_whole(void **state)
{
    static const size_t sizes[] = {1,     511,   512,     513,    1023,
                                   1024,  1025,  32767,   32768,  32769,
                                   65536, 98304, 1048575, 1048576};
    struct conn *conn = connect_phone(*state);
    struct fixture *fixture = *state;
    struct stream *stream = open_service(conn, "echo:");
    uint8_t *sent = mem_new(MEGABYTE, 1);
    uint8_t *back = mem_new(MEGABYTE, 1);

    for (size_t i = 0; i < MEGABYTE; i++)
        sent[i] = (uint8_t)(i * 7 % 253);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct err err = ERR_INIT;

        if (!stream_write(stream, sent, sizes[i], IN_TIME, &err) ||
            !stream_read_exact(stream, back, sizes[i], IN_TIME, &err))
            fail_msg("%zu bytes: %s", sizes[i], err.text);
        assert_memory_equal(sent, back, sizes[i]);
    }
    assert_true(far_end_zeros(fixture->phone) >= 6);
    free(sent);
    free(back);
    stream_close(stream);
    conn_close(conn);
}

struct pull {
    struct conn *conn;
    pthread_t thread;
    bool whole;
};

static void *pull_main(void *context)
{
    struct pull *pull = context;
    struct stream *stream = open_service(pull->conn, "source:500000");
    struct err err;

    pull->whole = read_source(stream, 500000, &err);
    stream_close(stream);
    return NULL;
}

static void several_streams_share_the_cable(void **state)
{
    struct conn *conn = connect_phone(*state);
    struct pull pulls[8];

    for (size_t i = 0; i < ARRAY_LEN(pulls); i++) {
        pulls[i] = (struct pull){.conn = conn};
        assert_int_equal(
            pthread_create(&pulls[i].thread, NULL, pull_main, &pulls[i]), 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(pulls); i++) {
        pthread_join(pulls[i].thread, NULL);
        assert_true(pulls[i].whole);
    }
    conn_close(conn);
}

/* ---- faults ---- */

static void assert_lost(struct fixture *fixture, enum far_end_fault fault,
                        enum far_end_part part, enum err_code code,
                        const char *words)
{
    struct conn *conn = connect_phone(fixture);
    struct stream *stream;
    struct err err = ERR_INIT;

    far_end_fail(fixture->phone, fault, part);
    stream = open_service(conn, "source:300000");
    assert_false(read_source(stream, 300000, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, words))
        fail_msg("%s", err.text);
    assert_true(conn_is_lost(conn, NULL));
    stream_close(stream);
    conn_close(conn);
}

static void a_stall_is_told_and_the_phone_set_back(void **state)
{
    struct fixture *fixture = *state;

    assert_lost(fixture, FAR_END_STALL, FAR_END_PAYLOAD, ERR_LOST, "stalled");
    assert_int_equal(mock_usb_resets(fixture->usb), 1);
}

static void a_short_payload_is_told_and_the_phone_set_back(void **state)
{
    struct fixture *fixture = *state;

    assert_lost(fixture, FAR_END_SHORT, FAR_END_PAYLOAD, ERR_LOST,
                "were to come");
    assert_int_equal(mock_usb_resets(fixture->usb), 1);
}

static void a_short_header_is_told(void **state)
{
    assert_lost(*state, FAR_END_SHORT, FAR_END_HEADER, ERR_LOST,
                "23 bytes where 24 were to come");
}

static void a_header_that_runs_on_is_told(void **state)
{
    assert_lost(*state, FAR_END_LONG, FAR_END_HEADER, ERR_LOST,
                "more than it had announced");
}

static void a_payload_that_runs_on_is_told(void **state)
{
    assert_lost(*state, FAR_END_LONG, FAR_END_PAYLOAD, ERR_LOST,
                "more than it had announced");
}

static void a_header_with_a_false_length_is_told(void **state)
{
    assert_lost(*state, FAR_END_LIE, FAR_END_HEADER, ERR_PROTOCOL,
                "announced WRTE with 2147483647 bytes");
}

static void unplugging_in_the_middle_of_a_payload_is_told(void **state)
{
    struct fixture *fixture = *state;

    assert_lost(fixture, FAR_END_UNPLUG, FAR_END_PAYLOAD, ERR_LOST,
                "the phone was unplugged");
    assert_int_equal(mock_usb_resets(fixture->usb), 0);
}

static void unplugging_wakes_whoever_waits(void **state)
{
    struct fixture *fixture = *state;
    struct conn *conn = connect_phone(fixture);
    struct stream *stream = open_service(conn, "silent:");
    struct err err;
    char byte;

    far_end_unplug(fixture->phone);
    assert_false(stream_read_exact(stream, &byte, 1, IN_TIME, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_non_null(strstr(err.text, "the phone was unplugged"));
    assert_false(stream_write(stream, "x", 1, IN_TIME, &err));
    assert_int_equal(err.code, ERR_LOST);
    stream_close(stream);
    conn_close(conn);
}

static void an_interrupt_ends_a_wait(void **state)
{
    struct fixture *fixture = *state;
    struct transport *transport = NULL;
    struct usb_phone phone;
    struct cancel cancel;
    struct err err = ERR_INIT;
    char byte;

    plug(fixture);
    assert_true(cancel_init(&cancel, &err));
    assert_true(
        usb_open(MOCK_USB_PLACE, &cancel, IN_TIME, &phone, &transport, &err));
    cancel_fire(&cancel);
    assert_false(transport_read_exact(transport, &byte, 1, IN_TIME, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    transport_close(transport);
    cancel_release(&cancel);
    far_end_unplug(fixture->phone);
}

/* How often libusb is yet to say that a signal came. */
static int signals_due;

/* Stands in for libusb's own, which no signal interrupts on a bus like ours. */
int libusb_handle_events(libusb_context *ctx)
{
    struct timeval patience = {.tv_sec = 60};

    if (signals_due > 0) {
        signals_due--;
        return LIBUSB_ERROR_INTERRUPTED;
    }
    return libusb_handle_events_timeout_completed(ctx, &patience, NULL);
}

static void signals_do_not_disturb_closing(void **state)
{
    struct transport *transport;

    plug(*state);
    transport = open_phone();
    signals_due = 3;
    transport_close(transport);
    assert_int_equal(signals_due, 0);
}

/* ---- choosing ---- */

static struct discover_entry the_entry(const struct discover *discover)
{
    struct discover_entries entries = {0};
    struct discover_entry entry;
    struct err err = ERR_INIT;

    if (!discover_list(discover, IN_TIME, &entries, &err))
        fail_msg("%s", err.text);
    assert_int_equal(entries.count, 1);
    entry = entries.items[0];
    discover_entries_release(&entries);
    return entry;
}

static void a_phone_on_usb_is_discovered(void **state)
{
    const struct discover discover = {.usb = true};
    struct discover_entry entry;

    plug(*state);
    entry = the_entry(&discover);
    assert_string_equal(entry.serial, MOCK_USB_CLEAN_SERIAL);
    assert_string_equal(entry.state, "device");
    assert_int_equal(entry.route, DISCOVER_USB);
    assert_string_equal(entry.model, "Loop Device");
}

static void assert_opens(struct fixture *fixture, const char *name)
{
    const struct discover discover = {.usb = true};
    struct device *device = NULL;
    struct err err = ERR_INIT;

    plug(fixture);
    if (!discover_open(&discover, name, IN_TIME, &device, &err))
        fail_msg("%s", err.text);
    assert_string_equal(device_serial(device), MOCK_USB_CLEAN_SERIAL);
    assert_non_null(device_conn(device));
    device_close(device);
}

static void a_phone_is_opened_by_its_serial(void **state)
{
    assert_opens(*state, MOCK_USB_CLEAN_SERIAL);
}

static void a_phone_is_opened_by_its_place(void **state)
{
    assert_opens(*state, MOCK_USB_PLACE);
}

/* Some vendors give one serial to all that they make. */
static void phones_that_share_a_serial_are_told_apart(void **state)
{
    const struct discover discover = {.usb = true};
    struct discover_entries entries = {0};
    struct fixture *fixture = *state;
    struct device *device = NULL;
    struct err err = ERR_INIT;

    mock_usb_plug_twin(fixture->usb);
    assert_opens(fixture, MOCK_USB_PLACE);
    assert_true(discover_list(&discover, IN_TIME, &entries, &err));
    assert_int_equal(entries.count, 2);
    assert_string_not_equal(entries.items[0].serial, entries.items[1].serial);
    for (size_t i = 0; i < entries.count; i++)
        assert_memory_equal(entries.items[i].serial, "usb:", 4);
    discover_entries_release(&entries);
    assert_false(discover_open(&discover, MOCK_USB_CLEAN_SERIAL, IN_TIME,
                               &device, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_non_null(strstr(err.text, MOCK_USB_PLACE));
    assert_non_null(strstr(err.text, MOCK_USB_TWIN_PLACE));
}

static void a_phone_that_a_server_holds_is_used_through_it(void **state)
{
    static const struct server_peer_answer answers[] = {
        SERVER_PEER_SAYS("host:devices-l",
                         "OKAY0012" MOCK_USB_CLEAN_SERIAL " device\n"),
        SERVER_PEER_SAYS("host-serial:" MOCK_USB_CLEAN_SERIAL ":features",
                         "OKAY0008shell_v2"),
    };
    struct server_peer *peer = server_peer_start(answers, ARRAY_LEN(answers));
    const struct server server = server_peer_address(peer);
    const struct discover discover = {.usb = true, .server = &server};
    struct fixture *fixture = *state;
    struct discover_entry entry;
    struct device *device = NULL;
    struct err err = ERR_INIT;

    plug(fixture);
    mock_usb_refuse_claim(fixture->usb, EBUSY);
    entry = the_entry(&discover);
    assert_string_equal(entry.state, "device");
    assert_int_equal(entry.route, DISCOVER_SERVER);
    assert_non_null(strstr(entry.reason, "holds this phone"));
    if (!discover_open(&discover, MOCK_USB_CLEAN_SERIAL, IN_TIME, &device,
                       &err))
        fail_msg("%s", err.text);
    assert_non_null(device_server(device));
    device_close(device);
    server_peer_stop(peer);
}

static void a_phone_that_a_stranger_holds_is_busy(void **state)
{
    const struct discover discover = {.usb = true};
    struct fixture *fixture = *state;
    struct device *device = NULL;
    struct err err;

    plug(fixture);
    mock_usb_refuse_claim(fixture->usb, EBUSY);
    assert_string_equal(the_entry(&discover).state, "busy");
    assert_false(discover_open(&discover, MOCK_USB_CLEAN_SERIAL, IN_TIME,
                               &device, &err));
    assert_int_equal(err.code, ERR_BUSY);
}

#define USB_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        USB_TEST(a_phone_is_listed_and_nothing_else),
        USB_TEST(plugging_in_and_out_is_noticed),
        USB_TEST(watching_can_be_interrupted),
        USB_TEST(a_phone_that_another_program_holds_is_busy),
        USB_TEST(a_phone_that_is_gone_is_not_found),
        USB_TEST(an_open_phone_greets_and_closes),
        USB_TEST(what_an_earlier_connection_left_is_skipped),
        USB_TEST(a_silent_phone_runs_into_the_deadline),
        USB_TEST(a_phone_that_stays_silent_is_set_back),
        USB_TEST(every_size_around_full_packets_comes_back_whole),
        USB_TEST(several_streams_share_the_cable),
        USB_TEST(a_stall_is_told_and_the_phone_set_back),
        USB_TEST(a_short_payload_is_told_and_the_phone_set_back),
        USB_TEST(a_short_header_is_told),
        USB_TEST(a_header_that_runs_on_is_told),
        USB_TEST(a_payload_that_runs_on_is_told),
        USB_TEST(a_header_with_a_false_length_is_told),
        USB_TEST(unplugging_in_the_middle_of_a_payload_is_told),
        USB_TEST(unplugging_wakes_whoever_waits),
        USB_TEST(an_interrupt_ends_a_wait),
        USB_TEST(signals_do_not_disturb_closing),
        USB_TEST(a_phone_on_usb_is_discovered),
        USB_TEST(a_phone_is_opened_by_its_serial),
        USB_TEST(a_phone_is_opened_by_its_place),
        USB_TEST(phones_that_share_a_serial_are_told_apart),
        USB_TEST(a_phone_that_a_server_holds_is_used_through_it),
        USB_TEST(a_phone_that_a_stranger_holds_is_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
