/* Transfers that fail or are stopped, next to a stock adbd. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/adb/sync/sync_peer.h"

static bool ignore_entry(void *context, const char *name,
                         const struct sync_stat *stat)
{
    (void)context, (void)name, (void)stat;
    return true;
}

static void missing_file_is_reported_and_the_session_continues(void **state)
{
    struct sync_peer *peer = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    sync_peer_assert_ok(
        sync_stat(peer->sync, "/no/such", true, sync_peer_soon(), &stat, &err),
        &err);
    assert_int_equal(stat.mode, 0);
    sync_peer_assert_fails(
        sync_pull(peer->sync, "/no/such", "none", sync_peer_soon(), NULL, &err),
        &err, ERR_NOT_FOUND);
    sync_peer_assert_fails(sync_list(peer->sync, "/no/such", ignore_entry, NULL,
                                     sync_peer_soon(), &err),
                           &err, ERR_NOT_FOUND);
    sync_peer_assert_fails(sync_list(peer->sync, "/etc/passwd", ignore_entry,
                                     NULL, sync_peer_soon(), &err),
                           &err, ERR_INVALID);
    sync_peer_assert_fails(sync_receive(peer->sync, "/no/such", STDERR_FILENO,
                                        0, sync_peer_soon(), &err),
                           &err, ERR_REMOTE);
    assert_non_null(strstr(err.text, "pulling /no/such: "));
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(access("none", F_OK), -1);
    sync_peer_assert_ok(
        sync_stat(peer->sync, "/data", true, sync_peer_soon(), &stat, &err),
        &err);
    assert_true(S_ISDIR(stat.mode));
}

static void unwritable_path_fails_early_with_the_devices_message(void **state)
{
    struct sync_peer *peer = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    sync_peer_save_random("source", (size_t)16 << 20, 1);
    sync_peer_assert_fails(sync_push(peer->sync, "source", "/usr/file",
                                     sync_peer_soon(), NULL, &err),
                           &err, ERR_REMOTE);
    assert_non_null(strstr(err.text, "pushing /usr/file: "));
    assert_non_null(strstr(err.text, "Read-only file system"));
    sync_peer_assert_ok(
        sync_stat(peer->sync, "/data", true, sync_peer_soon(), &stat, &err),
        &err);
}

static void mount_small(const char *path)
{
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(mount("tmpfs", path, "tmpfs", 0, "size=1m"), 0);
}

static void unmount_small(const char *path)
{
    /* The device may keep the file open for another moment. */
    assert_int_equal(umount2(path, MNT_DETACH), 0);
    assert_int_equal(rmdir(path), 0);
}

static void full_device_fails_with_its_message(void **state)
{
    struct sync_peer *peer = *state;
    struct err err = ERR_INIT;

    mount_small("device/small");
    sync_peer_save_random("source", (size_t)16 << 20, 1);
    sync_peer_assert_fails(sync_push(peer->sync, "source", REMOTE "/small/file",
                                     sync_peer_soon(), NULL, &err),
                           &err, ERR_REMOTE);
    assert_non_null(strstr(err.text, "No space left on device"));
    unmount_small("device/small");
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
    struct sync_peer *peer = *state;
    struct err err = ERR_INIT;

    mount_small("small");
    sync_peer_save_random("device/large", (size_t)16 << 20, 1);
    sync_peer_assert_fails(sync_pull(peer->sync, REMOTE "/large", "small/file",
                                     sync_peer_soon(), NULL, &err),
                           &err, ERR_NO_SPACE);
    sync_peer_assert_empty("small");
    unmount_small("small");
}

static bool stop_after_a_mebibyte(void *context, const char *path,
                                  uint64_t moved, uint64_t total)
{
    (void)context;
    (void)path;
    (void)total;
    return moved < 1 << 20;
}

static void a_stopped_pull_leaves_nothing_behind(void **state)
{
    const struct sync_options options = {.progress = stop_after_a_mebibyte};
    struct sync_peer *peer = *state;
    struct sync *sync = sync_peer_open_sync(peer->device, &options);
    struct err err = ERR_INIT;

    assert_int_equal(mkdir("stopped", 0755), 0);
    sync_peer_save_random("device/large", (size_t)16 << 20, 1);
    sync_peer_assert_fails(sync_pull(sync, REMOTE "/large", "stopped/file",
                                     sync_peer_soon(), NULL, &err),
                           &err, ERR_CANCELLED);
    sync_peer_assert_empty("stopped");
    sync_close(sync);
}

static bool die_after_a_mebibyte(void *context, const char *path,
                                 uint64_t moved, uint64_t total)
{
    (void)context;
    (void)path;
    (void)total;
    if (moved >= 1 << 20)
        raise(SIGKILL);
    return true;
}

static void pull_until_killed(bool through_server, const char *to)
{
    const struct sync_options options = {.progress = die_after_a_mebibyte};
    struct device *device = sync_peer_open_device(through_server);
    struct sync *sync = sync_peer_open_sync(device, &options);
    struct err err;
    bool pulled =
        sync_pull(sync, REMOTE "/large", to, sync_peer_soon(), NULL, &err);

    _exit(pulled ? 0 : 1);
}

static void a_killed_pull_leaves_nothing_under_the_files_name(void **state)
{
    struct sync_peer *peer = *state;
    int status;
    pid_t child;

    assert_int_equal(mkdir("killed", 0755), 0);
    sync_peer_save_random("device/large", (size_t)16 << 20, 1);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        pull_until_killed(peer->through_server, "killed/file");
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(access("killed/file", F_OK), -1);
}

static void paths_that_are_too_long_are_invalid(void **state)
{
    struct sync_peer *peer = *state;
    char path[SYNC_PATH_MAX + 10];
    struct sync_stat stat;
    struct err err = ERR_INIT;

    memset(path, 'x', sizeof(path));
    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    sync_peer_assert_fails(
        sync_stat(peer->sync, path, true, sync_peer_soon(), &stat, &err), &err,
        ERR_INVALID);
    sync_peer_assert_fails(
        sync_stat(peer->sync, "", true, sync_peer_soon(), &stat, &err), &err,
        ERR_INVALID);
    sync_peer_save_random("source", 1, 1);
    sync_peer_assert_fails(
        sync_push(peer->sync, "source", path, sync_peer_soon(), NULL, &err),
        &err, ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_file_is_reported_and_the_session_continues),
        cmocka_unit_test(unwritable_path_fails_early_with_the_devices_message),
        cmocka_unit_test(full_device_fails_with_its_message),
        cmocka_unit_test(a_full_disk_leaves_nothing_behind),
        cmocka_unit_test(a_stopped_pull_leaves_nothing_behind),
        cmocka_unit_test(a_killed_pull_leaves_nothing_under_the_files_name),
        cmocka_unit_test(paths_that_are_too_long_are_invalid),
    };
    int failed = cmocka_run_group_tests_name(
        "direct", tests, sync_peer_open_direct, sync_peer_close);

    return failed + cmocka_run_group_tests_name("through a server", tests,
                                                sync_peer_open_through_server,
                                                sync_peer_close);
}
