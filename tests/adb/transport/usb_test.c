/* libusb over a simulated bus, with a phone that misbehaves. */
#include "adb/transport/usb.h"

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

#include "adb/connection/conn.h"
#include "adb/discover/discover.h"
#include "adb/wire/packet.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/fake_adb_server.h"
#include "tests/support/adb/loopback_device.h"
#include "tests/support/adb/mock_usb.h"

#define IN_TIME deadline_in_ms(60000)
#define MEGABYTE ((size_t)1024 * 1024)

struct fixture {
    struct mock_usb *usb;
    struct usb_gadget *phone;
    struct loopback_device *device;
};

static int setup(void **state)
{
    struct fixture *fixture = mem_new(1, sizeof(*fixture));
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                     0);
    fixture->device = loopback_device_serve(NULL, ends[0]);
    fixture->phone = usb_gadget_start(ends[1]);
    fixture->usb = mock_usb_start();
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    const char *why;
    unsigned breaches = usb_gadget_breaches(fixture->phone, &why);

    if (breaches)
        print_error("the computer broke the rules: %s\n", why);
    mock_usb_stop(fixture->usb);
    usb_gadget_stop(fixture->phone);
    loopback_device_stop(fixture->device);
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

/* Plug the phone in and connect. */
static struct conn *connect_phone(struct fixture *fixture)
{
    plug(fixture);
    return loopback_device_connect(open_phone());
}

static struct stream *open_service(struct conn *conn, const char *service)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!conn_open_stream(conn, service, IN_TIME, &stream, &err))
        fail_msg("%s", err.text);
    return stream;
}

/* Read from "source:" until it ends or fails. */
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

static void only_phones_are_listed(void **state)
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
    assert_string_equal(phone.manufacturer, "Example");
    assert_int_equal(phone.vendor, 0x18d1);
    assert_int_equal(phone.model, 0x4ee7);
    assert_true(phone.open_to_us);
}

static void plugging_and_unplugging_are_noticed(void **state)
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

static void opened_phone_connects_and_closes(void **state)
{
    struct fixture *fixture = *state;
    struct conn *conn = connect_phone(fixture);

    assert_string_equal(conn_peer(conn)->model, "Loop Device");
    conn_close(conn);
    assert_int_equal(mock_usb_resets(fixture->usb), 0);
}

static void bytes_of_an_earlier_connection_are_skipped(void **state)
{
    struct fixture *fixture = *state;
    const struct packet old = {.command = PACKET_WRTE, .length = 1024};
    uint8_t payload[1024] = {0};
    uint8_t header[PACKET_HEADER_SIZE];
    struct conn *conn;

    usb_gadget_send(fixture->phone, payload, 100); /* the end of a payload */
    packet_encode(&old, header);
    usb_gadget_send(fixture->phone, header, sizeof(header));
    usb_gadget_send(fixture->phone, payload, sizeof(payload));
    conn = connect_phone(fixture);
    conn_close(conn);
}

/* Connect to a phone that never answers. */
static enum err_code greet_silent(struct fixture *fixture, struct deadline by)
{
    const struct conn_options options = {.role = CONN_HOST,
                                         .banner = {.state = "host"}};
    struct usb_gadget *silent = usb_gadget_start(-1);
    struct conn *conn;
    struct err err = ERR_INIT;

    mock_usb_plug(fixture->usb, silent);
    assert_false(conn_open(open_phone(), &options, by, &conn, &err));
    mock_usb_unplug(fixture->usb);
    usb_gadget_stop(silent);
    return err.code;
}

static void silent_phone_times_out(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(greet_silent(fixture, deadline_in_ms(200)), ERR_TIMEOUT);
    assert_int_equal(mock_usb_resets(fixture->usb), 0);
    conn_close(connect_phone(fixture)); /* the device waits for a host */
}

static void silent_phone_is_reset(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(greet_silent(fixture, IN_TIME), ERR_LOST);
    assert_int_equal(mock_usb_resets(fixture->usb), 1);
    conn_close(connect_phone(fixture));
}

/* ---- transferring bytes ---- */

static void every_size_around_full_packets_is_echoed(void **state)
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
    assert_true(usb_gadget_zeros(fixture->phone) >= 6);
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

static void assert_lost(struct fixture *fixture, enum usb_gadget_fault fault,
                        enum usb_gadget_part part, enum err_code code,
                        const char *words)
{
    struct conn *conn = connect_phone(fixture);
    struct stream *stream;
    struct err err = ERR_INIT;

    usb_gadget_fail(fixture->phone, fault, part);
    stream = open_service(conn, "source:300000");
    assert_false(read_source(stream, 300000, &err));
    assert_int_equal(err.code, code);
    if (!strstr(err.text, words))
        fail_msg("%s", err.text);
    assert_true(conn_is_lost(conn, NULL));
    stream_close(stream);
    conn_close(conn);
}

static void stall_is_reported_and_the_phone_reset(void **state)
{
    struct fixture *fixture = *state;

    assert_lost(fixture, USB_GADGET_STALL, USB_GADGET_PAYLOAD, ERR_LOST,
                "stalled");
    assert_int_equal(mock_usb_resets(fixture->usb), 1);
}

