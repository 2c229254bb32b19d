#include "tools/phone/files/files.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/core/still_clock.h"
#include "tests/tools/phone/files/files_fixture.h"

/* ------------------------------------------------------------ contents */

static void reader_keeps_the_content_it_opened(void **state)
{
    struct files_phone *phone = *state;
    struct shared_bytes *before;
    int number;

    assert_int_equal(files_phone_write(phone->shell, "/sdcard/f", "before"), 0);
    assert_true(files_open(phone->shell, "/sdcard/f", &before, &number));
    assert_int_equal(files_phone_write(phone->shell, "/sdcard/f", "after"), 0);
    assert_true(files_remove(phone->shell, "/sdcard/f", false, &number));
    assert_memory_equal(before->data, "before", 6);
    shared_bytes_drop(before);
}

static void append_creates_and_extends_files(void **state)
{
    struct files_phone *phone = *state;
    const char *path = "/data/local/tmp/log";
    int number;

    assert_true(files_append(phone->shell, path, "one\n", 4, 0600, &number));
    assert_int_equal(files_phone_look(phone->shell, path).mode, S_IFREG | 0600);
    phone->time += 5 * PHONE_SECOND;
    assert_true(files_append(phone->shell, path, "two\n", 4, 0644, &number));
    files_phone_expect(phone->shell, path, "one\ntwo\n");
    assert_int_equal(files_phone_look(phone->shell, path).mode, S_IFREG | 0600);
    assert_true(files_phone_look(phone->shell, path).mtime ==
                STILL_CLOCK_START + 5 * PHONE_SECOND);
    assert_int_equal(
        SAYS(files_append(phone->shell, "/sdcard", "x", 1, 0644, &number)),
        EISDIR);
    assert_true(files_append(phone->shell, "/dev/null", "x", 1, 0, &number));
}

static void replacing_takes_the_place_of_a_link_and_not_of_its_target(
    void **state)
{
    struct files_phone *phone = *state;
    struct shared_bytes *content;
    struct files_stat stat;
    int number;

    assert_int_equal(files_phone_write(phone->shell, "/sdcard/kept", "kept"),
                     0);
    assert_true(
        files_link(phone->shell, "/sdcard/kept", "/data/local/tmp/l", &number));
    assert_true(files_open(phone->shell, "/etc/hosts", &content, &number));
    assert_true(files_replace(phone->shell, "/data/local/tmp/l", content, 0755,
                              PHONE_SECOND, &number));
    stat = files_phone_look(phone->shell, "/data/local/tmp/l");
    assert_int_equal(stat.mode, S_IFREG | 0755);
    assert_true(stat.mtime == PHONE_SECOND);
    assert_int_equal(stat.uid, 2000);
    files_phone_expect(phone->shell, "/sdcard/kept", "kept");
    assert_int_equal(SAYS(files_replace(phone->shell, "/sdcard/DCIM", content,
                                        0644, 0, &number)),
                     EISDIR);
    assert_int_equal(SAYS(files_replace(phone->shell, "/system/x", content,
                                        0644, 0, &number)),
                     EROFS);
    assert_true(
        files_replace(phone->shell, "/dev/null", content, 0644, 0, &number));
    assert_int_equal(files_phone_look(phone->shell, "/dev/null").mode,
                     S_IFCHR | 0666);
    shared_bytes_drop(content);
}

/* --------------------------------------------------------- directories */

static void listing_is_sorted_and_complete(void **state)
{
    struct files_phone *phone = *state;
    struct files_list list = FILES_LIST_INIT;
    int number;

    for (int i = 0; i < 300; i++) {
        char path[64];

        snprintf(path, sizeof(path), "/data/local/tmp/%d", (i * 7) % 300);
        assert_int_equal(files_phone_write(phone->shell, path, "x"), 0);
    }
    assert_true(files_list(phone->shell, "/data/local/tmp", &list, &number));
    assert_int_equal(list.count, 300);
    for (size_t i = 1; i < list.count; i++)
        assert_true(strcmp(list.entries[i - 1].name, list.entries[i].name) < 0);
    assert_int_equal(list.entries[0].stat.size, 1);
    files_list_release(&list);
    assert_int_equal(
        SAYS(files_list(phone->shell, "/etc/hosts", &list, &number)), ENOTDIR);
    assert_int_equal(
        SAYS(files_list(phone->shell, "/data/data", &list, &number)), EACCES);
}

