#include "tools/phone/screen/clock_text.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tools/phone/core/clock.h"

static void times_and_dates_are_those_of_the_language(void **state)
{
    static const struct {
        int64_t seconds;
        enum phone_locale locale;
        const char *time;
        const char *date;
    } cases[] = {
        {1736154000, LOCALE_EN, "9:00", "Mon, Jan 6"},
        {1736154000, LOCALE_ZH, "09:00", "1月6日周一"},
        {1735689599, LOCALE_EN, "11:59", "Tue, Dec 31"}, /* at night */
        {1735689600, LOCALE_EN, "12:00", "Wed, Jan 1"},
        {1735689600, LOCALE_ZH, "00:00", "1月1日周三"},
        {1740747845, LOCALE_EN, "1:04", "Fri, Feb 28"},
        {1740747845, LOCALE_ZH, "13:04", "2月28日周五"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int64_t now = cases[i].seconds * PHONE_SECOND;
        char text[32];

        clock_text_time(now, cases[i].locale, text, sizeof(text));
        assert_string_equal(text, cases[i].time);
        clock_text_date(now, cases[i].locale, text, sizeof(text));
        assert_string_equal(text, cases[i].date);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_and_dates_are_those_of_the_language),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
