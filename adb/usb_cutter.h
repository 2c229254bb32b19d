/*
 * Outgoing bytes, cut into USB transfers.
 *
 * A connection writes a stream of bytes, but on USB a header and its payload
 * are transfers of their own, and a payload that fills its last packet is
 * followed by an empty one, or the phone would wait for more.
 *
 * Pure: it looks at headers and counts; the caller moves the bytes.
 */
#ifndef ADB_USB_CUTTER_H
#define ADB_USB_CUTTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct usb_cutter {
    uint32_t packet_size; /* wMaxPacketSize of the endpoint */
    uint32_t length;      /* of the payload under way; 0: a header is */
    size_t left;          /* bytes until its end */
};

/* What to do with the transfer that bytes were just added to. */
enum usb_cut {
    USB_CUT_FILL, /* add more */
    USB_CUT_HERE, /* send it */
    USB_CUT_ZERO, /* send it, and an empty packet behind it */
};

void usb_cutter_init(struct usb_cutter *cutter, uint32_t packet_size);

/* Is nothing of a packet under way? */
bool usb_cutter_is_between(const struct usb_cutter *cutter);

/*
 * Add bytes that end at transfer + filled to a transfer that began there; at
 * most cutter->left of them. Fails with ERR_PROTOCOL when what should be a
 * header is none.
 */
MUST_USE bool usb_cutter_add(struct usb_cutter *cutter, const uint8_t *transfer,
                             size_t filled, size_t added, enum usb_cut *cut,
                             struct err *err);

#endif
