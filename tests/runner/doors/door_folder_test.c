#include "runner/doors/door_folder.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/support/scratch_folder.h"

static struct err err = ERR_INIT;

static void make_file(const char *path)
{
    assert_true(file_save(path, 0644, path, strlen(path), &err));
}

/* An SDK with an adb, another tool and a folder. */
static void make_sdk(void)
{
    assert_true(file_make_folder("sdk/platform-tools", 0777, &err));
    assert_true(file_make_folder("sdk/build-tools", 0777, &err));
    make_file("sdk/platform-tools/adb");
    make_file("sdk/platform-tools/fastboot");
    make_file("sdk/build-tools/aapt");
}

static struct buf make(const char *sdk)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    if (!door_folder_make(sdk, "/bin/our-adb", &folder, &err))
        fail_msg("%s", err.text);
    return folder;
}

static void assert_link(const struct buf *folder, const char *name,
                        const char *target)
{
    char path[PATH_MAX], found[PATH_MAX] = "";

    snprintf(path, sizeof(path), "%s/%s", folder->data, name);
    assert_true(readlink(path, found, sizeof(found) - 1) > 0);
    assert_string_equal(found, target);
}

static void adb_is_ours_and_all_else_is_the_users(void **state)
{
    char sdk[PATH_MAX], target[PATH_MAX + 64];
    struct buf folder;

    (void)state;
    make_sdk();
    assert_non_null(realpath("sdk", sdk));
    folder = make(sdk);
    assert_link(&folder, "platform-tools/adb", "/bin/our-adb");
    snprintf(target, sizeof(target), "%s/platform-tools/fastboot", sdk);
    assert_link(&folder, "platform-tools/fastboot", target);
    snprintf(target, sizeof(target), "%s/build-tools", sdk);
    assert_link(&folder, "build-tools", target);
    file_remove_tree(folder.data);
    buf_release(&folder);
}

static void removing_it_leaves_what_links_lead_to(void **state)
{
    struct buf folder;
    char sdk[PATH_MAX], path[PATH_MAX];

    (void)state;
    assert_non_null(realpath("sdk", sdk));
    folder = make(sdk);
    snprintf(path, sizeof(path), "%s/agent/answer", folder.data);
    make_file(path);
    file_remove_tree(folder.data);
    assert_int_equal(access(folder.data, F_OK), -1);
    assert_int_equal(access("sdk/build-tools/aapt", F_OK), 0);
    assert_int_equal(access("sdk/platform-tools/adb", F_OK), 0);
    buf_release(&folder);
}

static void an_sdk_is_not_needed(void **state)
{
    const char *const sdks[] = {NULL, "/nonexistent", "/dev/null"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sdks); i++) {
        struct buf folder = make(sdks[i]);

        assert_link(&folder, "platform-tools/adb", "/bin/our-adb");
        file_remove_tree(folder.data);
        buf_release(&folder);
    }
}

static void only_the_user_may_look_into_it(void **state)
{
    struct buf folder = make(NULL);
    struct stat facts;

    (void)state;
    assert_int_equal(stat(folder.data, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
    file_remove_tree(folder.data);
    buf_release(&folder);
}

static void failing_leaves_nothing(void **state)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    (void)state;
    assert_int_equal(setenv("TMPDIR", "/nonexistent/folder", 1), 0);
    assert_false(door_folder_make(NULL, "/bin/our-adb", &folder, &err));
    assert_int_equal(folder.length, 0);
    assert_non_null(strstr(err.text, "/nonexistent/folder"));
    unsetenv("TMPDIR");
    buf_release(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adb_is_ours_and_all_else_is_the_users),
        cmocka_unit_test(removing_it_leaves_what_links_lead_to),
        cmocka_unit_test(an_sdk_is_not_needed),
        cmocka_unit_test(only_the_user_may_look_into_it),
        cmocka_unit_test(failing_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
