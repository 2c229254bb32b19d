#include "runner/doors/agent_process.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/macros.h"

#define READ_SIZE 65536
#define ENDING_MS 15000 /* for the supervisor to end everything */
#define ARGUMENTS_MAX 10

/* The supervisor's command line; at most ARGUMENTS_MAX with the NULL. */
static void put_arguments(const struct agent_process_options *options,
                          const char *arguments[ARGUMENTS_MAX])
{
    size_t count = 0;

    arguments[count++] = options->supervisor;
    if (options->network) {
        arguments[count++] = "--network=" CHILD_SHARED_TEXT;
        arguments[count++] = "--hosts";
        arguments[count++] = options->hosts;
    }
    if (options->folder) {
        arguments[count++] = "--remove";
        arguments[count++] = options->folder;
    }
    arguments[count++] = "/bin/sh";
    arguments[count++] = "-c";
    arguments[count++] = options->command;
    arguments[count] = NULL;
}

static bool start_supervisor(struct agent_process *process,
                             const struct agent_process_options *options,
                             struct err *err)
{
    const char *arguments[ARGUMENTS_MAX];
    const struct child_command command = {
        .arguments = arguments,
        .settings = options->settings,
        .separate_errors = true,
        .shared =
            options->network ? private_network_socket(options->network) : 0,
    };

    put_arguments(options, arguments);
    return child_start(&process->child, &command, err);
}

bool agent_process_start(struct agent_process *process,
                         const struct agent_process_options *options,
                         struct err *err)
{
    struct err ignored;

    process->child = (struct child)CHILD_INIT;
    if (!output_log_open(&process->out, options->out, options->mask, err))
        return false;
    if (!output_log_open(&process->errors, options->errors, options->mask,
                         err)) {
        (void)!output_log_end(&process->out, &ignored);
        agent_process_release(process);
        return false;
    }
    if (start_supervisor(process, options, err))
        return true;
    (void)!output_log_end(&process->out, &ignored);
    (void)!output_log_end(&process->errors, &ignored);
    agent_process_release(process);
    return false;
}

/* Store what can be read; *fd becomes -1 at the end. */
static void drain(int *fd, struct output_log *log)
{
    char data[READ_SIZE];
    ssize_t got = read(*fd, data, sizeof(data));

    if (got > 0)
        output_log_add(log, data, (size_t)got);
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        *fd = -1;
}

bool agent_process_wait(struct agent_process *process, struct deadline by,
                        const struct cancel *cancel,
                        const struct cancel *enough, struct err *err)
{
    struct pollfd fds[] = {
        {.fd = process->child.out, .events = POLLIN},
        {.fd = process->child.err, .events = POLLIN},
        {.fd = cancel_fd(cancel), .events = POLLIN},
        {.fd = cancel_fd(enough), .events = POLLIN},
    };

    /* Both pipes end when the last process has: the supervisor sees to it. */
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        int ready = poll(fds, ARRAY_LEN(fds), deadline_left_ms(by));

        if (ready < 0 && errno != EINTR)
            return err_errno(err, errno, "waiting for the agent");
        if (ready == 0)
            return err_set(err, ERR_TIMEOUT, "no time is left");
        if (ready > 0 && fds[2].revents)
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (ready > 0 && fds[3].revents)
            return err_set(err, ERR_CLOSED, "the episode is over");
        if (ready > 0 && fds[0].revents)
            drain(&fds[0].fd, &process->out);
        if (ready > 0 && fds[1].revents)
            drain(&fds[1].fd, &process->errors);
    }
    return true;
}

bool agent_process_stop(struct agent_process *process, int *status,
                        struct err *err)
{
    struct err first = ERR_INIT, second = ERR_INIT;
    bool done;

    /* The end of its input makes the supervisor end everything. */
    child_end_input(&process->child);
    (void)!agent_process_wait(process, deadline_in_ms(ENDING_MS), NULL, NULL,
                              &first);
    *status = child_stop(&process->child);
    done = output_log_end(&process->out, &first);
    done = output_log_end(&process->errors, done ? &first : &second) && done;
    if (!done)
        *err = first;
    return done;
}

void agent_process_release(struct agent_process *process)
{
    output_log_release(&process->out);
    output_log_release(&process->errors);
}
