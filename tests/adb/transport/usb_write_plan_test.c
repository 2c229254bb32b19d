/* Outgoing bytes become headers and payloads, in pieces of any size. */
#include "adb/transport/usb_write_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/wire/packet.h"
#include "base/buf.h"
#include "base/macros.h"

#define PACKET_SIZE 512U
#define SLOT_SIZE 2048U

/* Payload sizes around the limits: none, packets, transfers. */
static const uint32_t lengths[] = {0,    1,    511,  512,  513,  0,   1024,
                                   2047, 2048, 2049, 2560, 4096, 4100};

static void append_packet(struct buf *bytes, uint32_t length)
{
    const struct packet packet = {.command = PACKET_WRTE, .length = length};
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&packet, header);
    buf_append(bytes, header, sizeof(header));
    for (uint32_t i = 0; i < length; i++)
        buf_byte(bytes, (char)(i % 251));
}

/* One word per transfer: its size, and "+" for an empty packet after it. */
static void expect_packet(struct buf *transfers, uint32_t length)
{
    buf_printf(transfers, "%u ", PACKET_HEADER_SIZE);
    for (uint32_t left = length; left;) {
        uint32_t part = left < SLOT_SIZE ? left : SLOT_SIZE;

        left -= part;
        buf_printf(transfers, "%u%s ", part,
                   !left && length % PACKET_SIZE == 0 ? "+" : "");
    }
}

/* Write bytes in pieces of that size, and record the transfers. */
static void cut(const struct buf *bytes, size_t piece, struct buf *transfers)
{
    struct usb_write_plan plan;
    uint8_t slot[SLOT_SIZE];
    size_t filled = 0;

    usb_write_plan_init(&plan, PACKET_SIZE);
    for (size_t at = 0; at < bytes->length;) {
        size_t part = piece;
        enum usb_write_step how;
        struct err err;

        if (part > bytes->length - at)
            part = bytes->length - at;
        if (part > plan.left)
            part = plan.left;
        if (part > SLOT_SIZE - filled)
            part = SLOT_SIZE - filled;
        memcpy(slot + filled, bytes->data + at, part);
        at += part;
        filled += part;
        assert_true(usb_write_plan_add(&plan, slot, filled, part, &how, &err));
        if (how == USB_WRITE_MORE && filled < SLOT_SIZE)
            continue;
        buf_printf(transfers, "%zu%s ", filled,
                   how == USB_WRITE_SEND_ZERO ? "+" : "");
        filled = 0;
    }
    assert_true(usb_write_plan_is_between(&plan));
}

static void packets_become_transfers_in_any_pieces(void **state)
{
    static const size_t pieces[] = {1, 7, 24, 25, 512, 2048, 100000};
    struct buf bytes = BUF_INIT(1 << 20);
    struct buf expected = BUF_INIT(4096);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        append_packet(&bytes, lengths[i]);
        expect_packet(&expected, lengths[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        struct buf transfers = BUF_INIT(4096);

        cut(&bytes, pieces[i], &transfers);
        assert_string_equal(buf_cstr(&transfers), buf_cstr(&expected));
        buf_release(&transfers);
    }
    buf_release(&bytes);
    buf_release(&expected);
}

static void incomplete_packet_is_detected(void **state)
{
    struct buf bytes = BUF_INIT(4096);
    struct usb_write_plan plan;
    enum usb_write_step how;
    struct err err;

    (void)state;
    append_packet(&bytes, 100);
    usb_write_plan_init(&plan, PACKET_SIZE);
    assert_true(usb_write_plan_is_between(&plan));
    assert_true(
        usb_write_plan_add(&plan, (uint8_t *)bytes.data, 10, 10, &how, &err));
    assert_false(usb_write_plan_is_between(&plan));
    assert_true(
        usb_write_plan_add(&plan, (uint8_t *)bytes.data, 24, 14, &how, &err));
    assert_int_equal(how, USB_WRITE_SEND);
    assert_int_equal(plan.left, 100);
    assert_false(usb_write_plan_is_between(&plan));
    buf_release(&bytes);
}

static void invalid_packet_is_refused(void **state)
{
    const uint8_t noise[PACKET_HEADER_SIZE] = {0x16, 3, 1};
    struct usb_write_plan plan;
    enum usb_write_step how;
    struct err err;

    (void)state;
    usb_write_plan_init(&plan, PACKET_SIZE);
    assert_false(usb_write_plan_add(&plan, noise, sizeof(noise), sizeof(noise),
                                    &how, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_become_transfers_in_any_pieces),
        cmocka_unit_test(incomplete_packet_is_detected),
        cmocka_unit_test(invalid_packet_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
