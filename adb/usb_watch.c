#include <stdlib.h>

#include "adb/usb.h"
#include "adb/usb_events.h"
#include "base/mem.h"

struct usb_watch {
    struct usb_events events;
    const struct cancel *cancel; /* borrowed; may be NULL */
    bool changed;
};

static int LIBUSB_CALL note_change(libusb_context *context,
                                   libusb_device *device,
                                   libusb_hotplug_event event, void *user_data)
{
    struct usb_watch *watch = user_data;

    (void)context;
    (void)device;
    (void)event;
    watch->changed = true;
    return 0; /* go on telling */
}

bool usb_watch_open(const struct cancel *cancel, struct usb_watch **watch,
                    struct err *err)
{
    struct usb_watch *opened = mem_new(1, sizeof(*opened));
    int failed;

    opened->cancel = cancel;
    if (!usb_events_init(&opened->events, err)) {
        free(opened);
        return false;
    }
    failed = libusb_hotplug_register_callback(
        opened->events.context,
        LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT,
        0, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
        LIBUSB_HOTPLUG_MATCH_ANY, note_change, opened, NULL);
    if (failed) {
        usb_watch_close(opened);
        return err_set(err, ERR_UNSUPPORTED, "watching USB: %s",
                       libusb_strerror(failed));
    }
    *watch = opened;
    return true;
}

bool usb_watch_wait(struct usb_watch *watch, struct deadline by,
                    struct err *err)
{
    struct pollfd own = {.fd = cancel_fd(watch->cancel), .events = POLLIN};

    while (!watch->changed) {
        if (!usb_events_poll(&watch->events, &own, 1, by, err))
            return false;
        if (own.revents)
            return err_set(err, ERR_CANCELLED, "interrupted");
        usb_events_handle(&watch->events);
    }
    watch->changed = false;
    return true;
}

void usb_watch_close(struct usb_watch *watch)
{
    if (!watch)
        return;
    usb_events_release(&watch->events);
    free(watch);
}
