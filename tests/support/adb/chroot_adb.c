#include "tests/support/adb/chroot_adb.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A port other than that of with-adbd, which has another version. */
#define SERVER_PORT "5038"

/* Execute that program, in the child; returns only if there is none. */
typedef void become_fn(const char *arguments);

static void become_chroot_adb(const char *arguments)
{
    char command[512];

    snprintf(command, sizeof(command),
             "mkdir -p /data/adb && exec env HOME=/data/adb TMPDIR=/tmp "
             "ANDROID_ADB_SERVER_PORT=" SERVER_PORT
             " ADB_DELAYED_ACK=1 timeout 30 adb %s",
             arguments);
    execlp("chroot", "chroot", getenv("PROCTOR_PEER_ROOT"), "/bin/sh", "-c",
           command, (char *)NULL);
}

static void become_host_adb(const char *arguments)
{
    char command[512];

    snprintf(command, sizeof(command), "exec timeout 30 adb %s", arguments);
    execlp("sh", "sh", "-c", command, (char *)NULL);
}

/* A server that adb leaves running must not inherit our pipe. */
static void run(become_fn *become, const char *arguments, struct buf *output)
{
    char data[4096];
    int ends[2];
    ssize_t got;
    pid_t pid;

    assert_non_null(getenv("PROCTOR_PEER_ROOT"));
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (!pid) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        become(arguments);
        _exit(127);
    }
    close(ends[1]);
    while ((got = read(ends[0], data, sizeof(data))) > 0)
        buf_append(output, data, (size_t)got);
    close(ends[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/*
 * The server of adb 34.0.5 sometimes crashes when a phone refuses it in the
 * middle of TLS. Its client then has no answer; the next one starts another
 * server.
 */
static bool server_died(const char *arguments, const struct buf *output)
{
    return strstr(arguments, "connect ") &&
           strstr(buf_cstr(output), "protocol fault (couldn't read status");
}

void chroot_adb(const char *arguments, struct buf *output)
{
    size_t before = output->length;

    run(become_chroot_adb, arguments, output);
    if (!server_died(arguments, output))
        return;
    print_message("adb's server died at: adb %s\n", arguments);
    buf_truncate(output, before);
    run(become_chroot_adb, arguments, output);
}

void host_adb(const char *arguments, struct buf *output)
{
    run(become_host_adb, arguments, output);
}
