#include "base/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/macros.h"

static void texts_are_cells_and_nothing_else(void **state)
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
        cmocka_unit_test(texts_are_cells_and_nothing_else),
    };

    return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
