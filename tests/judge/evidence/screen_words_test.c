#include "judge/evidence/screen_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

static void only_whole_words_match(void **state)
{
    static const struct {
        const char *text;
        const char *word;
        bool has;
    } cases[] = {
        {"4 results", "4", true},
        {"14 results", "4", false},
        {"4.8", "4", false},
        {"1,204", "204", false},
        {"10:00", "00", false},
        {"at 10:00.", "10:00", true},
        {"$36.02", "36.02", true},
        {"$36.02", "6.02", false},
        {"Zenvo Lamp", "lamp", true},
        {"Zenvo Lamps", "lamp", false},
        {"红色台灯", "台灯", true},
        {"台", "台灯", false},
        {"Total: 5, thanks", "5", true},
        {"", "5", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (screen_words_has(cases[i].text, cases[i].word) != cases[i].has)
            fail_msg("'%s' in '%s'", cases[i].word, cases[i].text);
    }
}

static void numbers_match_separately(void **state)
{
    const char *text = "$1,234.50 for 2, at 10:00.";
    const char *begin;
    size_t length;

    (void)state;
    length = screen_words_number(text, &begin);
    assert_int_equal(length, strlen("1,234.50"));
    assert_memory_equal(begin, "1,234.50", length);
    length = screen_words_number(begin + length, &begin);
    assert_int_equal(length, 1);
    assert_memory_equal(begin, "2", length);
    length = screen_words_number(begin + length, &begin);
    assert_memory_equal(begin, "10:00", length);
    assert_int_equal(screen_words_number(begin + length, &begin), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_whole_words_match),
        cmocka_unit_test(numbers_match_separately),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
