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
#include "tests/phone/still_clock.h"
#include "tools/phone/files.h"
#include "tools/phone/start_tree.h"

#define PROPERTIES "ro.product.model=Proctor\n"

/* A new phone's files, as root and as adb's users see them. */
struct phone {
    int64_t time;
    struct files *root;
    struct files *shell;
};

static struct phone *phone_new(const struct files_limits *limits)
{
    struct phone *phone = calloc(1, sizeof(*phone));
    int number;

    assert_non_null(phone);
    phone->time = STILL_CLOCK_START;
    phone->root = files_new(limits, still_clock(&phone->time));
    assert_true(start_tree_fill(phone->root, PROPERTIES, &number));
    phone->shell = files_as(phone->root, &files_shell);
    return phone;
}

static int set_up(void **state)
{
    *state = phone_new(NULL);
    return 0;
}

static int tear_down(void **state)
{
    struct phone *phone = *state;

    files_free(phone->shell);
    files_free(phone->root);
    free(phone);
    return 0;
}

/* What the call says: 0, or an errno value. */
#define SAYS(call_) (number = 0, (call_) ? 0 : number)

static int write_text(struct files *files, const char *path, const char *text)
{
    struct blob_writer writer = files_writer(files);
    struct blob *content;
    int number;

    if (!blob_append(&writer, text, strlen(text)))
        return ENOSPC;
    content = blob_finish(&writer);
    number = SAYS(files_install(files, path, content, 0644, &number));
    blob_drop(content);
    return number;
}

static void expect_text(struct files *files, const char *path, const char *text)
{
    struct blob *content;
    int number;

    if (!files_open(files, path, &content, &number))
        fail_msg("%s: %s", path, files_reason(number));
    assert_int_equal(content->size, strlen(text));
    if (*text)
        assert_memory_equal(content->data, text, content->size);
    blob_drop(content);
}

static int make_directory(struct files *files, const char *path)
{
    int number;

    return SAYS(files_make_directory(files, path, 0755, true, &number));
}

static struct files_stat look(struct files *files, const char *path)
{
    struct files_stat stat;
    int number;

    if (!files_stat(files, path, false, &stat, &number))
        fail_msg("%s: %s", path, files_reason(number));
    return stat;
}

static int stat_says(struct files *files, const char *path)
{
    struct files_stat stat;
    int number;

    return SAYS(files_stat(files, path, true, &stat, &number));
}

/* ---------------------------------------------------------- a new phone */

static void a_new_phone_has_what_scripts_expect(void **state)
{
    static const struct {
        const char *path;
        uint32_t mode;
        uint32_t uid;
        uint32_t gid;
    } expected[] = {
        {"/data/local/tmp", S_IFDIR | 0771, 2000, 2000},
        {"/sdcard", S_IFLNK | 0777, 0, 0},
        {"/sdcard/", S_IFDIR | 0771, 0, 1015},
        {"/sdcard/DCIM", S_IFDIR | 0771, 0, 1015},
        {"/sdcard/Download", S_IFDIR | 0771, 0, 1015},
        {"/storage/emulated/0/Pictures", S_IFDIR | 0771, 0, 1015},
        {"/system/build.prop", S_IFREG | 0600, 0, 0},
        {"/dev/null", S_IFCHR | 0666, 0, 0},
        {"/etc", S_IFLNK | 0777, 0, 0},
        {"/etc/hosts", S_IFREG | 0644, 0, 0},
        {"/", S_IFDIR | 0755, 0, 0},
    };
    struct phone *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        struct files_stat stat = look(phone->shell, expected[i].path);

        assert_int_equal(stat.mode, expected[i].mode);
        assert_int_equal(stat.uid, expected[i].uid);
        assert_int_equal(stat.gid, expected[i].gid);
    }
    expect_text(phone->root, "/system/build.prop", PROPERTIES);
}

static void places_say_no_as_a_phone_does(void **state)
{
    static const struct {
        const char *path;
        int number;
    } expected[] = {
        {"/data/local/tmp/x", 0},
        {"/sdcard/x", 0},
        {"/mnt/sdcard/Download/x", 0},
        {"/x", EROFS},
        {"/system/x", EROFS},
        {"/system/bin/x", EROFS},
        {"/etc/hosts", EROFS},
        {"/data/x", EACCES},
        {"/data/data/x", EACCES},
        {"/data/data/com.example/x", ENOENT},
        {"/data/media/x", EACCES},
        {"/storage/emulated/x", EACCES},
        {"/nowhere/x", ENOENT},
        {"/sdcard", EISDIR},
        {"/data/local/tmp/y/", EISDIR},
        {"/system/etc/hosts/x", ENOTDIR},
        {"/dev/null", 0},
        {"", ENOENT},
        {"/", EISDIR},
    };
    struct phone *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        int number = write_text(phone->shell, expected[i].path, "x");

        if (number != expected[i].number)
            fail_msg("%s: %s", expected[i].path, files_reason(number));
    }
    expect_text(phone->shell, "/dev/null", "");
}

