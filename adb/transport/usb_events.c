#include "adb/transport/usb_events.h"

#include <assert.h>
#include <errno.h>
#include <sys/time.h>

#include "adb/transport/usb.h"

/* libusb's own descriptor, its timer, and one for the open phone. */
#define LIBUSB_FDS_MAX 8

/*
 * Phones are found by usb_scan, so libusb need not enumerate them, which takes
 * longer than everything else when one is opened. Before 1.0.27 this can only
 * be set for the whole process, by usb_is_ours.
 */
static int init(libusb_context **context)
{
#if LIBUSB_API_VERSION >= 0x0100010A
    const struct libusb_init_option look_for_none = {
        .option = LIBUSB_OPTION_NO_DEVICE_DISCOVERY};

    return libusb_init_context(context, &look_for_none, 1);
#else
    return libusb_init(context);
#endif
}

void usb_is_ours(void)
{
    (void)libusb_set_option(NULL, LIBUSB_OPTION_NO_DEVICE_DISCOVERY);
}

bool usb_events_init(struct usb_events *events, struct err *err)
{
    libusb_context *context;
    int failed = init(&context);

    if (failed)
        return err_set(err, ERR_UNSUPPORTED, "there is no USB here: %s",
                       libusb_strerror(failed));
    events->context = context;
    return true;
}

void usb_events_release(struct usb_events *events)
{
    if (events->context)
        libusb_exit(events->context);
    events->context = NULL;
}

/* The set changes when a phone is unplugged, so it is queried each time. */
static size_t put_libusb_fds(const struct usb_events *events,
                             struct pollfd polls[LIBUSB_FDS_MAX])
{
    const struct libusb_pollfd **fds = libusb_get_pollfds(events->context);
    size_t count = 0;

    for (size_t i = 0; fds && fds[i]; i++) {
        assert(count < LIBUSB_FDS_MAX);
        polls[count++] =
            (struct pollfd){.fd = fds[i]->fd, .events = fds[i]->events};
    }
    libusb_free_pollfds(fds);
    return count;
}

bool usb_events_poll(const struct usb_events *events, struct pollfd *own,
                     size_t count, struct deadline by, struct err *err)
{
    struct pollfd polls[USB_EVENTS_OWN_MAX + LIBUSB_FDS_MAX];
    size_t all = count;
    int ready;

    assert(count <= USB_EVENTS_OWN_MAX);
    for (size_t i = 0; i < count; i++)
        polls[i] = own[i];
    all += put_libusb_fds(events, polls + count);
    ready = poll(polls, all, deadline_left_ms(by));
    if (ready < 0 && errno != EINTR)
        return err_errno(err, errno, "waiting for USB");
    if (ready == 0)
        return err_set(err, ERR_TIMEOUT, "no answer in time");
    for (size_t i = 0; i < count; i++)
        own[i].revents = (short)(ready > 0 ? polls[i].revents : 0);
    return true;
}

void usb_events_handle(const struct usb_events *events)
{
    struct timeval now = {0};

    /* It fails only when interrupted; pending work stays ready. */
    (void)libusb_handle_events_timeout_completed(events->context, &now, NULL);
}
