/*
 * Simulated USB: libusb sees a bus with a phone, which is a usb_gadget. Works
 * only in a program started by umockdev-wrapper.
 */
#ifndef TESTS_SUPPORT_ADB_MOCK_USB_H
#define TESTS_SUPPORT_ADB_MOCK_USB_H

#include <stdbool.h>

#include "tests/support/adb/usb_gadget.h"

#define MOCK_USB_SERIAL "MOCK\x1b[31m1"
#define MOCK_USB_CLEAN_SERIAL "MOCK?[31m1"
#define MOCK_USB_PATH "1-2.3"
#define MOCK_USB_PLACE "usb:" MOCK_USB_PATH
#define MOCK_USB_TWIN_PLACE "usb:1-2.5"
#define MOCK_USB_NODE "/dev/bus/usb/001/007"

struct mock_usb;

/* An empty bus. */
struct mock_usb *mock_usb_start(void);
void mock_usb_stop(struct mock_usb *usb);

/* Plug a phone in; it is borrowed until it is unplugged. */
void mock_usb_plug(struct mock_usb *usb, struct usb_gadget *phone);

/* Another phone with the same serial, which never answers. */
void mock_usb_plug_twin(struct mock_usb *usb);

/* A device that is no phone. */
void mock_usb_plug_mouse(struct mock_usb *usb);

void mock_usb_unplug(struct mock_usb *usb);

/* Let every claim fail with that errno; 0: none fails. */
void mock_usb_refuse_claim(struct mock_usb *usb, int number);

/* How often the computer has reset the phone. */
unsigned mock_usb_resets(struct mock_usb *usb);

#endif
