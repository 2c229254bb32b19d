/* The phone's side of sync against our host's side. */
#include "tools/phone/adbd/sync_server.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/phone/adbd/sync_client.h"

#define REMOTE SYNC_TALK_REMOTE

/* An old phone: only version 1. */
static int set_up_old(void **state)
{
    *state = sync_client_start(NULL, 0);
    return 0;
}

static const size_t sizes[] = {
    0,     1,      511,    512,           513,     65535,         65536,
    65537, 131072, 262143, (1 << 20) - 1, 1 << 20, (1 << 20) + 1,
};

static void files_of_all_sizes_are_pushed_and_pulled(void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        sync_client_round_trip(*state, sizes[i]);
}

static void every_compression_works_both_ways(void **state)
{
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};

    for (size_t way = 0; way < ARRAY_LEN(ways); way++) {
        sync_client_open(*state, ways[way]);
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
            sync_client_round_trip(*state, sizes[i]);
    }
}

static void a_pushed_file_has_its_mode_time_and_owner(void **state)
{
    struct sync_client *client = *state;
    struct sync_stat stat;
    struct err err;

    assert_ok(sync_client_send(client, REMOTE "/new/deep/f", 3, &err), &err);
    assert_ok(sync_stat(client->sync, REMOTE "/new/deep/f", false,
                        sync_client_deadline(), &stat, &err),
              &err);
    /* All users get the permissions of the owner, as with adbd. */
    assert_int_equal(stat.mode, S_IFREG | 0666);
    assert_int_equal(stat.size, 3);
    assert_true(stat.mtime == SYNC_CLIENT_MTIME);
    assert_ok(sync_stat(client->sync, REMOTE "/new", false,
                        sync_client_deadline(), &stat, &err),
              &err);
    assert_int_equal(stat.mode, S_IFDIR | 0775);
}

static void stat_reports_links_and_missing_files(void **state)
{
    struct sync_client *client = *state;
    struct sync_stat stat;
    struct err err;

    assert_ok(sync_stat(client->sync, "/sdcard", false, sync_client_deadline(),
                        &stat, &err),
              &err);
    assert_int_equal(stat.mode, S_IFLNK | 0777);
    assert_ok(sync_stat(client->sync, "/sdcard", true, sync_client_deadline(),
                        &stat, &err),
              &err);
    assert_true(S_ISDIR(stat.mode));
    assert_ok(sync_stat(client->sync, "/none", false, sync_client_deadline(),
                        &stat, &err),
              &err);
    assert_int_equal(stat.mode, 0);
}

static bool count_name(void *context, const char *name,
                       const struct sync_stat *stat)
{
    struct buf *names = context;

    buf_printf(names, "%s:%o ", name, stat->mode);
    return true;
}

static void expect_list(struct sync_client *client, const char *path,
                        const char *expected)
{
    struct buf names = BUF_INIT(1 << 20);
    struct err err;

    assert_ok(sync_list(client->sync, path, count_name, &names,
                        sync_client_deadline(), &err),
              &err);
    assert_string_equal(buf_cstr(&names), expected);
    buf_release(&names);
}

static void a_list_has_every_name_and_the_dots(void **state)
{
    struct sync_client *client = *state;
    struct err err;

    assert_ok(sync_client_send(client, REMOTE "/b", 1, &err), &err);
    assert_ok(sync_client_send(client, REMOTE "/a", 1, &err), &err);
    expect_list(client, REMOTE, ".:40771 ..:40751 a:100666 b:100666 ");
    expect_list(client, "/data/data", "");
}

static void large_directory_is_listed_completely(void **state)
{
    struct sync_client *client = *state;
    struct buf names = BUF_INIT(1 << 20);
    struct buf expected = BUF_INIT(1 << 20);
    struct err err;

    buf_text(&expected, ".:40771 ..:40751 ");
    for (int i = 0; i < 1024; i++) {
        char path[300];
        int number;

        snprintf(path, sizeof(path), REMOTE "/%04d%0200d", i, 0);
        assert_true(
            files_append(client->phone.shell, path, "", 0, 0600, &number));
        buf_printf(&expected, "%s:100600 ", path + strlen(REMOTE "/"));
    }
    assert_ok(sync_list(client->sync, REMOTE, count_name, &names,
                        sync_client_deadline(), &err),
              &err);
    assert_string_equal(buf_cstr(&names), buf_cstr(&expected));
    buf_release(&names);
    buf_release(&expected);
}

/* ---------------------------------------------------------------- trees */

static void make_tree(const char *root)
{
    char path[200];
    struct err err;

    for (int i = 0; i < 200; i++) {
        snprintf(path, sizeof(path), "%s/%d", root, i % 10);
        assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
        snprintf(path, sizeof(path), "%s/%d/f%d", root, i % 10, i);
        assert_ok(file_save(path, 0644, path, strlen(path), &err), &err);
    }
    snprintf(path, sizeof(path), "%s/link", root);
    assert_int_equal(symlink("1/f1", path), 0);
}

static void check_tree(const char *root, const char *made)
{
    for (int i = 0; i < 200; i++) {
        struct buf content = BUF_INIT(4096);
        char expected[200];
        char path[200];
        struct err err;

        snprintf(expected, sizeof(expected), "%s/%d/f%d", made, i % 10, i);
        snprintf(path, sizeof(path), "%s/%d/f%d", root, i % 10, i);
        assert_ok(file_load(path, &content, &err), &err);
        assert_string_equal(buf_cstr(&content), expected);
        buf_release(&content);
    }
}

