#include "adb/services/shell_status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MARKER SHELL_STATUS_MARKER

static void a_status_line_ends_the_output(void **state)
{
    static const struct {
        const char *text;
        bool found;
        struct shell_status status;
    } cases[] = {
        {MARKER "0\n", true, {.status = 0, .size = 19}},
        {"text" MARKER "127\r\n",
         true,
         {.status = 127, .size = 22, .crlf = true}},
        {MARKER "1\n" MARKER "255\n", true, {.status = 255, .size = 21}},
        {MARKER "7\ntext", false, {0}},
        {MARKER "7", false, {0}},
        {MARKER "7\r", false, {0}},
        {MARKER "\n", false, {0}},
        {MARKER "1234\n", false, {0}},
        {MARKER "-1\n", false, {0}},
        {"__proctor_status", false, {0}},
        {"text\n", false, {0}},
        {"", false, {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct shell_status found = {0};
        const char *text = cases[i].text;

        assert_int_equal(shell_status_parse(text, strlen(text), &found),
                         cases[i].found);
        assert_int_equal(found.status, cases[i].status.status);
        assert_int_equal(found.size, cases[i].status.size);
        assert_int_equal(found.crlf, cases[i].status.crlf);
    }
}

/* No byte of the status line is output, whatever the pieces. */
static void every_prefix_of_a_status_line_is_held_back(void **state)
{
    static const char text[] = "a_b__" MARKER "42\r\n";
    const size_t begin = strlen("a_b__");

    (void)state;
    for (size_t length = begin + 1; length <= strlen(text); length++)
        assert_true(shell_status_held(text, length) >= length - begin);
    assert_int_equal(shell_status_held(text, strlen(text)),
                     strlen(text) - begin);
    assert_int_equal(shell_status_held("text", 4), 0);
    assert_int_equal(shell_status_held(MARKER "x", sizeof(MARKER)), 0);
    assert_int_equal(shell_status_held("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_status_line_ends_the_output),
        cmocka_unit_test(every_prefix_of_a_status_line_is_held_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
