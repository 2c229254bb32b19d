/*
 * The phone's end of a USB cable: handles requests (URBs) like a phone's
 * controller, in packets. The bytes come from and go to a socket, whose other
 * end belongs to a loopback_device, for example.
 *
 * It is as strict as a phone: headers and payloads must be separate transfers,
 * with an empty packet after a payload that ends with a full one.
 */
#ifndef TESTS_SUPPORT_ADB_USB_GADGET_H
#define TESTS_SUPPORT_ADB_USB_GADGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USB_GADGET_PACKET 512U

/* A request of the computer. */
struct urb {
    struct urb *next;
    uint64_t id; /* its id */
    bool in;
    bool zero;     /* an empty packet must follow */
    uint8_t *data; /* owned */
    size_t size;
    size_t actual;
    int status; /* 0 or a negative errno */
    void *tag;  /* the caller's */
};

/* A fault in the first data (WRTE) that the phone sends. */
enum usb_gadget_fault {
    USB_GADGET_NONE,
    USB_GADGET_STALL,  /* the transfer stalls */
    USB_GADGET_SHORT,  /* its last byte is missing */
    USB_GADGET_LONG,   /* it has one packet too many */
    USB_GADGET_UNPLUG, /* the cable is unplugged in its middle */
    USB_GADGET_LIE,    /* the header announces another length */
};

/* Which transfer of it. */
enum usb_gadget_part {
    USB_GADGET_HEADER,
    USB_GADGET_PAYLOAD,
};

struct usb_gadget;

/* Takes socket over; -1: it never sends anything. */
struct usb_gadget *usb_gadget_start(int socket);
void usb_gadget_stop(struct usb_gadget *phone);

void usb_gadget_fail(struct usb_gadget *phone, enum usb_gadget_fault wire_fault,
                     enum usb_gadget_part part);

/* Send bytes to the computer, as one transfer. */
void usb_gadget_send(struct usb_gadget *phone, const void *data, size_t size);

/* Unplug the cable. */
void usb_gadget_unplug(struct usb_gadget *phone);
bool usb_gadget_is_unplugged(struct usb_gadget *phone);

/* Submit a request, which belongs to the phone until it is completed. */
void usb_gadget_submit(struct usb_gadget *phone, struct urb *urb);

/* Complete a request at once, finished or not. */
void usb_gadget_discard(struct usb_gadget *phone, uint64_t id);

/* A completed request; NULL if there is none. The caller frees it. */
struct urb *usb_gadget_reap(struct usb_gadget *phone);

/* The number of protocol violations of the computer, and the last reason. */
unsigned usb_gadget_breaches(struct usb_gadget *phone, const char **why);

/* The number of empty packets received. */
unsigned usb_gadget_zeros(struct usb_gadget *phone);

void urb_free(struct urb *urb);

#endif
