#include "adb/nudges.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool nudges_init(struct nudges *nudges, struct err *err)
{
    nudges->reader = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    nudges->writer = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (nudges->reader >= 0 && nudges->writer >= 0)
        return true;
    err_errno(err, errno, "making an event descriptor");
    nudges_release(nudges);
    return false;
}

void nudges_release(struct nudges *nudges)
{
    if (nudges->reader >= 0)
        close(nudges->reader);
    if (nudges->writer >= 0)
        close(nudges->writer);
    *nudges = (struct nudges)NUDGES_INIT;
}

int nudges_fd(const struct nudges *nudges, unsigned wants)
{
    return wants & TRANSPORT_READ ? nudges->reader : nudges->writer;
}

static void fill(int event_fd)
{
    const uint64_t one = 1;
    ssize_t n = write(event_fd, &one, sizeof(one));

    (void)n; /* full means it is nudged already */
}

void nudges_give(const struct nudges *nudges, unsigned whom)
{
    if (whom & TRANSPORT_READ)
        fill(nudges->reader);
    if (whom & TRANSPORT_WRITE)
        fill(nudges->writer);
}

void nudges_take(const struct nudges *nudges, unsigned wants)
{
    uint64_t count;
    ssize_t n = read(nudges_fd(nudges, wants), &count, sizeof(count));

    (void)n; /* nothing to take is fine */
}
