#include "adb/connection/handshake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/support/adb/memory_transport.h"

#define SOON deadline_in_ms(60000)

/* The first packet of a peer: a header, and text of any other length. */
struct opening {
    struct packet packet;
    const char *text;
};

static struct buf bytes_of(const struct opening *opening)
{
    struct buf bytes = BUF_INIT(8192);
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&opening->packet, header);
    buf_append(&bytes, header, sizeof(header));
    buf_text(&bytes, opening->text);
    return bytes;
}

static struct opening greeting(uint32_t version, uint32_t max_payload,
                               const char *text)
{
    return (struct opening){
        {.command = PACKET_CNXN,
         .arg0 = version,
         .arg1 = max_payload,
         .length = (uint32_t)strlen(text),
         .check = packet_checksum(text, strlen(text))},
        text,
    };
}

static bool greet(enum conn_role role, const struct opening *opening,
                  struct memory_transport *memory, struct handshake *agreed,
                  struct err *err)
{
    const struct conn_options options = {
        .role = role,
        .banner = {.state = "host", .features = FEATURE_BIT(FEATURE_CMD)},
    };
    struct transport *transport = &memory->transport;
    struct buf bytes = bytes_of(opening);
    bool done;

    memory_transport_init(memory, bytes.data, bytes.length, 7);
    done = handshake_run(&transport, &options, SOON, agreed, err);
    buf_release(&bytes);
    return done;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Our own CNXN, which is the first thing we write. */
static struct packet our_greeting(const struct memory_transport *memory)
{
    struct packet packet;
    struct err err = ERR_INIT;

    if (!packet_decode((const uint8_t *)memory->written.data, 4096, &packet,
                       &err))
        fail_msg("%s", err.text);
    return packet;
}

/* The peer uses the smaller size of both, as AOSP's adb does. */
static void both_sides_use_the_smaller_payload_size(void **state)
{
    static const struct {
        uint32_t version, max_payload;
    } samples[] = {
        {0x01000000, 4096},       {0x01000001, 1048576}, {0x01000001, 262144},
        {0x02000000, 0xffffffff}, {0x01000000, 1},
    };
    static const enum conn_role roles[] = {CONN_HOST, CONN_DEVICE};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples) * 2; i++) {
        struct opening opening =
            greeting(samples[i / 2].version, samples[i / 2].max_payload,
                     "device::ro.product.model=M");
        struct memory_transport memory;
        struct handshake agreed;
        struct packet ours;
        struct err err = ERR_INIT;

        if (!greet(roles[i % 2], &opening, &memory, &agreed, &err))
            fail_msg("%s", err.text);
        ours = our_greeting(&memory);
        assert_int_equal(agreed.version,
                         smaller(opening.packet.arg0, ours.arg0));
        assert_int_equal(agreed.max_payload,
                         smaller(opening.packet.arg1, ours.arg1));
        assert_string_equal(agreed.peer.model, "M");
        memory_transport_release(&memory);
    }
}

static void our_banner_has_a_checksum(void **state)
{
    static const char banner[] = "host::features=cmd";
    struct opening opening = greeting(0x01000001, 4096, "device::");
    struct memory_transport memory;
    struct handshake agreed;
    struct packet packet;
    struct err err;

    (void)state;
    assert_true(greet(CONN_HOST, &opening, &memory, &agreed, &err));
    packet = our_greeting(&memory);
    assert_int_equal(packet.command, PACKET_CNXN);
    assert_int_equal(packet.arg0, 0x01000001);
    assert_int_equal(packet.arg1, PACKET_WANTED_PAYLOAD);
    assert_int_equal(packet.check, packet_checksum(banner, sizeof(banner) - 1));
    assert_string_equal(memory.written.data + PACKET_HEADER_SIZE, banner);
    memory_transport_release(&memory);
}

static const struct {
    struct opening opening;
    enum err_code code;
    const char *text;
} bad[] = {
    {{{.command = PACKET_CNXN, .arg0 = 0x01000000, .length = 100000000}, ""},
     ERR_PROTOCOL,
     "the peer announced CNXN with 100000000 bytes; at most 4096 were agreed"},
    {{{.command = PACKET_CNXN, .arg0 = 0x01000000, .length = 4294967295}, ""},
     ERR_PROTOCOL,
     "the peer announced CNXN with 4294967295 bytes; at most 4096 were agreed"},
    {{{.command = PACKET_CNXN, .arg0 = 0x01000000, .arg1 = 4096, .length = 8},
      "device::"},
     ERR_PROTOCOL,
     "the peer's CNXN packet has a wrong checksum"},
    {{{.command = PACKET_CNXN, .arg0 = 0x01000001, .length = 8}, "device::"},
     ERR_PROTOCOL,
     "the peer announced version 0x01000001 and payloads of 0 bytes, "
     "which is not valid ADB"},
    {{{.command = PACKET_CNXN, .arg0 = 0x01000001, .arg1 = 4096}, ""},
     ERR_PROTOCOL,
     "the peer's banner does not begin with STATE::"},
    {{{.command = PACKET_CNXN, .arg0 = 0x01000001, .arg1 = 4096, .length = 8},
      "devi"},
     ERR_LOST,
     "the peer closed the connection"},
    {{{.command = PACKET_OKAY}, ""},
     ERR_PROTOCOL,
     "the peer sent an unexpected OKAY during the handshake"},
    {{{.command = 0x50545448}, ""},
     ERR_PROTOCOL,
     "the peer sent an unknown command 0x50545448 (is this an ADB port?)"},
};

static void bad_banner_is_refused_with_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct memory_transport memory;
        struct handshake agreed;
        char expected[256];
        struct err err;

        snprintf(expected, sizeof(expected), "handshake: %s", bad[i].text);
        assert_false(greet(CONN_HOST, &bad[i].opening, &memory, &agreed, &err));
        assert_string_equal(err.text, expected);
        assert_int_equal(err.code, bad[i].code);
        memory_transport_release(&memory);
    }
}

/* This peer would never stop sending. */
static void endless_handshake_ends_at_the_deadline(void **state)
{
    const struct conn_options options = {.banner = {.state = "host"}};
    struct opening opening = greeting(0x01000001, 4096, "device::");
    struct buf bytes = bytes_of(&opening);
    struct memory_transport memory;
    struct transport *transport = &memory.transport;
    struct handshake agreed;
    struct err err;

    (void)state;
    memory_transport_init(&memory, bytes.data, bytes.length, 1);
    assert_false(
        handshake_run(&transport, &options, deadline_in_ms(0), &agreed, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    memory_transport_release(&memory);
    buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_use_the_smaller_payload_size),
        cmocka_unit_test(our_banner_has_a_checksum),
        cmocka_unit_test(bad_banner_is_refused_with_its_reason),
        cmocka_unit_test(endless_handshake_ends_at_the_deadline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
