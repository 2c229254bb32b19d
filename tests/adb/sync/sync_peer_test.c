/* Files to and from a stock adbd, directly and through a stock adb server. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/sync/sync_session.h"
#include "base/mem.h"
#include "tests/adb/sync/sync_peer.h"

static void files_of_every_size_arrive_intact_both_ways(void **state)
{
    static const size_t sizes[] = {
        0,     1,     511,           512,           513,
        65535, 65536, (1 << 20) - 1, (1 << 20) + 1, (size_t)64 << 20};
    struct sync_peer *peer = *state;

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct sync_totals totals;
        struct err err = ERR_INIT;

        sync_peer_save_random("source", sizes[i], (uint32_t)i);
        sync_peer_assert_ok(sync_push(peer->sync, "source", REMOTE "/file",
                                      sync_peer_soon(), &totals, &err),
                            &err);
        assert_int_equal(totals.files, 1);
        assert_int_equal(totals.bytes, sizes[i]);
        sync_peer_assert_same_file("source", "device/file");
        sync_peer_assert_ok(sync_pull(peer->sync, REMOTE "/file", "back",
                                      sync_peer_soon(), &totals, &err),
                            &err);
        assert_int_equal(totals.bytes, sizes[i]);
        sync_peer_assert_same_file("source", "back");
    }
}

static void mode_and_time_are_transferred(void **state)
{
    const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 1234567890}};
    struct sync_peer *peer = *state;
    struct err err = ERR_INIT;

    sync_peer_save_random("source", 10, 1);
    assert_int_equal(chmod("source", 0640), 0);
    assert_int_equal(utimensat(AT_FDCWD, "source", times, 0), 0);
    sync_peer_push_to_the_end(peer, "source", REMOTE "/facts", NULL);
    sync_peer_assert_same_facts("source", "device/facts", sync_peer_adbd_mode);
    assert_int_equal(chmod("device/facts", 0604), 0);
    assert_int_equal(utimensat(AT_FDCWD, "device/facts", times, 0), 0);
    sync_peer_assert_ok(sync_pull(peer->sync, REMOTE "/facts", "back",
                                  sync_peer_soon(), NULL, &err),
                        &err);
    sync_peer_assert_same_facts("device/facts", "back", sync_peer_pulled_mode);
}

static void each_compression_works_both_ways(void **state)
{
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};
    static const size_t sizes[] = {0, 1, 100000, 3000000};
    struct sync_peer *peer = *state;

    for (size_t i = 0; i < ARRAY_LEN(ways) * ARRAY_LEN(sizes); i++) {
        const struct sync_options options = {.compression =
                                                 ways[i / ARRAY_LEN(sizes)]};
        struct sync *sync = sync_peer_open_sync(peer->device, &options);
        struct err err = ERR_INIT;

        sync_peer_save_random("source", sizes[i % ARRAY_LEN(sizes)], 7);
        sync_peer_assert_ok(sync_push(sync, "source", REMOTE "/packed",
                                      sync_peer_soon(), NULL, &err),
                            &err);
        sync_peer_assert_same_file("source", "device/packed");
        sync_peer_assert_ok(sync_pull(sync, REMOTE "/packed", "back",
                                      sync_peer_soon(), NULL, &err),
                            &err);
        sync_peer_assert_same_file("source", "back");
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
        sync_peer_save_random(path, (size_t)(i * 7 % 9000), (uint32_t)i);
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
        sync_peer_assert_same_file(one, two);
        sync_peer_assert_same_facts(one, two, changed);
    }
}

static void push_tree(struct sync_peer *peer)
{
    struct sync_totals totals;
    char target[PATH_MAX];
    struct stat found;

    sync_peer_push_to_the_end(peer, "tree", REMOTE "/pushed", &totals);
    assert_int_equal(totals.files, 2004);
    assert_same_trees("tree", "device/pushed", sync_peer_adbd_mode);
    assert_int_equal(totals.skipped, 1);
    assert_int_equal(stat("device/pushed/folder 3/empty's", &found), 0);
    assert_true(S_ISDIR(found.st_mode));
    sync_peer_assert_empty("device/pushed/folder 5/piped");
    assert_int_equal(
        readlink("device/pushed/folder 4/dangling", target, sizeof(target)),
        strlen("/nowhere"));
}

static void pull_tree(struct sync_peer *peer)
{
    const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 987654321}};
    struct sync_totals totals;
    struct err err = ERR_INIT;

    assert_int_equal(chmod("device/pushed/folder 7", 0511), 0);
    assert_int_equal(utimensat(AT_FDCWD, "device/pushed/folder 7", times, 0),
                     0);
    assert_int_equal(mkfifo("device/pushed/pipe", 0644), 0);
    sync_peer_assert_ok(sync_pull(peer->sync, REMOTE "/pushed", "tree-back",
                                  sync_peer_soon(), &totals, &err),
                        &err);
    assert_same_trees("device/pushed", "tree-back", sync_peer_pulled_mode);
    sync_peer_assert_same_facts("device/pushed/folder 7", "tree-back/folder 7",
                                sync_peer_pulled_mode);
    sync_peer_assert_empty("tree-back/folder 3/empty's");
    assert_int_equal(access("tree-back/folder 4/dangling", F_OK), -1);
    if (device_has(peer->device, FEATURE_STAT_V2)) {
        sync_peer_assert_same_file("tree/folder 4/file-400",
                                   "tree-back/folder 4/link");
        sync_peer_assert_same_file("tree/folder 6/file-600",
                                   "tree-back/folder 4/directory/file-600");
        assert_int_equal(totals.files, 2101);
        assert_int_equal(totals.skipped, 3); /* dangling, loop, pipe */
    }
}