static void short_payload_is_reported_and_the_phone_reset(void **state)
{
    struct fixture *fixture = *state;

    assert_lost(fixture, USB_GADGET_SHORT, USB_GADGET_PAYLOAD, ERR_LOST,
                " bytes instead of ");
    assert_int_equal(mock_usb_resets(fixture->usb), 1);
}

static void short_header_is_reported(void **state)
{
    assert_lost(*state, USB_GADGET_SHORT, USB_GADGET_HEADER, ERR_LOST,
                "23 bytes instead of 24");
}

static void too_long_header_is_reported(void **state)
{
    assert_lost(*state, USB_GADGET_LONG, USB_GADGET_HEADER, ERR_LOST,
                "more than it had announced");
}

static void too_long_payload_is_reported(void **state)
{
    assert_lost(*state, USB_GADGET_LONG, USB_GADGET_PAYLOAD, ERR_LOST,
                "more than it had announced");
}

static void header_with_a_wrong_length_is_reported(void **state)
{
    assert_lost(*state, USB_GADGET_LIE, USB_GADGET_HEADER, ERR_PROTOCOL,
                "announced WRTE with 2147483647 bytes");
}

static void unplugging_during_a_payload_is_reported(void **state)
{
    struct fixture *fixture = *state;

    assert_lost(fixture, USB_GADGET_UNPLUG, USB_GADGET_PAYLOAD, ERR_LOST,
                "the phone was unplugged");
    assert_int_equal(mock_usb_resets(fixture->usb), 0);
}

static void unplugging_wakes_the_waiting_thread(void **state)
{
    struct fixture *fixture = *state;
    struct conn *conn = connect_phone(fixture);
    struct stream *stream = open_service(conn, "silent:");
    struct err err;
    char byte;

    usb_gadget_unplug(fixture->phone);
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
    usb_gadget_unplug(fixture->phone);
}

/* How often libusb still has to report a signal. */
static int signals_due;

/* Replaces libusb's function, which no signal interrupts on a simulated bus. */
int libusb_handle_events(libusb_context *ctx)
{
    struct timeval timeout = {.tv_sec = 60};

    if (signals_due > 0) {
        signals_due--;
        return LIBUSB_ERROR_INTERRUPTED;
    }
    return libusb_handle_events_timeout_completed(ctx, &timeout, NULL);
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

static void phone_is_opened_by_its_port(void **state)
{
    assert_opens(*state, MOCK_USB_PLACE);
}

/* Some vendors give the same serial to all devices. */
static void phones_with_the_same_serial_are_distinguished(void **state)
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
    static const struct fake_adb_server_answer answers[] = {
        FAKE_ADB_SERVER_SAYS("host:devices-l",
                             "OKAY0012" MOCK_USB_CLEAN_SERIAL " device\n"),
        FAKE_ADB_SERVER_SAYS("host-serial:" MOCK_USB_CLEAN_SERIAL ":features",
                             "OKAY0008shell_v2"),
    };
    struct fake_adb_server *peer =
        fake_adb_server_start(answers, ARRAY_LEN(answers));
    const struct server_client server = fake_adb_server_address(peer);
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
    fake_adb_server_stop(peer);
}

static void phone_held_by_another_program_is_reported_busy(void **state)
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
        USB_TEST(only_phones_are_listed),
        USB_TEST(plugging_and_unplugging_are_noticed),
        USB_TEST(watching_can_be_interrupted),
        USB_TEST(a_phone_that_another_program_holds_is_busy),
        USB_TEST(a_phone_that_is_gone_is_not_found),
        USB_TEST(opened_phone_connects_and_closes),
        USB_TEST(bytes_of_an_earlier_connection_are_skipped),
        USB_TEST(silent_phone_times_out),
        USB_TEST(silent_phone_is_reset),
        USB_TEST(every_size_around_full_packets_is_echoed),
        USB_TEST(several_streams_share_the_cable),
        USB_TEST(stall_is_reported_and_the_phone_reset),
        USB_TEST(short_payload_is_reported_and_the_phone_reset),
        USB_TEST(short_header_is_reported),
        USB_TEST(too_long_header_is_reported),
        USB_TEST(too_long_payload_is_reported),
        USB_TEST(header_with_a_wrong_length_is_reported),
        USB_TEST(unplugging_during_a_payload_is_reported),
        USB_TEST(unplugging_wakes_the_waiting_thread),
        USB_TEST(an_interrupt_ends_a_wait),
        USB_TEST(signals_do_not_disturb_closing),
        USB_TEST(a_phone_on_usb_is_discovered),
        USB_TEST(a_phone_is_opened_by_its_serial),
        USB_TEST(phone_is_opened_by_its_port),
        USB_TEST(phones_with_the_same_serial_are_distinguished),
        USB_TEST(a_phone_that_a_server_holds_is_used_through_it),
        USB_TEST(phone_held_by_another_program_is_reported_busy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
