/* The USB transport: bytes to and from a phone's ADB interface. */
#ifndef ADB_USB_TRANSPORT_H
#define ADB_USB_TRANSPORT_H

#include "adb/transport.h"
#include "adb/usb_descriptors.h"
#include "adb/usb_events.h"
#include "base/cancel.h"

/* A phone whose interface was claimed. */
struct usb_claim {
    int fd; /* the phone's node */
    struct usb_events events;
    libusb_device_handle *handle;
    struct usb_interface interface;
};

/*
 * Talk over a claim, which the transport then owns, even on failure. Drops
 * what the phone still has for whoever used it before: blocks until it has
 * been quiet for a few milliseconds, or by passes.
 * cancel is borrowed for the transport's life and may be NULL.
 */
MUST_USE bool usb_transport_open(struct usb_claim *claim,
                                 const struct cancel *cancel,
                                 struct deadline by,
                                 struct transport **transport, struct err *err);

#endif
