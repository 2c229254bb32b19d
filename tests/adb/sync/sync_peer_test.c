/* Files to and from a stock adbd, directly and through a stock adb server. */
#include "adb/sync/sync.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/sync/sync_session.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

#define REMOTE "/data/local/tmp"

/*
 * The way to the device. The tests run in a separate directory, which has a
 * link "device" to the device's REMOTE.
 */
struct peer {
    bool through_server;
    struct device *device;
    struct sync *sync;
};

static struct deadline soon(void)
{
    return deadline_in_ms(60000);
}

static const char *env(const char *name)
{
    const char *value = getenv(name);

    if (!value)
        fail_msg("%s is not set: run this with tests/peers/with-adbd", name);
    return value;
}

static void assert_ok(bool done, const struct err *err)
{
    if (!done)
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

static void assert_fails(bool done, const struct err *err, enum err_code code)
{
    if (done)
        fail_msg("it should have failed: %s", err_code_name(code));
    if (err->code != code)
        fail_msg("%s instead of %s: %s", err_code_name(err->code),
                 err_code_name(code), err->text);
}

static struct device *open_device(bool through_server)
{
    struct err err = ERR_INIT;
    struct device *device = NULL;
    char host[TCP_HOST_MAX];
    uint16_t port;
    struct server_client server;

    if (through_server) {
        assert_ok(server_client_from_environment(&server, &err), &err);
        assert_ok(device_open_server(&server, env("PROCTOR_PEER_ADBD"), soon(),
                                     &device, &err),
                  &err);
    } else {
        assert_ok(
            tcp_parse_address(env("PROCTOR_PEER_ADBD"), 0, host, &port, &err),
            &err);
        assert_ok(device_open_tcp(host, port, NULL, soon(), &device, &err),
                  &err);
    }
    return device;
}

static struct sync *open_sync(struct device *device,
                              const struct sync_options *options)
{
    struct err err = ERR_INIT;
    struct sync *sync = NULL;

    assert_ok(sync_open(device, options, soon(), &sync, &err), &err);
    return sync;
}

static struct peer *peer_new(bool through_server)
{
    struct peer *peer = mem_new(1, sizeof(*peer));
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/sync.XXXXXX", env("TMPDIR"));
    assert_non_null(mkdtemp(path));
    assert_int_equal(chdir(path), 0);
    snprintf(path, sizeof(path), "%s" REMOTE, env("PROCTOR_PEER_ROOT"));
    assert_int_equal(symlink(path, "device"), 0);
    peer->through_server = through_server;
    peer->device = open_device(through_server);
    peer->sync = open_sync(peer->device, NULL);
    return peer;
}

static int open_direct(void **state)
{
    *state = peer_new(false);
    return 0;
}

static int open_through_server(void **state)
{
    *state = peer_new(true);
    return 0;
}

static int close_peer(void **state)
{
    struct peer *peer = *state;

    sync_close(peer->sync);
    device_close(peer->device);
    free(peer);
    return 0;
}

/* Bytes that hardly compress, different for each seed. */
static void save_random(const char *path, size_t size, uint32_t seed)
{
    struct err err = ERR_INIT;
    uint32_t *words = mem_new(size / 4 + 1, 4);

    for (size_t i = 0; i <= size / 4; i++) {
        seed = seed * 1664525U + 1013904223U;
        words[i] = seed;
    }
    assert_ok(file_save(path, 0644, words, size, &err), &err);
    free(words);
}

static void assert_same_file(const char *a, const char *b)
{
    struct buf one = BUF_INIT((size_t)256 << 20);
    struct buf two = BUF_INIT((size_t)256 << 20);
    struct err err = ERR_INIT;

    assert_ok(file_load(a, &one, &err), &err);
    assert_ok(file_load(b, &two, &err), &err);
    assert_int_equal(one.length, two.length);
    assert_true(!one.length || !memcmp(one.data, two.data, one.length));
    buf_release(&one);
    buf_release(&two);
}

/* The mode of a pulled file: the umask applies. */
static mode_t pulled_mode(mode_t mode)
{
    mode_t mask = umask(0);

    umask(mask);
    return mode & ~mask;
}

/* The mode in stock adbd: all users get the owner's permissions. */
static mode_t adbd_mode(mode_t mode)
{
    mode |= mode >> 3 & 0070;
    return mode | (mode >> 3 & 0007);
}

static void assert_facts(const char *a, const char *b, mode_t changed(mode_t))
{
    struct stat one;
    struct stat two;

    assert_int_equal(lstat(a, &one), 0);
    assert_int_equal(lstat(b, &two), 0);
    assert_int_equal(changed(one.st_mode), two.st_mode);
    assert_int_equal(one.st_mtime, two.st_mtime);
}

/*
 * Stock adbd sends OKAY before it sets a file's time. It handles one request at
 * a time, so the answer to another request comes after that.
 */
static void push_to_the_end(struct peer *peer, const char *source,
                            const char *target, struct sync_totals *totals)
{
    struct sync_stat stat;
    struct err err = ERR_INIT;

    assert_ok(sync_push(peer->sync, source, target, soon(), totals, &err),
              &err);
    assert_ok(sync_stat(peer->sync, target, true, soon(), &stat, &err), &err);
}

static void assert_empty_directory(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;

    assert_non_null(directory);
    while ((entry = readdir(directory))) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            fail_msg("%s holds %s", path, entry->d_name);
    }
    closedir(directory);
}

