#include "adb/connection/packet_receiver.h"

#include <assert.h>
#include <string.h>

/*
 * Payloads from this size on are read directly to their destination, without
 * any byte after them; smaller ones are read together with what follows, and
 * copied.
 */
#define DIRECT_MIN 16384U

void packet_receiver_init(struct packet_receiver *receiver,
                          uint32_t max_payload)
{
    receiver->max_payload = max_payload;
    receiver->in_payload = false;
    receiver->payload = NULL;
    receiver->got = 0;
    receiver->begin = 0;
    receiver->end = 0;
}

static size_t at_hand(const struct packet_receiver *receiver)
{
    return receiver->end - receiver->begin;
}

static size_t missing(const struct packet_receiver *receiver)
{
    return receiver->packet.length - receiver->got;
}

static bool next_header(struct packet_receiver *receiver,
                        enum packet_receiver_event *event, struct err *err)
{
    if (at_hand(receiver) < PACKET_HEADER_SIZE) {
        *event = PACKET_RECEIVER_NOTHING;
        return true;
    }
    if (!packet_decode((const uint8_t *)receiver->buffer + receiver->begin,
                       receiver->max_payload, &receiver->packet, err))
        return false;
    receiver->begin += PACKET_HEADER_SIZE;
    receiver->in_payload = true;
    receiver->payload = NULL;
    receiver->got = 0;
    *event = PACKET_RECEIVER_BEGUN;
    return true;
}

bool packet_receiver_next(struct packet_receiver *receiver,
                          enum packet_receiver_event *event, struct err *err)
{
    size_t take;

    if (!receiver->in_payload)
        return next_header(receiver, event, err);
    take = missing(receiver);
    if (take > at_hand(receiver))
        take = at_hand(receiver);
    if (receiver->payload && take)
        memcpy(receiver->payload + receiver->got,
               receiver->buffer + receiver->begin, take);
    receiver->begin += take;
    receiver->got += take;
    if (missing(receiver)) {
        *event = PACKET_RECEIVER_NOTHING;
        return true;
    }
    receiver->in_payload = false;
    *event = PACKET_RECEIVER_DONE;
    return true;
}

void packet_receiver_into(struct packet_receiver *receiver, char *memory)
{
    assert(receiver->in_payload);
    if (receiver->payload && memory && receiver->got)
        memcpy(memory, receiver->payload, receiver->got);
    receiver->payload = memory;
}

bool packet_receiver_read(struct packet_receiver *receiver,
                          struct transport *transport, size_t *got,
                          struct err *err)
{
    size_t left;

    if (receiver->in_payload && receiver->payload && !at_hand(receiver) &&
        receiver->packet.length >= DIRECT_MIN) {
        if (!transport->ops->read(transport, receiver->payload + receiver->got,
                                  missing(receiver), got, err))
            return false;
        receiver->got += *got;
        return true;
    }
    left = at_hand(receiver);
    memmove(receiver->buffer, receiver->buffer + receiver->begin, left);
    receiver->begin = 0;
    receiver->end = left;
    if (!transport->ops->read(transport, receiver->buffer + left,
                              sizeof(receiver->buffer) - left, got, err))
        return false;
    receiver->end += *got;
    return true;
}
