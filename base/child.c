#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

#define READ_SIZE 65536
#define GRACE_MS 1000

/* ---- starting ---- */

struct child_pipes {
    int in[2];
    int out[2];
    int err[2]; /* only the second, which we write, if it is a file */
};

static void close_pipes(struct child_pipes *pipes)
{
    int *all[] = {&pipes->in[0],  &pipes->in[1],  &pipes->out[0],
                  &pipes->out[1], &pipes->err[0], &pipes->err[1]};

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (*all[i] >= 0)
            close(*all[i]);
        *all[i] = -1;
    }
}

static bool open_pipes(struct child_pipes *pipes,
                       const struct child_command *command, struct err *err)
{
    *pipes = (struct child_pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (command->errors) {
        pipes->err[1] = open(command->errors,
                             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (pipes->err[1] < 0)
            return err_errno(err, errno, "open %s", command->errors);
    }
    if (pipe2(pipes->in, O_CLOEXEC) || pipe2(pipes->out, O_CLOEXEC) ||
        (command->separate_errors && pipe2(pipes->err, O_CLOEXEC))) {
        int number = errno;

        close_pipes(pipes);
        return err_errno(err, number, "making a pipe");
    }
    /* Only for our ends: the program's ends must block as pipes do. */
    fcntl(pipes->in[1], F_SETFL, O_NONBLOCK);
    fcntl(pipes->out[0], F_SETFL, O_NONBLOCK);
    if (command->separate_errors)
        fcntl(pipes->err[0], F_SETFL, O_NONBLOCK);
    return true;
}

/* As if started by a shell: no signals are ignored or blocked. */
static void set_signals(posix_spawnattr_t *attributes)
{
    sigset_t defaults;
    sigset_t none;

    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGHUP);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF |
                                             POSIX_SPAWN_SETPGROUP);
}

static bool is_set(const char *const *settings, const char *variable)
{
    size_t name = strcspn(variable, "=") + 1;

    for (size_t i = 0; settings && settings[i]; i++) {
        if (!strncmp(settings[i], variable, name))
            return true;
    }
    return false;
}

/* The settings, and what else there is in our own environment. */
static char **make_environment(const char *const *settings)
{
    size_t count = 1;
    size_t kept = 0;
    char **all;

    for (size_t i = 0; environ[i]; i++)
        count++;
    for (size_t i = 0; settings && settings[i]; i++)
        count++;
    all = mem_new(count, sizeof(*all));
    for (size_t i = 0; settings && settings[i]; i++)
        all[kept++] = (char *)(uintptr_t)settings[i];
    for (size_t i = 0; environ[i]; i++) {
        if (!is_set(settings, environ[i]))
            all[kept++] = environ[i];
    }
    return all;
}

