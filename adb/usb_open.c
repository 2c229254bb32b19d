#include <string.h>

#include "adb/usb.h"
#include "adb/usb_find.h"
#include "adb/usb_holder.h"
#include "base/buf.h"

static bool fail_busy(const struct usb_phone *phone, struct err *err)
{
    struct usb_holder holder;

    usb_holder_find(phone->node, &holder);
    if (!holder.pid)
        return err_set(err, ERR_BUSY, "another program holds this phone");
    return err_set(err, ERR_BUSY, "%s, pid %d, holds this phone",
                   holder.is_adb_server ? "the adb server" : holder.name,
                   holder.pid);
}

static bool fail_open(const struct usb_phone *phone, int code, struct err *err)
{
    switch (code) {
    case LIBUSB_ERROR_BUSY:
        return fail_busy(phone, err);
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

/* How much of a list an error has room for, beside its own words. */
#define PLACES_MAX 100

static bool is_called(const struct usb_phone *phone, const char *name)
{
    return !strcmp(phone->place, name) || !strcmp(phone->serial, name);
}

/* A phone on the bus, before it is opened. */
struct found {
    libusb_device *device; /* referenced; NULL: none */
    struct usb_interface interface;
    struct usb_phone phone;
};

/* Look for the first phone of that name; returns where all of them are. */
static struct buf search(libusb_device **devices, const char *name,
                         struct found *found, size_t *count)
{
    struct buf places = BUF_INIT(PLACES_MAX);
    struct found next;

    *found = (struct found){0};
    *count = 0;
    for (; *devices; devices++) {
        if (!usb_find_interface(*devices, &next.interface))
            continue;
        usb_describe(*devices, &next.phone);
        if (!is_called(&next.phone, name))
            continue;
        buf_printf(&places, "%s%s", *count ? ", " : "", next.phone.place);
        next.device = *devices;
        if (++*count == 1)
            *found = next;
    }
    return places;
}

static bool check_found(const char *name, size_t count, struct buf *places,
                        struct err *err)
{
    if (count == 1)
        return true;
    if (!count)
        return err_set(err, ERR_NOT_FOUND, "%.100s is not plugged in", name);
    return err_set(err, ERR_INVALID,
                   "%zu phones have this serial, name one by its place: %s%s",
                   count, buf_cstr(places), places->overflow ? ", ..." : "");
}

/* Find the one phone of that name; found->device is to be unreferenced. */
static bool find(libusb_context *context, const char *name, struct found *found,
                 struct err *err)
{
    libusb_device **devices;
    ssize_t listed = libusb_get_device_list(context, &devices);
    struct buf places;
    size_t count;
    bool fine;

    if (listed < 0)
        return err_set(err, ERR_UNSUPPORTED, "listing USB devices: %s",
                       libusb_strerror((int)listed));
    places = search(devices, name, found, &count);
    fine = check_found(name, count, &places, err);
    if (fine)
        libusb_ref_device(found->device);
    libusb_free_device_list(devices, 1);
    buf_release(&places);
    return fine;
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

/* Open what was found, and claim it; a libusb error, or 0. */
static int claim_found(struct usb_claim *claim, const struct found *found)
{
    int failed = libusb_open(found->device, &claim->handle);

    claim->interface = found->interface;
    if (!failed)
        failed = claim_interface(claim);
    return failed;
}

static void release(struct usb_claim *claim)
{
    if (claim->handle)
        libusb_close(claim->handle);
    usb_events_release(&claim->events);
}

bool usb_open(const char *name, const struct cancel *cancel, struct deadline by,
              struct usb_phone *phone, struct transport **transport,
              struct err *err)
{
    struct usb_claim claim = {0};
    struct found found;
    int failed;

    if (!usb_events_init(&claim.events, err))
        return false;
    if (!find(claim.events.context, name, &found, err)) {
        release(&claim);
        return false;
    }
    failed = claim_found(&claim, &found);
    libusb_unref_device(found.device);
    if (failed) {
        release(&claim);
        return fail_open(&found.phone, failed, err);
    }
    if (!usb_transport_open(&claim, cancel, by, transport, err))
        return false;
    *phone = found.phone;
    return true;
}
