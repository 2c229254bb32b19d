#include "tests/tools/cli/command_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "base/file.h"

#define OUTPUT_LIMIT ((size_t)64 * 1024 * 1024)
#define PATIENCE_MS 300000
#define PATIENCE_FULL_MS 600000

/* The script is the first argument. */
static const char shell[] = "await() {"
                            "    tries=1200;"
                            "    until \"$@\"; do"
                            "        tries=$((tries - 1));"
                            "        if test $tries = 0; then"
                            "            echo \"timed out: $*\" >&2; exit 99;"
                            "        fi;"
                            "        sleep 0.05;"
                            "    done;"
                            "};"
                            "eval \"$1\"";

enum { IN, OUT, ERRORS, ENDS };

void command_run_release(struct command_run *run)
{
    buf_release(&run->out);
    buf_release(&run->errors);
}

/*
 * In the child: execute the shell, with the program's folder first in PATH. It
 * leads a process group, so that a timeout ends all that it started.
 */
static void become_shell(int pipes[ENDS][2], const char *script)
{
    char path[4096];

    setpgid(0, 0);
    dup2(pipes[IN][0], STDIN_FILENO);
    dup2(pipes[OUT][1], STDOUT_FILENO);
    dup2(pipes[ERRORS][1], STDERR_FILENO);
    snprintf(path, sizeof(path), "%s:%s", PROCTOR_FOLDER, getenv("PATH"));
    setenv("PATH", path, 1);
    signal(SIGINT, SIG_DFL); /* ignored by default in background jobs */
    signal(SIGPIPE, SIG_DFL);
    execl("/bin/sh", "sh", "-c", shell, "sh", script, (char *)NULL);
    _exit(127);
}

static pid_t start(int pipes[ENDS][2], const char *script)
{
    pid_t pid;

    for (int i = 0; i < ENDS; i++)
        assert_int_equal(pipe2(pipes[i], O_CLOEXEC), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (!pid)
        become_shell(pipes, script);
    close(pipes[IN][0]);
    close(pipes[OUT][1]);
    close(pipes[ERRORS][1]);
    return pid;
}

/* Read what is available; false at the end. */
static bool drain(int fd, struct buf *into)
{
    char data[65536];
    ssize_t got = read(fd, data, sizeof(data));

    if (got > 0)
        buf_append(into, data, (size_t)got);
    return got > 0;
}

/* Write some of the input; closes it after the last byte. */
static bool feed(int fd, const char **input)
{
    size_t left = strlen(*input);
    ssize_t put = left ? write(fd, *input, left < 4096 ? left : 4096) : 0;

    if (put > 0)
        *input += put;
    return put > 0;
}

static void close_end(struct pollfd *end)
{
    close(end->fd);
    end->fd = -1;
}

/* Feed and drain until both outputs have ended; false on timeout. */
static bool talk(int pipes[ENDS][2], const char *input, struct command_run *run)
{
    struct deadline by =
        deadline_in_ms(getenv("PROCTOR_FULL") ? PATIENCE_FULL_MS : PATIENCE_MS);
    struct pollfd ends[ENDS] = {
        {.fd = pipes[IN][1], .events = POLLOUT},
        {.fd = pipes[OUT][0], .events = POLLIN},
        {.fd = pipes[ERRORS][0], .events = POLLIN},
    };

    while (ends[OUT].fd >= 0 || ends[ERRORS].fd >= 0) {
        if (poll(ends, ENDS, deadline_left_ms(by)) == 0)
            break;
        if (ends[IN].revents && !feed(ends[IN].fd, &input))
            close_end(&ends[IN]);
        if (ends[OUT].revents && !drain(ends[OUT].fd, &run->out))
            close_end(&ends[OUT]);
        if (ends[ERRORS].revents && !drain(ends[ERRORS].fd, &run->errors))
            close_end(&ends[ERRORS]);
    }
    for (int i = 0; i < ENDS; i++) {
        if (ends[i].fd >= 0)
            close_end(&ends[i]);
    }
    return !deadline_passed(by);
}

void command_run(struct command_run *run, const char *input, const char *script)
{
    int pipes[ENDS][2];
    int status;
    pid_t pid;
    bool in_time;

    command_run_release(run);
    *run = (struct command_run){.out = BUF_INIT(OUTPUT_LIMIT),
                                .errors = BUF_INIT(OUTPUT_LIMIT)};
    signal(SIGPIPE, SIG_IGN);
    pid = start(pipes, script);
    in_time = talk(pipes, input ? input : "", run);
    if (!in_time)
        kill(-pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!in_time)
        fail_msg("%s: takes too long", script);
    run->status =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void command_run_expect(const struct command_run *run, int status,
                        const char *script, const char *file, int line)
{
    if (run->status == status)
        return;
    /* print_error cuts long texts. */
    fprintf(stderr, "%s\nout: %s\nerrors: %s\nends with %d, not %d\n", script,
            buf_cstr(&run->out), buf_cstr(&run->errors), run->status, status);
    _fail(file, line);
}

void command_run_save(const char *name, const char *text)
{
    struct err err = ERR_INIT;

    if (!file_save(name, 0777, text, strlen(text), &err))
        fail_msg("%s", err.text);
}

void command_run_says(const char *text, const char *part, const char *file,
                      int line)
{
    if (strstr(text, part))
        return;
    fprintf(stderr, "\"%s\"\ndoes not say \"%s\"\n", text, part);
    _fail(file, line);
}
