/* What libusb shows of phones, as the usb_*.c files use it. */
#ifndef ADB_USB_FIND_H
#define ADB_USB_FIND_H

#include <stdbool.h>

#include "adb/usb.h"
#include "adb/usb_transport.h"

/*
 * Look for the interface through which a device offers ADB. False: it does
 * not. Reads what the kernel keeps of it, so the device is not woken up.
 */
bool usb_find_interface(libusb_device *device, struct usb_interface *found);

/* Fill in everything about a device that offers ADB. */
void usb_describe(libusb_device *device, struct usb_phone *phone);

#endif
