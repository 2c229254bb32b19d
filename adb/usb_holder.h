/* Which program holds a phone that we cannot have. */
#ifndef ADB_USB_HOLDER_H
#define ADB_USB_HOLDER_H

#include <stdbool.h>

struct usb_holder {
    int pid;       /* 0: it is hidden from us */
    char name[32]; /* clean; "another program" when hidden */
    bool is_adb_server;
};

/* Look for who has that node open, other than this process. */
void usb_holder_find(const char *node, struct usb_holder *holder);

#endif
