#include "adb/connection/packet_receiver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/support/adb/memory_transport.h"

static const size_t lengths[] = {0, 1, 23, 24, 25, 16383, 16384, 40000, 0, 7};

/* Byte i of packet number n. */
static char content(size_t n, size_t i)
{
    return (char)(n * 31 + i);
}

static void append_packet(struct buf *bytes, size_t n)
{
    uint8_t header[PACKET_HEADER_SIZE];

    packet_encode(&(struct packet){.command = PACKET_WRTE,
                                   .arg0 = (uint32_t)n,
                                   .length = (uint32_t)lengths[n]},
                  header);
    buf_append(bytes, header, sizeof(header));
    for (size_t i = 0; i < lengths[n]; i++)
        buf_byte(bytes, content(n, i));
}

/* The next event other than "need more bytes". */
static enum packet_receiver_event advance(struct packet_receiver *receiver,
                                          struct transport *transport)
{
    enum packet_receiver_event event;
    struct err err = ERR_INIT;
    size_t got;

    while (packet_receiver_next(receiver, &event, &err)) {
        if (event != PACKET_RECEIVER_NOTHING)
            return event;
        if (!packet_receiver_read(receiver, transport, &got, &err))
            break;
    }
    fail_msg("%s", err.text);
    return PACKET_RECEIVER_NOTHING;
}

static void check_payload(const char *payload, size_t n)
{
    for (size_t i = 0; i < lengths[n]; i++) {
        if (payload[i] != content(n, i))
            fail_msg("byte %zu of packet %zu is wrong", i, n);
    }
}

static void receive_all(const struct buf *bytes, size_t piece, bool keep)
{
    struct packet_receiver *receiver = mem_new(1, sizeof(*receiver));
    struct memory_transport memory;

    memory_transport_init(&memory, bytes->data, bytes->length, piece);
    packet_receiver_init(receiver, PACKET_MAX_PAYLOAD);
    for (size_t n = 0; n < ARRAY_LEN(lengths); n++) {
        char *payload = keep ? mem_new(lengths[n], 1) : NULL;

        assert_int_equal(advance(receiver, &memory.transport),
                         PACKET_RECEIVER_BEGUN);
        assert_int_equal(receiver->packet.arg0, n);
        assert_int_equal(receiver->packet.length, lengths[n]);
        packet_receiver_into(receiver, payload);
        assert_int_equal(advance(receiver, &memory.transport),
                         PACKET_RECEIVER_DONE);
        if (keep)
            check_payload(payload, n);
        free(payload);
    }
    memory_transport_release(&memory);
    free(receiver);
}

static void packets_arrive_complete_in_pieces_of_any_size(void **state)
{
    static const size_t pieces[] = {1,     2,     3,     23,    24,   25,
                                    16384, 16385, 32767, 32768, 65536};
    struct buf bytes = BUF_INIT((size_t)1 << 20);

    (void)state;
    for (size_t n = 0; n < ARRAY_LEN(lengths); n++)
        append_packet(&bytes, n);
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        receive_all(&bytes, pieces[i], true);
        receive_all(&bytes, pieces[i], false);
    }
    buf_release(&bytes);
}

static void partial_payload_can_move_to_other_memory(void **state)
{
    struct packet_receiver *receiver = mem_new(1, sizeof(*receiver));
    char *first = mem_new(lengths[7], 1);
    char *second = mem_new(lengths[7], 1);
    struct buf bytes = BUF_INIT((size_t)1 << 20);
    struct memory_transport memory;
    enum packet_receiver_event event;
    struct err err;
    size_t got;

    (void)state;
    append_packet(&bytes, 7);
    memory_transport_init(&memory, bytes.data, bytes.length, 1000);
    packet_receiver_init(receiver, PACKET_MAX_PAYLOAD);
    assert_int_equal(advance(receiver, &memory.transport),
                     PACKET_RECEIVER_BEGUN);
    packet_receiver_into(receiver, first);
    assert_true(packet_receiver_next(receiver, &event, &err));
    assert_true(packet_receiver_read(receiver, &memory.transport, &got, &err));
    packet_receiver_into(receiver, second);
    free(first);
    assert_int_equal(advance(receiver, &memory.transport),
                     PACKET_RECEIVER_DONE);
    check_payload(second, 7);
    free(second);
    memory_transport_release(&memory);
    buf_release(&bytes);
    free(receiver);
}

static void bad_header_ends_it_after_the_good_packets(void **state)
{
    struct packet_receiver *receiver = mem_new(1, sizeof(*receiver));
    struct buf bytes = BUF_INIT(4096);
    struct memory_transport memory;
    enum packet_receiver_event event;
    struct err err;

    (void)state;
    append_packet(&bytes, 1);
    for (size_t i = 0; i < PACKET_HEADER_SIZE; i++)
        buf_byte(&bytes, 'x');
    memory_transport_init(&memory, bytes.data, bytes.length, 4096);
    packet_receiver_init(receiver, PACKET_MAX_PAYLOAD);
    assert_int_equal(advance(receiver, &memory.transport),
                     PACKET_RECEIVER_BEGUN);
    assert_int_equal(advance(receiver, &memory.transport),
                     PACKET_RECEIVER_DONE);
    assert_false(packet_receiver_next(receiver, &event, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    memory_transport_release(&memory);
    buf_release(&bytes);
    free(receiver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_arrive_complete_in_pieces_of_any_size),
        cmocka_unit_test(partial_payload_can_move_to_other_memory),
        cmocka_unit_test(bad_header_ends_it_after_the_good_packets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