static void root_may_do_what_the_shell_may_not_but_not_write_to_system(
    void **state)
{
    struct phone *phone = *state;
    struct blob *content;
    int number;

    assert_int_equal(make_directory(phone->root, "/data/data/app"), 0);
    assert_true(files_set_mode(phone->root, "/data/data/app", 0700, &number));
    assert_int_equal(write_text(phone->root, "/data/data/app/db", "db"), 0);
    assert_int_equal(
        SAYS(files_open(phone->shell, "/data/data/app/db", &content, &number)),
        EACCES);
    assert_int_equal(stat_says(phone->shell, "/data/user/0/app"), 0);
    assert_int_equal(
        SAYS(files_open(phone->shell, "/system/build.prop", &content, &number)),
        EACCES);
    assert_int_equal(write_text(phone->root, "/system/x", "x"), EROFS);
}

static void words_are_a_phones(void **state)
{
    (void)state;
    assert_string_equal(files_reason(ENOENT), "No such file or directory");
    assert_string_equal(files_reason(EROFS), "Read-only file system");
    assert_string_equal(files_reason(ENOSPC), "No space left on device");
    assert_string_equal(files_reason(9999), "I/O error");
}

/* --------------------------------------------------------------- paths */

static void paths_never_lead_out_of_the_tree(void **state)
{
    static const struct {
        const char *path;
        const char *real;
    } expected[] = {
        {"/", "/"},
        {"..", "/"},
        {"/../../../../etc/hosts", "/system/etc/hosts"},
        {"sdcard", "/storage/emulated/0"},
        {"//sdcard//./DCIM/", "/storage/emulated/0/DCIM"},
        {"/sdcard/..", "/storage/emulated"},
        {"/sdcard/../../../../../..", "/"},
        {"/data/local/tmp/.", "/data/local/tmp"},
        {"/data/local/tmp/new", "/data/local/tmp/new"},
        {"/data/local/tmp/up", "/"},
        {"/data/local/tmp/up/data/..", "/"},
        {"/data/local/tmp/there/", "/storage/emulated/0/Music"},
        {"/new", "/new"},
    };
    struct phone *phone = *state;
    int number;

    assert_true(files_link(phone->shell, "../../../../../../..",
                           "/data/local/tmp/up", &number));
    assert_true(files_link(phone->shell, "up/sdcard/Music",
                           "/data/local/tmp/there", &number));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        char *real;

        if (!files_real_path(phone->root, expected[i].path, &real, &number))
            fail_msg("%s: %s", expected[i].path, files_reason(number));
        assert_string_equal(real, expected[i].real);
        free(real);
    }
}

static void hostile_paths_are_refused(void **state)
{
    struct phone *phone = *state;
    char path[2 * FILES_PATH_MAX];
    int number;

    memset(path, 'n', sizeof(path));
    memcpy(path, "/data/local/tmp/", 16);
    path[16 + FILES_NAME_MAX] = '\0';
    assert_int_equal(write_text(phone->shell, path, "x"), 0);
    path[16 + FILES_NAME_MAX] = 'n';
    path[17 + FILES_NAME_MAX] = '\0';
    assert_int_equal(write_text(phone->shell, path, "x"), ENAMETOOLONG);
    memset(path, '/', FILES_PATH_MAX);
    path[FILES_PATH_MAX] = '\0';
    assert_int_equal(stat_says(phone->shell, path), 0);
    path[FILES_PATH_MAX] = '/';
    path[FILES_PATH_MAX + 1] = '\0';
    assert_int_equal(stat_says(phone->shell, path), ENAMETOOLONG);
    assert_int_equal(make_directory(phone->shell, path), ENAMETOOLONG);
    assert_int_equal(SAYS(files_link(phone->shell, path, "/sdcard/l", &number)),
                     ENAMETOOLONG);
    assert_int_equal(SAYS(files_link(phone->shell, "", "/sdcard/l", &number)),
                     ENOENT);
}

