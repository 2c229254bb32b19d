#include "tools/benchmark/harness/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/file.h"

#define MIB (1024.0 * 1024.0)

/* Start it with these as its standard input and output; -1: none. */
static bool spawn(const char *const argv[], int in, int out, pid_t *pid,
                  struct err *err)
{
    posix_spawn_file_actions_t actions;
    int failed;

    posix_spawn_file_actions_init(&actions);
    if (in < 0)
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                         O_RDONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (out < 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                         O_WRONLY, 0);
    else
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    failed = posix_spawnp(pid, argv[0], &actions, NULL,
                          (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return !failed || err_errno(err, failed, "starting %s", argv[0]);
}

bool child_process_start(const char *const argv[], pid_t *pid, struct err *err)
{
    return spawn(argv, -1, -1, pid, err);
}

bool child_process_start_piped(const char *const argv[], pid_t *pid, int *in,
                               int *out, struct err *err)
{
    int input[2];
    int said[2];
    bool started;

    if (pipe2(input, O_CLOEXEC))
        return err_errno(err, errno, "making a pipe");
    if (pipe2(said, O_CLOEXEC)) {
        close(input[0]);
        close(input[1]);
        return err_errno(err, errno, "making a pipe");
    }
    started = spawn(argv, input[0], said[1], pid, err);
    close(input[0]);
    close(said[1]);
    if (!started) {
        close(input[1]);
        close(said[0]);
        return false;
    }
    *in = input[1];
    *out = said[0];
    return true;
}

void child_process_stop(pid_t pid)
{
    if (!pid)
        return;
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
}

static size_t count_bytes(int fd)
{
    char scratch[64 * 1024];
    size_t total = 0;
    ssize_t n;

    while ((n = read(fd, scratch, sizeof(scratch))) > 0)
        total += (size_t)n;
    return total;
}

static bool check_status(const char *name, pid_t pid, struct err *err)
{
    int status;

    if (waitpid(pid, &status, 0) < 0)
        return err_errno(err, errno, "waiting for %s", name);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ERR_IO, "%s failed", name);
    return true;
}

bool child_process_run(const char *const argv[], size_t *printed,
                       struct err *err)
{
    int ends[2];
    pid_t pid;
    bool started;

    if (pipe2(ends, O_CLOEXEC))
        return err_errno(err, errno, "making a pipe");
    started = spawn(argv, -1, ends[1], &pid, err);
    close(ends[1]);
    if (started)
        *printed = count_bytes(ends[0]);
    close(ends[0]);
    return started && check_status(argv[0], pid, err);
}

bool child_process_run_to_end(const char *const argv[],
                              struct child_process_end *end, struct err *err)
{
    int64_t began = clock_ns();
    struct rusage used;
    int status;
    pid_t pid;

    if (!spawn(argv, -1, -1, &pid, err))
        return false;
    if (wait4(pid, &status, 0, &used) < 0)
        return err_errno(err, errno, "waiting for %s", argv[0]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return err_set(err, ERR_IO, "%s failed", argv[0]);
    end->seconds = (double)(clock_ns() - began) / 1e9;
    end->peak_mib = (double)used.ru_maxrss / 1024;
    return true;
}

double child_process_cpu_us(void)
{
    struct rusage used;

    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

bool child_process_resident(pid_t pid, double *mib, struct err *err)
{
    struct buf text = BUF_INIT(4096);
    const char *resident;
    char path[64];
    bool done;

    snprintf(path, sizeof(path), "/proc/%d/statm", (int)pid);
    done = file_load(path, &text, err);
    resident = strchr(buf_cstr(&text), ' ');
    if (done && resident)
        *mib = (double)strtoull(resident, NULL, 10) *
               (double)sysconf(_SC_PAGESIZE) / MIB;
    buf_release(&text);
    return done;
}
