/*
 * Phones on USB: list them, open one, and wait for changes. Needs neither a
 * thread nor an adb server.
 */
#ifndef ADB_TRANSPORT_USB_H
#define ADB_TRANSPORT_USB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/transport/transport.h"
#include "base/cancel.h"

#define USB_PATH_MAX 32
#define USB_PLACE_MAX (USB_PATH_MAX + 4)

/* A phone that offers ADB. All texts are cleaned of control characters. */
struct usb_phone {
    char serial[128];          /* its path if it reports none */
    char path[USB_PATH_MAX];   /* where it is plugged in, such as "1-2.3" */
    char place[USB_PLACE_MAX]; /* "usb:" and path, which is unique */
    char node[32];             /* its current device file */
    char manufacturer[64];
    char product[64];
    uint16_t vendor; /* numbers used in udev rules */
    uint16_t model;
    bool open_to_us; /* this user has permission for the node */
};

struct usb_phones {
    struct usb_phone *items; /* owned */
    size_t count;
};

void usb_phones_release(struct usb_phones *phones);

/*
 * List all phones that are plugged in with debugging on. Does not wake them up.
 * Fails with ERR_UNSUPPORTED where there is no USB.
 */
MUST_USE bool usb_list(struct usb_phones *phones, struct err *err);

/*
 * Open the phone called name (its serial or its place) for exclusive use. If it
 * leaves the bus meanwhile, for example after a reset, a few seconds are waited
 * for it to come back. cancel (may be NULL) is borrowed until the transport is
 * closed.
 *
 * Fails with ERR_BUSY when another program uses it, with that program's name;
 * ERR_DENIED when this user has no permission, with advice; ERR_NOT_FOUND when
 * it is not plugged in; ERR_INVALID when several phones have that serial, with
 * their places; ERR_UNSUPPORTED where there is no USB. *phone describes the
 * phone on success.
 */
MUST_USE bool usb_open(const char *name, const struct cancel *cancel,
                       struct deadline by, struct usb_phone *phone,
                       struct transport **transport, struct err *err);

/*
 * Call this first in a program in which no other code uses libusb: phones are
 * then opened faster.
 */
void usb_is_ours(void);

/* Reports phones that are plugged in or unplugged. */
struct usb_watch;

MUST_USE bool usb_watch_open(const struct cancel *cancel,
                             struct usb_watch **watch, struct err *err);

/*
 * Block until something has changed since the last call, by passes
 * (ERR_TIMEOUT), or cancel is fired.
 */
MUST_USE bool usb_watch_wait(struct usb_watch *watch, struct deadline by,
                             struct err *err);

/* NULL is fine. */
void usb_watch_close(struct usb_watch *watch);

#endif
