/*
 * A private libusb context, and waiting for it together with other descriptors.
 *
 * Each phone's connection has its own context, so connections do not disturb
 * each other, and no thread is needed.
 */
#ifndef ADB_TRANSPORT_USB_EVENTS_H
#define ADB_TRANSPORT_USB_EVENTS_H

#include <poll.h>
#include <stdbool.h>

#include <libusb.h>

#include "base/deadline.h"
#include "base/err.h"

struct usb_events {
    libusb_context *context; /* owned; NULL: none */
};

/* Fails with ERR_UNSUPPORTED where there is no USB. */
MUST_USE bool usb_events_init(struct usb_events *events, struct err *err);

/* All its devices must have been closed. */
void usb_events_release(struct usb_events *events);

/*
 * Block until libusb has events to handle, one of the given descriptors is
 * ready, or by passes (ERR_TIMEOUT). From any number of threads.
 */
#define USB_EVENTS_OWN_MAX 4
MUST_USE bool usb_events_poll(const struct usb_events *events,
                              struct pollfd *own, size_t count,
                              struct deadline by, struct err *err);

/*
 * Handle the pending libusb events, which calls the callbacks. Does not block.
 */
void usb_events_handle(const struct usb_events *events);

#endif
