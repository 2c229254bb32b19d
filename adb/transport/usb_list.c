#include <stdlib.h>

#include "adb/transport/usb_scan.h"
#include "base/mem.h"

void usb_phones_release(struct usb_phones *phones)
{
    free(phones->items);
    *phones = (struct usb_phones){0};
}

bool usb_list(struct usb_phones *phones, struct err *err)
{
    struct usb_phones all = {0};
    struct usb_found found;
    struct usb_scan scan;

    if (!usb_scan_open(&scan, err))
        return false;
    while (usb_scan_next(&scan, &found)) {
        all.items = mem_resize(all.items, all.count + 1, sizeof(*all.items));
        all.items[all.count++] = found.phone;
    }
    usb_scan_close(&scan);
    *phones = all;
    return true;
}