static void files_of_every_size_arrive_intact_both_ways(void **state)
{
    static const size_t sizes[] = {
        0,     1,     511,           512,           513,
        65535, 65536, (1 << 20) - 1, (1 << 20) + 1, (size_t)64 << 20};
    struct peer *peer = *state;

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct sync_totals totals;
        struct err err = ERR_INIT;

        save_random("source", sizes[i], (uint32_t)i);
        assert_ok(sync_push(peer->sync, "source", REMOTE "/file", soon(),
                            &totals, &err),
                  &err);
        assert_int_equal(totals.files, 1);
        assert_int_equal(totals.bytes, sizes[i]);
        assert_same_file("source", "device/file");
        assert_ok(sync_pull(peer->sync, REMOTE "/file", "back", soon(), &totals,
                            &err),
                  &err);
        assert_int_equal(totals.bytes, sizes[i]);
        assert_same_file("source", "back");
    }
}

static void mode_and_time_are_transferred(void **state)
{
    const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 1234567890}};
    struct peer *peer = *state;
    struct err err = ERR_INIT;

    save_random("source", 10, 1);
    assert_int_equal(chmod("source", 0640), 0);
    assert_int_equal(utimensat(AT_FDCWD, "source", times, 0), 0);
    push_to_the_end(peer, "source", REMOTE "/facts", NULL);
    assert_facts("source", "device/facts", adbd_mode);
    assert_int_equal(chmod("device/facts", 0604), 0);
    assert_int_equal(utimensat(AT_FDCWD, "device/facts", times, 0), 0);
    assert_ok(
        sync_pull(peer->sync, REMOTE "/facts", "back", soon(), NULL, &err),
        &err);
    assert_facts("device/facts", "back", pulled_mode);
}

static void each_compression_works_both_ways(void **state)
{
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};
    static const size_t sizes[] = {0, 1, 100000, 3000000};
    struct peer *peer = *state;

    for (size_t i = 0; i < ARRAY_LEN(ways) * ARRAY_LEN(sizes); i++) {
        const struct sync_options options = {.compression =
                                                 ways[i / ARRAY_LEN(sizes)]};
        struct sync *sync = open_sync(peer->device, &options);
        struct err err = ERR_INIT;

        save_random("source", sizes[i % ARRAY_LEN(sizes)], 7);
        assert_ok(
            sync_push(sync, "source", REMOTE "/packed", soon(), NULL, &err),
            &err);
        assert_same_file("source", "device/packed");
        assert_ok(sync_pull(sync, REMOTE "/packed", "back", soon(), NULL, &err),
                  &err);
        assert_same_file("source", "back");
        sync_close(sync);
    }
}

/*
 * 20 folders of 100 files, an empty folder, one with a pipe, a link to a file,
 * a dangling one, one to a directory and one to the tree itself.
 */
