#include "process_provider/pictures/ocr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/macros.h"

#define HEAD                                                                   \
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\t"     \
    "width\theight\tconf\ttext\n"

static struct ocr_text read_table(const char *table)
{
    struct ocr_text reading;

    ocr_parse(table, strlen(table), &reading);
    return reading;
}

/* ---- the table ---- */

static void words_are_read_with_their_lines(void **state)
{
    struct ocr_text reading =
        read_table(HEAD "1\t1\t0\t0\t0\t0\t0\t0\t1600\t270\t-1\t\n"
                        "4\t1\t1\t1\t1\t0\t10\t20\t90\t40\t-1\t\n"
                        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t95.931\tWatch\n"
                        "5\t1\t1\t1\t1\t2\t50\t20\t50\t41\t7\tvideo\n"
                        "5\t1\t1\t1\t2\t1\t10\t80\t30\t40\t96\tbelow");

    (void)state;
    assert_int_equal(reading.count, 3);
    assert_string_equal(reading.words[0].text.text, "Watch");
    assert_int_equal(reading.words[0].box.left, 10);
    assert_int_equal(reading.words[0].box.top, 20);
    assert_int_equal(reading.words[0].box.right, 40);
    assert_int_equal(reading.words[0].box.bottom, 60);
    assert_int_equal(reading.words[0].confidence, 95);
    assert_int_equal(reading.words[0].line, 0);
    assert_string_equal(reading.words[1].text.text, "video");
    assert_int_equal(reading.words[1].line, 0);
    assert_string_equal(reading.words[2].text.text, "below");
    assert_int_equal(reading.words[2].line, 1);
    ocr_text_release(&reading);
    assert_int_equal(reading.count, 0);
}

static void invalid_rows_are_skipped(void **state)
{
    static const char *const rows[] = {
        "",
        "\t\t\t\t\t\t\t\t\t\t\t",
        "Failed loading language 'eng'",
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96",            /* no text */
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96\t",          /* an empty one */
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96\t \x01\x7f", /* only blanks */
        "5\t1\t1\t1\t1\t1\t10\t20\t0\t40\t96\ta",          /* no width */
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t0\t96\ta",          /* no height */
        "5\t1\t1\t1\t1\t1\t-1\t20\t30\t40\t96\ta",
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t101\ta",
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t-1\ta",
        "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\tnan\ta",
        "5\t1\t1\t1\t1\t1\t65536\t20\t30\t40\t96\ta",
        "5\t1\t1\t1\t1\t1\t99999999999999999999\t20\t30\t40\t96\ta",
        "5 1 1 1 1 1 10 20 30 40 96 a",
        "4\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96\ta", /* a line, no word */
    };
    struct buf table = BUF_INIT(1 << 20);
    struct ocr_text reading;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        buf_printf(&table, "%s\n", rows[i]);
    buf_text(&table, "5\t1\t1\t1\t1\t1\t1\t2\t3\t4\t96\tgood\n");
    reading = read_table(buf_cstr(&table));
    assert_int_equal(reading.count, 1);
    assert_string_equal(reading.words[0].text.text, "good");
    ocr_text_release(&reading);
    buf_release(&table);
}

static void invalid_table_has_no_words(void **state)
{
    struct ocr_text reading;

    (void)state;
    ocr_parse(NULL, 0, &reading);
    assert_int_equal(reading.count, 0);
    ocr_text_release(&reading);
}

static void invalid_utf8_is_repaired(void **state)
{
    struct ocr_text reading =
        read_table("5\t1\t1\t1\t1\t1\t1\t2\t3\t4\t96\ta\xff\x1b[31m\n");

    (void)state;
    assert_int_equal(reading.count, 1);
    assert_string_equal(reading.words[0].text.text, "a\xef\xbf\xbd [31m");
    ocr_text_release(&reading);
}

static void single_letters_of_either_case_are_found(void **state)
{
    struct ocr_text reading =
        read_table("5\t1\t1\t1\t1\t1\t1\t2\t3\t4\t96\tWw\n"
                   "5\t1\t1\t1\t1\t2\t9\t2\t3\t4\t96\toO\n"
                   "5\t1\t1\t1\t1\t3\t19\t2\t3\t4\t96\tWww\n"
                   "5\t1\t1\t1\t1\t4\t29\t2\t3\t4\t96\tee\n");

    (void)state;
    assert_int_equal(reading.count, 4);
    assert_string_equal(reading.words[0].text.text, "w");
    assert_string_equal(reading.words[1].text.text, "o");
    assert_string_equal(reading.words[2].text.text, "Www");
    assert_string_equal(reading.words[3].text.text, "ee");
    ocr_text_release(&reading);
}

static void number_of_words_is_bounded(void **state)
{
    struct buf table = BUF_INIT(64 << 20);
    struct ocr_text reading;

    (void)state;
    for (unsigned i = 0; i < OCR_WORDS_MAX + 10; i++)
        buf_text(&table, "5\t1\t1\t1\t1\t1\t1\t2\t3\t4\t96\tword\n");
    buf_text(&table, "5\t1\t1\t1\t1\t1\t1\t2\t3\t4\t96\t");
    for (unsigned i = 0; i < 100000; i++)
        buf_text(&table, "long");
    ocr_parse(table.data, table.length, &reading);
    assert_int_equal(reading.count, OCR_WORDS_MAX);
    ocr_text_release(&reading);
    ocr_parse(table.data + table.length - 400040, 400040, &reading);
    assert_in_range(strlen(reading.words[reading.count - 1].text.text), 80,
                    PHRASE_MAX - 1);
    ocr_text_release(&reading);
    buf_release(&table);
}

/* ---- the text at a point ---- */

