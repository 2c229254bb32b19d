#include "tools/cli/terminal/exit_signals.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/macros.h"

#define GRACE_MS 2000

/* Those that our parent process did not ignore, as nohup does. */
static void choose(sigset_t *set)
{
    static const int candidates[] = {SIGINT, SIGTERM, SIGHUP};

    sigemptyset(set);
    for (size_t i = 0; i < ARRAY_LEN(candidates); i++) {
        struct sigaction action;

        if (!sigaction(candidates[i], NULL, &action) &&
            action.sa_handler != SIG_IGN)
            sigaddset(set, candidates[i]);
    }
}

/* Let the signals do what they do by default. */
static void stand_aside(const struct exit_signals *signals)
{
    pthread_sigmask(SIG_UNBLOCK, &signals->set, NULL);
}

static void *watch(void *context)
{
    struct exit_signals *signals = context;
    int fd = signalfd(-1, &signals->set, SFD_CLOEXEC);
    struct pollfd fds[] = {
        {.fd = cancel_fd(&signals->stop), .events = POLLIN},
        {.fd = fd, .events = POLLIN},
    };
    struct signalfd_siginfo info;

    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        continue;
    if (!fds[0].revents && read(fd, &info, sizeof(info)) > 0) {
        cancel_fire(signals->cancel);
        if (!poll(fds, 1, GRACE_MS))
            stand_aside(signals);
        while (!cancel_fired(&signals->stop))
            poll(fds, 1, -1);
    }
    close(fd);
    return NULL;
}

bool exit_signals_start(struct exit_signals *signals,
                        const struct cancel *cancel, struct err *err)
{
    sigset_t blocked;
    int error;

    signals->cancel = cancel;
    if (!cancel_init(&signals->stop, err))
        return false;
    signal(SIGPIPE, SIG_IGN);
    choose(&signals->set);
    blocked = signals->set;
    sigaddset(&blocked, SIGWINCH);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    error = pthread_create(&signals->thread, NULL, watch, signals);
    if (error) {
        cancel_release(&signals->stop);
        return err_errno(err, error, "starting the signal thread");
    }
    return true;
}

void exit_signals_stop(struct exit_signals *signals)
{
    cancel_fire(&signals->stop);
    pthread_join(signals->thread, NULL);
    cancel_release(&signals->stop);
}
