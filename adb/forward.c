#include "adb/forward.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/endpoint.h"
#include "adb/pumps.h"
#include "base/mem.h"

/* How long to pause when the system has no descriptors left. */
#define ACCEPT_PAUSE_MS 100

struct forward {
    struct device *device; /* borrowed */
    const struct log *log; /* borrowed; may be NULL */
    struct endpoint endpoint;
    struct buf local; /* the endpoint as text */
    char *remote;     /* owned */
    int listener;     /* owned */
    struct cancel stop;
    struct pumps *pumps; /* owned */
    pthread_t thread;
};

static bool open_remote(void *context, const char *target, struct deadline by,
                        struct pump_ends *ends, struct err *err)
{
    struct forward *forward = context;

    return device_open_service(forward->device, target, by, &ends->stream, err);
}

static void take_connection(struct forward *forward, int fd)
{
    const struct pump_ends ends = {.fd = fd};
    struct err err = ERR_INIT;

    if (!pumps_add(forward->pumps, ends, forward->remote, &err))
        log_trace(forward->log, LOG_CONN, "forward: %s: %s", forward->remote,
                  err.text);
}

static void *listen_on(void *context)
{
    struct forward *forward = context;
    struct pollfd polls[] = {
        {.fd = cancel_fd(&forward->stop), .events = POLLIN},
        {.fd = forward->listener, .events = POLLIN},
    };

    while (poll(polls, 2, -1) >= 0 || errno == EINTR) {
        int fd;

        if (polls[0].revents)
            break;
        fd = accept4(forward->listener, NULL, NULL,
                     SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0)
            take_connection(forward, fd);
        else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
            (void)poll(polls, 1, ACCEPT_PAUSE_MS);
    }
    return NULL;
}

static void release_forward(struct forward *forward)
{
    pumps_stop(forward->pumps);
    cancel_release(&forward->stop);
    if (forward->listener >= 0)
        endpoint_unlisten(&forward->endpoint, forward->listener);
    buf_release(&forward->local);
    free(forward->remote);
    free(forward);
}

static bool start_thread(struct forward *forward, struct err *err)
{
    int failed = pthread_create(&forward->thread, NULL, listen_on, forward);

    return !failed || err_errno(err, failed, "starting a thread");
}

bool forward_start(struct device *device, const char *local, const char *remote,
                   const struct log *log, struct forward **forward,
                   struct err *err)
{
    struct forward *started;

    if (!*remote)
        return err_set(err, ERR_INVALID, "forwarding: no remote end is given");
    started = mem_new(1, sizeof(*started));
    *started = (struct forward){.device = device,
                                .log = log,
                                .local = BUF_INIT(512),
                                .remote = mem_dup(remote),
                                .listener = -1,
                                .stop = {.fd = -1}};
    if (!endpoint_parse(local, &started->endpoint, err) ||
        !endpoint_listen(&started->endpoint, &started->listener, err) ||
        !cancel_init(&started->stop, err) ||
        !pumps_start(open_remote, started, log, &started->pumps, err) ||
        !start_thread(started, err)) {
        release_forward(started);
        return err_wrap(err, "forwarding");
    }
    endpoint_format(&started->endpoint, &started->local);
    *forward = started;
    return true;
}

const char *forward_local(const struct forward *forward)
{
    return buf_cstr(&forward->local);
}

void forward_stop(struct forward *forward)
{
    if (!forward)
        return;
    cancel_fire(&forward->stop);
    pthread_join(forward->thread, NULL);
    release_forward(forward);
}
