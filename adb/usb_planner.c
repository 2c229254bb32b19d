#include "adb/usb_planner.h"

#include <assert.h>

#include "adb/packet.h"

void usb_planner_init(struct usb_planner *planner, uint32_t packet_size)
{
    assert(packet_size);
    *planner = (struct usb_planner){
        .packet_size = packet_size, .seeking = true, .header_due = true};
}

bool usb_planner_next(struct usb_planner *planner, uint32_t max,
                      struct usb_read *read)
{
    uint32_t due = planner->payload_due;

    assert(max && max % planner->packet_size == 0);
    if (due) {
        read->kind = USB_READ_PAYLOAD;
        read->size = due < max ? due : max;
        planner->payload_due -= read->size;
        return true;
    }
    if (!planner->header_due)
        return false;
    planner->header_due = false;
    read->kind = planner->seeking ? USB_READ_SEEK : USB_READ_HEADER;
    read->size = planner->seeking ? max : PACKET_HEADER_SIZE;
    return true;
}

static bool take_header(struct usb_planner *planner, const uint8_t *header,
                        struct err *err)
{
    struct packet packet;

    if (!packet_decode(header, PACKET_MAX_PAYLOAD, &packet, err))
        return false;
    planner->header_due = true;
    planner->payload_due = packet.length;
    planner->may_be_empty =
        packet.length && packet.length % planner->packet_size == 0;
    return true;
}

/* What answers our greeting: everything else is left from before. */
static bool is_answer(const uint8_t *header)
{
    struct packet packet;
    struct err ignored;

    return packet_decode(header, PACKET_MAX_PAYLOAD_V1, &packet, &ignored) &&
           (packet.command == PACKET_CNXN || packet.command == PACKET_AUTH);
}

/* A header ends its transfer, perhaps behind what is left of a payload. */
static bool seek(struct usb_planner *planner, const uint8_t *data,
                 size_t length, size_t *begin, struct err *err)
{
    if (planner->greeted &&
        length % planner->packet_size ==
            PACKET_HEADER_SIZE % planner->packet_size &&
        length >= PACKET_HEADER_SIZE &&
        is_answer(data + length - PACKET_HEADER_SIZE)) {
        planner->seeking = false;
        *begin = length - PACKET_HEADER_SIZE;
        return take_header(planner, data + *begin, err);
    }
    *begin = length;
    planner->dropped += length;
    planner->header_due = true;
    return planner->dropped <= USB_PLANNER_DROP_LIMIT ||
           err_set(err, ERR_PROTOCOL,
                   "the phone does not stop sending what an earlier "
                   "connection asked for; plug it in again");
}

bool usb_planner_take(struct usb_planner *planner, const struct usb_read *read,
                      const uint8_t *data, size_t length, size_t *begin,
                      struct err *err)
{
    if (read->kind == USB_READ_SEEK)
        return seek(planner, data, length, begin, err);
    *begin = 0;
    if (read->kind == USB_READ_HEADER && !length && planner->may_be_empty) {
        planner->may_be_empty = false;
        planner->header_due = true;
        return true;
    }
    if (length != read->size)
        return err_set(err, ERR_LOST,
                       "the phone sent %zu bytes where %u were to come", length,
                       read->size);
    return read->kind == USB_READ_PAYLOAD || take_header(planner, data, err);
}
