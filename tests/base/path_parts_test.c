#include "base/path_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/macros.h"

static void expect(char *part, const char *expected)
{
    assert_string_equal(part, expected);
    free(part);
}

static void the_folder_of_a_file(void **state)
{
    static const struct {
        const char *path;
        const char *folder;
    } cases[] = {
        {"a/b/c", "a/b"}, {"a/b", "a"}, {"/a/b", "/a"},
        {"/b", "/"},      {"b", "."},   {"", "."},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        expect(path_folder(cases[i].path), cases[i].folder);
}

static void the_last_name(void **state)
{
    static const struct {
        const char *path;
        const char *name;
    } cases[] = {
        {"a/b", "b"}, {"a/b//", "b"}, {"b", "b"},
        {"/b", "b"},  {"/", ""},      {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        expect(path_name(cases[i].path), cases[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_folder_of_a_file),
        cmocka_unit_test(the_last_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