static int spawn(const struct child_pipes *pipes,
                 const struct child_command *command, pid_t *pid)
{
    char *const *arguments = (char *const *)(uintptr_t)command->arguments;
    char **environment = make_environment(command->settings);
    int errors = pipes->err[1] >= 0 ? pipes->err[1] : pipes->out[1];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, pipes->in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, pipes->out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
    if (command->shared)
        posix_spawn_file_actions_adddup2(&files, command->shared, CHILD_SHARED);
    posix_spawnattr_init(&attributes);
    set_signals(&attributes);
    error = posix_spawnp(pid, arguments[0], &files, &attributes, arguments,
                         environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    return error;
}

bool child_start(struct child *child, const struct child_command *command,
                 struct err *err)
{
    struct child_pipes pipes;
    int error;

    if (!open_pipes(&pipes, command, err))
        return false;
    error = spawn(&pipes, command, &child->pid);
    if (!error) {
        child->in = pipes.in[1];
        child->out = pipes.out[0];
        child->err = pipes.err[0];
        pipes.in[1] = pipes.out[0] = pipes.err[0] = -1;
        buf_clear(&child->received);
    }
    close_pipes(&pipes);
    return !error || err_errno(err, error, "start %s", command->arguments[0]);
}

/* ---- reading and writing ---- */

static bool wait_for(int fd, short events, struct deadline by,
                     const struct cancel *cancel, struct err *err)
{
    struct pollfd fds[] = {
        {.fd = fd, .events = events},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    int ready = poll(fds, 2, deadline_left_ms(by));

    if (ready == 0)
        return err_set(err, ERR_TIMEOUT, "the program did not answer in time");
    if (ready > 0 && fds[1].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    return ready > 0 || errno == EINTR ||
           err_errno(err, errno, "waiting for the program");
}

/*
 * Like write(2), but without SIGPIPE when the program has ended: the signal
 * would end a caller that does not handle it.
 */
static ssize_t write_unsignalled(int fd, const void *data, size_t size)
{
    const struct timespec now = {0, 0};
    sigset_t pipe_signal;
    sigset_t held;
    sigset_t pending;
    ssize_t put;
    int error;

    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &held);
    put = write(fd, data, size);
    error = errno;
    if (put < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
        (void)sigtimedwait(&pipe_signal, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &held, NULL);
    errno = error;
    return put;
}

bool child_write(struct child *child, const void *data, size_t size,
                 struct deadline by, const struct cancel *cancel,
                 struct err *err)
{
    const char *from = data;

    while (size) {
        ssize_t put = write_unsignalled(child->in, from, size);

        if (put > 0) {
            from += put;
            size -= (size_t)put;
        } else if (put < 0 && errno == EPIPE) {
            return err_set(err, ERR_CLOSED, "the program has closed its input");
        } else if (put < 0 && errno != EAGAIN && errno != EINTR) {
            return err_errno(err, errno, "writing to the program");
        } else if (!wait_for(child->in, POLLOUT, by, cancel, err)) {
            return false;
        }
    }
    return true;
}

/* Return the line that was read; false if it is not complete. */
static bool take_line(struct child *child, struct buf *line)
{
    const char *start = buf_cstr(&child->received);
    const char *end = child->received.length
                          ? memchr(start, '\n', child->received.length)
                          : NULL;

    if (!end)
        return false;
    buf_append(line, start, (size_t)(end - start));
    buf_consume(&child->received, (size_t)(end - start) + 1);
    return true;
}

/* Read more, at most READ_SIZE bytes; 0 at the end. */
static bool receive(struct child *child, struct deadline by,
                    const struct cancel *cancel, struct buf *received,
                    size_t *bytes, struct err *err)
{
    char *room = buf_reserve(received, READ_SIZE);

    if (!room)
        return err_set(err, ERR_LIMIT,
                       "the program printed more than %zu MiB%s",
                       received->limit >> 20,
                       received == &child->received ? " in a line" : "");
    for (;;) {
        ssize_t got = read(child->out, room, READ_SIZE);

        if (got >= 0) {
            *bytes = (size_t)got;
            buf_commit(received, *bytes);
            return true;
        }
        if (errno != EAGAIN && errno != EINTR)
            return err_errno(err, errno, "reading from the program");
        if (!wait_for(child->out, POLLIN, by, cancel, err))
            return false;
    }
}

bool child_read(struct child *child, struct deadline by,
                const struct cancel *cancel, struct buf *line, struct err *err)
{
    while (!take_line(child, line)) {
        size_t bytes;

        if (!receive(child, by, cancel, &child->received, &bytes, err))
            return false;
        if (!bytes)
            return err_set(err, ERR_CLOSED, "the program ended");
    }
    return !line->overflow ||
           err_set(err, ERR_LIMIT, "the program printed too much");
}

void child_end_input(struct child *child)
{
    if (child->in >= 0)
        close(child->in);
    child->in = -1;
}

bool child_read_all(struct child *child, struct deadline by,
                    const struct cancel *cancel, struct buf *output,
                    struct err *err)
{
    size_t bytes = 1;

    buf_append(output, buf_cstr(&child->received), child->received.length);
    buf_clear(&child->received);
    while (bytes) {
        if (!receive(child, by, cancel, output, &bytes, err))
            return false;
    }
    return true;
}

/* ---- ending ---- */

/* Has it ended by the deadline? */
static bool ends_by(pid_t pid, struct deadline by)
{
    siginfo_t info = {.si_pid = 0};
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd ended = {.fd = fd, .events = POLLIN};
    bool has;

    if (fd < 0)
        return false;
    while (poll(&ended, 1, deadline_left_ms(by)) < 0 && errno == EINTR)
        continue;
    has = !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
          info.si_pid == pid;
    close(fd);
    return has;
}

int child_stop(struct child *child)
{
    int status = 0;

    if (!child->pid)
        return 0;
    child_end_input(child);
    if (!ends_by(child->pid, deadline_in_ms(GRACE_MS))) {
        kill(-child->pid, SIGTERM);
        ends_by(child->pid, deadline_in_ms(GRACE_MS));
    }
    /* Until its status is collected, the process group id is not reused. */
    kill(-child->pid, SIGKILL);
    close(child->out);
    if (child->err >= 0)
        close(child->err);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    buf_release(&child->received);
    *child = (struct child)CHILD_INIT;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