static void make_tree(const char *root)
{
    char path[PATH_MAX];

    assert_int_equal(mkdir(root, 0755), 0);
    for (int i = 0; i < 2000; i++) {
        struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 1000000000 + i}};

        snprintf(path, sizeof(path), "%s/folder %d", root, i / 100);
        if (i % 100 == 0)
            assert_int_equal(mkdir(path, 0755), 0);
        snprintf(path, sizeof(path), "%s/folder %d/file-%d", root, i / 100, i);
        save_random(path, (size_t)(i * 7 % 9000), (uint32_t)i);
        assert_int_equal(chmod(path, i % 3 ? 0644 : 0750), 0);
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    assert_int_equal(mkdir("tree/folder 3/empty's", 0755), 0);
    assert_int_equal(mkdir("tree/folder 5/piped", 0755), 0);
    assert_int_equal(mkfifo("tree/folder 5/piped/pipe", 0644), 0);
    assert_int_equal(symlink("file-400", "tree/folder 4/link"), 0);
    assert_int_equal(symlink("/nowhere", "tree/folder 4/dangling"), 0);
    assert_int_equal(symlink("../folder 6", "tree/folder 4/directory"), 0);
    assert_int_equal(symlink("..", "tree/folder 4/loop"), 0);
}

static void assert_same_trees(const char *a, const char *b,
                              mode_t changed(mode_t))
{
    for (int i = 0; i < 2000; i++) {
        char one[PATH_MAX];
        char two[PATH_MAX];

        snprintf(one, sizeof(one), "%s/folder %d/file-%d", a, i / 100, i);
        snprintf(two, sizeof(two), "%s/folder %d/file-%d", b, i / 100, i);
        assert_same_file(one, two);
        assert_facts(one, two, changed);
    }
}

static void push_tree(struct peer *peer)
{
    struct sync_totals totals;
    char target[PATH_MAX];
    struct stat found;

    push_to_the_end(peer, "tree", REMOTE "/pushed", &totals);
    assert_int_equal(totals.files, 2004);
    assert_same_trees("tree", "device/pushed", adbd_mode);
    assert_int_equal(totals.skipped, 1);
    assert_int_equal(stat("device/pushed/folder 3/empty's", &found), 0);
    assert_true(S_ISDIR(found.st_mode));
    assert_empty_directory("device/pushed/folder 5/piped");
    assert_int_equal(
        readlink("device/pushed/folder 4/dangling", target, sizeof(target)),
        strlen("/nowhere"));
}

static void pull_tree(struct peer *peer)
{
    const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 987654321}};
    struct sync_totals totals;
    struct err err = ERR_INIT;

    assert_int_equal(chmod("device/pushed/folder 7", 0511), 0);
    assert_int_equal(utimensat(AT_FDCWD, "device/pushed/folder 7", times, 0),
                     0);
    assert_int_equal(mkfifo("device/pushed/pipe", 0644), 0);
    assert_ok(sync_pull(peer->sync, REMOTE "/pushed", "tree-back", soon(),
                        &totals, &err),
              &err);
    assert_same_trees("device/pushed", "tree-back", pulled_mode);
    assert_facts("device/pushed/folder 7", "tree-back/folder 7", pulled_mode);
    assert_empty_directory("tree-back/folder 3/empty's");
    assert_int_equal(access("tree-back/folder 4/dangling", F_OK), -1);
    if (device_has(peer->device, FEATURE_STAT_V2)) {
        assert_same_file("tree/folder 4/file-400", "tree-back/folder 4/link");
        assert_same_file("tree/folder 6/file-600",
                         "tree-back/folder 4/directory/file-600");
        assert_int_equal(totals.files, 2101);
        assert_int_equal(totals.skipped, 3); /* dangling, loop, pipe */
    }
}

static void tree_of_2000_files_is_pushed_and_pulled(void **state)
{
    struct peer *peer = *state;

    make_tree("tree");
    push_tree(peer);
    pull_tree(peer);
    assert_int_equal(rename("device/pushed", peer->through_server
                                                 ? "device/server"
                                                 : "device/direct"),
                     0);
}

static void a_directory_receives_the_source_under_its_name(void **state)
{
    struct peer *peer = *state;
    struct err err = ERR_INIT;
    struct stat found;

    save_random("into", 100, 3);
    assert_ok(sync_push(peer->sync, "into", REMOTE, soon(), NULL, &err), &err);
    assert_int_equal(stat("device/into", &found), 0);
    assert_ok(sync_push(peer->sync, "into", REMOTE "/new/", soon(), NULL, &err),
              &err);
    assert_int_equal(stat("device/new/into", &found), 0);
    assert_int_equal(unlink("into"), 0);
    assert_ok(sync_pull(peer->sync, REMOTE "/into", ".", soon(), NULL, &err),
              &err);
    assert_same_file("device/into", "into");
}

/* Entries of a listing. */
struct seen {
    bool dot;
    bool file;
    uint64_t size;
};

