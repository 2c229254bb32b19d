#include "tools/cli/device/stdin_forwarder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tools/cli/terminal/terminal_mode.h"

#define PIECE_SIZE ((size_t)32 * 1024)

/*
 * Keys that disconnect, as in ssh:
 *
 *     LINE_BEGINS --'~'--> TILDE --'.'--> disconnect
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

static void send_size(struct stdin_forwarder *stdin_forwarder)
{
    const struct stdin_forwarder_sink *sink = &stdin_forwarder->sink;
    struct signalfd_siginfo info;
    unsigned rows;
    unsigned columns;

    while (read(stdin_forwarder->resized, &info, sizeof(info)) > 0)
        continue;
    if (sink->resize &&
        terminal_mode_size(stdin_forwarder->fd, &rows, &columns))
        sink->resize(sink->context, rows, columns, stdin_forwarder->by);
}

static void end_input(struct stdin_forwarder *stdin_forwarder)
{
    const struct stdin_forwarder_sink *sink = &stdin_forwarder->sink;

    if (sink->end)
        sink->end(sink->context, stdin_forwarder->by);
}

/* Copy some of the input; false: it has ended, or cannot be written. */
static bool send_input(struct stdin_forwarder *stdin_forwarder,
                       enum escape *escape)
{
    const struct stdin_forwarder_sink *sink = &stdin_forwarder->sink;
    char data[PIECE_SIZE];
    struct err err;
    ssize_t got = read(stdin_forwarder->fd, data, sizeof(data));

    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (got <= 0) {
        end_input(stdin_forwarder);
        return false;
    }
    if (stdin_forwarder->terminal && wants_hang_up(escape, data, (size_t)got)) {
        sink->interrupt(sink->context);
        return false;
    }
    return sink->write(sink->context, data, (size_t)got, stdin_forwarder->by,
                       &err);
}

static void *feed(void *context)
{
    struct stdin_forwarder *stdin_forwarder = context;
    enum escape escape = LINE_BEGINS;
    struct pollfd fds[] = {
        {.fd = cancel_fd(&stdin_forwarder->stop), .events = POLLIN},
        {.fd = stdin_forwarder->resized, .events = POLLIN},
        {.fd = stdin_forwarder->fd, .events = POLLIN},
    };

    if (stdin_forwarder->terminal)
        send_size(stdin_forwarder);
    if (stdin_forwarder->fd < 0)
        end_input(stdin_forwarder);
    while (poll(fds, 3, -1) >= 0 || errno == EINTR) {
        if (fds[0].revents)
            break;
        if (fds[1].revents)
            send_size(stdin_forwarder);
        if (fds[2].revents && !send_input(stdin_forwarder, &escape))
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

static void release(struct stdin_forwarder *stdin_forwarder)
{
    if (stdin_forwarder->resized >= 0)
        close(stdin_forwarder->resized);
    cancel_release(&stdin_forwarder->stop);
}

bool stdin_forwarder_start(struct stdin_forwarder *stdin_forwarder,
                           struct err *err)
{
    int error;

    if (!cancel_init(&stdin_forwarder->stop, err))
        return false;
    stdin_forwarder->resized = stdin_forwarder->terminal ? follow_size() : -1;
    error =
        pthread_create(&stdin_forwarder->thread, NULL, feed, stdin_forwarder);
    if (error) {
        release(stdin_forwarder);
        return err_errno(err, error, "starting the input thread");
    }
    return true;
}

void stdin_forwarder_stop(struct stdin_forwarder *stdin_forwarder)
{
    cancel_fire(&stdin_forwarder->stop);
    stdin_forwarder->sink.interrupt(stdin_forwarder->sink.context);
    pthread_join(stdin_forwarder->thread, NULL);
    release(stdin_forwarder);
}
