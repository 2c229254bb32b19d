#include "base/user_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(enum user_folder folder, const char *expected)
{
    struct buf path = BUF_INIT(256);

    assert_int_equal(user_folder_path(folder, "x", &path), expected != NULL);
    assert_string_equal(buf_cstr(&path), expected ? expected : "");
    buf_release(&path);
}

static void folders_are_below_home_by_default(void **state)
{
    (void)state;
    setenv("HOME", "/home/a", 1);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_STATE_HOME");
    expect(USER_FOLDER_CACHE, "/home/a/.cache/proctor/x");
    expect(USER_FOLDER_CONFIG, "/home/a/.config/proctor/x");
    expect(USER_FOLDER_STATE, "/home/a/.local/state/proctor/x");
}

static void environment_overrides_the_folders(void **state)
{
    (void)state;
    setenv("HOME", "/home/a", 1);
    setenv("XDG_CACHE_HOME", "/c", 1);
    setenv("XDG_CONFIG_HOME", "/d", 1);
    setenv("XDG_STATE_HOME", "/e", 1);
    expect(USER_FOLDER_CACHE, "/c/proctor/x");
    expect(USER_FOLDER_CONFIG, "/d/proctor/x");
    expect(USER_FOLDER_STATE, "/e/proctor/x");
}

static void relative_paths_are_ignored(void **state)
{
    (void)state;
    setenv("HOME", "/home/a", 1);
    setenv("XDG_CONFIG_HOME", "config", 1);
    setenv("XDG_CACHE_HOME", "", 1);
    expect(USER_FOLDER_CONFIG, "/home/a/.config/proctor/x");
    expect(USER_FOLDER_CACHE, "/home/a/.cache/proctor/x");
    setenv("HOME", "a", 1);
    expect(USER_FOLDER_CONFIG, NULL);
    unsetenv("HOME");
    expect(USER_FOLDER_CACHE, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_are_below_home_by_default),
        cmocka_unit_test(environment_overrides_the_folders),
        cmocka_unit_test(relative_paths_are_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
