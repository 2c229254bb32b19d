/*
 * Which USB transfers to read, and what those that came must be.
 *
 * A phone sends a header and its payload as transfers of their own, and no
 * empty packet behind a full one: so each read asks for exactly what comes.
 * Only a header tells how large its payload is. What follows that, the next
 * header, is known again, and is asked for in advance.
 *
 *                                         usb_planner_take
 *   SEEK ───────────────────▶ PAYLOAD ◀──────────────────── HEADER
 *   until a greeting comes    if it has any                   ▲
 *                                └────────────────────────────┘
 *                                      usb_planner_next
 *
 * A phone is not told when a computer goes away. What it still has for the
 * last one comes first: from the middle of some packet up to our greeting's
 * answer, all of it is dropped.
 *
 * Pure: it looks at headers and counts; the caller moves the bytes.
 */
#ifndef ADB_USB_PLANNER_H
#define ADB_USB_PLANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum usb_read_kind {
    USB_READ_SEEK,
    USB_READ_HEADER,
    USB_READ_PAYLOAD,
};

/* One transfer to ask for. */
struct usb_read {
    enum usb_read_kind kind;
    uint32_t size;
};

/* What an earlier connection left behind; no phone has more in flight. */
#define USB_PLANNER_DROP_LIMIT (64U * 1024U * 1024U)

struct usb_planner {
    uint32_t packet_size; /* wMaxPacketSize of the endpoint */
    bool greeted;         /* we have, so an answer may come */
    bool seeking;         /* and have not found it */
    bool header_due;      /* to be asked for, after payload_due bytes */
    uint32_t payload_due;
    bool may_be_empty; /* the payload before this header filled its packets */
    size_t dropped;
};

void usb_planner_init(struct usb_planner *planner, uint32_t packet_size);

/*
 * Plan the next transfer, of at most max bytes (a multiple of the packet
 * size). False: it depends on one that is under way.
 */
MUST_USE bool usb_planner_next(struct usb_planner *planner, uint32_t max,
                               struct usb_read *read);

/*
 * A transfer has come, with length bytes of data. Those from *begin on are
 * for the reader, and may be none.
 * Fails with ERR_PROTOCOL when a header is none or too much was dropped, and
 * with ERR_LOST when more or less came than was announced.
 */
MUST_USE bool usb_planner_take(struct usb_planner *planner,
                               const struct usb_read *read, const uint8_t *data,
                               size_t length, size_t *begin, struct err *err);

#endif