static void directories_count_their_links(void **state)
{
    struct files_phone *phone = *state;
    int number;

    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/a/b/c"),
                     0);
    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/a/d"), 0);
    assert_int_equal(files_phone_look(phone->shell, "/data/local/tmp/a").links,
                     4);
    assert_true(
        files_remove(phone->shell, "/data/local/tmp/a/d", false, &number));
    assert_int_equal(files_phone_look(phone->shell, "/data/local/tmp/a").links,
                     3);
    assert_int_equal(SAYS(files_make_directory(
                         phone->shell, "/data/local/tmp/a", 0, false, &number)),
                     EEXIST);
    assert_int_equal(files_phone_write(phone->shell, "/data/local/tmp/f", "x"),
                     0);
    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/f"),
                     EEXIST);
    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/f/g"),
                     EEXIST);
}

static void removing_a_directory_requires_empty_or_recursive(void **state)
{
    struct files_phone *phone = *state;
    size_t before = files_space(phone->shell).nodes_used;
    int number;

    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/a/b"), 0);
    assert_int_equal(
        files_phone_write(phone->shell, "/data/local/tmp/a/b/f", "x"), 0);
    assert_int_equal(
        SAYS(files_remove(phone->shell, "/data/local/tmp/a", false, &number)),
        ENOTEMPTY);
    assert_true(files_remove(phone->shell, "/data/local/tmp/a", true, &number));
    assert_int_equal(files_phone_stat(phone->shell, "/data/local/tmp/a"),
                     ENOENT);
    assert_int_equal(files_space(phone->shell).nodes_used, before);
    assert_int_equal(SAYS(files_remove(phone->root, "/", true, &number)),
                     EBUSY);
    assert_int_equal(
        SAYS(files_remove(phone->root, "/data/local/.", true, &number)),
        EINVAL);
    assert_int_equal(SAYS(files_remove(phone->root, "/data", true, &number)),
                     EROFS);
    assert_int_equal(
        SAYS(files_remove(phone->shell, "/data/local/tmp", true, &number)),
        EACCES);
    assert_int_equal(
        SAYS(files_remove(phone->shell, "/sdcard/none", true, &number)),
        ENOENT);
}

static void nothing_is_removed_when_a_part_may_not_be(void **state)
{
    struct files_phone *phone = *state;
    int number;

    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/a"), 0);
    assert_int_equal(files_phone_mkdir(phone->root, "/data/local/tmp/a/b"), 0);
    assert_int_equal(
        files_phone_write(phone->root, "/data/local/tmp/a/b/f", "x"), 0);
    assert_int_equal(
        SAYS(files_remove(phone->shell, "/data/local/tmp/a", true, &number)),
        EACCES);
    files_phone_expect(phone->root, "/data/local/tmp/a/b/f", "x");
}

static void renaming_follows_the_rules(void **state)
{
    static const struct {
        const char *from;
        const char *to;
        int number;
    } expected[] = {
        {"f", "g", 0},        {"f", "g", ENOENT},    {"g", "a", EISDIR},
        {"a", "g", ENOTDIR},  {"a", "a/b", EINVAL},  {"a", "a", 0},
        {"a/b", "c", 0},      {"c", "a", 0},         {"g", "a/f", 0},
        {"a", "d", 0},        {"e", "d", ENOTEMPTY}, {"d/f", "d/f/", ENOTDIR},
        {"d/.", "x", EINVAL}, {"d", "..", EBUSY},
    };
    struct files_phone *phone = *state;
    int number;

    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/a/b"), 0);
    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/e"), 0);
    assert_int_equal(files_phone_write(phone->shell, "/data/local/tmp/f", "f"),
                     0);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        char from[64];
        char to[64];

        snprintf(from, sizeof(from), "/data/local/tmp/%s", expected[i].from);
        snprintf(to, sizeof(to), "/data/local/tmp/%s", expected[i].to);
        if (SAYS(files_rename(phone->shell, from, to, &number)) !=
            expected[i].number)
            fail_msg("%s to %s: %s", from, to, files_reason(number));
    }
    files_phone_expect(phone->shell, "/data/local/tmp/d/f", "f");
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/d",
                                       "/system/d", &number)),
                     EROFS);
}