static bool look(void *context, const char *name, const struct sync_stat *stat)
{
    struct seen *seen = context;

    if (!strcmp(name, "."))
        seen->dot = S_ISDIR(stat->mode);
    if (!strcmp(name, "listed")) {
        seen->file = S_ISREG(stat->mode);
        seen->size = stat->size;
    }
    return true;
}

static void list_and_stat_report_the_files(void **state)
{
    struct peer *peer = *state;
    struct sync_stat stat;
    struct seen seen = {false};
    struct err err = ERR_INIT;

    save_random("device/listed", 12345, 1);
    assert_ok(sync_list(peer->sync, REMOTE, look, &seen, soon(), &err), &err);
    assert_true(seen.dot);
    assert_true(seen.file);
    assert_int_equal(seen.size, 12345);
    assert_ok(
        sync_stat(peer->sync, REMOTE "/listed", false, soon(), &stat, &err),
        &err);
    assert_int_equal(stat.size, 12345);
    assert_int_equal(stat.mode, S_IFREG | 0644);
}

static void a_link_is_followed_when_asked(void **state)
{
    struct peer *peer = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    (void)unlink("device/way");
    assert_int_equal(symlink("/data", "device/way"), 0);
    assert_ok(sync_stat(peer->sync, REMOTE "/way", false, soon(), &stat, &err),
              &err);
    assert_true(S_ISLNK(stat.mode));
    assert_ok(sync_stat(peer->sync, REMOTE "/way", true, soon(), &stat, &err),
              &err);
    assert_true(S_ISDIR(stat.mode));
}

static void missing_file_is_reported_and_the_session_continues(void **state)
{
    struct peer *peer = *state;
    struct sync_stat stat;
    struct seen seen;
    struct err err = ERR_INIT;

    assert_ok(sync_stat(peer->sync, "/no/such", true, soon(), &stat, &err),
              &err);
    assert_int_equal(stat.mode, 0);
    assert_fails(sync_pull(peer->sync, "/no/such", "none", soon(), NULL, &err),
                 &err, ERR_NOT_FOUND);
    assert_fails(sync_list(peer->sync, "/no/such", look, &seen, soon(), &err),
                 &err, ERR_NOT_FOUND);
    assert_fails(
        sync_list(peer->sync, "/etc/passwd", look, &seen, soon(), &err), &err,
        ERR_INVALID);
    assert_fails(
        sync_receive(peer->sync, "/no/such", STDERR_FILENO, 0, soon(), &err),
        &err, ERR_REMOTE);
    assert_non_null(strstr(err.text, "pulling /no/such: "));
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(access("none", F_OK), -1);
    assert_ok(sync_stat(peer->sync, "/data", true, soon(), &stat, &err), &err);
    assert_true(S_ISDIR(stat.mode));
}

static void unwritable_path_fails_early_with_the_devices_message(void **state)
{
    struct peer *peer = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    save_random("source", (size_t)16 << 20, 1);
    assert_fails(
        sync_push(peer->sync, "source", "/usr/file", soon(), NULL, &err), &err,
        ERR_REMOTE);
    assert_non_null(strstr(err.text, "pushing /usr/file: "));
    assert_non_null(strstr(err.text, "Read-only file system"));
    assert_ok(sync_stat(peer->sync, "/data", true, soon(), &stat, &err), &err);
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
    struct peer *peer = *state;
    struct err err = ERR_INIT;

    mount_small("device/small");
    save_random("source", (size_t)16 << 20, 1);
    assert_fails(sync_push(peer->sync, "source", REMOTE "/small/file", soon(),
                           NULL, &err),
                 &err, ERR_REMOTE);
    assert_non_null(strstr(err.text, "No space left on device"));
    unmount_small("device/small");
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
    struct peer *peer = *state;
    struct err err = ERR_INIT;

    mount_small("small");
    save_random("device/large", (size_t)16 << 20, 1);
    assert_fails(sync_pull(peer->sync, REMOTE "/large", "small/file", soon(),
                           NULL, &err),
                 &err, ERR_NO_SPACE);
    assert_empty_directory("small");
    unmount_small("small");
}

/* A session without features, as with a phone of ten years ago. */
static struct sync *open_version_1(struct peer *peer)
{
    struct stream *stream = NULL;
    struct sync *sync = NULL;
    struct err err = ERR_INIT;

