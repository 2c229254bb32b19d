/*
 * The phones that the kernel knows of, one after the other. It has asked each
 * device already, so none is woken up, and no permission is needed.
 */
#ifndef ADB_USB_SCAN_H
#define ADB_USB_SCAN_H

#include <dirent.h>

#include "adb/usb.h"
#include "adb/usb_descriptors.h"

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
