#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tools/cli/page.h"
#include "tools/cli/progress.h"
#include "tools/cli/table.h"
#include "tools/cli/units.h"

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
        {0, 0, "number 100.0 % of", "number\n100.0 % of\n"},
        {0, 0, "手机 电话 手", "手机 电话\n手\n"},
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
    page = (struct page){.text = BUF_INIT(100), .colour = true, .width = 10};
    page_wrap_foreign(&page, PAGE_BOLD, "a\033[2Jb\nc in words");
    assert_string_equal(buf_cstr(&page.text),
                        "\033[1ma?[2Jb?c\nin words\n\033[0m");
    page_release(&page);
}

static void columns_count_characters(void **state)
{
    (void)state;
    assert_int_equal(page_columns(""), 0);
    assert_int_equal(page_columns("abc"), 3);
    assert_int_equal(page_columns("\xc3\xa4\xe2\x80\xa6"), 2);
    assert_int_equal(page_columns("a价格"), 5);
}

static void a_table_is_as_wide_as_it_needs(void **state)
{
    struct page page = {.text = BUF_INIT(1000)};
    struct table table;

    (void)state;
    table_init(&table, 3);
    table_cell(&table, PAGE_PLAIN, "a");
    table_cell(&table, PAGE_PLAIN, "");
    table_cell(&table, PAGE_PLAIN, "c");
    table_cell(&table, PAGE_PLAIN, "long\033er");
    table_cell(&table, PAGE_PLAIN, "b");
    table_cell(&table, PAGE_PLAIN, "");
    table_write(&table, &page);
    assert_string_equal(buf_cstr(&page.text), "a           c\n"
                                              "long?er  b\n");
    table_release(&table);
    page_release(&page);
}

static void sizes_and_times_have_units(void **state)
{
    static const struct {
        double value;
        const char *size;
        const char *time;
    } cases[] = {
        {0, "0 B", "0.00 s"},          {1023, "1023 B", "17:03"},
        {1023.97, "1.0 KiB", "17:04"}, {59.94, "60 B", "59.9 s"},
        {12.34, "12 B", "12.3 s"},     {59.96, "60 B", "1:00"},
        {3723, "3.6 KiB", "1:02:03"},  {67108864, "64.0 MiB", "18641:21:04"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[UNITS_TEXT_MAX];

        units_size(cases[i].value, text);
        assert_string_equal(text, cases[i].size);
        units_time(cases[i].value, text);
        assert_string_equal(text, cases[i].time);
    }
}

static void progress_fits_into_every_terminal(void **state)
{
    struct progress progress = {.moved = 3000, .total = 4000, .before = 72};

    (void)state;
    snprintf(progress.path, sizeof(progress.path), "%s",
             "/sdcard/Movies/\xc3\xa4\xc3\xb6 a holiday by the sea.mp4");
    for (size_t width = 10; width < 200; width++) {
        struct buf line = BUF_INIT(1000);

        progress_format(&progress, 2.0, width, &line);
        assert_in_range(page_columns(buf_cstr(&line)), 1, width - 1);
        buf_release(&line);
    }
}

static void progress_says_all_that_is_known(void **state)
{
    struct progress progress = {.moved = 3000, .total = 4000, .before = 72};
    struct buf line = BUF_INIT(1000);

    (void)state;
    snprintf(progress.path, sizeof(progress.path), "/sdcard/a.mp4");
    progress_format(&progress, 2.0, 80, &line);
    assert_string_equal(buf_cstr(&line),
                        "a.mp4              75% [============>    ]"
                        "  3.0 KiB  1.5 KiB/s  1 s left");
    buf_clear(&line);
    progress.total = 0;
    progress_format(&progress, 2.0, 80, &line);
    assert_string_equal(buf_cstr(&line),
                        "a.mp4              3.0 KiB  1.5 KiB/s");
    buf_release(&line);
}

static void progress_counts_the_files_before(void **state)
{
    struct progress progress = {0};

    (void)state;
    assert_true(progress_update(&progress, "a", 10, 20));
    assert_true(progress_update(&progress, "a", 20, 20));
    assert_true(progress_update(&progress, "b", 5, 20));
    assert_int_equal(progress.before, 20);
    assert_int_equal(progress.moved, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_broken_between_words),
        cmocka_unit_test(colours_show_only_where_they_are_wanted),
        cmocka_unit_test(foreign_text_cannot_steer_the_terminal),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(a_table_is_as_wide_as_it_needs),
        cmocka_unit_test(sizes_and_times_have_units),
        cmocka_unit_test(progress_fits_into_every_terminal),
        cmocka_unit_test(progress_says_all_that_is_known),
        cmocka_unit_test(progress_counts_the_files_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
