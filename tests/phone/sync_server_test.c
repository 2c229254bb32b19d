/* The phone's side of sync against our host's side. */
#include "tools/phone/sync_server.h"

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
#include "tests/phone/sync_talk.h"
#include "tests/support/scratch.h"

#define REMOTE SYNC_TALK_REMOTE

/* A phone of old: nothing but version 1. */
static int set_up_old(void **state)
{
    *state = sync_talk_start(NULL, 0);
    return 0;
}

static const size_t sizes[] = {
    0,     1,      511,    512,           513,     65535,         65536,
    65537, 131072, 262143, (1 << 20) - 1, 1 << 20, (1 << 20) + 1,
};

static void files_of_all_sizes_come_back_as_they_went(void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        sync_talk_there_and_back(*state, sizes[i]);
}

static void every_compression_works_both_ways(void **state)
{
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};

    for (size_t way = 0; way < ARRAY_LEN(ways); way++) {
        sync_talk_open(*state, ways[way]);
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
            sync_talk_there_and_back(*state, sizes[i]);
    }
}

static void a_pushed_file_has_its_mode_time_and_owner(void **state)
{
    struct sync_talk *talk = *state;
    struct sync_stat stat;
    struct err err;

    assert_ok(sync_talk_send(talk, REMOTE "/new/deep/f", 3, &err), &err);
    assert_ok(sync_stat(talk->sync, REMOTE "/new/deep/f", false,
                        sync_talk_soon(), &stat, &err),
              &err);
    /* What the owner may, everybody may: adbd has it so. */
    assert_int_equal(stat.mode, S_IFREG | 0666);
    assert_int_equal(stat.size, 3);
    assert_true(stat.mtime == SYNC_TALK_MTIME);
    assert_ok(sync_stat(talk->sync, REMOTE "/new", false, sync_talk_soon(),
                        &stat, &err),
              &err);
    assert_int_equal(stat.mode, S_IFDIR | 0775);
}

