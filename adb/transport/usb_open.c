#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "adb/transport/usb.h"
#include "adb/transport/usb_holder.h"
#include "adb/transport/usb_scan.h"
#include "adb/transport/usb_transport.h"
#include "base/buf.h"

/* How much of a list fits into an error, besides the rest of the text. */
#define PATHS_TEXT_MAX 100

/*
 * How long to wait for a phone that was present to come back, and how often to
 * check.
 */
#define BACK_MS 3000
#define PAUSE_MS 20

/* ---- finding ---- */

static bool is_called(const struct usb_phone *phone, const char *name)
{
    return !strcmp(phone->place, name) || !strcmp(phone->serial, name);
}

static bool check_count(const char *name, size_t count, struct buf *places,
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

/* The only phone of that name. */
static bool find(const char *name, struct usb_found *found, struct err *err)
{
    struct buf places = BUF_INIT(PATHS_TEXT_MAX);
    struct usb_found next;
    struct usb_scan scan;
    size_t count = 0;
    bool fine;

    if (!usb_scan_open(&scan, err))
        return false;
    while (usb_scan_next(&scan, &next)) {
        if (!is_called(&next.phone, name))
            continue;
        buf_printf(&places, "%s%s", count++ ? ", " : "", next.phone.place);
        *found = next;
    }
    usb_scan_close(&scan);
    fine = check_count(name, count, &places, err);
    buf_release(&places);
    return fine;
}

/* ---- failing ---- */

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

static bool fail_unplugged(struct err *err)
{
    return err_set(err, ERR_NOT_FOUND, "the phone was unplugged");
}

static bool fail_node(const struct usb_phone *phone, struct err *err)
{
    if (errno == EACCES || errno == EPERM)
        return err_set(err, ERR_DENIED,
                       "no permission for %s: install the udev rule that comes "
                       "with proctor (proctor doctor says how), and plug the "
                       "phone in again",
                       phone->node);
    if (errno == ENOENT || errno == ENODEV || errno == ENXIO)
        return fail_unplugged(err);
    return err_errno(err, errno, "opening %s", phone->node);
}

static bool fail_claim(const struct usb_phone *phone, int code, struct err *err)
{
    if (code == LIBUSB_ERROR_BUSY)
        return fail_busy(phone, err);
    if (code == LIBUSB_ERROR_NO_DEVICE || code == LIBUSB_ERROR_NOT_FOUND)
        return fail_unplugged(err);
    return err_set(err, ERR_IO, "opening %s: %s", phone->node,
                   libusb_strerror(code));
}

/* ---- opening ---- */

/*
 * Returns a libusb error, or 0. A phone that offers ADB in another alternate
 * setting is switched to it.
 */
static int claim_interface(struct usb_claim *claim)
{
    const struct usb_interface *interface = &claim->interface;
    int failed = libusb_wrap_sys_device(claim->events.context, claim->fd,
                                        &claim->handle);

    if (!failed)
        failed = libusb_claim_interface(claim->handle, interface->number);
    if (!failed && interface->setting)
        failed = libusb_set_interface_alt_setting(
            claim->handle, interface->number, interface->setting);
    return failed;
}

static void release(struct usb_claim *claim)
{
    if (claim->handle)
        libusb_close(claim->handle);
    usb_events_release(&claim->events);
    close(claim->fd);
}

static bool claim_found(const struct usb_found *found, struct usb_claim *claim,
                        struct err *err)
{
    int failed;

    *claim = (struct usb_claim){
        .fd = open(found->phone.node, O_RDWR | O_CLOEXEC),
        .interface = found->interface,
    };
    if (claim->fd < 0)
        return fail_node(&found->phone, err);
    if (!usb_events_init(&claim->events, err)) {
        close(claim->fd);
        return false;
    }
    failed = claim_interface(claim);
    if (!failed)
        return true;
    release(claim);
    return fail_claim(&found->phone, failed, err);
}

/* ---- coming back ---- */

/*
 * A phone that was just reset, possibly by us, leaves the bus for a moment. It
 * may be found and yet be gone when it is opened.
 */
static bool may_come_back(const struct err *err)
{
    return err->code == ERR_IO || err->code == ERR_NOT_FOUND;
}

static bool pause_once(const struct cancel *cancel)
{
    struct pollfd fired = {.fd = cancel_fd(cancel), .events = POLLIN};

    (void)poll(&fired, 1, PAUSE_MS);
    return !cancel_fired(cancel);
}

/* Look for it again. If it does not come back, err is unchanged. */
static bool find_again(const char *name, const struct cancel *cancel,
                       struct deadline by, struct usb_found *found,
                       struct err *err)
{
    while (!deadline_passed(by)) {
        struct err away;

        if (!pause_once(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        if (find(name, found, &away))
            return true;
        if (away.code != ERR_NOT_FOUND) {
            *err = away;
            return false;
        }
    }
    return false;
}

bool usb_open(const char *name, const struct cancel *cancel, struct deadline by,
              struct usb_phone *phone, struct transport **transport,
              struct err *err)
{
    struct deadline back = deadline_sooner(by, deadline_in_ms(BACK_MS));
    struct usb_found found;
    struct usb_claim claim;

    if (!find(name, &found, err))
        return false;
    while (!claim_found(&found, &claim, err)) {
        if (!may_come_back(err) || !find_again(name, cancel, back, &found, err))
            return false;
    }
    if (!usb_transport_open(&claim, cancel, by, transport, err))
        return false;
    *phone = found.phone;
    return true;
}
