#include "tools/cli/feeder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tools/cli/terminal.h"

#define PIECE_SIZE ((size_t)32 * 1024)

/*
 * Keys that hang up, as in ssh:
 *
 *     LINE_BEGINS --'~'--> TILDE --'.'--> hang up
 *         ^ Enter            |
 *         |     other keys   v
 *         +------------- WITHIN_LINE
 */
enum escape {
    LINE_BEGINS,
    TILDE,
    WITHIN_LINE,
};

static bool escape_next(enum escape *escape, char key)
{
    if (*escape == TILDE && key == '.')
        return true;
    if (key == '\r' || key == '\n')
        *escape = LINE_BEGINS;
    else if (*escape == LINE_BEGINS && key == '~')
        *escape = TILDE;
    else
        *escape = WITHIN_LINE;
    return false;
}

static bool wants_hang_up(enum escape *escape, const char *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (escape_next(escape, keys[i]))
            return true;
    }
    return false;
}

static void send_size(struct feeder *feeder)
{
    const struct feeder_sink *sink = &feeder->sink;
    struct signalfd_siginfo info;
    unsigned rows;
    unsigned columns;

    while (read(feeder->resized, &info, sizeof(info)) > 0)
        continue;
    if (sink->resize && terminal_size(feeder->fd, &rows, &columns))
        sink->resize(sink->context, rows, columns, feeder->by);
}

static void end_input(struct feeder *feeder)
{
    const struct feeder_sink *sink = &feeder->sink;

    if (sink->end)
        sink->end(sink->context, feeder->by);
}

/* Copy some of the input; false: it has ended, or nobody takes it. */
static bool send_input(struct feeder *feeder, enum escape *escape)
{
    const struct feeder_sink *sink = &feeder->sink;
    char data[PIECE_SIZE];
    struct err err;
    ssize_t got = read(feeder->fd, data, sizeof(data));

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0) {
        end_input(feeder);
        return false;
    }
    if (feeder->terminal && wants_hang_up(escape, data, (size_t)got)) {
        sink->interrupt(sink->context);
        return false;
    }
    return sink->write(sink->context, data, (size_t)got, feeder->by, &err);
}

static void *feed(void *context)
{
    struct feeder *feeder = context;
    enum escape escape = LINE_BEGINS;
    struct pollfd fds[] = {
        {.fd = cancel_fd(&feeder->stop), .events = POLLIN},
        {.fd = feeder->resized, .events = POLLIN},
        {.fd = feeder->fd, .events = POLLIN},
    };

    if (feeder->terminal)
        send_size(feeder);
    if (feeder->fd < 0)
        end_input(feeder);
    while (poll(fds, 3, -1) >= 0 || errno == EINTR) {
        if (fds[0].revents)
            break;
        if (fds[1].revents)
            send_size(feeder);
        if (fds[2].revents && !send_input(feeder, &escape))
            fds[2].fd = -1;
    }
    return NULL;
}

static int follow_size(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGWINCH);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void release(struct feeder *feeder)
{
    if (feeder->resized >= 0)
        close(feeder->resized);
    cancel_release(&feeder->stop);
}

bool feeder_start(struct feeder *feeder, struct err *err)
{
    int error;

    if (!cancel_init(&feeder->stop, err))
        return false;
    feeder->resized = feeder->terminal ? follow_size() : -1;
    error = pthread_create(&feeder->thread, NULL, feed, feeder);
    if (error) {
        release(feeder);
        return err_errno(err, error, "starting the input thread");
    }
    return true;
}

void feeder_stop(struct feeder *feeder)
{
    cancel_fire(&feeder->stop);
    feeder->sink.interrupt(feeder->sink.context);
    pthread_join(feeder->thread, NULL);
    release(feeder);
}
