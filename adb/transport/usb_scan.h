/*
 * Iterates over the phones that the kernel has found. The kernel has read their
 * descriptors already, so no phone is woken up and no permission is needed.
 */
#ifndef ADB_TRANSPORT_USB_SCAN_H
#define ADB_TRANSPORT_USB_SCAN_H

#include <dirent.h>

#include "adb/transport/usb.h"
#include "adb/transport/usb_descriptors.h"

struct usb_scan {
    DIR *devices; /* owned */
};

struct usb_found {
    struct usb_phone phone;
    struct usb_interface interface;
};

/* Fails with ERR_UNSUPPORTED where there is no USB. */
MUST_USE bool usb_scan_open(struct usb_scan *scan, struct err *err);

/* False: there are no more. */
bool usb_scan_next(struct usb_scan *scan, struct usb_found *found);

void usb_scan_close(struct usb_scan *scan);

#endif