static void shared_storage_sets_owners_and_modes(void **state)
{
    struct files_phone *phone = *state;
    struct files_stat stat;
    int number;

    assert_int_equal(files_phone_write(phone->shell, "/data/local/tmp/f", "f"),
                     0);
    assert_int_equal(files_phone_look(phone->shell, "/data/local/tmp/f").uid,
                     2000);
    assert_true(
        files_rename(phone->shell, "/data/local/tmp/f", "/sdcard/f", &number));
    assert_true(files_set_mode(phone->shell, "/sdcard/f", 0777, &number));
    stat = files_phone_look(phone->shell, "/sdcard/f");
    assert_int_equal(stat.mode, S_IFREG | 0660);
    assert_int_equal(stat.uid, 0);
    assert_int_equal(stat.gid, 1015);
    assert_int_equal(SAYS(files_link(phone->shell, "f", "/sdcard/l", &number)),
                     EPERM);
    assert_true(files_link(phone->shell, "f", "/data/local/tmp/l", &number));
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/l",
                                       "/sdcard/l", &number)),
                     EPERM);
}

static void only_the_owner_changes_mode_and_time(void **state)
{
    struct files_phone *phone = *state;
    const char *path = "/data/local/tmp/f";
    int number;

    assert_int_equal(files_phone_write(phone->shell, path, "f"), 0);
    assert_true(files_set_mode(phone->shell, path, S_IFDIR | 04755, &number));
    assert_int_equal(files_phone_look(phone->shell, path).mode,
                     S_IFREG | 04755);
    assert_true(files_set_time(phone->shell, path, true, 77, &number));
    assert_true(files_phone_look(phone->shell, path).mtime == 77);
    assert_int_equal(SAYS(files_set_owner(phone->shell, path, 0, 0, &number)),
                     EPERM);
    assert_true(files_set_owner(phone->root, path, 0, 0, &number));
    assert_int_equal(SAYS(files_set_mode(phone->shell, path, 0777, &number)),
                     EPERM);
    assert_int_equal(SAYS(files_set_mode(phone->root, "/system", 0, &number)),
                     EROFS);
    assert_int_equal(
        SAYS(files_set_area(phone->shell, "/system", FILES_PLAIN, &number)),
        EPERM);
    assert_true(files_access(phone->shell, path, 4, &number));
    assert_int_equal(SAYS(files_access(phone->shell, path, 2, &number)),
                     EACCES);
}

/* ------------------------------------------------------------- copying */

static void copies_share_their_bytes(void **state)
{
    const struct files_copying whole = {.recursive = true, .keep = true};
    const struct files_copying one = {.recursive = false};
    struct files_phone *phone = *state;
    uint64_t used;
    int number;

    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/a/b"), 0);
    assert_int_equal(
        files_phone_write(phone->shell, "/data/local/tmp/a/b/f", "f"), 0);
    assert_true(
        files_link(phone->shell, "b/f", "/data/local/tmp/a/l", &number));
    used = files_space(phone->shell).bytes_used;
    phone->time += PHONE_SECOND;
    assert_int_equal(SAYS(files_copy(phone->shell, "/data/local/tmp/a",
                                     "/data/local/tmp/c", one, &number)),
                     EISDIR);
    assert_true(files_copy(phone->shell, "/data/local/tmp/a",
                           "/data/local/tmp/c", whole, &number));
    files_phone_expect(phone->shell, "/data/local/tmp/c/l", "f");
    assert_true(files_phone_look(phone->shell, "/data/local/tmp/c/b/f").mtime ==
                STILL_CLOCK_START);
    assert_true(files_phone_look(phone->shell, "/data/local/tmp/c/b/f").inode !=
                files_phone_look(phone->shell, "/data/local/tmp/a/b/f").inode);
    assert_int_equal(files_space(phone->shell).bytes_used, used);
    assert_int_equal(SAYS(files_copy(phone->shell, "/data/local/tmp/a",
                                     "/data/local/tmp/a/b/a", whole, &number)),
                     EINVAL);
    assert_true(files_copy(phone->shell, "/etc/hosts", "/data/local/tmp/c/b/f",
                           one, &number));
    files_phone_expect(phone->shell, "/data/local/tmp/a/b/f", "f");
    assert_int_equal(SAYS(files_copy(phone->shell, "/system/build.prop",
                                     "/data/local/tmp/p", one, &number)),
                     EACCES);
}