static void links_that_lead_nowhere_or_round_end(void **state)
{
    struct phone *phone = *state;
    char target[4001];
    int number;

    assert_true(files_link(phone->shell, "b", "/data/local/tmp/a", &number));
    assert_true(files_link(phone->shell, "a", "/data/local/tmp/b", &number));
    assert_int_equal(stat_says(phone->shell, "/data/local/tmp/a"), ELOOP);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/a", "x"), ELOOP);
    assert_true(
        files_link(phone->shell, "grow/grow", "/data/local/tmp/grow", &number));
    assert_int_equal(stat_says(phone->shell, "/data/local/tmp/grow"), ELOOP);
    for (size_t i = 0; i < sizeof(target) - 1; i += 2)
        memcpy(target + i, "./", 3);
    assert_true(
        files_link(phone->shell, target, "/data/local/tmp/long", &number));
    assert_int_equal(stat_says(phone->shell, "/data/local/tmp/long/long/x"),
                     ENOENT);
    assert_int_equal(stat_says(phone->shell, "/data/local/tmp/long/long"), 0);
}

static void writing_through_a_link_makes_its_target(void **state)
{
    struct phone *phone = *state;
    struct blob *target;
    int number;

    assert_true(
        files_link(phone->shell, "/sdcard/made", "/data/local/tmp/l", &number));
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/l", "text"), 0);
    expect_text(phone->shell, "/sdcard/made", "text");
    assert_true(
        files_read_link(phone->shell, "/data/local/tmp/l", &target, &number));
    assert_int_equal(target->size, strlen("/sdcard/made"));
    assert_int_equal(look(phone->shell, "/data/local/tmp/l").size,
                     target->size);
    blob_drop(target);
    assert_int_equal(
        SAYS(files_read_link(phone->shell, "/sdcard/made", &target, &number)),
        EINVAL);
}

/* ------------------------------------------------------------ contents */

static void a_reader_keeps_what_it_opened(void **state)
{
    struct phone *phone = *state;
    struct blob *before;
    int number;

    assert_int_equal(write_text(phone->shell, "/sdcard/f", "before"), 0);
    assert_true(files_open(phone->shell, "/sdcard/f", &before, &number));
    assert_int_equal(write_text(phone->shell, "/sdcard/f", "after"), 0);
    assert_true(files_remove(phone->shell, "/sdcard/f", false, &number));
    assert_memory_equal(before->data, "before", 6);
    blob_drop(before);
}

static void appending_makes_and_grows(void **state)
{
    struct phone *phone = *state;
    const char *path = "/data/local/tmp/log";
    int number;

    assert_true(files_append(phone->shell, path, "one\n", 4, 0600, &number));
    assert_int_equal(look(phone->shell, path).mode, S_IFREG | 0600);
    phone->time += 5 * PHONE_SECOND;
    assert_true(files_append(phone->shell, path, "two\n", 4, 0644, &number));
    expect_text(phone->shell, path, "one\ntwo\n");
    assert_int_equal(look(phone->shell, path).mode, S_IFREG | 0600);
    assert_true(look(phone->shell, path).mtime ==
                STILL_CLOCK_START + 5 * PHONE_SECOND);
    assert_int_equal(
        SAYS(files_append(phone->shell, "/sdcard", "x", 1, 0644, &number)),
        EISDIR);
    assert_true(files_append(phone->shell, "/dev/null", "x", 1, 0, &number));
}

static void replacing_takes_the_place_of_a_link_and_not_of_its_target(
    void **state)
{
    struct phone *phone = *state;
    struct blob *content;
    struct files_stat stat;
    int number;

    assert_int_equal(write_text(phone->shell, "/sdcard/kept", "kept"), 0);
    assert_true(
        files_link(phone->shell, "/sdcard/kept", "/data/local/tmp/l", &number));
    assert_true(files_open(phone->shell, "/etc/hosts", &content, &number));
    assert_true(files_replace(phone->shell, "/data/local/tmp/l", content, 0755,
                              PHONE_SECOND, &number));
    stat = look(phone->shell, "/data/local/tmp/l");
    assert_int_equal(stat.mode, S_IFREG | 0755);
    assert_true(stat.mtime == PHONE_SECOND);
    assert_int_equal(stat.uid, 2000);
    expect_text(phone->shell, "/sdcard/kept", "kept");
    assert_int_equal(SAYS(files_replace(phone->shell, "/sdcard/DCIM", content,
                                        0644, 0, &number)),
                     EISDIR);
    assert_int_equal(SAYS(files_replace(phone->shell, "/system/x", content,
                                        0644, 0, &number)),
                     EROFS);
    assert_true(
        files_replace(phone->shell, "/dev/null", content, 0644, 0, &number));
    assert_int_equal(look(phone->shell, "/dev/null").mode, S_IFCHR | 0666);
    blob_drop(content);
}

