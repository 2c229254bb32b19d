#include "tools/run_socket/run_socket.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "tests/support/scratch_folder.h"

/* A folder whose path does not fit into the address of a socket. */
static int enter(void **state)
{
    struct buf path = BUF_INIT(PATH_MAX);

    if (scratch_folder_enter(state))
        return 1;
    buf_printf(&path, "%s/%0150d", scratch_folder_path(), 0);
    setenv("XDG_STATE_HOME", buf_cstr(&path), 1);
    buf_release(&path);
    return 0;
}

static size_t count_sockets(void)
{
    struct run_socket_names names;
    size_t count;

    run_socket_list(&names);
    count = names.count;
    run_socket_names_release(&names);
    return count;
}

static int listen_as(const char *title, struct run_socket *socket)
{
    struct err err;
    int fd;

    if (!run_socket_listen(title, socket, &fd, &err))
        fail_msg("%s", err.text);
    return fd;
}

static void a_socket_can_be_found_and_connected_to(void **state)
{
    struct run_socket socket;
    int listener = listen_as("my run/1", &socket);
    struct run_socket_names names;
    struct err err;
    int fd;

    (void)state;
    run_socket_list(&names);
    assert_int_equal(names.count, 1);
    assert_string_equal(names.items[0], socket.name);
    assert_ptr_equal(strstr(socket.name, "my-run-1-"), socket.name);
    run_socket_names_release(&names);
    assert_true(run_socket_connect(socket.name, &fd, &err));
    assert_true(run_socket_check_peer(fd, &err));
    close(fd);
    run_socket_remove(&socket);
    assert_int_equal(count_sockets(), 0);
    assert_false(run_socket_connect(socket.name, &fd, &err));
    assert_int_equal(err.code, ERR_LOST);
    close(listener);
}

static void others_can_neither_enter_nor_connect(void **state)
{
    struct run_socket socket;
    int listener = listen_as("run", &socket);
    struct stat found;

    (void)state;
    assert_int_equal(fstat(socket.folder, &found), 0);
    assert_int_equal(found.st_mode & 07777, 0700);
    assert_int_equal(fstatat(socket.folder, socket.name, &found, 0), 0);
    assert_int_equal(found.st_mode & 07777, 0600);
    run_socket_remove(&socket);
    close(listener);
}

/* As after a kill: the file stays, and no process listens. */
static void a_dead_socket_is_removed(void **state)
{
    struct run_socket dead;
    struct run_socket next;
    struct err err;
    int listener = listen_as("dead", &dead);
    int fd;

    (void)state;
    close(listener);
    assert_int_equal(count_sockets(), 1);
    assert_false(run_socket_connect(dead.name, &fd, &err));
    assert_int_equal(err.code, ERR_LOST);
    assert_int_equal(count_sockets(), 0);
    run_socket_remove(&dead);

    close(listen_as("dead", &dead));
    listener = listen_as("next", &next);
    assert_int_equal(count_sockets(), 1);
    run_socket_remove(&dead);
    run_socket_remove(&next);
    close(listener);
}

/* A connection may be waiting: no process is asked whether it wants it. */
static void too_many_connections_do_not_block(void **state)
{
    struct run_socket socket;
    int listener = listen_as("busy", &socket);
    struct err err = ERR_INIT;
    int fds[200];
    size_t count = 0;

    (void)state;
    while (count < 200 && run_socket_connect(socket.name, &fds[count], &err))
        count++;
    assert_in_range(count, 1, 199);
    assert_int_equal(err.code, ERR_BUSY);
    assert_int_equal(count_sockets(), 1);
    while (count)
        close(fds[--count]);
    run_socket_remove(&socket);
    close(listener);
}

static void without_a_home_there_is_no_socket(void **state)
{
    char *before = strdup(getenv("XDG_STATE_HOME"));
    char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    struct run_socket socket;
    struct err err;
    int fd;

    (void)state;
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_false(run_socket_listen("run", &socket, &fd, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_int_equal(count_sockets(), 0);
    setenv("XDG_STATE_HOME", before, 1);
    if (home)
        setenv("HOME", home, 1);
    free(before);
    free(home);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_can_be_found_and_connected_to),
        cmocka_unit_test(others_can_neither_enter_nor_connect),
        cmocka_unit_test(a_dead_socket_is_removed),
        cmocka_unit_test(too_many_connections_do_not_block),
        cmocka_unit_test(without_a_home_there_is_no_socket),
    };

    return cmocka_run_group_tests(tests, enter, scratch_folder_leave);
}
