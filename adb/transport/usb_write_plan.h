/*
 * Splits outgoing bytes into USB transfers.
 *
 * A connection writes a stream of bytes, but on USB a header and its payload
 * are separate transfers, and a payload that fills its last packet is followed
 * by an empty one, or the phone would wait for more.
 *
 * Pure: it looks at headers and counts; the caller moves the bytes.
 */
#ifndef ADB_TRANSPORT_USB_WRITE_PLAN_H
#define ADB_TRANSPORT_USB_WRITE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct usb_write_plan {
    uint32_t packet_size; /* wMaxPacketSize of the endpoint */
    uint32_t length;      /* of the current payload; 0: a header is expected */
    size_t left;          /* bytes until its end */
};

/* The next step for the transfer to which bytes were just added. */
enum usb_write_step {
    USB_WRITE_MORE,      /* add more */
    USB_WRITE_SEND,      /* send it */
    USB_WRITE_SEND_ZERO, /* send it, and an empty packet behind it */
};

void usb_write_plan_init(struct usb_write_plan *plan, uint32_t packet_size);

/* Is the position between two packets? */
bool usb_write_plan_is_between(const struct usb_write_plan *plan);

/*
 * Account for bytes that end at transfer + filled in a transfer that starts at
 * transfer; at most left of them. Fails with ERR_PROTOCOL when a header is
 * invalid.
 */
MUST_USE bool usb_write_plan_add(struct usb_write_plan *plan,
                                 const uint8_t *transfer, size_t filled,
                                 size_t added, enum usb_write_step *cut,
                                 struct err *err);

#endif