/* -------------------------------------------------------------- limits */

static void referenced_contents_count_toward_the_limit(void **state)
{
    const struct files_limits limits = {.bytes = 1900};
    struct files_phone *phone = files_phone_new(&limits);
    char text[401];
    struct shared_bytes *held;
    int number;

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(files_phone_write(phone->shell, "/sdcard/a", text), 0);
    assert_true(files_open(phone->shell, "/sdcard/a", &held, &number));
    assert_true(files_remove(phone->shell, "/sdcard/a", false, &number));
    assert_int_equal(files_phone_write(phone->shell, "/sdcard/b", text),
                     ENOSPC);
    assert_int_equal(
        SAYS(files_append(phone->shell, "/sdcard/b", text, 400, 0, &number)),
        ENOSPC);
    shared_bytes_drop(held);
    assert_int_equal(files_phone_write(phone->shell, "/sdcard/b", text), 0);
    assert_int_equal(
        SAYS(files_append(phone->shell, "/sdcard/b", text, 400, 0, &number)),
        ENOSPC);
    files_phone_expect(phone->shell, "/sdcard/b", text);
    files_phone_tear_down((void **)&phone);
}

static void nodes_have_a_limit(void **state)
{
    const struct files_limits limits = {.nodes = 100};
    struct files_phone *phone = files_phone_new(&limits);
    const struct files_copying whole = {.recursive = true};
    int number = 0;
    int made = 0;

    (void)state;
    while (!number) {
        char path[64];

        snprintf(path, sizeof(path), "/data/local/tmp/%d", made++);
        number = files_phone_write(phone->shell, path, "");
    }
    assert_int_equal(number, ENOSPC);
    assert_int_equal(files_space(phone->shell).nodes_used, 100);
    assert_int_equal(SAYS(files_copy(phone->root, "/system/etc",
                                     "/data/local/tmp/etc", whole, &number)),
                     ENOSPC);
    assert_int_equal(files_phone_write(phone->shell, "/data/local/tmp/0", "x"),
                     0);
    files_phone_tear_down((void **)&phone);
}

static void depth_has_a_limit_however_it_is_reached(void **state)
{
    struct files_phone *phone = *state;
    const struct files_copying whole = {.recursive = true};
    char path[FILES_PATH_MAX] = "/data/local/tmp";
    size_t depth = 3;
    int number;

    while (depth++ < FILES_DEPTH_MAX)
        memcpy(path + strlen(path), "/d", 3);
    assert_int_equal(files_phone_mkdir(phone->shell, path), 0);
    assert_int_equal(files_phone_write(phone->shell, "/data/local/tmp/f", "f"),
                     0);
    assert_true(
        files_link(phone->shell, path, "/data/local/tmp/deep", &number));
    assert_int_equal(files_phone_mkdir(phone->shell, "/data/local/tmp/deep/d"),
                     ENAMETOOLONG);
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/f",
                                       "/data/local/tmp/deep/f", &number)),
                     ENAMETOOLONG);
    assert_int_equal(files_phone_mkdir(phone->shell, "/sdcard/e"), 0);
    assert_int_equal(SAYS(files_copy(phone->shell, "/data/local/tmp/d",
                                     "/sdcard/e/d", whole, &number)),
                     ENAMETOOLONG);
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/d",
                                       "/sdcard/e/d", &number)),
                     ENAMETOOLONG);
}

