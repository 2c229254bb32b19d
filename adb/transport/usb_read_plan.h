/*
 * Plans which USB transfers to request, and checks those that completed.
 *
 * A phone sends a header and its payload as separate transfers, and no empty
 * packet after a full one: so each read must request exactly what comes. Only
 * the header says how large its payload is. The size of the transfer after
 * that, the next header, is known again, and is requested in advance.
 *
 *                                         usb_read_plan_take
 *   SEEK ───────────────────▶ PAYLOAD ◀──────────────────── HEADER
 *   until a greeting comes    if it has any                   ▲
 *                                └────────────────────────────┘
 *                                      usb_read_plan_next
 *
 * A phone does not notice when a host disappears. Data that it still has for
 * the previous host comes first: everything up to the answer to our greeting
 * is dropped, starting in the middle of a packet.
 *
 * Pure: it looks at headers and counts; the caller moves the bytes.
 */
#ifndef ADB_TRANSPORT_USB_READ_PLAN_H
#define ADB_TRANSPORT_USB_READ_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum usb_read_kind {
    USB_READ_SEEK,
    USB_READ_HEADER,
    USB_READ_PAYLOAD,
};

/* One transfer to request. */
struct usb_read {
    enum usb_read_kind kind;
    uint32_t size;
};

/* The most data that an earlier connection can have left in flight. */
#define USB_READ_PLAN_DROP_LIMIT (64U * 1024U * 1024U)

struct usb_read_plan {
    uint32_t packet_size; /* wMaxPacketSize of the endpoint */
    bool greeted;         /* our greeting was sent, so an answer may come */
    bool seeking;         /* the answer was not found yet */
    bool header_due;      /* to be requested after payload_due bytes */
    uint32_t payload_due;
    bool may_be_empty; /* the payload before this header filled its packets */
    size_t dropped;
};

void usb_read_plan_init(struct usb_read_plan *plan, uint32_t packet_size);

/*
 * Plan the next transfer, of at most max bytes (a multiple of the packet size).
 * False: it depends on a transfer that has not completed.
 */
MUST_USE bool usb_read_plan_next(struct usb_read_plan *plan, uint32_t max,
                                 struct usb_read *read);

/*
 * A transfer has completed with length bytes of data. Those from *begin on are
 * for the reader; there may be none. Fails with ERR_PROTOCOL when a header is
 * invalid or too much was dropped, and with ERR_LOST when more or fewer bytes
 * came than announced.
 */
MUST_USE bool usb_read_plan_take(struct usb_read_plan *plan,
                                 const struct usb_read *read,
                                 const uint8_t *data, size_t length,
                                 size_t *begin, struct err *err);

#endif