    assert_ok(device_open_service(peer->device, "sync:", soon(), &stream, &err),
              &err);
    assert_ok(sync_over_stream(stream, 0, NULL, &sync, &err), &err);
    return sync;
}

static void version_1_transfers_files(void **state)
{
    struct peer *peer = *state;
    struct sync *sync = open_version_1(peer);
    struct sync_stat stat;
    struct seen seen = {false};
    struct err err = ERR_INIT;

    assert_int_equal(mkdir("old", 0755), 0);
    save_random("old/listed", 3000000, 1);
    save_random("old/another", 0, 2);
    assert_ok(sync_push(sync, "old", REMOTE "/v1", soon(), NULL, &err), &err);
    assert_same_file("old/listed", "device/v1/listed");
    assert_ok(sync_stat(sync, REMOTE "/v1/listed", true, soon(), &stat, &err),
              &err);
    assert_int_equal(stat.size, 3000000);
    assert_ok(sync_list(sync, REMOTE "/v1", look, &seen, soon(), &err), &err);
    assert_int_equal(seen.size, 3000000);
    assert_ok(sync_pull(sync, REMOTE "/v1", "old-back", soon(), NULL, &err),
              &err);
    assert_same_file("old/listed", "old-back/listed");
    assert_same_file("old/another", "old-back/another");
    assert_facts("device/v1/listed", "old-back/listed", pulled_mode);
    sync_close(sync);
    assert_int_equal(unlink("device/v1/listed"), 0);
    assert_int_equal(unlink("device/v1/another"), 0);
    assert_int_equal(rmdir("device/v1"), 0);
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
    struct peer *peer = *state;
    struct sync *sync = open_sync(peer->device, &options);
    struct err err = ERR_INIT;

    assert_int_equal(mkdir("stopped", 0755), 0);
    save_random("device/large", (size_t)16 << 20, 1);
    assert_fails(
        sync_pull(sync, REMOTE "/large", "stopped/file", soon(), NULL, &err),
        &err, ERR_CANCELLED);
    assert_empty_directory("stopped");
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
    struct device *device = open_device(through_server);
    struct sync *sync = open_sync(device, &options);
    struct err err;
    bool pulled = sync_pull(sync, REMOTE "/large", to, soon(), NULL, &err);

    _exit(pulled ? 0 : 1);
}

static void a_killed_pull_leaves_nothing_under_the_files_name(void **state)
{
    struct peer *peer = *state;
    int status;
    pid_t child;

    assert_int_equal(mkdir("killed", 0755), 0);
    save_random("device/large", (size_t)16 << 20, 1);
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
    struct peer *peer = *state;
    char path[SYNC_PATH_MAX + 10];
    struct sync_stat stat;
    struct err err = ERR_INIT;

    memset(path, 'x', sizeof(path));
    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    assert_fails(sync_stat(peer->sync, path, true, soon(), &stat, &err), &err,
                 ERR_INVALID);
    assert_fails(sync_stat(peer->sync, "", true, soon(), &stat, &err), &err,
                 ERR_INVALID);
    save_random("source", 1, 1);
    assert_fails(sync_push(peer->sync, "source", path, soon(), NULL, &err),
                 &err, ERR_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_every_size_arrive_intact_both_ways),
        cmocka_unit_test(mode_and_time_are_transferred),
        cmocka_unit_test(each_compression_works_both_ways),
        cmocka_unit_test(tree_of_2000_files_is_pushed_and_pulled),
        cmocka_unit_test(a_directory_receives_the_source_under_its_name),
        cmocka_unit_test(list_and_stat_report_the_files),
        cmocka_unit_test(a_link_is_followed_when_asked),
        cmocka_unit_test(missing_file_is_reported_and_the_session_continues),
        cmocka_unit_test(unwritable_path_fails_early_with_the_devices_message),
        cmocka_unit_test(full_device_fails_with_its_message),
        cmocka_unit_test(a_full_disk_leaves_nothing_behind),
        cmocka_unit_test(version_1_transfers_files),
        cmocka_unit_test(a_stopped_pull_leaves_nothing_behind),
        cmocka_unit_test(a_killed_pull_leaves_nothing_under_the_files_name),
        cmocka_unit_test(paths_that_are_too_long_are_invalid),
    };
    int failed =
        cmocka_run_group_tests_name("direct", tests, open_direct, close_peer);

    return failed + cmocka_run_group_tests_name("through a server", tests,
                                                open_through_server,
                                                close_peer);
}
