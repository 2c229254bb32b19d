/* Finding the process that has a file open, in /proc. */
#include "adb/transport/usb_holder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/*
 * A folder with a file to open, and a copy of this program with another name.
 */
struct fixture {
    char folder[64];
    char node[96];
    char program[96];
    pid_t holder;
};

static int setup(void **state)
{
    static struct fixture fixture;
    const char *temporary = getenv("TMPDIR");
    int fd;

    fixture = (struct fixture){0};
    snprintf(fixture.folder, sizeof(fixture.folder), "%.40s/proctor-XXXXXX",
             temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(fixture.folder));
    snprintf(fixture.node, sizeof(fixture.node), "%s/node", fixture.folder);
    fd = open(fixture.node, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
    *state = &fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    if (fixture->holder) {
        kill(fixture->holder, SIGKILL);
        waitpid(fixture->holder, NULL, 0);
    }
    unlink(fixture->node);
    unlink(fixture->program);
    rmdir(fixture->folder);
    return 0;
}

/* Start this program under that name, and wait until it has opened the file. */
static void hold(struct fixture *fixture, const char *name, const char *word)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    int ready[2];
    char byte;

    assert_true(length > 0);
    self[length] = '\0';
    snprintf(fixture->program, sizeof(fixture->program), "%s/%s",
             fixture->folder, name);
    assert_int_equal(symlink(self, fixture->program), 0);
    assert_int_equal(pipe(ready), 0);
    fixture->holder = fork();
    assert_true(fixture->holder >= 0);
    if (!fixture->holder) {
        dup2(ready[1], STDOUT_FILENO);
        execl(fixture->program, name, "hold", fixture->node, word,
              (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
}

/* What the started copy does: opens the file. */
static int hold_main(const char *node)
{
    int fd = open(node, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || write(STDOUT_FILENO, "!", 1) != 1)
        return 1;
    for (;;)
        pause();
}

static void unopened_file_has_no_holder(void **state)
{
    struct fixture *fixture = *state;
    struct usb_holder holder;

    usb_holder_find(fixture->node, &holder);
    assert_int_equal(holder.pid, 0);
    assert_string_equal(holder.name, "another program");
    assert_false(holder.is_adb_server);
}

static void own_process_is_ignored(void **state)
{
    struct fixture *fixture = *state;
    struct usb_holder holder;
    int fd = open(fixture->node, O_RDONLY | O_CLOEXEC);

    usb_holder_find(fixture->node, &holder);
    close(fd);
    assert_int_equal(holder.pid, 0);
}

static void holder_is_reported_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct usb_holder holder;

    hold(fixture, "scrcpy", "fork-server");
    usb_holder_find(fixture->node, &holder);
    assert_int_equal(holder.pid, fixture->holder);
    assert_string_equal(holder.name, "scrcpy");
    assert_false(holder.is_adb_server);
}

static void adb_server_is_recognized(void **state)
{
    struct fixture *fixture = *state;
    struct usb_holder holder;

    hold(fixture, "adb", "fork-server");
    usb_holder_find(fixture->node, &holder);
    assert_int_equal(holder.pid, fixture->holder);
    assert_true(holder.is_adb_server);
}

static void adb_client_is_not_an_adb_server(void **state)
{
    struct fixture *fixture = *state;
    struct usb_holder holder;

    hold(fixture, "adb", "shell");
    usb_holder_find(fixture->node, &holder);
    assert_int_equal(holder.pid, fixture->holder);
    assert_false(holder.is_adb_server);
}

#define HOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        HOLDER_TEST(unopened_file_has_no_holder),
        HOLDER_TEST(own_process_is_ignored),
        HOLDER_TEST(holder_is_reported_by_name),
        HOLDER_TEST(adb_server_is_recognized),
        HOLDER_TEST(adb_client_is_not_an_adb_server),
    };

    if (argc > 2 && !strcmp(argv[1], "hold"))
        return hold_main(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
