#include "adb/services/pump.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"

#define PIECE_SIZE ((size_t)256 * 1024)

/* Longer than the gap between two pieces of one answer. */
#define STOP_LINGER_MS 20

struct pump {
    struct stream *stream;            /* borrowed */
    int fd;                           /* borrowed */
    const struct cancel *cancel;      /* borrowed; may be NULL */
    const struct cancel *stop_linger; /* borrowed; may be NULL */
    struct cancel device_ended; /* fired when nothing more comes from there */
    atomic_ulong delivered;     /* how often the local side took some */
    atomic_bool delivering;     /* a piece is being handed over right now */
};

/* Wait for events on the local side; false when cancelled or broken. */
static bool wait_local(const struct pump *pump, short events)
{
    struct pollfd polls[] = {
        {.fd = pump->fd, .events = events},
        {.fd = cancel_fd(pump->cancel), .events = POLLIN},
    };
    int ready = poll(polls, 2, -1);

    return ready < 0 ? errno == EINTR : !polls[1].revents;
}

static bool deliver(struct pump *pump, const char *data, size_t size)
{
    while (size) {
        ssize_t n = send(pump->fd, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);

        if (n > 0) {
            data += n;
            size -= (size_t)n;
            atomic_fetch_add(&pump->delivered, 1);
        } else if (n < 0 && errno == EAGAIN) {
            if (!wait_local(pump, POLLOUT))
                return false;
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* The thread that reads the device. */
static void *from_device(void *context)
{
    struct pump *pump = context;
    char *data = mem_resize(NULL, PIECE_SIZE, 1);
    struct err err;
    size_t got;
    bool taken = true;

    while (taken &&
           stream_read(pump->stream, data, PIECE_SIZE, DEADLINE_NEVER, &got,
                       &err) &&
           got) {
        atomic_store(&pump->delivering, true);
        taken = deliver(pump, data, got);
        atomic_store(&pump->delivering, false);
    }
    if (!taken) /* the other thread may be waiting for the device */
        stream_interrupt(pump->stream);
    cancel_fire(&pump->device_ended);
    free(data);
    return NULL;
}

/*
 * Send what the local side says, until one of the three has ended. True: the
 * device has ended the stream, but not all that it sent is delivered yet.
 */
static bool to_device(const struct pump *pump)
{
    struct pollfd polls[] = {
        {.fd = pump->fd, .events = POLLIN},
        {.fd = cancel_fd(&pump->device_ended), .events = POLLIN},
        {.fd = cancel_fd(pump->cancel), .events = POLLIN},
    };
    char *data = mem_resize(NULL, PIECE_SIZE, 1);
    struct err err = ERR_INIT;

    while (err.code == ERR_NONE) {
        ssize_t n;

        if (poll(polls, 3, -1) < 0 && errno != EINTR)
            break;
        if (polls[1].revents || polls[2].revents)
            break;
        n = recv(pump->fd, data, PIECE_SIZE, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            break;
        if (n > 0)
            (void)!stream_write(pump->stream, data, (size_t)n, DEADLINE_NEVER,
                                &err);
    }
    free(data);
    return err.code == ERR_CLOSED || err.code == ERR_LOST;
}

/*
 * Wait until the local side has taken the rest of a stream that the device has
 * ended, however long the reading thread takes for that.
 */
static void await_tail(const struct pump *pump)
{
    struct pollfd polls[] = {
        {.fd = cancel_fd(&pump->device_ended), .events = POLLIN},
        {.fd = cancel_fd(pump->cancel), .events = POLLIN},
        {.fd = pump->fd}, /* POLLHUP: the other end is gone */
    };

    while (poll(polls, 3, -1) < 0 && errno == EINTR)
        continue;
}

/* Is there a reason to go on waiting for what the device still says? */
static bool still_answering(const struct pump *pump)
{
    bool stop = cancel_fired(pump->stop_linger);
    struct pollfd polls[] = {
        {.fd = cancel_fd(&pump->device_ended), .events = POLLIN},
        {.fd = cancel_fd(pump->cancel), .events = POLLIN},
        {.fd = pump->fd}, /* POLLHUP: the other end is gone */
        {.fd = stop ? -1 : cancel_fd(pump->stop_linger), .events = POLLIN},
    };
    unsigned long before = atomic_load(&pump->delivered);
    bool delivering = atomic_load(&pump->delivering);
    int ready =
        poll(polls, 4, stop && !delivering ? STOP_LINGER_MS : PUMP_LINGER_MS);

    if (ready < 0)
        return errno == EINTR;
    if (polls[0].revents || polls[1].revents || polls[2].revents)
        return false;
    if (polls[3].revents || atomic_load(&pump->delivered) != before)
        return true;
    /* A client that takes nothing does not hold up the stop. */
    return atomic_load(&pump->delivering) && !(stop && delivering);
}

/* Closing a socket that holds unread bytes would reset it: take them out. */
static void discard_input(const struct pump *pump)
{
    struct deadline by = deadline_in_ms(PUMP_LINGER_MS);
    struct pollfd polls[] = {
        {.fd = pump->fd, .events = POLLIN},
        {.fd = cancel_fd(pump->cancel), .events = POLLIN},
        {.fd = cancel_fd(pump->stop_linger), .events = POLLIN},
    };
    char data[4096];
    ssize_t n = 1;

    (void)shutdown(pump->fd, SHUT_WR);
    while (n > 0 && poll(polls, 3, deadline_left_ms(by)) > 0 &&
           polls[0].revents && !polls[1].revents)
        n = recv(pump->fd, data, sizeof(data), MSG_DONTWAIT);
}

bool pump_run(struct stream *stream, int fd, const struct cancel *cancel,
              const struct pump_linger *linger, struct err *err)
{
    struct pump pump = {.stream = stream,
                        .fd = fd,
                        .cancel = cancel,
                        .stop_linger = linger ? linger->stop : NULL};
    pthread_t reader;
    int failed;

    if (!cancel_init(&pump.device_ended, err))
        return false;
    failed = pthread_create(&reader, NULL, from_device, &pump);
    if (failed) {
        cancel_release(&pump.device_ended);
        return err_errno(err, failed, "starting a thread");
    }
    if (to_device(&pump))
        await_tail(&pump);
    if (linger)
        linger->on_begin(linger->context);
    while (still_answering(&pump))
        continue;
    if (!cancel_fired(&pump.device_ended)) {
        stream_interrupt(stream);
        if (cancel_fired(pump.stop_linger)) /* the client may take nothing */
            (void)shutdown(fd, SHUT_RDWR);
    }
    pthread_join(reader, NULL);
    discard_input(&pump);
    cancel_release(&pump.device_ended);
    return true;
}
