#include "tasks/task/dates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/macros.h"

#define DAY INT64_C(86400)

static void expect(struct date date, const char *format, const char *locale,
                   const char *text)
{
    struct buf out = BUF_INIT(256);
    struct err err = ERR_INIT;

    if (!date_format(date, format, locale, &out, &err))
        fail_msg("%s: %s", format, err.text);
    assert_string_equal(buf_cstr(&out), text);
    buf_release(&out);
}

static void time_is_converted_to_its_day(void **state)
{
    (void)state;
    expect(date_of(0), NULL, NULL, "1970-01-01");
    expect(date_of(-1), NULL, NULL, "1969-12-31");
    expect(date_of(DAY - 1), NULL, NULL, "1970-01-01");
    expect(date_of(INT64_C(951782400)), NULL, NULL, "2000-02-29");
    expect(date_of(INT64_C(1794787200)), NULL, NULL, "2026-11-16");
    expect(date_of(INT64_C(4107542400)), NULL, NULL, "2100-03-01");
}

/* Every day of eight centuries, compared with a simple calendar. */
static void every_day_follows_the_one_before(void **state)
{
    struct date date = {1970, 1, 1};

    (void)state;
    for (int64_t number = 0; number < 300000; number++) {
        struct date same = date_of(number * DAY);
        struct date next = date_plus(date, 1, 'd');
        bool turns = next.day == 1;

        assert_true(same.year == date.year && same.month == date.month &&
                    same.day == date.day);
        assert_true(turns || next.day == date.day + 1);
        assert_true(!turns || date.day >= 28);
        date = next;
    }
    expect(date, NULL, NULL, "2791-05-17");
}

static void units_are_added_to_a_day(void **state)
{
    static const struct {
        struct date from;
        int count;
        char unit;
        const char *to;
    } table[] = {
        {{2026, 11, 16}, 30, 'd', "2026-12-16"},
        {{2026, 11, 16}, -1, 'w', "2026-11-09"},
        {{2026, 11, 16}, 2, 'm', "2027-01-16"},
        {{2026, 11, 16}, -11, 'm', "2025-12-16"},
        {{2027, 1, 31}, 1, 'm', "2027-02-28"},
        {{2028, 1, 31}, 1, 'm', "2028-02-29"},
        {{2028, 2, 29}, 1, 'y', "2029-02-28"},
        {{2028, 2, 29}, -4, 'y', "2024-02-29"},
        {{2026, 12, 31}, 1, 'd', "2027-01-01"},
        {{1970, 1, 1}, -999, 'y', "0971-01-01"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(table); i++)
        expect(date_plus(table[i].from, table[i].count, table[i].unit), NULL,
               NULL, table[i].to);
}

static void day_is_formatted_in_each_language(void **state)
{
    const struct date date = {2026, 3, 5};

    (void)state;
    expect(date, "%A, %B %-d, %Y", "en-US", "Thursday, March 5, 2026");
    expect(date, "%a %b %d %y 100%%", NULL, "Thu Mar 05 26 100%");
    expect(date, "%Y年%-m月%-d日%A", "zh-CN", "2026年3月5日星期四");
    expect(date, "%B%a", "zh", "3月周四");
    expect((struct date){2026, 9, 6}, "%A %B", "en", "Sunday September");
}

static void unknown_conversion_is_refused(void **state)
{
    static const char *const wrong[] = {"%H", "%-Y", "%", "%-", "x %Q"};
    struct buf out = BUF_INIT(256);
    struct err err = ERR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        assert_false(
            date_format((struct date){2026, 3, 5}, wrong[i], "en", &out, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(out.length, 0);
    }
    buf_release(&out);
}

static void only_existing_dates_are_parsed(void **state)
{
    static const char *const wrong[] = {
        "1900-02-29", "2026-13-01", "2026-00-01",  "2026-01-00",
        "2026-1-1",   "16.11.2026", "2026-11-16T",
    };
    struct date date;

    (void)state;
    assert_true(date_parse("2026-11-16", &date));
    assert_int_equal(date_seconds(date), 1794787200);
    assert_true(date_parse("2000-02-29", &date));
    assert_int_equal(date_seconds(date), 951782400);
    assert_true(date_parse("1969-12-31", &date));
    assert_int_equal(date_seconds(date), -86400);
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        assert_false(date_parse(wrong[i], &date));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_converted_to_its_day),
        cmocka_unit_test(every_day_follows_the_one_before),
        cmocka_unit_test(units_are_added_to_a_day),
        cmocka_unit_test(day_is_formatted_in_each_language),
        cmocka_unit_test(unknown_conversion_is_refused),
        cmocka_unit_test(only_existing_dates_are_parsed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