static void facts_tell_of_links_and_of_what_is_not_there(void **state)
{
    struct sync_talk *talk = *state;
    struct sync_stat stat;
    struct err err;

    assert_ok(
        sync_stat(talk->sync, "/sdcard", false, sync_talk_soon(), &stat, &err),
        &err);
    assert_int_equal(stat.mode, S_IFLNK | 0777);
    assert_ok(
        sync_stat(talk->sync, "/sdcard", true, sync_talk_soon(), &stat, &err),
        &err);
    assert_true(S_ISDIR(stat.mode));
    assert_ok(
        sync_stat(talk->sync, "/none", false, sync_talk_soon(), &stat, &err),
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

static void expect_list(struct sync_talk *talk, const char *path,
                        const char *expected)
{
    struct buf names = BUF_INIT(1 << 20);
    struct err err;

    assert_ok(
        sync_list(talk->sync, path, count_name, &names, sync_talk_soon(), &err),
        &err);
    assert_string_equal(buf_cstr(&names), expected);
    buf_release(&names);
}

static void a_list_has_every_name_and_the_dots(void **state)
{
    struct sync_talk *talk = *state;
    struct err err;

    assert_ok(sync_talk_send(talk, REMOTE "/b", 1, &err), &err);
    assert_ok(sync_talk_send(talk, REMOTE "/a", 1, &err), &err);
    expect_list(talk, REMOTE, ".:40771 ..:40751 a:100666 b:100666 ");
    expect_list(talk, "/data/data", "");
}

static void a_large_directory_is_listed_whole(void **state)
{
    struct sync_talk *talk = *state;
    struct buf names = BUF_INIT(1 << 20);
    struct buf expected = BUF_INIT(1 << 20);
    struct err err;

    buf_text(&expected, ".:40771 ..:40751 ");
    for (int i = 0; i < 1024; i++) {
        char path[300];
        int number;

        snprintf(path, sizeof(path), REMOTE "/%04d%0200d", i, 0);
        assert_true(
            files_append(talk->phone.shell, path, "", 0, 0600, &number));
        buf_printf(&expected, "%s:100600 ", path + strlen(REMOTE "/"));
    }
    assert_ok(sync_list(talk->sync, REMOTE, count_name, &names,
                        sync_talk_soon(), &err),
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

static void a_tree_comes_back_as_it_went(void **state)
{
    struct sync_talk *talk = *state;
    char out[] = "out-XXXXXX";
    char back[] = "back-XXXXXX";
    struct sync_totals totals;
    struct files_stat stat;
    struct err err;
    int number;

    assert_non_null(mkdtemp(out));
    assert_non_null(mkdtemp(back));
    make_tree(out);
    assert_ok(sync_push(talk->sync, out, REMOTE "/tree", sync_talk_soon(),
                        &totals, &err),
              &err);
    assert_int_equal(totals.files, 201);
    assert_true(files_stat(talk->phone.shell, REMOTE "/tree/link", false, &stat,
                           &number));
    assert_int_equal(stat.mode, S_IFLNK | 0777);
    assert_ok(sync_pull(talk->sync, REMOTE "/tree/.", back, sync_talk_soon(),
                        &totals, &err),
              &err);
    check_tree(back, out);
    assert_int_equal(totals.files + totals.skipped, 201);
}

/* -------------------------------------------------------------- refusals */

/* It must have failed, in these words of the phone's. */
static void assert_says(bool done, const struct err *err, const char *words)
{
    if (done)
        fail_msg("it should have failed: %s", words);
    if (!strstr(err->text, words))
        fail_msg("%s: %s", err_code_name(err->code), err->text);
}

static bool receive_nothing(struct sync_talk *talk, const char *path,
                            struct err *err)
{
    int fd = memfd_create("nothing", MFD_CLOEXEC);
    bool received =
        sync_receive(talk->sync, path, fd, 0, sync_talk_soon(), err);

    close(fd);
    return received;
}

static void refusals_have_adbds_words(void **state)
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
    struct sync_talk *talk = *state;
    struct err err;

    for (size_t i = 0; i < ARRAY_LEN(pushes); i++)
        assert_says(sync_talk_send(talk, pushes[i].path, 1 << 20, &err), &err,
                    pushes[i].words);
    for (size_t i = 0; i < ARRAY_LEN(pulls); i++)
        assert_says(receive_nothing(talk, pulls[i].path, &err), &err,
                    pulls[i].words);
    sync_talk_there_and_back(talk, 100);
}

static void a_file_too_large_is_refused_and_leaves_nothing(void **state)
{
    const struct files_limits limits = {.bytes = 1 << 20};
    static const enum sync_compression ways[] = {SYNC_NONE, SYNC_BROTLI,
                                                 SYNC_LZ4, SYNC_ZSTD};
    struct sync_talk *talk = sync_talk_start(&limits, FILE_PHONE_FEATURES);
    uint64_t before = files_space(talk->phone.shell).bytes_used;
    struct sync_stat stat;
    struct err err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        sync_talk_open(talk, ways[i]);
        assert_says(sync_talk_send(talk, REMOTE "/large", 8 << 20, &err), &err,
                    "write failed: No space left on device");
        assert_ok(sync_stat(talk->sync, REMOTE "/large", false,
                            sync_talk_soon(), &stat, &err),
                  &err);
        assert_int_equal(stat.mode, 0);
    }
    sync_talk_there_and_back(talk, 1000);
    assert_int_equal(files_space(talk->phone.shell).bytes_used, before + 1000);
    sync_talk_stop(talk);
}

static void a_failed_push_leaves_the_file_that_was_there(void **state)
{
    const struct files_limits limits = {.bytes = 1 << 20};
    struct sync_talk *talk = sync_talk_start(&limits, FILE_PHONE_FEATURES);
    struct sync_stat stat;
    struct err err;

    (void)state;
    assert_ok(sync_talk_send(talk, REMOTE "/f", 1000, &err), &err);
    assert_says(sync_talk_send(talk, REMOTE "/f", 8 << 20, &err), &err,
                "No space");
    assert_ok(sync_stat(talk->sync, REMOTE "/f", false, sync_talk_soon(), &stat,
                        &err),
              &err);
    assert_int_equal(stat.size, 1000);
    sync_talk_stop(talk);
}

#define NEW_PHONE(test_)                                                       \
    cmocka_unit_test_setup_teardown(test_, sync_talk_set_up,                   \
                                    sync_talk_tear_down)
#define OLD_PHONE(test_)                                                       \
    {                                                                          \
        "old phone: " #test_, test_, set_up_old, sync_talk_tear_down, NULL     \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        NEW_PHONE(files_of_all_sizes_come_back_as_they_went),
        OLD_PHONE(files_of_all_sizes_come_back_as_they_went),
        NEW_PHONE(every_compression_works_both_ways),
        NEW_PHONE(a_pushed_file_has_its_mode_time_and_owner),
        OLD_PHONE(a_pushed_file_has_its_mode_time_and_owner),
        NEW_PHONE(facts_tell_of_links_and_of_what_is_not_there),
        OLD_PHONE(facts_tell_of_links_and_of_what_is_not_there),
        NEW_PHONE(a_list_has_every_name_and_the_dots),
        OLD_PHONE(a_list_has_every_name_and_the_dots),
        NEW_PHONE(a_large_directory_is_listed_whole),
        OLD_PHONE(a_large_directory_is_listed_whole),
        NEW_PHONE(a_tree_comes_back_as_it_went),
        OLD_PHONE(a_tree_comes_back_as_it_went),
        NEW_PHONE(refusals_have_adbds_words),
        OLD_PHONE(refusals_have_adbds_words),
        cmocka_unit_test(a_file_too_large_is_refused_and_leaves_nothing),
        cmocka_unit_test(a_failed_push_leaves_the_file_that_was_there),
    };

    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
