/*
 * A libusb context of our own, and waiting for it beside our own descriptors.
 *
 * Nobody shares it: what one phone's connection does with libusb cannot
 * disturb another's, and it needs no thread.
 */
#ifndef ADB_USB_EVENTS_H
#define ADB_USB_EVENTS_H

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

/* All its devices have been closed. */
void usb_events_release(struct usb_events *events);

/*
 * Block until libusb has something to do, one of our own descriptors is
 * ready, or by passes (ERR_TIMEOUT). From any number of threads.
 */
#define USB_EVENTS_OWN_MAX 4
MUST_USE bool usb_events_poll(const struct usb_events *events,
                              struct pollfd *own, size_t count,
                              struct deadline by, struct err *err);

/* Do what libusb has to do now, which calls back. Does not block. */
void usb_events_handle(const struct usb_events *events);

#endif