/* --------------------------------------------------------- directories */

static void a_listing_is_sorted_and_whole(void **state)
{
    struct phone *phone = *state;
    struct files_list list = FILES_LIST_INIT;
    int number;

    for (int i = 0; i < 300; i++) {
        char path[64];

        snprintf(path, sizeof(path), "/data/local/tmp/%d", (i * 7) % 300);
        assert_int_equal(write_text(phone->shell, path, "x"), 0);
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
    struct phone *phone = *state;
    int number;

    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/a/b/c"), 0);
    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/a/d"), 0);
    assert_int_equal(look(phone->shell, "/data/local/tmp/a").links, 4);
    assert_true(
        files_remove(phone->shell, "/data/local/tmp/a/d", false, &number));
    assert_int_equal(look(phone->shell, "/data/local/tmp/a").links, 3);
    assert_int_equal(SAYS(files_make_directory(
                         phone->shell, "/data/local/tmp/a", 0, false, &number)),
                     EEXIST);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/f", "x"), 0);
    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/f"), EEXIST);
    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/f/g"),
                     EEXIST);
}

static void removing_wants_empty_or_recursive(void **state)
{
    struct phone *phone = *state;
    size_t before = files_space(phone->shell).nodes_used;
    int number;

    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/a/b"), 0);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/a/b/f", "x"), 0);
    assert_int_equal(
        SAYS(files_remove(phone->shell, "/data/local/tmp/a", false, &number)),
        ENOTEMPTY);
    assert_true(files_remove(phone->shell, "/data/local/tmp/a", true, &number));
    assert_int_equal(stat_says(phone->shell, "/data/local/tmp/a"), ENOENT);
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
    struct phone *phone = *state;
    int number;

    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/a"), 0);
    assert_int_equal(make_directory(phone->root, "/data/local/tmp/a/b"), 0);
    assert_int_equal(write_text(phone->root, "/data/local/tmp/a/b/f", "x"), 0);
    assert_int_equal(
        SAYS(files_remove(phone->shell, "/data/local/tmp/a", true, &number)),
        EACCES);
    expect_text(phone->root, "/data/local/tmp/a/b/f", "x");
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
    struct phone *phone = *state;
    int number;

    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/a/b"), 0);
    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/e"), 0);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/f", "f"), 0);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        char from[64];
        char to[64];

        snprintf(from, sizeof(from), "/data/local/tmp/%s", expected[i].from);
        snprintf(to, sizeof(to), "/data/local/tmp/%s", expected[i].to);
        if (SAYS(files_rename(phone->shell, from, to, &number)) !=
            expected[i].number)
            fail_msg("%s to %s: %s", from, to, files_reason(number));
    }
    expect_text(phone->shell, "/data/local/tmp/d/f", "f");
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/d",
                                       "/system/d", &number)),
                     EROFS);
}

