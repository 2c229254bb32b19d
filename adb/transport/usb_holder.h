/* Finds the program that uses a phone which we cannot open. */
#ifndef ADB_TRANSPORT_USB_HOLDER_H
#define ADB_TRANSPORT_USB_HOLDER_H

#include <stdbool.h>

struct usb_holder {
    int pid;       /* 0: not visible to this user */
    char name[32]; /* cleaned; "another program" if not visible */
    bool is_adb_server;
};

/* Find the process other than this one that has the node open. */
void usb_holder_find(const char *node, struct usb_holder *holder);

#endif