static void tree_is_pushed_and_pulled(void **state)
{
    struct sync_client *client = *state;
    char out[] = "out-XXXXXX";
    char back[] = "back-XXXXXX";
    struct sync_totals totals;
    struct files_stat stat;
    struct err err;
    int number;

    assert_non_null(mkdtemp(out));
    assert_non_null(mkdtemp(back));
    make_tree(out);
    assert_ok(sync_push(client->sync, out, REMOTE "/tree",
                        sync_client_deadline(), &totals, &err),
              &err);
    assert_int_equal(totals.files, 201);
    assert_true(files_stat(client->phone.shell, REMOTE "/tree/link", false,
                           &stat, &number));
    assert_int_equal(stat.mode, S_IFLNK | 0777);
    assert_ok(sync_pull(client->sync, REMOTE "/tree/.", back,
                        sync_client_deadline(), &totals, &err),
              &err);
    check_tree(back, out);
    assert_int_equal(totals.files + totals.skipped, 201);
}

/* -------------------------------------------------------------- refusals */

/* It must have failed with this message of the phone. */
static void assert_says(bool done, const struct err *err, const char *words)
{
    if (done)
        fail_msg("it should have failed: %s", words);
    if (!strstr(err->text, words))
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

static bool receive_nothing(struct sync_client *client, const char *path,
                            struct err *err)
{
    int fd = memfd_create("nothing", MFD_CLOEXEC);
    bool received =
        sync_receive(client->sync, path, fd, 0, sync_client_deadline(), err);

    close(fd);
    return received;
}

static void refusals_have_the_messages_of_adbd(void **state)
{
    static const struct {
        const char *path;
        const char *words;
    } pushes[] = {
        {"/system/f", "couldn't create file: Read-only file system"},
        {"/data/data/f", "couldn't create file: Permission denied"},
        {"/sdcard/DCIM", "couldn't create file: Is a directory"},
        {"/data/app/new/f", "secure_mkdirs failed: Permission denied"},
        {"/etc/hosts/f", "couldn't create file: Not a directory"},
    };
    static const struct {
        const char *path;
        const char *words;
    } pulls[] = {
        {"/none", "open failed: No such file or directory"},
        {"/system/build.prop", "open failed: Permission denied"},
        {"/sdcard", "read failed: Is a directory"},
    };
    struct sync_client *client = *state;
    struct err err;

    for (size_t i = 0; i < ARRAY_LEN(pushes); i++)
        assert_says(sync_client_send(client, pushes[i].path, 1 << 20, &err),
                    &err, pushes[i].words);
    for (size_t i = 0; i < ARRAY_LEN(pulls); i++)
        assert_says(receive_nothing(client, pulls[i].path, &err), &err,
                    pulls[i].words);
    sync_client_round_trip(client, 100);
}

static void a_file_too_large_is_refused_and_leaves_nothing(void **state)
{
    const struct files_limits limits = {.bytes = 1 << 20};
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};
    struct sync_client *client =
        sync_client_start(&limits, FILE_PHONE_FEATURES);
    uint64_t before = files_space(client->phone.shell).bytes_used;
    struct sync_stat stat;
    struct err err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        sync_client_open(client, ways[i]);
        assert_says(sync_client_send(client, REMOTE "/large", 8 << 20, &err),
                    &err, "write failed: No space left on device");
        assert_ok(sync_stat(client->sync, REMOTE "/large", false,
                            sync_client_deadline(), &stat, &err),
                  &err);
        assert_int_equal(stat.mode, 0);
    }
    sync_client_round_trip(client, 1000);
    assert_int_equal(files_space(client->phone.shell).bytes_used,
                     before + 1000);
    sync_client_stop(client);
}

static void failed_push_leaves_the_old_file(void **state)
{
    const struct files_limits limits = {.bytes = 1 << 20};
    struct sync_client *client =
        sync_client_start(&limits, FILE_PHONE_FEATURES);
    struct sync_stat stat;
    struct err err;

    (void)state;
    assert_ok(sync_client_send(client, REMOTE "/f", 1000, &err), &err);
    assert_says(sync_client_send(client, REMOTE "/f", 8 << 20, &err), &err,
                "No space");
    assert_ok(sync_stat(client->sync, REMOTE "/f", false,
                        sync_client_deadline(), &stat, &err),
              &err);
    assert_int_equal(stat.size, 1000);
    sync_client_stop(client);
}

#define NEW_PHONE(test_)                                                       \
    cmocka_unit_test_setup_teardown(test_, sync_client_set_up,                 \
                                    sync_client_tear_down)
#define OLD_PHONE(test_)                                                       \
    {                                                                          \
        "old phone: " #test_, test_, set_up_old, sync_client_tear_down, NULL   \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        NEW_PHONE(files_of_all_sizes_are_pushed_and_pulled),
        OLD_PHONE(files_of_all_sizes_are_pushed_and_pulled),
        NEW_PHONE(every_compression_works_both_ways),
        NEW_PHONE(a_pushed_file_has_its_mode_time_and_owner),
        OLD_PHONE(a_pushed_file_has_its_mode_time_and_owner),
        NEW_PHONE(stat_reports_links_and_missing_files),
        OLD_PHONE(stat_reports_links_and_missing_files),
        NEW_PHONE(a_list_has_every_name_and_the_dots),
        OLD_PHONE(a_list_has_every_name_and_the_dots),
        NEW_PHONE(large_directory_is_listed_completely),
        OLD_PHONE(large_directory_is_listed_completely),
        NEW_PHONE(tree_is_pushed_and_pulled),
        OLD_PHONE(tree_is_pushed_and_pulled),
        NEW_PHONE(refusals_have_the_messages_of_adbd),
        OLD_PHONE(refusals_have_the_messages_of_adbd),
        cmocka_unit_test(a_file_too_large_is_refused_and_leaves_nothing),
        cmocka_unit_test(failed_push_leaves_the_old_file),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
