/* The files of a new phone, and how paths are resolved. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/files/files_fixture.h"

/* ---------------------------------------------------------- a new phone */

static void new_phone_has_the_expected_files(void **state)
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
    struct files_phone *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        struct files_stat stat =
            files_phone_look(phone->shell, expected[i].path);

        assert_int_equal(stat.mode, expected[i].mode);
        assert_int_equal(stat.uid, expected[i].uid);
        assert_int_equal(stat.gid, expected[i].gid);
    }
    files_phone_expect(phone->root, "/system/build.prop",
                       FILES_PHONE_PROPERTIES);
}

static void forbidden_paths_have_the_errors_of_a_phone(void **state)
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
    struct files_phone *phone = *state;

    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        int number = files_phone_write(phone->shell, expected[i].path, "x");

        if (number != expected[i].number)
            fail_msg("%s: %s", expected[i].path, files_reason(number));
    }
    files_phone_expect(phone->shell, "/dev/null", "");
}

static void root_may_do_what_the_shell_may_not_but_not_write_to_system(
    void **state)
{
    struct files_phone *phone = *state;
    struct shared_bytes *content;
    int number;

    assert_int_equal(files_phone_mkdir(phone->root, "/data/data/app"), 0);
    assert_true(files_set_mode(phone->root, "/data/data/app", 0700, &number));
    assert_int_equal(files_phone_write(phone->root, "/data/data/app/db", "db"),
                     0);
    assert_int_equal(
        SAYS(files_open(phone->shell, "/data/data/app/db", &content, &number)),
        EACCES);
    assert_int_equal(files_phone_stat(phone->shell, "/data/user/0/app"), 0);
    assert_int_equal(
        SAYS(files_open(phone->shell, "/system/build.prop", &content, &number)),
        EACCES);
    assert_int_equal(files_phone_write(phone->root, "/system/x", "x"), EROFS);
}

static void error_messages_are_those_of_a_phone(void **state)
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
    struct files_phone *phone = *state;
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

static void invalid_paths_are_refused(void **state)
{
    struct files_phone *phone = *state;
    char path[2 * FILES_PATH_MAX];
    int number;

    memset(path, 'n', sizeof(path));
    memcpy(path, "/data/local/tmp/", 16);
    path[16 + FILES_NAME_MAX] = '\0';
    assert_int_equal(files_phone_write(phone->shell, path, "x"), 0);
    path[16 + FILES_NAME_MAX] = 'n';
    path[17 + FILES_NAME_MAX] = '\0';
    assert_int_equal(files_phone_write(phone->shell, path, "x"), ENAMETOOLONG);
    memset(path, '/', FILES_PATH_MAX);
    path[FILES_PATH_MAX] = '\0';
    assert_int_equal(files_phone_stat(phone->shell, path), 0);
    path[FILES_PATH_MAX] = '/';
    path[FILES_PATH_MAX + 1] = '\0';
    assert_int_equal(files_phone_stat(phone->shell, path), ENAMETOOLONG);
    assert_int_equal(files_phone_mkdir(phone->shell, path), ENAMETOOLONG);
    assert_int_equal(SAYS(files_link(phone->shell, path, "/sdcard/l", &number)),
                     ENAMETOOLONG);
    assert_int_equal(SAYS(files_link(phone->shell, "", "/sdcard/l", &number)),
                     ENOENT);
}

static void dangling_and_circular_links_fail(void **state)
{
    struct files_phone *phone = *state;
    char target[4001];
    int number;

    assert_true(files_link(phone->shell, "b", "/data/local/tmp/a", &number));
    assert_true(files_link(phone->shell, "a", "/data/local/tmp/b", &number));
    assert_int_equal(files_phone_stat(phone->shell, "/data/local/tmp/a"),
                     ELOOP);
    assert_int_equal(files_phone_write(phone->shell, "/data/local/tmp/a", "x"),
                     ELOOP);
    assert_true(
        files_link(phone->shell, "grow/grow", "/data/local/tmp/grow", &number));
    assert_int_equal(files_phone_stat(phone->shell, "/data/local/tmp/grow"),
                     ELOOP);
    for (size_t i = 0; i < sizeof(target) - 1; i += 2)
        memcpy(target + i, "./", 3);
    assert_true(
        files_link(phone->shell, target, "/data/local/tmp/long", &number));
    assert_int_equal(
        files_phone_stat(phone->shell, "/data/local/tmp/long/long/x"), ENOENT);
    assert_int_equal(
        files_phone_stat(phone->shell, "/data/local/tmp/long/long"), 0);
}

static void writing_through_a_link_creates_its_target(void **state)
{
    struct files_phone *phone = *state;
    struct shared_bytes *target;
    int number;

    assert_true(
        files_link(phone->shell, "/sdcard/made", "/data/local/tmp/l", &number));
    assert_int_equal(
        files_phone_write(phone->shell, "/data/local/tmp/l", "text"), 0);
    files_phone_expect(phone->shell, "/sdcard/made", "text");
    assert_true(
        files_read_link(phone->shell, "/data/local/tmp/l", &target, &number));
    assert_int_equal(target->size, strlen("/sdcard/made"));
    assert_int_equal(files_phone_look(phone->shell, "/data/local/tmp/l").size,
                     target->size);
    shared_bytes_drop(target);
    assert_int_equal(
        SAYS(files_read_link(phone->shell, "/sdcard/made", &target, &number)),
        EINVAL);
}

#define PHONE_TEST(test_)                                                      \
    cmocka_unit_test_setup_teardown(test_, files_phone_set_up,                 \
                                    files_phone_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PHONE_TEST(new_phone_has_the_expected_files),
        PHONE_TEST(forbidden_paths_have_the_errors_of_a_phone),
        PHONE_TEST(root_may_do_what_the_shell_may_not_but_not_write_to_system),
        cmocka_unit_test(error_messages_are_those_of_a_phone),
        PHONE_TEST(paths_never_lead_out_of_the_tree),
        PHONE_TEST(invalid_paths_are_refused),
        PHONE_TEST(dangling_and_circular_links_fail),
        PHONE_TEST(writing_through_a_link_creates_its_target),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
