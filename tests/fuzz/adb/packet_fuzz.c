/* Packets in reads of any size: the result is the same, kept or dropped. */
#include "adb/connection/packet_receiver.h"
#include "base/mem.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/adb/memory_transport.h"

/* Small, so that the fuzzer finds payloads that are too long. */
#define PAYLOAD_MAX 40000U

/* The result, independent of the reads. */
struct packet_outcome {
    size_t packets;
    uint32_t sum;
    enum err_code code;
};

static void add(struct packet_outcome *outcome, uint32_t value)
{
    outcome->sum = outcome->sum * 31 + value;
}

static void take_packet(struct packet_outcome *outcome,
                        const struct packet *packet)
{
    outcome->packets++;
    add(outcome, packet->command);
    add(outcome, packet->arg0);
    add(outcome, packet->arg1);
    add(outcome, packet->length);
    fuzz_expect(packet->length <= PAYLOAD_MAX);
}

/* Receive everything; payload NULL drops the payloads. */
static struct packet_outcome receive(struct memory_transport *memory,
                                     char *payload, uint32_t *payload_sum)
{
    struct packet_receiver *receiver = mem_new(1, sizeof(*receiver));
    struct packet_outcome outcome = {0};
    enum packet_receiver_event event;
    struct err err = ERR_INIT;
    size_t got;

    packet_receiver_init(receiver, PAYLOAD_MAX);
    while (packet_receiver_next(receiver, &event, &err)) {
        if (event == PACKET_RECEIVER_BEGUN)
            packet_receiver_into(receiver, payload);
        else if (event == PACKET_RECEIVER_DONE)
            take_packet(&outcome, &receiver->packet);
        else if (!packet_receiver_read(receiver, &memory->transport, &got,
                                       &err))
            break;
        if (event == PACKET_RECEIVER_DONE && payload)
            *payload_sum = *payload_sum * 31 +
                           packet_checksum(payload, receiver->packet.length);
    }
    outcome.code = err.code;
    free(receiver);
    return outcome;
}

static struct packet_outcome receive_in(const uint8_t *data, size_t size,
                                        size_t piece, bool keep,
                                        uint32_t *payload_sum)
{
    char *payload = keep ? mem_new(PAYLOAD_MAX, 1) : NULL;
    struct memory_transport memory;
    struct packet_outcome outcome;

    memory_transport_init(&memory, data, size, piece);
    outcome = receive(&memory, payload, payload_sum);
    memory_transport_release(&memory);
    free(payload);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t piece = size ? 1 + data[0] : 1;
    uint32_t sums[3] = {0};
    struct packet_outcome whole =
        receive_in(data, size, SIZE_MAX, true, &sums[0]);
    struct packet_outcome cut = receive_in(data, size, piece, true, &sums[1]);
    struct packet_outcome dropped =
        receive_in(data, size, piece, false, &sums[2]);

    fuzz_expect(whole.packets == cut.packets && whole.sum == cut.sum);
    fuzz_expect(whole.code == cut.code && sums[0] == sums[1]);
    fuzz_expect(whole.packets == dropped.packets && whole.sum == dropped.sum);
    fuzz_expect(whole.code == dropped.code);
    return 0;
}
