#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/netlink.h>

#include "adb/transport/usb.h"
#include "base/mem.h"

/*
 * Events come from the kernel immediately, and from udev when it has set the
 * permissions of the phone. Without udev, the kernel's are used.
 */
#define GROUP_KERNEL 1U
#define GROUP_UDEV 2U

struct usb_watch {
    int fd;                      /* owned */
    const struct cancel *cancel; /* borrowed; may be NULL */
};

static bool fail_watching(struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED, "watching USB: %s", strerror(errno));
}

bool usb_watch_open(const struct cancel *cancel, struct usb_watch **watch,
                    struct err *err)
{
    const struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = GROUP_KERNEL | GROUP_UDEV,
    };
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
                    NETLINK_KOBJECT_UEVENT);

    if (fd < 0)
        return fail_watching(err);
    if (bind(fd, (const struct sockaddr *)&address, sizeof(address))) {
        fail_watching(err);
        close(fd);
        return false;
    }
    *watch = mem_new(1, sizeof(**watch));
    **watch = (struct usb_watch){.fd = fd, .cancel = cancel};
    return true;
}

/*
 * Read all pending messages: is one about USB? Their content is not used any
 * further, since the caller scans for phones itself. Lost messages count as one
 * about USB.
 */
static bool take_messages(int fd)
{
    static const char subject[] = "SUBSYSTEM=usb";
    char message[8192];
    bool changed = false;
    ssize_t n;

    while ((n = recv(fd, message, sizeof(message), 0)) >= 0 ||
           errno == ENOBUFS) {
        if (n < 0 || memmem(message, (size_t)n, subject, sizeof(subject)))
            changed = true;
    }
    return changed;
}

bool usb_watch_wait(struct usb_watch *watch, struct deadline by,
                    struct err *err)
{
    struct pollfd polls[] = {
        {.fd = watch->fd, .events = POLLIN},
        {.fd = cancel_fd(watch->cancel), .events = POLLIN},
    };

    while (!take_messages(watch->fd)) {
        int ready = poll(polls, 2, deadline_left_ms(by));

        if (ready < 0 && errno != EINTR)
            return err_errno(err, errno, "waiting for USB");
        if (ready == 0)
            return err_set(err, ERR_TIMEOUT, "nothing has changed");
        if (ready > 0 && polls[1].revents)
            return err_set(err, ERR_CANCELLED, "interrupted");
    }
    return true;
}

void usb_watch_close(struct usb_watch *watch)
{
    if (!watch)
        return;
    close(watch->fd);
    free(watch);
}
