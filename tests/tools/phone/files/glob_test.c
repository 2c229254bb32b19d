#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "tests/tools/phone/core/still_clock.h"
#include "tools/phone/files/glob.h"

static int64_t at = STILL_CLOCK_START;

static const struct {
    const char *pattern;
    const char *text;
    bool matches;
} matches[] = {
    {"", "", true},
    {"", "a", false},
    {"a", "", false},
    {"*", "", true},
    {"*", "anything", true},
    {"a*", "abc", true},
    {"*c", "abc", true},
    {"*b", "abc", false},
    {"a*b*c", "aXbYbZc", true},
    {"**", "a", true},
    {"?", "a", true},
    {"?", "", false},
    {"??", "a", false},
    {"[a-c]", "b", true},
    {"[a-c]", "d", false},
    {"[!a-c]", "d", true},
    {"[^a-c]", "a", false},
    {"[]]", "]", true},
    {"[a-]", "-", true},
    {"[\\]x]", "]", true},
    {"[", "[", true},
    {"[a", "[a", true},
    {"[a", "a", false},
    {"[]", "[]", true},
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"a\\", "a\\", true},
    {"*.png", "shot.png", true},
    {"*.png", ".png", true},
    {"\xe4*", "\xe4\xb8\xad", true},
};

static void patterns_match_as_a_shell_has_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(matches) / sizeof(matches[0]); i++) {
        if (glob_match(matches[i].pattern, matches[i].text) !=
            matches[i].matches)
            fail_msg("\"%s\" and \"%s\"", matches[i].pattern, matches[i].text);
    }
}

static void many_stars_take_bounded_time(void **state)
{
    char text[5000];
    char pattern[2001];

    (void)state;
    memset(text, 'a', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    for (size_t i = 0; i < sizeof(pattern) - 1; i += 2)
        memcpy(pattern + i, "*a", 2);
    memcpy(pattern + sizeof(pattern) - 3, "*b", 3);
    assert_false(glob_match(pattern, text));
}

static void make(struct phone_files *files, const char *path)
{
    int number;

    if (path[strlen(path) - 1] == '/')
        assert_true(files_make_directory(files, path, 0755, true, &number));
    else
        assert_true(files_append(files, path, "x", 1, 0644, &number));
}

static struct phone_files *a_tree(void)
{
    static const char *const paths[] = {
        "/d/e/",   "/d/a.txt",    "/d/b.txt", "/d/.hidden", "/d/e/a.txt",
        "/d/e*f/", "/d/e*f/star", "/d-e/",    "/d-e/a.txt",
    };
    struct phone_files *files = files_new(NULL, still_clock(&at));

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        make(files, paths[i]);
    return files;
}

static const struct {
    const char *directory;
    const char *pattern;
    const char *found; /* a blank behind each */
} searches[] = {
    {"/", "/d/*.txt", "/d/a.txt /d/b.txt "},
    {"/d", "*.txt", "a.txt b.txt "},
    {"/d/", "*.txt", "a.txt b.txt "},
    {"/d", "*", "a.txt b.txt e e*f "},
    {"/d", ".h*", ".hidden "},
    {"/d", "*/", "e*f/ e/ "},
    {"/d", "./e/?.txt", "./e/a.txt "},
    {"/d/e", "../*.txt", "../a.txt ../b.txt "},
    {"/", "*/a.txt", "d-e/a.txt d/a.txt "},
    {"/", "//d///a*", "/d/a.txt "},
    {"/d", "e\\*f/*", "e*f/star "},
    {"/d", "nothing*", ""},
    {"/d", "a.txt/*", ""},
    {"/nowhere", "*", ""},
    {"/", "/", "/ "},
    {"/", "", ""},
    {"/d", "a.txt", "a.txt "},
    {"/d", "a.txt/", ""},
};

static void search_finds_the_same_as_a_shell(void **state)
{
    struct phone_files *files = a_tree();

    (void)state;
    for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++) {
        struct buf found = BUF_INIT(4096);
        struct phone_glob glob;
        int number;

        assert_true(glob_find(files, searches[i].directory, searches[i].pattern,
                              &glob, &number));
        for (size_t j = 0; j < glob.count; j++)
            buf_printf(&found, "%s ", glob.paths[j]);
        if (strcmp(buf_cstr(&found), searches[i].found))
            fail_msg("%s in %s: \"%s\"", searches[i].pattern,
                     searches[i].directory, buf_cstr(&found));
        glob_release(&glob);
        buf_release(&found);
    }
    files_free(files);
}

static void pattern_with_too_many_matches_is_refused(void **state)
{
    struct phone_files *files = a_tree();
    char pattern[FILES_PATH_MAX + 2] = "";
    struct phone_glob glob;
    int number;

    (void)state;
    for (size_t i = 0; i + 5 < FILES_PATH_MAX; i += 5)
        memcpy(pattern + i, "*/../", 6);
    assert_false(glob_find(files, "/d", pattern, &glob, &number));
    assert_int_equal(number, E2BIG);
    memset(pattern, '*', FILES_PATH_MAX + 1); /* longer than any path */
    assert_true(glob_find(files, "/d", pattern, &glob, &number));
    assert_int_equal(glob.count, 0);
    files_free(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_match_as_a_shell_has_them),
        cmocka_unit_test(many_stars_take_bounded_time),
        cmocka_unit_test(search_finds_the_same_as_a_shell),
        cmocka_unit_test(pattern_with_too_many_matches_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
