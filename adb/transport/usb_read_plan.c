#include "adb/transport/usb_read_plan.h"

#include <assert.h>

#include "adb/wire/packet.h"

void usb_read_plan_init(struct usb_read_plan *plan, uint32_t packet_size)
{
    assert(packet_size);
    *plan = (struct usb_read_plan){
        .packet_size = packet_size, .seeking = true, .header_due = true};
}

bool usb_read_plan_next(struct usb_read_plan *plan, uint32_t max,
                        struct usb_read *read)
{
    uint32_t due = plan->payload_due;

    assert(max && max % plan->packet_size == 0);
    if (due) {
        read->kind = USB_READ_PAYLOAD;
        read->size = due < max ? due : max;
        plan->payload_due -= read->size;
        return true;
    }
    if (!plan->header_due)
        return false;
    plan->header_due = false;
    read->kind = plan->seeking ? USB_READ_SEEK : USB_READ_HEADER;
    read->size = plan->seeking ? max : PACKET_HEADER_SIZE;
    return true;
}

static bool take_header(struct usb_read_plan *plan, const uint8_t *header,
                        struct err *err)
{
    struct packet packet;

    if (!packet_decode(header, PACKET_MAX_PAYLOAD, &packet, err))
        return false;
    plan->header_due = true;
    plan->payload_due = packet.length;
    plan->may_be_empty =
        packet.length && packet.length % plan->packet_size == 0;
    return true;
}

/* The answer to our greeting; everything else is left over from before. */
static bool is_answer(const uint8_t *header)
{
    struct packet packet;
    struct err ignored;

    return packet_decode(header, PACKET_MAX_PAYLOAD_V1, &packet, &ignored) &&
           (packet.command == PACKET_CNXN || packet.command == PACKET_AUTH);
}

/* A header ends its transfer, possibly after the rest of a payload. */
static bool seek(struct usb_read_plan *plan, const uint8_t *data, size_t length,
                 size_t *begin, struct err *err)
{
    if (plan->greeted &&
        length % plan->packet_size == PACKET_HEADER_SIZE % plan->packet_size &&
        length >= PACKET_HEADER_SIZE &&
        is_answer(data + length - PACKET_HEADER_SIZE)) {
        plan->seeking = false;
        *begin = length - PACKET_HEADER_SIZE;
        return take_header(plan, data + *begin, err);
    }
    *begin = length;
    plan->dropped += length;
    plan->header_due = true;
    return plan->dropped <= USB_READ_PLAN_DROP_LIMIT ||
           err_set(err, ERR_PROTOCOL,
                   "the phone does not stop sending what an earlier "
                   "connection asked for; plug it in again");
}

bool usb_read_plan_take(struct usb_read_plan *plan, const struct usb_read *read,
                        const uint8_t *data, size_t length, size_t *begin,
                        struct err *err)
{
    if (read->kind == USB_READ_SEEK)
        return seek(plan, data, length, begin, err);
    *begin = 0;
    if (read->kind == USB_READ_HEADER && !length && plan->may_be_empty) {
        plan->may_be_empty = false;
        plan->header_due = true;
        return true;
    }
    if (length != read->size)
        return err_set(err, ERR_LOST, "the phone sent %zu bytes instead of %u",
                       length, read->size);
    return read->kind == USB_READ_PAYLOAD || take_header(plan, data, err);
}
