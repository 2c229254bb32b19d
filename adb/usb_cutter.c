#include "adb/usb_cutter.h"

#include <assert.h>

#include "adb/packet.h"

void usb_cutter_init(struct usb_cutter *cutter, uint32_t packet_size)
{
    assert(packet_size);
    *cutter = (struct usb_cutter){.packet_size = packet_size,
                                  .left = PACKET_HEADER_SIZE};
}

bool usb_cutter_is_between(const struct usb_cutter *cutter)
{
    return !cutter->length && cutter->left == PACKET_HEADER_SIZE;
}

bool usb_cutter_add(struct usb_cutter *cutter, const uint8_t *transfer,
                    size_t filled, size_t added, enum usb_cut *cut,
                    struct err *err)
{
    struct packet packet = {0};

    (void)filled; /* only our own mistakes are told by it */
    assert(added <= cutter->left && added <= filled);
    cutter->left -= added;
    if (cutter->left) {
        *cut = USB_CUT_FILL;
        return true;
    }
    if (!cutter->length) {
        assert(filled == PACKET_HEADER_SIZE);
        if (!packet_decode(transfer, PACKET_MAX_PAYLOAD, &packet, err))
            return err_wrap(err, "sending over USB");
    }
    *cut = cutter->length && cutter->length % cutter->packet_size == 0
               ? USB_CUT_ZERO
               : USB_CUT_HERE;
    cutter->length = packet.length;
    cutter->left = packet.length ? packet.length : PACKET_HEADER_SIZE;
    return true;
}
