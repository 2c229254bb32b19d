#include "base/clean_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void control_characters_become_question_marks(void **state)
{
    static const char text[] = "a\x1b[31m\tb\x7f\n";
    char clean[32];

    (void)state;
    clean_text_copy(clean, sizeof(clean), text, strlen(text));
    assert_string_equal(clean, "a?[31m?b??");
}

static void unicode_control_characters_become_question_marks(void **state)
{
    static const char text[] = "a\xc2\x9b"
                               "31m\xc2\x80\xc2\xa0z";
    char clean[32];

    (void)state;
    clean_text_copy(clean, sizeof(clean), text, strlen(text));
    assert_string_equal(clean, "a??31m??\xc2\xa0z");
}

static void bidi_controls_become_question_marks(void **state)
{
    static const char text[] = "a\u202Eb\u202Ac\u2066d\u2069e\u2065";
    char clean[32];

    (void)state;
    clean_text_copy(clean, sizeof(clean), text, strlen(text));
    assert_string_equal(clean, "a???b???c???d???e\u2065");
}

static void invalid_utf8_becomes_question_marks(void **state)
{
    static const char text[] = "a\x9b"
                               "31m\xff\xe2\x80";
    char clean[32];

    (void)state;
    clean_text_copy(clean, sizeof(clean), text, strlen(text));
    assert_string_equal(clean, "a?31m???");
}

static void other_scripts_are_unchanged(void **state)
{
    char clean[32];

    (void)state;
    clean_text_copy(clean, sizeof(clean), "手机", strlen("手机"));
    assert_string_equal(clean, "手机");
}

static void long_text_is_cut_to_the_buffer(void **state)
{
    char clean[4] = "xyz";

    (void)state;
    clean_text_copy(clean, sizeof(clean), "abcdef", 6);
    assert_string_equal(clean, "abc");
    clean_text_copy(clean, 1, "abcdef", 6);
    assert_string_equal(clean, "");
    clean_text_copy(clean, sizeof(clean), "a手", 4);
    assert_string_equal(clean, "a");
}

static void allocated_copy_has_the_whole_text(void **state)
{
    char *clean = clean_text_dup("abc\ndef");

    (void)state;
    assert_string_equal(clean, "abc?def");
    free(clean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_question_marks),
        cmocka_unit_test(unicode_control_characters_become_question_marks),
        cmocka_unit_test(bidi_controls_become_question_marks),
        cmocka_unit_test(invalid_utf8_becomes_question_marks),
        cmocka_unit_test(other_scripts_are_unchanged),
        cmocka_unit_test(long_text_is_cut_to_the_buffer),
        cmocka_unit_test(allocated_copy_has_the_whole_text),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
