#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tools/cli/page.h"

static void lines_are_broken_between_words(void **state)
{
    static const struct {
        size_t from;
        size_t indent;
        const char *text;
        const char *page;
    } cases[] = {
        {0, 0, "", ""},
        {0, 0, "one", "one\n"},
        {0, 0, "12345678 90", "12345678\n90\n"},
        {0, 0, "1234567 90", "1234567 90\n"},
        {4, 4, "one two three", "one\n    two\n    three\n"},
        {0, 2, "a b c d e", "  a b c d\n  e\n"},
        {0, 0, "a\n\nb", "a\n\nb\n"},
        {0, 0, "longer-than-a-line a", "longer-than-a-line\na\n"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct page page = {.text = BUF_INIT(1000), .width = 10};

        page_wrap(&page, cases[i].from, cases[i].indent, cases[i].text);
        assert_string_equal(buf_cstr(&page.text), cases[i].page);
        page_release(&page);
    }
}

static void colours_show_only_where_they_are_wanted(void **state)
{
    struct page page = {.text = BUF_INIT(100)};

    (void)state;
    page_text(&page, PAGE_BOLD, "x");
    assert_string_equal(buf_cstr(&page.text), "x");
    page.colour = true;
    page_text(&page, PAGE_BOLD, "y");
    assert_string_equal(buf_cstr(&page.text), "x\033[1my\033[0m");
    page_release(&page);
}

static void foreign_text_cannot_steer_the_terminal(void **state)
{
    struct page page = {.text = BUF_INIT(100)};

    (void)state;
    page_foreign(&page, PAGE_PLAIN, "a\033[2Jb\nc");
    assert_string_equal(buf_cstr(&page.text), "a?[2Jb?c");
    page_release(&page);
}

static void columns_count_characters(void **state)
{
    (void)state;
    assert_int_equal(page_columns(""), 0);
    assert_int_equal(page_columns("abc"), 3);
    assert_int_equal(page_columns("\xc3\xa4\xe2\x80\xa6"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_broken_between_words),
        cmocka_unit_test(colours_show_only_where_they_are_wanted),
        cmocka_unit_test(foreign_text_cannot_steer_the_terminal),
        cmocka_unit_test(columns_count_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