static void tree_of_2000_files_is_pushed_and_pulled(void **state)
{
    struct sync_peer *peer = *state;

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
    struct sync_peer *peer = *state;
    struct err err = ERR_INIT;
    struct stat found;

    sync_peer_save_random("into", 100, 3);
    sync_peer_assert_ok(
        sync_push(peer->sync, "into", REMOTE, sync_peer_soon(), NULL, &err),
        &err);
    assert_int_equal(stat("device/into", &found), 0);
    sync_peer_assert_ok(sync_push(peer->sync, "into", REMOTE "/new/",
                                  sync_peer_soon(), NULL, &err),
                        &err);
    assert_int_equal(stat("device/new/into", &found), 0);
    assert_int_equal(unlink("into"), 0);
    sync_peer_assert_ok(sync_pull(peer->sync, REMOTE "/into", ".",
                                  sync_peer_soon(), NULL, &err),
                        &err);
    sync_peer_assert_same_file("device/into", "into");
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
    struct sync_peer *peer = *state;
    struct sync_stat stat;
    struct seen seen = {false};
    struct err err = ERR_INIT;

    sync_peer_save_random("device/listed", 12345, 1);
    sync_peer_assert_ok(
        sync_list(peer->sync, REMOTE, look, &seen, sync_peer_soon(), &err),
        &err);
    assert_true(seen.dot);
    assert_true(seen.file);
    assert_int_equal(seen.size, 12345);
    sync_peer_assert_ok(sync_stat(peer->sync, REMOTE "/listed", false,
                                  sync_peer_soon(), &stat, &err),
                        &err);
    assert_int_equal(stat.size, 12345);
    assert_int_equal(stat.mode, S_IFREG | 0644);
}

static void a_link_is_followed_when_asked(void **state)
{
    struct sync_peer *peer = *state;
    struct sync_stat stat;
    struct err err = ERR_INIT;

    (void)unlink("device/way");
    assert_int_equal(symlink("/data", "device/way"), 0);
    sync_peer_assert_ok(sync_stat(peer->sync, REMOTE "/way", false,
                                  sync_peer_soon(), &stat, &err),
                        &err);
    assert_true(S_ISLNK(stat.mode));
    sync_peer_assert_ok(sync_stat(peer->sync, REMOTE "/way", true,
                                  sync_peer_soon(), &stat, &err),
                        &err);
    assert_true(S_ISDIR(stat.mode));
}

/* A session without features, as with a phone of ten years ago. */
static struct sync *open_version_1(struct sync_peer *peer)
{
    struct stream *stream = NULL;
    struct sync *sync = NULL;
    struct err err = ERR_INIT;

    sync_peer_assert_ok(device_open_service(peer->device, "sync:",
                                            sync_peer_soon(), &stream, &err),
                        &err);
    sync_peer_assert_ok(sync_over_stream(stream, 0, NULL, &sync, &err), &err);
    return sync;
}

static void version_1_transfers_files(void **state)
{
    struct sync_peer *peer = *state;
    struct sync *sync = open_version_1(peer);
    struct sync_stat stat;
    struct seen seen = {false};
    struct err err = ERR_INIT;

    assert_int_equal(mkdir("old", 0755), 0);
    sync_peer_save_random("old/listed", 3000000, 1);
    sync_peer_save_random("old/another", 0, 2);
    sync_peer_assert_ok(
        sync_push(sync, "old", REMOTE "/v1", sync_peer_soon(), NULL, &err),
        &err);
    sync_peer_assert_same_file("old/listed", "device/v1/listed");
    sync_peer_assert_ok(sync_stat(sync, REMOTE "/v1/listed", true,
                                  sync_peer_soon(), &stat, &err),
                        &err);
    assert_int_equal(stat.size, 3000000);
    sync_peer_assert_ok(
        sync_list(sync, REMOTE "/v1", look, &seen, sync_peer_soon(), &err),
        &err);
    assert_int_equal(seen.size, 3000000);
    sync_peer_assert_ok(
        sync_pull(sync, REMOTE "/v1", "old-back", sync_peer_soon(), NULL, &err),
        &err);
    sync_peer_assert_same_file("old/listed", "old-back/listed");
    sync_peer_assert_same_file("old/another", "old-back/another");
    sync_peer_assert_same_facts("device/v1/listed", "old-back/listed",
                                sync_peer_pulled_mode);
    sync_close(sync);
    assert_int_equal(unlink("device/v1/listed"), 0);
    assert_int_equal(unlink("device/v1/another"), 0);
    assert_int_equal(rmdir("device/v1"), 0);
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
        cmocka_unit_test(version_1_transfers_files),
    };
    int failed = cmocka_run_group_tests_name(
        "direct", tests, sync_peer_open_direct, sync_peer_close);

    return failed + cmocka_run_group_tests_name("through a server", tests,
                                                sync_peer_open_through_server,
                                                sync_peer_close);
}
