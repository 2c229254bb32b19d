/* The USB transport: bytes to and from a phone's ADB interface. */
#ifndef ADB_TRANSPORT_USB_TRANSPORT_H
#define ADB_TRANSPORT_USB_TRANSPORT_H

#include "adb/transport/transport.h"
#include "adb/transport/usb_descriptors.h"
#include "adb/transport/usb_events.h"
#include "base/cancel.h"

/* A phone with a claimed interface. */
struct usb_claim {
    int fd; /* the phone's device file */
    struct usb_events events;
    libusb_device_handle *handle;
    struct usb_interface interface;
};

/*
 * Use a claim, which the transport then owns, even on failure. Drops data that
 * the phone still has for the previous user: blocks until it has been silent
 * for a few milliseconds, or by passes. cancel is borrowed until the transport
 * is closed and may be NULL.
 */
MUST_USE bool usb_transport_open(struct usb_claim *claim,
                                 const struct cancel *cancel,
                                 struct deadline by,
                                 struct transport **transport, struct err *err);

#endif
