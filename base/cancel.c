#include "base/cancel.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool cancel_init(struct cancel *cancel, struct err *err)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    if (fd < 0)
        return err_errno(err, errno, "making an event descriptor");
    cancel->fd = fd;
    return true;
}

void cancel_release(struct cancel *cancel)
{
    if (cancel->fd >= 0)
        close(cancel->fd);
    cancel->fd = -1;
}

void cancel_fire(const struct cancel *cancel)
{
    const uint64_t one = 1;
    int saved = errno;
    ssize_t written = write(cancel->fd, &one, sizeof(one));

    (void)written; /* it can only fail when already fired 2^64 - 2 times */
    errno = saved;
}

bool cancel_fired(const struct cancel *cancel)
{
    struct pollfd pfd = {.fd = cancel_fd(cancel), .events = POLLIN};

    return poll(&pfd, 1, 0) > 0;
}

int cancel_fd(const struct cancel *cancel)
{
    return cancel ? cancel->fd : -1;
}