static void shared_storage_sets_owners_and_modes(void **state)
{
    struct phone *phone = *state;
    struct files_stat stat;
    int number;

    assert_int_equal(write_text(phone->shell, "/data/local/tmp/f", "f"), 0);
    assert_int_equal(look(phone->shell, "/data/local/tmp/f").uid, 2000);
    assert_true(
        files_rename(phone->shell, "/data/local/tmp/f", "/sdcard/f", &number));
    assert_true(files_set_mode(phone->shell, "/sdcard/f", 0777, &number));
    stat = look(phone->shell, "/sdcard/f");
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

static void facts_are_the_owners_to_change(void **state)
{
    struct phone *phone = *state;
    const char *path = "/data/local/tmp/f";
    int number;

    assert_int_equal(write_text(phone->shell, path, "f"), 0);
    assert_true(files_set_mode(phone->shell, path, S_IFDIR | 04755, &number));
    assert_int_equal(look(phone->shell, path).mode, S_IFREG | 04755);
    assert_true(files_set_time(phone->shell, path, true, 77, &number));
    assert_true(look(phone->shell, path).mtime == 77);
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
    struct phone *phone = *state;
    uint64_t used;
    int number;

    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/a/b"), 0);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/a/b/f", "f"), 0);
    assert_true(
        files_link(phone->shell, "b/f", "/data/local/tmp/a/l", &number));
    used = files_space(phone->shell).bytes_used;
    phone->time += PHONE_SECOND;
    assert_int_equal(SAYS(files_copy(phone->shell, "/data/local/tmp/a",
                                     "/data/local/tmp/c", one, &number)),
                     EISDIR);
    assert_true(files_copy(phone->shell, "/data/local/tmp/a",
                           "/data/local/tmp/c", whole, &number));
    expect_text(phone->shell, "/data/local/tmp/c/l", "f");
    assert_true(look(phone->shell, "/data/local/tmp/c/b/f").mtime ==
                STILL_CLOCK_START);
    assert_true(look(phone->shell, "/data/local/tmp/c/b/f").inode !=
                look(phone->shell, "/data/local/tmp/a/b/f").inode);
    assert_int_equal(files_space(phone->shell).bytes_used, used);
    assert_int_equal(SAYS(files_copy(phone->shell, "/data/local/tmp/a",
                                     "/data/local/tmp/a/b/a", whole, &number)),
                     EINVAL);
    assert_true(files_copy(phone->shell, "/etc/hosts", "/data/local/tmp/c/b/f",
                           one, &number));
    expect_text(phone->shell, "/data/local/tmp/a/b/f", "f");
    assert_int_equal(SAYS(files_copy(phone->shell, "/system/build.prop",
                                     "/data/local/tmp/p", one, &number)),
                     EACCES);
}

/* -------------------------------------------------------------- limits */

static void bytes_have_a_limit_that_held_contents_count_for(void **state)
{
    const struct files_limits limits = {.bytes = 1000};
    struct phone *phone = phone_new(&limits);
    char text[401];
    struct blob *held;
    int number;

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(write_text(phone->shell, "/sdcard/a", text), 0);
    assert_true(files_open(phone->shell, "/sdcard/a", &held, &number));
    assert_true(files_remove(phone->shell, "/sdcard/a", false, &number));
    assert_int_equal(write_text(phone->shell, "/sdcard/b", text), ENOSPC);
    assert_int_equal(
        SAYS(files_append(phone->shell, "/sdcard/b", text, 400, 0, &number)),
        ENOSPC);
    blob_drop(held);
    assert_int_equal(write_text(phone->shell, "/sdcard/b", text), 0);
    assert_int_equal(
        SAYS(files_append(phone->shell, "/sdcard/b", text, 400, 0, &number)),
        ENOSPC);
    expect_text(phone->shell, "/sdcard/b", text);
    tear_down((void **)&phone);
}

static void nodes_have_a_limit(void **state)
{
    const struct files_limits limits = {.nodes = 100};
    struct phone *phone = phone_new(&limits);
    const struct files_copying whole = {.recursive = true};
    int number = 0;
    int made = 0;

    (void)state;
    while (!number) {
        char path[64];

        snprintf(path, sizeof(path), "/data/local/tmp/%d", made++);
        number = write_text(phone->shell, path, "");
    }
    assert_int_equal(number, ENOSPC);
    assert_int_equal(files_space(phone->shell).nodes_used, 100);
    assert_int_equal(SAYS(files_copy(phone->root, "/system/etc",
                                     "/data/local/tmp/etc", whole, &number)),
                     ENOSPC);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/0", "x"), 0);
    tear_down((void **)&phone);
}

static void depth_has_a_limit_however_it_is_reached(void **state)
{
    struct phone *phone = *state;
    const struct files_copying whole = {.recursive = true};
    char path[FILES_PATH_MAX] = "/data/local/tmp";
    size_t depth = 3;
    int number;

    while (depth++ < FILES_DEPTH_MAX)
        memcpy(path + strlen(path), "/d", 3);
    assert_int_equal(make_directory(phone->shell, path), 0);
    assert_int_equal(write_text(phone->shell, "/data/local/tmp/f", "f"), 0);
    assert_true(
        files_link(phone->shell, path, "/data/local/tmp/deep", &number));
    assert_int_equal(make_directory(phone->shell, "/data/local/tmp/deep/d"),
                     ENAMETOOLONG);
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/f",
                                       "/data/local/tmp/deep/f", &number)),
                     ENAMETOOLONG);
    assert_int_equal(make_directory(phone->shell, "/sdcard/e"), 0);
    assert_int_equal(SAYS(files_copy(phone->shell, "/data/local/tmp/d",
                                     "/sdcard/e/d", whole, &number)),
                     ENAMETOOLONG);
    assert_int_equal(SAYS(files_rename(phone->shell, "/data/local/tmp/d",
                                       "/sdcard/e/d", &number)),
                     ENAMETOOLONG);
}

