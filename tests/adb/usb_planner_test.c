/* Reads are asked for exactly, and what comes is checked. */
#include "adb/usb_planner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/packet.h"

#define PACKET_SIZE 512U
#define SLOT_SIZE 2048U

static uint8_t bytes[SLOT_SIZE];

/* Put a header at bytes + at. */
static void put_header(size_t at, uint32_t command, uint32_t length)
{
    const struct packet packet = {.command = command, .length = length};

    packet_encode(&packet, bytes + at);
}

static struct usb_read next_read(struct usb_planner *planner)
{
    struct usb_read read;

    assert_true(usb_planner_next(planner, SLOT_SIZE, &read));
    return read;
}

static void assert_nothing_to_ask(struct usb_planner *planner)
{
    struct usb_read read;

    assert_false(usb_planner_next(planner, SLOT_SIZE, &read));
}

static void assert_read(struct usb_planner *planner, enum usb_read_kind kind,
                        uint32_t size)
{
    struct usb_read read = next_read(planner);

    assert_int_equal(read.kind, kind);
    assert_int_equal(read.size, size);
}

/* A transfer of that length comes for a read; where its bytes begin. */
static size_t came(struct usb_planner *planner, struct usb_read read,
                   size_t length)
{
    struct err err = ERR_INIT;
    size_t begin = SIZE_MAX;

    if (!usb_planner_take(planner, &read, bytes, length, &begin, &err))
        fail_msg("%s", err.text);
    return begin;
}

static enum err_code refused(struct usb_planner *planner, struct usb_read read,
                             size_t length)
{
    struct err err = ERR_INIT;
    size_t begin;

    assert_false(usb_planner_take(planner, &read, bytes, length, &begin, &err));
    return err.code;
}

static const struct usb_read header_read = {USB_READ_HEADER,
                                            PACKET_HEADER_SIZE};

/* A planner whose greeting was answered, and the header after it asked for. */
static void begin(struct usb_planner *planner)
{
    usb_planner_init(planner, PACKET_SIZE);
    planner->greeted = true;
    put_header(0, PACKET_CNXN, 0);
    assert_int_equal(came(planner, next_read(planner), PACKET_HEADER_SIZE), 0);
    assert_read(planner, USB_READ_HEADER, PACKET_HEADER_SIZE);
    assert_nothing_to_ask(planner);
}

static void a_payload_is_asked_for_exactly_with_the_next_header(void **state)
{
    struct usb_planner planner;

    (void)state;
    begin(&planner);
    put_header(0, PACKET_WRTE, 2 * SLOT_SIZE + 100);
    came(&planner, header_read, PACKET_HEADER_SIZE);
    assert_read(&planner, USB_READ_PAYLOAD, SLOT_SIZE);
    assert_read(&planner, USB_READ_PAYLOAD, SLOT_SIZE);
    assert_read(&planner, USB_READ_PAYLOAD, 100);
    assert_read(&planner, USB_READ_HEADER, PACKET_HEADER_SIZE);
    assert_nothing_to_ask(&planner);
}

static void a_packet_without_payload_is_followed_by_a_header(void **state)
{
    struct usb_planner planner;

    (void)state;
    begin(&planner);
    put_header(0, PACKET_OKAY, 0);
    came(&planner, header_read, PACKET_HEADER_SIZE);
    assert_read(&planner, USB_READ_HEADER, PACKET_HEADER_SIZE);
    assert_nothing_to_ask(&planner);
}

static void what_an_earlier_connection_left_is_dropped(void **state)
{
    struct usb_planner planner;

    (void)state;
    usb_planner_init(&planner, PACKET_SIZE);
    put_header(0, PACKET_CNXN, 0); /* an answer to nobody: we did not ask */
    assert_int_equal(came(&planner, next_read(&planner), PACKET_HEADER_SIZE),
                     PACKET_HEADER_SIZE);
    planner.greeted = true;
    put_header(0, PACKET_WRTE, 1024);
    assert_int_equal(came(&planner, next_read(&planner), PACKET_HEADER_SIZE),
                     PACKET_HEADER_SIZE);
    memset(bytes, 0x55, sizeof(bytes)); /* the end of some payload */
    assert_int_equal(came(&planner, next_read(&planner), 300), 300);
    /* A payload of full packets runs into the header that follows it. */
    memset(bytes, 0x55, sizeof(bytes));
    put_header(1024, PACKET_AUTH, 20);
    assert_int_equal(
        came(&planner, next_read(&planner), 1024 + PACKET_HEADER_SIZE), 1024);
    assert_read(&planner, USB_READ_PAYLOAD, 20);
    assert_read(&planner, USB_READ_HEADER, PACKET_HEADER_SIZE);
}

static void dropping_has_an_end(void **state)
{
    struct usb_planner planner;

    (void)state;
    usb_planner_init(&planner, PACKET_SIZE);
    memset(bytes, 0, sizeof(bytes));
    for (size_t i = 0; i < USB_PLANNER_DROP_LIMIT / SLOT_SIZE; i++)
        came(&planner, next_read(&planner), SLOT_SIZE);
    assert_int_equal(refused(&planner, next_read(&planner), SLOT_SIZE),
                     ERR_PROTOCOL);
}

static void a_short_payload_ends_the_connection(void **state)
{
    struct usb_planner planner;

    (void)state;
    begin(&planner);
    put_header(0, PACKET_WRTE, 1000);
    came(&planner, header_read, PACKET_HEADER_SIZE);
    assert_int_equal(refused(&planner, next_read(&planner), 999), ERR_LOST);
}

static void half_a_header_ends_the_connection(void **state)
{
    struct usb_planner planner;

    (void)state;
    begin(&planner);
    assert_int_equal(refused(&planner, header_read, 23), ERR_LOST);
    assert_int_equal(refused(&planner, header_read, 0), ERR_LOST);
}

static void a_header_that_lies_is_refused(void **state)
{
    struct usb_planner planner;

    (void)state;
    begin(&planner);
    put_header(0, PACKET_WRTE, PACKET_MAX_PAYLOAD + 1);
    assert_int_equal(refused(&planner, header_read, PACKET_HEADER_SIZE),
                     ERR_PROTOCOL);
    put_header(0, PACKET_WRTE, 10);
    bytes[20] ^= 1;
    assert_int_equal(refused(&planner, header_read, PACKET_HEADER_SIZE),
                     ERR_PROTOCOL);
}

static void one_empty_packet_behind_full_ones_is_forgiven(void **state)
{
    struct usb_planner planner;

    (void)state;
    begin(&planner);
    put_header(0, PACKET_WRTE, 1024);
    came(&planner, header_read, PACKET_HEADER_SIZE);
    came(&planner, next_read(&planner), 1024);
    assert_int_equal(came(&planner, next_read(&planner), 0), 0);
    assert_int_equal(refused(&planner, next_read(&planner), 0), ERR_LOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_payload_is_asked_for_exactly_with_the_next_header),
        cmocka_unit_test(a_packet_without_payload_is_followed_by_a_header),
        cmocka_unit_test(what_an_earlier_connection_left_is_dropped),
        cmocka_unit_test(dropping_has_an_end),
        cmocka_unit_test(a_short_payload_ends_the_connection),
        cmocka_unit_test(half_a_header_ends_the_connection),
        cmocka_unit_test(a_header_that_lies_is_refused),
        cmocka_unit_test(one_empty_packet_behind_full_ones_is_forgiven),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
