#include "adb/transport/usb_write_plan.h"

#include <assert.h>

#include "adb/wire/packet.h"

void usb_write_plan_init(struct usb_write_plan *plan, uint32_t packet_size)
{
    assert(packet_size);
    *plan = (struct usb_write_plan){.packet_size = packet_size,
                                    .left = PACKET_HEADER_SIZE};
}

bool usb_write_plan_is_between(const struct usb_write_plan *plan)
{
    return !plan->length && plan->left == PACKET_HEADER_SIZE;
}

bool usb_write_plan_add(struct usb_write_plan *plan, const uint8_t *transfer,
                        size_t filled, size_t added, enum usb_write_step *cut,
                        struct err *err)
{
    struct packet packet = {0};

    (void)filled; /* only used by assertions */
    assert(added <= plan->left && added <= filled);
    plan->left -= added;
    if (plan->left) {
        *cut = USB_WRITE_MORE;
        return true;
    }
    if (!plan->length) {
        assert(filled == PACKET_HEADER_SIZE);
        if (!packet_decode(transfer, PACKET_MAX_PAYLOAD, &packet, err))
            return err_wrap(err, "sending over USB");
    }
    *cut = plan->length && plan->length % plan->packet_size == 0
               ? USB_WRITE_SEND_ZERO
               : USB_WRITE_SEND;
    plan->length = packet.length;
    plan->left = packet.length ? packet.length : PACKET_HEADER_SIZE;
    return true;
}