/* ----------------------------------------------------------- snapshots */

static void a_snapshot_brings_everything_back(void **state)
{
    struct phone *phone = *state;
    struct files_snapshot *snapshot;
    struct files_stat before;
    struct files_stat after;
    uint64_t used;
    int number;

    assert_int_equal(write_text(phone->shell, "/sdcard/f", "before"), 0);
    before = look(phone->shell, "/sdcard/f");
    used = files_space(phone->shell).bytes_used;
    snapshot = files_snapshot(phone->shell);
    assert_int_equal(files_space(phone->shell).bytes_used, used);
    for (int round = 0; round < 2; round++) {
        phone->time += PHONE_SECOND;
        assert_int_equal(write_text(phone->shell, "/sdcard/f", "after"), 0);
        assert_int_equal(make_directory(phone->shell, "/sdcard/new"), 0);
        assert_true(files_remove(phone->shell, "/sdcard/DCIM", true, &number));
        files_restore(phone->shell, snapshot);
        expect_text(phone->shell, "/sdcard/f", "before");
        after = look(phone->shell, "/sdcard/f");
        assert_true(before.inode == after.inode);
        assert_true(before.mtime == after.mtime);
        assert_int_equal(stat_says(phone->shell, "/sdcard/new"), ENOENT);
        assert_int_equal(stat_says(phone->shell, "/sdcard/DCIM"), 0);
        assert_int_equal(files_space(phone->shell).bytes_used, used);
    }
    files_snapshot_free(snapshot);
    files_snapshot_free(NULL);
}

/* ------------------------------------------------------------- threads */

static void *write_and_read(void *context)
{
    struct files *files = context;
    size_t torn = 0;

    for (int i = 0; i < 300; i++) {
        char text[65];
        struct blob *content;
        int number;

        memset(text, 'a' + i % 26, sizeof(text) - 1);
        text[sizeof(text) - 1] = '\0';
        if (write_text(files, "/sdcard/contested", text) ||
            !files_open(files, "/sdcard/contested", &content, &number)) {
            torn++;
            continue;
        }
        for (size_t j = 1; j < content->size; j++)
            torn += content->data[j] != content->data[0];
        blob_drop(content);
    }
    return (void *)(uintptr_t)torn;
}

static void threads_never_see_half_a_file(void **state)
{
    struct phone *phone = *state;
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
    cmocka_unit_test_setup_teardown(test_, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PHONE_TEST(a_new_phone_has_what_scripts_expect),
        PHONE_TEST(places_say_no_as_a_phone_does),
        PHONE_TEST(root_may_do_what_the_shell_may_not_but_not_write_to_system),
        cmocka_unit_test(words_are_a_phones),
        PHONE_TEST(paths_never_lead_out_of_the_tree),
        PHONE_TEST(hostile_paths_are_refused),
        PHONE_TEST(links_that_lead_nowhere_or_round_end),
        PHONE_TEST(writing_through_a_link_makes_its_target),
        PHONE_TEST(a_reader_keeps_what_it_opened),
        PHONE_TEST(appending_makes_and_grows),
        PHONE_TEST(replacing_takes_the_place_of_a_link_and_not_of_its_target),
        PHONE_TEST(a_listing_is_sorted_and_whole),
        PHONE_TEST(directories_count_their_links),
        PHONE_TEST(removing_wants_empty_or_recursive),
        PHONE_TEST(nothing_is_removed_when_a_part_may_not_be),
        PHONE_TEST(renaming_follows_the_rules),
        PHONE_TEST(shared_storage_sets_owners_and_modes),
        PHONE_TEST(facts_are_the_owners_to_change),
        PHONE_TEST(copies_share_their_bytes),
        cmocka_unit_test(bytes_have_a_limit_that_held_contents_count_for),
        cmocka_unit_test(nodes_have_a_limit),
        PHONE_TEST(depth_has_a_limit_however_it_is_reached),
        PHONE_TEST(a_snapshot_brings_everything_back),
        PHONE_TEST(threads_never_see_half_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
