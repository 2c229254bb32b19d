#include "base/text.h"

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
    text_copy_clean(clean, sizeof(clean), text, strlen(text));
    assert_string_equal(clean, "a?[31m?b??");
}

static void control_characters_of_unicode_do_too(void **state)
{
    static const char text[] = "a\xc2\x9b"
                               "31m\xc2\x80\xc2\xa0z";
    char clean[32];

    (void)state;
    text_copy_clean(clean, sizeof(clean), text, strlen(text));
    assert_string_equal(clean, "a??31m??\xc2\xa0z");
}

static void other_alphabets_are_left_alone(void **state)
{
    char clean[32];

    (void)state;
    text_copy_clean(clean, sizeof(clean), "手机", strlen("手机"));
    assert_string_equal(clean, "手机");
}

static void long_text_is_cut_to_the_room_there_is(void **state)
{
    char clean[4] = "xyz";

    (void)state;
    text_copy_clean(clean, sizeof(clean), "abcdef", 6);
    assert_string_equal(clean, "abc");
    text_copy_clean(clean, 1, "abcdef", 6);
    assert_string_equal(clean, "");
}

static void a_copy_has_all_of_it(void **state)
{
    char *clean = text_dup_clean("abc\ndef");

    (void)state;
    assert_string_equal(clean, "abc?def");
    free(clean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_become_question_marks),
        cmocka_unit_test(control_characters_of_unicode_do_too),
        cmocka_unit_test(other_alphabets_are_left_alone),
        cmocka_unit_test(long_text_is_cut_to_the_room_there_is),
        cmocka_unit_test(a_copy_has_all_of_it),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
