#include "adb/transport/wakeup.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool wakeup_init(struct wakeup *wakeup, struct err *err)
{
    wakeup->reader = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    wakeup->writer = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wakeup->reader >= 0 && wakeup->writer >= 0)
        return true;
    err_errno(err, errno, "making an event descriptor");
    wakeup_release(wakeup);
    return false;
}

void wakeup_release(struct wakeup *wakeup)
{
    if (wakeup->reader >= 0)
        close(wakeup->reader);
    if (wakeup->writer >= 0)
        close(wakeup->writer);
    *wakeup = (struct wakeup)WAKEUP_INIT;
}

int wakeup_fd(const struct wakeup *wakeup, unsigned wants)
{
    return wants & TRANSPORT_READ ? wakeup->reader : wakeup->writer;
}

static void fill(int event_fd)
{
    const uint64_t one = 1;
    ssize_t n = write(event_fd, &one, sizeof(one));

    (void)n; /* full: it is awake already */
}

void wakeup_send(const struct wakeup *wakeup, unsigned whom)
{
    if (whom & TRANSPORT_READ)
        fill(wakeup->reader);
    if (whom & TRANSPORT_WRITE)
        fill(wakeup->writer);
}

void wakeup_clear(const struct wakeup *wakeup, unsigned wants)
{
    uint64_t count;
    ssize_t n = read(wakeup_fd(wakeup, wants), &count, sizeof(count));

    (void)n; /* nothing to clear is fine */
}
