/* Reads are requested exactly, and the received bytes are checked. */
#include "adb/transport/usb_read_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/wire/packet.h"

#define PACKET_SIZE 512U
#define SLOT_SIZE 2048U

static uint8_t bytes[SLOT_SIZE];

/* Put a header at bytes + at. */
static void put_header(size_t at, uint32_t command, uint32_t length)
{
    const struct packet packet = {.command = command, .length = length};

    packet_encode(&packet, bytes + at);
}

static struct usb_read next_read(struct usb_read_plan *plan)
{
    struct usb_read read;

    assert_true(usb_read_plan_next(plan, SLOT_SIZE, &read));
    return read;
}

static void assert_nothing_to_ask(struct usb_read_plan *plan)
{
    struct usb_read read;

    assert_false(usb_read_plan_next(plan, SLOT_SIZE, &read));
}

static void assert_read(struct usb_read_plan *plan, enum usb_read_kind kind,
                        uint32_t size)
{
    struct usb_read read = next_read(plan);

    assert_int_equal(read.kind, kind);
    assert_int_equal(read.size, size);
}

/* Simulate a transfer of that length; returns where its bytes begin. */
static size_t came(struct usb_read_plan *plan, struct usb_read read,
                   size_t length)
{
    struct err err = ERR_INIT;
    size_t begin = SIZE_MAX;

    if (!usb_read_plan_take(plan, &read, bytes, length, &begin, &err))
        fail_msg("%s", err.text);
    return begin;
}

static enum err_code refused(struct usb_read_plan *plan, struct usb_read read,
                             size_t length)
{
    struct err err = ERR_INIT;
    size_t begin;

    assert_false(usb_read_plan_take(plan, &read, bytes, length, &begin, &err));
    return err.code;
}

static const struct usb_read header_read = {USB_READ_HEADER,
                                            PACKET_HEADER_SIZE};

/* A plan after the handshake, with the next header requested. */
static void begin(struct usb_read_plan *plan)
{
    usb_read_plan_init(plan, PACKET_SIZE);
    plan->greeted = true;
    put_header(0, PACKET_CNXN, 0);
    assert_int_equal(came(plan, next_read(plan), PACKET_HEADER_SIZE), 0);
    assert_read(plan, USB_READ_HEADER, PACKET_HEADER_SIZE);
    assert_nothing_to_ask(plan);
}

static void payload_is_requested_exactly_with_the_next_header(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    begin(&plan);
    put_header(0, PACKET_WRTE, 2 * SLOT_SIZE + 100);
    came(&plan, header_read, PACKET_HEADER_SIZE);
    assert_read(&plan, USB_READ_PAYLOAD, SLOT_SIZE);
    assert_read(&plan, USB_READ_PAYLOAD, SLOT_SIZE);
    assert_read(&plan, USB_READ_PAYLOAD, 100);
    assert_read(&plan, USB_READ_HEADER, PACKET_HEADER_SIZE);
    assert_nothing_to_ask(&plan);
}

static void a_packet_without_payload_is_followed_by_a_header(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    begin(&plan);
    put_header(0, PACKET_OKAY, 0);
    came(&plan, header_read, PACKET_HEADER_SIZE);
    assert_read(&plan, USB_READ_HEADER, PACKET_HEADER_SIZE);
    assert_nothing_to_ask(&plan);
}

static void bytes_of_an_earlier_connection_are_dropped(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    usb_read_plan_init(&plan, PACKET_SIZE);
    put_header(0, PACKET_CNXN, 0); /* an answer without a request */
    assert_int_equal(came(&plan, next_read(&plan), PACKET_HEADER_SIZE),
                     PACKET_HEADER_SIZE);
    plan.greeted = true;
    put_header(0, PACKET_WRTE, 1024);
    assert_int_equal(came(&plan, next_read(&plan), PACKET_HEADER_SIZE),
                     PACKET_HEADER_SIZE);
    memset(bytes, 0x55, sizeof(bytes)); /* the end of a payload */
    assert_int_equal(came(&plan, next_read(&plan), 300), 300);
    /*
     * A payload of full packets is followed by the next header in one transfer.
     */
    memset(bytes, 0x55, sizeof(bytes));
    put_header(1024, PACKET_AUTH, 20);
    assert_int_equal(came(&plan, next_read(&plan), 1024 + PACKET_HEADER_SIZE),
                     1024);
    assert_read(&plan, USB_READ_PAYLOAD, 20);
    assert_read(&plan, USB_READ_HEADER, PACKET_HEADER_SIZE);
}

static void dropping_is_limited(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    usb_read_plan_init(&plan, PACKET_SIZE);
    memset(bytes, 0, sizeof(bytes));
    for (size_t i = 0; i < USB_READ_PLAN_DROP_LIMIT / SLOT_SIZE; i++)
        came(&plan, next_read(&plan), SLOT_SIZE);
    assert_int_equal(refused(&plan, next_read(&plan), SLOT_SIZE), ERR_PROTOCOL);
}

static void a_short_payload_ends_the_connection(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    begin(&plan);
    put_header(0, PACKET_WRTE, 1000);
    came(&plan, header_read, PACKET_HEADER_SIZE);
    assert_int_equal(refused(&plan, next_read(&plan), 999), ERR_LOST);
}

static void half_a_header_ends_the_connection(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    begin(&plan);
    assert_int_equal(refused(&plan, header_read, 23), ERR_LOST);
    assert_int_equal(refused(&plan, header_read, 0), ERR_LOST);
}

static void inconsistent_header_is_refused(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    begin(&plan);
    put_header(0, PACKET_WRTE, PACKET_MAX_PAYLOAD + 1);
    assert_int_equal(refused(&plan, header_read, PACKET_HEADER_SIZE),
                     ERR_PROTOCOL);
    put_header(0, PACKET_WRTE, 10);
    bytes[20] ^= 1;
    assert_int_equal(refused(&plan, header_read, PACKET_HEADER_SIZE),
                     ERR_PROTOCOL);
}

static void one_empty_packet_after_full_ones_is_accepted(void **state)
{
    struct usb_read_plan plan;

    (void)state;
    begin(&plan);
    put_header(0, PACKET_WRTE, 1024);
    came(&plan, header_read, PACKET_HEADER_SIZE);
    came(&plan, next_read(&plan), 1024);
    assert_int_equal(came(&plan, next_read(&plan), 0), 0);
    assert_int_equal(refused(&plan, next_read(&plan), 0), ERR_LOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(payload_is_requested_exactly_with_the_next_header),
        cmocka_unit_test(a_packet_without_payload_is_followed_by_a_header),
        cmocka_unit_test(bytes_of_an_earlier_connection_are_dropped),
        cmocka_unit_test(dropping_is_limited),
        cmocka_unit_test(a_short_payload_ends_the_connection),
        cmocka_unit_test(half_a_header_ends_the_connection),
        cmocka_unit_test(inconsistent_header_is_refused),
        cmocka_unit_test(one_empty_packet_after_full_ones_is_accepted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
