#include "adb/wire/packet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static const struct packet sample = {.command = PACKET_WRTE,
                                     .arg0 = 0x01020304,
                                     .arg1 = 0xfffffffe,
                                     .length = 4096,
                                     .check = 0x0a0b0c0d};

/* Six little-endian words; the last is the complement of the first. */
static void header_has_the_layout_of_adb(void **state)
{
    static const uint8_t expected[PACKET_HEADER_SIZE] =
        "WRTE\x04\x03\x02\x01\xfe\xff\xff\xff\x00\x10\x00\x00"
        "\x0d\x0c\x0b\x0a\xa8\xad\xab\xba";
    uint8_t bytes[PACKET_HEADER_SIZE];

    (void)state;
    packet_encode(&sample, bytes);
    assert_memory_equal(bytes, expected, sizeof(expected));
}

static void encoded_header_is_decoded(void **state)
{
    uint8_t bytes[PACKET_HEADER_SIZE];
    struct packet packet;
    struct err err;

    (void)state;
    packet_encode(&sample, bytes);
    assert_true(packet_decode(bytes, 4096, &packet, &err));
    assert_memory_equal(&packet, &sample, sizeof(packet));
}

static void check_refused(const uint8_t bytes[PACKET_HEADER_SIZE],
                          uint32_t max_payload, const char *text)
{
    struct packet packet = sample;
    struct err err;

    assert_false(packet_decode(bytes, max_payload, &packet, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_string_equal(err.text, text);
    assert_memory_equal(&packet, &sample, sizeof(packet));
}

static void wrong_magic_names_the_command(void **state)
{
    uint8_t bytes[PACKET_HEADER_SIZE];

    (void)state;
    packet_encode(&sample, bytes);
    bytes[23] ^= 0x80;
    check_refused(bytes, 4096,
                  "the peer sent WRTE with a wrong magic 0x3aabada8");
}

static void a_payload_above_the_limit_names_both(void **state)
{
    uint8_t bytes[PACKET_HEADER_SIZE];

    (void)state;
    packet_encode(&sample, bytes);
    check_refused(bytes, 4095,
                  "the peer announced WRTE with 4096 bytes; "
                  "at most 4095 were agreed");
}

static void unknown_command_is_reported_as_maybe_not_adb(void **state)
{
    uint8_t bytes[PACKET_HEADER_SIZE];

    (void)state;
    memset(bytes, 0, sizeof(bytes));
    check_refused(bytes, 4096,
                  "the peer sent an unknown command 0x00000000 "
                  "(is this an ADB port?)");
}

/* Every flipped bit of command and magic is detected. */
static void flipped_bit_in_command_or_magic_is_detected(void **state)
{
    struct packet packet;
    struct err err;

    (void)state;
    for (unsigned bit = 0; bit < PACKET_HEADER_SIZE * 8; bit++) {
        uint8_t bytes[PACKET_HEADER_SIZE];

        if (bit >= 4 * 8 && bit < 20 * 8)
            continue;
        packet_encode(&sample, bytes);
        bytes[bit / 8] ^= (uint8_t)(1U << bit % 8);
        assert_false(packet_decode(bytes, 4096, &packet, &err));
    }
}

static void commands_have_the_names_that_are_on_the_wire(void **state)
{
    static const uint32_t commands[] = {PACKET_SYNC, PACKET_CNXN, PACKET_AUTH,
                                        PACKET_OPEN, PACKET_OKAY, PACKET_CLSE,
                                        PACKET_WRTE, PACKET_STLS};
    uint8_t bytes[PACKET_HEADER_SIZE];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        packet_encode(&(struct packet){.command = commands[i]}, bytes);
        assert_memory_equal(bytes, packet_command_name(commands[i]), 4);
    }
    assert_string_equal(packet_command_name(0), "????");
}

static void checksum_adds_bytes(void **state)
{
    (void)state;
    assert_int_equal(packet_checksum("", 0), 0);
    assert_int_equal(packet_checksum("\x01\xff\x7f", 3), 0x17f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_has_the_layout_of_adb),
        cmocka_unit_test(encoded_header_is_decoded),
        cmocka_unit_test(wrong_magic_names_the_command),
        cmocka_unit_test(a_payload_above_the_limit_names_both),
        cmocka_unit_test(unknown_command_is_reported_as_maybe_not_adb),
        cmocka_unit_test(flipped_bit_in_command_or_magic_is_detected),
        cmocka_unit_test(commands_have_the_names_that_are_on_the_wire),
        cmocka_unit_test(checksum_adds_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
