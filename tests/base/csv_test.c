#include "base/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/macros.h"

static void cells_are_quoted_and_never_formulas(void **state)
{
    static const struct {
        const char *text;
        const char *cell;
    } cases[] = {
        {"", "\"\""},
        {"a, b", "\"a, b\""},
        {"a \"b\"", "\"a \"\"b\"\"\""},
        {"a\nb", "\"a\nb\""},
        {"=1+2", "\"'=1+2\""},
        {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},
        {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"\t=1", "\"'\t=1\""},
        {"a=1", "\"a=1\""},
        {"a\xff", "\"a\xef\xbf\xbd\""},
        {"a\x1b[1m\x7f", "\"a\uFFFD[1m\uFFFD\""},
        {"a\xc2\x9b"
         "1m",
         "\"a\uFFFD1m\""},
        {"a\u202Eb", "\"a\uFFFDb\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf csv = BUF_INIT(100);

        csv_text(&csv, cases[i].text);
        assert_string_equal(buf_cstr(&csv), cases[i].cell);
        buf_release(&csv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_quoted_and_never_formulas),
    };

    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
