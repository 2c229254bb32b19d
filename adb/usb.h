/*
 * Phones on USB: which are plugged in, how to talk to one, and when that
 * changes. Needs neither a thread nor an adb server.
 */
#ifndef ADB_USB_H
#define ADB_USB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/transport.h"
#include "base/cancel.h"

#define USB_PATH_MAX 32
#define USB_PLACE_MAX (USB_PATH_MAX + 4)

/* One phone that offers ADB. What it says of itself is clean. */
struct usb_phone {
    char serial[128];          /* its path where it tells none */
    char path[USB_PATH_MAX];   /* where it is plugged in, such as "1-2.3" */
    char place[USB_PLACE_MAX]; /* "usb:" and path: no other is called that */
    char node[32];             /* the file that stands for it, this time */
    char manufacturer[64];
    char product[64];
    uint16_t vendor; /* numbers that udev rules know */
    uint16_t model;
    bool open_to_us; /* this user may use the node */
};

struct usb_phones {
    struct usb_phone *items; /* owned */
    size_t count;
};

void usb_phones_release(struct usb_phones *phones);

/*
 * List all phones that are plugged in with debugging on. Wakes none up.
 * Fails with ERR_UNSUPPORTED where there is no USB.
 */
MUST_USE bool usb_list(struct usb_phones *phones, struct err *err);

/*
 * Open the phone that is called name, which is its serial or its place, for
 * ourselves. One that leaves the bus meanwhile, as after a reset, is given a
 * few seconds to come back. cancel (may be NULL) is borrowed for the
 * transport's whole life.
 *
 * Fails with ERR_BUSY when another program holds it, which err names;
 * ERR_DENIED when this user may not use it, with what to do about that;
 * ERR_NOT_FOUND when it is not plugged in; ERR_INVALID when several have that
 * serial, with their places; ERR_UNSUPPORTED where there is no USB.
 * *phone tells all about it on success.
 */
MUST_USE bool usb_open(const char *name, const struct cancel *cancel,
                       struct deadline by, struct usb_phone *phone,
                       struct transport **transport, struct err *err);

/*
 * To be called first by programs in which nobody else uses libusb: phones are
 * then opened faster.
 */
void usb_is_ours(void);

/* Notices phones that are plugged in or unplugged. */
struct usb_watch;

MUST_USE bool usb_watch_open(const struct cancel *cancel,
                             struct usb_watch **watch, struct err *err);

/* Block until something has changed since the last call, or by passes
 * (ERR_TIMEOUT), or cancel is fired. */
MUST_USE bool usb_watch_wait(struct usb_watch *watch, struct deadline by,
                             struct err *err);

/* NULL is fine. */
void usb_watch_close(struct usb_watch *watch);

#endif