/* A month above, a link below, Chinese at the end; letters are 20 high. */
static const char screen[] = "5\t1\t1\t1\t1\t1\t100\t10\t20\t20\t96\t28\n"
                             "5\t1\t1\t1\t1\t2\t200\t10\t20\t20\t96\t29\n"
                             "5\t1\t1\t1\t1\t3\t300\t10\t20\t20\t30\t3O\n"
                             "5\t1\t2\t1\t1\t1\t100\t110\t60\t20\t96\tWatch\n"
                             "5\t1\t2\t1\t1\t2\t165\t110\t60\t20\t96\tvideo\n"
                             "5\t1\t2\t1\t1\t3\t230\t115\t20\t15\t96\ton\n"
                             "5\t1\t2\t1\t1\t4\t265\t110\t85\t20\t96\tYouTube\n"
                             "5\t1\t2\t1\t1\t5\t360\t110\t20\t20\t20\t@)\n"
                             "5\t1\t2\t1\t1\t6\t420\t110\t80\t20\t96\tShare\n"
                             "5\t1\t3\t1\t1\t1\t100\t210\t20\t20\t96\t打开\n"
                             "5\t1\t3\t1\t1\t2\t121\t210\t20\t20\t96\t系\n"
                             "5\t1\t3\t1\t1\t3\t142\t210\t20\t20\t96\t统\n"
                             "5\t1\t3\t1\t1\t4\t172\t210\t60\t20\t96\tWiFi\n"
                             "5\t1\t3\t1\t1\t5\t235\t210\t20\t20\t96\t设置\n";

static void assert_under(int x, int y, const char *expected)
{
    struct ocr_text reading = read_table(screen);
    struct phrase words = {.text = ""};
    struct box box = {0};

    assert_int_equal(ocr_text_at(&reading, x, y, &words, &box),
                     *expected != '\0');
    assert_string_equal(words.text, expected);
    ocr_text_release(&reading);
}

static void words_of_one_text_are_joined(void **state)
{
    (void)state;
    assert_under(110, 120, "Watch video on YouTube");
    assert_under(340, 120, "Watch video on YouTube");
    assert_under(227, 120, "Watch video on YouTube"); /* between two words */
}

static void icons_and_lines_at_the_ends_are_left_out(void **state)
{
    struct ocr_text reading =
        read_table("5\t1\t1\t1\t1\t1\t100\t10\t20\t20\t96\t(@)\n"
                   "5\t1\t1\t1\t1\t2\t125\t10\t60\t20\t96\tSigns\n"
                   "5\t1\t1\t1\t1\t3\t190\t10\t20\t20\t96\t|\n"
                   "5\t1\t1\t1\t1\t4\t215\t10\t60\t20\t96\tWonders\n"
                   "5\t1\t1\t1\t1\t5\t280\t10\t20\t20\t96\t©\n"
                   "5\t1\t1\t1\t1\t6\t500\t10\t20\t20\t96\t<\n");
    struct phrase words;
    struct box box;

    (void)state;
    assert_true(ocr_text_at(&reading, 150, 20, &words, &box));
    assert_string_equal(words.text, "Signs | Wonders");
    assert_int_equal(box.left, 125);
    assert_int_equal(box.right, 275);
    assert_true(ocr_text_at(&reading, 510, 20, &words, &box));
    assert_string_equal(words.text, "<");
    ocr_text_release(&reading);
}

static void days_of_a_month_are_not_joined(void **state)
{
    (void)state;
    assert_under(205, 15, "29");
    assert_under(100, 25, "28");
}

static void only_near_words_are_found(void **state)
{
    (void)state;
    assert_under(210, 39, "29");
    assert_under(210, 40, "");
    assert_under(190, 20, "29");
    assert_under(160, 20, "");
}

static void words_with_low_confidence_are_ignored(void **state)
{
    (void)state;
    assert_under(310, 20, "");
    assert_under(430, 120, "Share");
}

static void chinese_is_joined_without_spaces(void **state)
{
    (void)state;
    assert_under(150, 220, "打开系统 WiFi设置");
}

static void the_box_is_around_all_the_words(void **state)
{
    struct ocr_text reading = read_table(screen);
    struct phrase words;
    struct box box;

    (void)state;
    assert_true(ocr_text_at(&reading, 200, 120, &words, &box));
    assert_int_equal(box.left, 100);
    assert_int_equal(box.top, 110);
    assert_int_equal(box.right, 350);
    assert_int_equal(box.bottom, 130);
    ocr_text_release(&reading);
}

static void empty_place_has_no_text(void **state)
{
    struct ocr_text reading = OCR_TEXT_INIT;
    struct phrase words = {.text = "as it was"};
    struct box box = {1, 2, 3, 4};

    (void)state;
    assert_false(ocr_text_at(&reading, 1, 2, &words, &box));
    assert_string_equal(words.text, "as it was");
    assert_int_equal(box.bottom, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_read_with_their_lines),
        cmocka_unit_test(invalid_rows_are_skipped),
        cmocka_unit_test(invalid_table_has_no_words),
        cmocka_unit_test(invalid_utf8_is_repaired),
        cmocka_unit_test(single_letters_of_either_case_are_found),
        cmocka_unit_test(number_of_words_is_bounded),
        cmocka_unit_test(words_of_one_text_are_joined),
        cmocka_unit_test(icons_and_lines_at_the_ends_are_left_out),
        cmocka_unit_test(days_of_a_month_are_not_joined),
        cmocka_unit_test(only_near_words_are_found),
        cmocka_unit_test(words_with_low_confidence_are_ignored),
        cmocka_unit_test(chinese_is_joined_without_spaces),
        cmocka_unit_test(the_box_is_around_all_the_words),
        cmocka_unit_test(empty_place_has_no_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
