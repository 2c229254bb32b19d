#include "adb/services/forward.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adb/services/pump_set.h"
#include "base/mem.h"

/* How long to pause when the system has no descriptors left. */
#define ACCEPT_PAUSE_MS 100

struct forward {
    struct forward_options options;
    struct local_endpoint endpoint;
    struct buf local; /* the endpoint as text */
    char *remote;     /* owned */
    int listener;     /* owned */
    struct cancel stop;
    struct pump_set *pump_set; /* owned */
    pthread_t thread;
};

static bool open_remote(void *context, const char *target, struct deadline by,
                        struct pump_ends *ends, struct err *err)
{
    struct forward *forward = context;

    return forward->options.open(forward->options.context, target, by,
                                 &ends->stream, err);
}

/* A connection that cannot be served is refused and reported. */
static void take_connection(struct forward *forward, int fd)
{
    const struct pump_ends ends = {.fd = fd};
    struct err err = ERR_INIT;

    (void)!pump_set_add(forward->pump_set, ends, forward->remote, &err);
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
    pump_set_stop(forward->pump_set);
    cancel_release(&forward->stop);
    if (forward->listener >= 0)
        local_endpoint_unlisten(&forward->endpoint, forward->listener);
    buf_release(&forward->local);
    free(forward->remote);
    free(forward);
}

static bool start_thread(struct forward *forward, struct err *err)
{
    int failed = pthread_create(&forward->thread, NULL, listen_on, forward);

    return !failed || err_errno(err, failed, "starting a thread");
}

bool forward_start_with(const struct forward_options *options,
                        const char *local, const char *remote,
                        struct forward **forward, struct err *err)
{
    struct forward *started;

    if (!*remote)
        return err_set(err, ERR_INVALID, "forwarding: no remote end is given");
    started = mem_new(1, sizeof(*started));
    *started = (struct forward){.options = *options,
                                .local = BUF_INIT(512),
                                .remote = mem_dup(remote),
                                .listener = -1,
                                .stop = {.fd = -1}};
    if (!local_endpoint_parse(local, &started->endpoint, err) ||
        !local_network_listen(options->network, &started->endpoint,
                              &started->listener, err) ||
        !cancel_init(&started->stop, err) ||
        !pump_set_start(open_remote, started, false, options->log,
                        &started->pump_set, err) ||
        !start_thread(started, err)) {
        release_forward(started);
        return err_wrap(err, "forwarding");
    }
    local_endpoint_format(&started->endpoint, &started->local);
    *forward = started;
    return true;
}

static bool open_on_device(void *context, const char *remote,
                           struct deadline by, struct stream **stream,
                           struct err *err)
{
    return device_open_service(context, remote, by, stream, err);
}

bool forward_start(struct device *device, const char *local, const char *remote,
                   const struct log *log, struct forward **forward,
                   struct err *err)
{
    const struct forward_options options = {
        .open = open_on_device, .context = device, .log = log};

    return forward_start_with(&options, local, remote, forward, err);
}

const char *forward_local(const struct forward *forward)
{
    return buf_cstr(&forward->local);
}

void forward_watch(struct forward *forward, pump_set_refused_fn *refused,
                   void *context)
{
    pump_set_watch(forward->pump_set, refused, context);
}

void forward_stop(struct forward *forward)
{
    if (!forward)
        return;
    cancel_fire(&forward->stop);
    pump_set_close(forward->pump_set);
    pthread_join(forward->thread, NULL);
    release_forward(forward);
}
