#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tools/cli/terminal/human_units.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/cli/terminal/text_table.h"
#include "tools/cli/terminal/transfer_progress.h"

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
        struct text_page page = {.text = BUF_INIT(1000), .width = 10};

        text_page_wrap(&page, cases[i].from, cases[i].indent, cases[i].text);
        assert_string_equal(buf_cstr(&page.text), cases[i].page);
        text_page_release(&page);
    }
}

static void colours_are_printed_only_on_request(void **state)
{
    struct text_page page = {.text = BUF_INIT(100)};

    (void)state;
    text_page_add(&page, TEXT_STYLE_BOLD, "x");
    assert_string_equal(buf_cstr(&page.text), "x");
    page.colour = true;
    text_page_add(&page, TEXT_STYLE_BOLD, "y");
    assert_string_equal(buf_cstr(&page.text), "x\033[1my\033[0m");
    text_page_release(&page);
}

static void untrusted_text_cannot_control_the_terminal(void **state)
{
    struct text_page page = {.text = BUF_INIT(100)};

    (void)state;
    text_page_untrusted(&page, TEXT_STYLE_PLAIN, "a\033[2Jb\nc");
    assert_string_equal(buf_cstr(&page.text), "a?[2Jb?c");
    text_page_release(&page);
    page =
        (struct text_page){.text = BUF_INIT(100), .colour = true, .width = 10};
    text_page_wrap_untrusted(&page, TEXT_STYLE_BOLD, "a\033[2Jb\nc in words");
    assert_string_equal(buf_cstr(&page.text),
                        "\033[1ma?[2Jb?c\nin words\n\033[0m");
    text_page_release(&page);
}

static void columns_count_characters(void **state)
{
    (void)state;
    assert_int_equal(text_page_columns(""), 0);
    assert_int_equal(text_page_columns("abc"), 3);
    assert_int_equal(text_page_columns("\xc3\xa4\xe2\x80\xa6"), 2);
    assert_int_equal(text_page_columns("a价格"), 5);
}

static void long_text_is_cut_with_a_mark(void **state)
{
    static const struct {
        const char *text;
        bool unicode;
        const char *cut;
    } cases[] = {
        {"", true, ""},
        {"12345", true, "12345"},
        {"123456", true, "1234…"},
        {"123456", false, "12..."},
        {"123 456", true, "123…"},
        {"手机电话", true, "手机…"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *cut = text_page_cut(cases[i].text, 5, cases[i].unicode);

        assert_string_equal(cut, cases[i].cut);
        free(cut);
    }
}

static void table_has_the_width_of_its_cells(void **state)
{
    struct text_page page = {.text = BUF_INIT(1000)};
    struct text_table table;

    (void)state;
    text_table_init(&table, 3);
    text_table_cell(&table, TEXT_STYLE_PLAIN, "a");
    text_table_cell(&table, TEXT_STYLE_PLAIN, "");
    text_table_cell(&table, TEXT_STYLE_PLAIN, "c");
    text_table_cell(&table, TEXT_STYLE_PLAIN, "long\033er");
    text_table_cell(&table, TEXT_STYLE_PLAIN, "b");
    text_table_cell(&table, TEXT_STYLE_PLAIN, "");
    text_table_write(&table, &page);
    assert_string_equal(buf_cstr(&page.text), "a           c\n"
                                              "long?er  b\n");
    text_table_release(&table);
    text_page_release(&page);
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
        char text[HUMAN_UNITS_MAX];

        human_units_size(cases[i].value, text);
        assert_string_equal(text, cases[i].size);
        human_units_time(cases[i].value, text);
        assert_string_equal(text, cases[i].time);
    }
}

static void progress_fits_into_every_terminal(void **state)
{
    struct transfer_progress progress = {
        .moved = 3000, .total = 4000, .before = 72};

    (void)state;
    snprintf(progress.path, sizeof(progress.path), "%s",
             "/sdcard/Movies/\xc3\xa4\xc3\xb6 a holiday by the sea.mp4");
    for (size_t width = 10; width < 200; width++) {
        struct buf line = BUF_INIT(1000);

        transfer_progress_format(&progress, 2.0, width, &line);
        assert_in_range(text_page_columns(buf_cstr(&line)), 1, width - 1);
        buf_release(&line);
    }
}

static void progress_shows_all_known_values(void **state)
{
    struct transfer_progress progress = {
        .moved = 3000, .total = 4000, .before = 72};
    struct buf line = BUF_INIT(1000);

    (void)state;
    snprintf(progress.path, sizeof(progress.path), "/sdcard/a.mp4");
    transfer_progress_format(&progress, 2.0, 80, &line);
    assert_string_equal(buf_cstr(&line),
                        "a.mp4              75% [============>    ]"
                        "  3.0 KiB  1.5 KiB/s  1 s left");
    buf_clear(&line);
    progress.total = 0;
    transfer_progress_format(&progress, 2.0, 80, &line);
    assert_string_equal(buf_cstr(&line),
                        "a.mp4              3.0 KiB  1.5 KiB/s");
    buf_release(&line);
}

static void progress_includes_earlier_files(void **state)
{
    struct transfer_progress progress = {0};

    (void)state;
    assert_true(transfer_progress_update(&progress, "a", 10, 20));
    assert_true(transfer_progress_update(&progress, "a", 20, 20));
    assert_true(transfer_progress_update(&progress, "b", 5, 20));
    assert_int_equal(progress.before, 20);
    assert_int_equal(progress.moved, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_broken_between_words),
        cmocka_unit_test(colours_are_printed_only_on_request),
        cmocka_unit_test(untrusted_text_cannot_control_the_terminal),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(long_text_is_cut_with_a_mark),
        cmocka_unit_test(table_has_the_width_of_its_cells),
        cmocka_unit_test(sizes_and_times_have_units),
        cmocka_unit_test(progress_fits_into_every_terminal),
        cmocka_unit_test(progress_shows_all_known_values),
        cmocka_unit_test(progress_includes_earlier_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