/* ----------------------------------------------------------- snapshots */

static void snapshot_restores_the_tree(void **state)
{
    struct files_phone *phone = *state;
    struct files_snapshot *snapshot;
    struct files_stat before;
    struct files_stat after;
    uint64_t used;
    int number;

    assert_int_equal(files_phone_write(phone->shell, "/sdcard/f", "before"), 0);
    before = files_phone_look(phone->shell, "/sdcard/f");
    used = files_space(phone->shell).bytes_used;
    snapshot = files_snapshot(phone->shell);
    assert_int_equal(files_space(phone->shell).bytes_used, used);
    for (int round = 0; round < 2; round++) {
        phone->time += PHONE_SECOND;
        assert_int_equal(files_phone_write(phone->shell, "/sdcard/f", "after"),
                         0);
        assert_int_equal(files_phone_mkdir(phone->shell, "/sdcard/new"), 0);
        assert_true(files_remove(phone->shell, "/sdcard/DCIM", true, &number));
        files_restore(phone->shell, snapshot);
        files_phone_expect(phone->shell, "/sdcard/f", "before");
        after = files_phone_look(phone->shell, "/sdcard/f");
        assert_true(before.inode == after.inode);
        assert_true(before.mtime == after.mtime);
        assert_int_equal(files_phone_stat(phone->shell, "/sdcard/new"), ENOENT);
        assert_int_equal(files_phone_stat(phone->shell, "/sdcard/DCIM"), 0);
        assert_int_equal(files_space(phone->shell).bytes_used, used);
    }
    files_snapshot_free(snapshot);
    files_snapshot_free(NULL);
}

/* ------------------------------------------------------------- threads */

static void *write_and_read(void *context)
{
    struct phone_files *files = context;
    size_t torn = 0;

    for (int i = 0; i < 300; i++) {
        char text[65];
        struct shared_bytes *content;
        int number;

        memset(text, 'a' + i % 26, sizeof(text) - 1);
        text[sizeof(text) - 1] = '\0';
        if (files_phone_write(files, "/sdcard/contested", text) ||
            !files_open(files, "/sdcard/contested", &content, &number)) {
            torn++;
            continue;
        }
        for (size_t j = 1; j < content->size; j++)
            torn += content->data[j] != content->data[0];
        shared_bytes_drop(content);
    }
    return (void *)(uintptr_t)torn;
}

static void threads_never_see_half_a_file(void **state)
{
    struct files_phone *phone = *state;
    pthread_t threads[4];

    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, write_and_read, phone->shell), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        void *torn;

        pthread_join(threads[i], &torn);
        assert_null(torn);
    }
}

#define PHONE_TEST(test_)                                                      \
    cmocka_unit_test_setup_teardown(test_, files_phone_set_up,                 \
                                    files_phone_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PHONE_TEST(reader_keeps_the_content_it_opened),
        PHONE_TEST(append_creates_and_extends_files),
        PHONE_TEST(replacing_takes_the_place_of_a_link_and_not_of_its_target),
        PHONE_TEST(listing_is_sorted_and_complete),
        PHONE_TEST(directories_count_their_links),
        PHONE_TEST(removing_a_directory_requires_empty_or_recursive),
        PHONE_TEST(nothing_is_removed_when_a_part_may_not_be),
        PHONE_TEST(renaming_follows_the_rules),
        PHONE_TEST(shared_storage_sets_owners_and_modes),
        PHONE_TEST(only_the_owner_changes_mode_and_time),
        PHONE_TEST(copies_share_their_bytes),
        cmocka_unit_test(referenced_contents_count_toward_the_limit),
        cmocka_unit_test(nodes_have_a_limit),
        PHONE_TEST(depth_has_a_limit_however_it_is_reached),
        PHONE_TEST(snapshot_restores_the_tree),
        PHONE_TEST(threads_never_see_half_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
