#include <string.h>

#include "adb/usb.h"
#include "adb/usb_find.h"

static bool fail_busy(const struct usb_phone *phone, struct usb_holder *told,
                      struct err *err)
{
    struct usb_holder holder;

    usb_holder_find(phone->node, &holder);
    if (told)
        *told = holder;
    if (!holder.pid)
        return err_set(err, ERR_BUSY, "another program holds this phone");
    return err_set(err, ERR_BUSY, "%s, pid %d, holds this phone",
                   holder.is_adb_server ? "the adb server" : holder.name,
                   holder.pid);
}

static bool fail_open(const struct usb_phone *phone, int code,
                      struct usb_holder *holder, struct err *err)
{
    switch (code) {
    case LIBUSB_ERROR_BUSY:
        return fail_busy(phone, holder, err);
    case LIBUSB_ERROR_ACCESS:
        return err_set(err, ERR_DENIED,
                       "you may not use %s: install the udev rule that comes "
                       "with proctor (proctor doctor says how), and plug the "
                       "phone in again",
                       phone->node);
    case LIBUSB_ERROR_NO_DEVICE:
    case LIBUSB_ERROR_NOT_FOUND:
        return err_set(err, ERR_NOT_FOUND, "the phone was unplugged");
    default:
        return err_set(err, ERR_IO, "opening %s: %s", phone->node,
                       libusb_strerror(code));
    }
}

/* Open the phone at that path, also if it came back; a libusb error, or 0. */
static int open_device(libusb_context *context, const struct usb_phone *phone,
                       libusb_device_handle **handle,
                       struct usb_interface *interface)
{
    libusb_device **devices;
    ssize_t count = libusb_get_device_list(context, &devices);
    int failed = count < 0 ? (int)count : LIBUSB_ERROR_NOT_FOUND;

    for (ssize_t i = 0; i < count; i++) {
        char path[USB_PATH_MAX];

        usb_format_path(devices[i], path);
        if (!strcmp(path, phone->path) &&
            usb_find_interface(devices[i], interface))
            failed = libusb_open(devices[i], handle);
    }
    if (count >= 0)
        libusb_free_device_list(devices, 1);
    return failed;
}

/* A phone that offers ADB in another setting is switched over to it. */
static int claim_interface(const struct usb_claim *claim)
{
    int failed = libusb_claim_interface(claim->handle, claim->interface.number);

    if (!failed && claim->interface.setting)
        failed = libusb_set_interface_alt_setting(
            claim->handle, claim->interface.number, claim->interface.setting);
    return failed;
}

bool usb_open(const struct usb_phone *phone, const struct cancel *cancel,
              struct deadline by, struct transport **transport,
              struct usb_holder *holder, struct err *err)
{
    struct usb_claim claim = {0};
    int failed;

    if (!usb_events_init(&claim.events, err))
        return false;
    failed = open_device(claim.events.context, phone, &claim.handle,
                         &claim.interface);
    if (!failed)
        failed = claim_interface(&claim);
    if (!failed)
        return usb_transport_open(&claim, cancel, by, transport, err);
    if (claim.handle)
        libusb_close(claim.handle);
    usb_events_release(&claim.events);
    return fail_open(phone, failed, holder, err);
}
