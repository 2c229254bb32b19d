#include "runner/doors/command_template.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/child.h"

#define SOON deadline_in_ms(60000)

static struct err err = ERR_INIT;

/* What a shell prints for the command. */
static void assert_prints(const char *template, const char *expected)
{
    struct buf command = BUF_INIT(10000), output = BUF_INIT(1 << 20);
    struct child child = CHILD_INIT;

    command_template_expand(template, &command);
    {
        const char *const arguments[] = {"sh", "-c", buf_cstr(&command), NULL};
        const struct child_command shell = {.arguments = arguments};

        assert_true(child_start(&child, &shell, &err));
    }
    assert_true(child_read_all(&child, SOON, NULL, &output, &err));
    assert_string_equal(buf_cstr(&output), expected);
    child_stop(&child);
    buf_release(&command);
    buf_release(&output);
}

static void a_value_is_one_argument_in_any_quotes(void **state)
{
    (void)state;
    setenv("PROCTOR_INSTRUCTION", "two  words", 1);
    assert_prints("printf '<%s>' {instruction}", "<two  words>");
    assert_prints("printf '<%s>' \"{instruction}\"", "<two  words>");
    assert_prints("printf '<%s>' '{instruction}'", "<two  words>");
    assert_prints("printf '<%s>' \"a {instruction} b\"", "<a two  words b>");
    assert_prints("printf '<%s>' 'a {instruction} b'", "<a two  words b>");
    assert_prints("printf '<%s>' --goal={instruction}", "<--goal=two  words>");
}

static void the_shell_does_not_parse_a_value(void **state)
{
    const char *const values[] = {
        "$(echo no)",
        "`echo no`",
        "a'; echo no; '",
        "a\"; echo no; \"",
        "${HOME}",
        "a\\",
        "*",
        "a\nb",
        "{serial}",
    };
    const char *const templates[] = {
        "printf %s {instruction}",
        "printf %s \"{instruction}\"",
        "printf %s '{instruction}'",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        setenv("PROCTOR_INSTRUCTION", values[i], 1);
        for (size_t j = 0; j < ARRAY_LEN(templates); j++)
            assert_prints(templates[j], values[i]);
    }
}

static void every_place_has_its_variable(void **state)
{
    (void)state;
    setenv("ANDROID_SERIAL", "a b", 1);
    setenv("PROCTOR_TASK", "shop.cheapest", 1);
    setenv("PROCTOR_LANGUAGE", "zh", 1);
    setenv("PROCTOR_TASK_FILE", "/f", 1);
    setenv("PROCTOR_ANSWER", "/a", 1);
    assert_prints("printf '%s,' {serial} {task} {language} {task_file} "
                  "{answer_file}",
                  "a b,shop.cheapest,zh,/f,/a,");
}

static void everything_else_stays(void **state)
{
    (void)state;
    assert_prints("echo {other} \\{serial\\} {", "{other} {serial} {\n");
    assert_prints("echo \"it's\" \\' 'a\"b' \"a\\\"b\"", "it's ' a\"b a\"b\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_one_argument_in_any_quotes),
        cmocka_unit_test(the_shell_does_not_parse_a_value),
        cmocka_unit_test(every_place_has_its_variable),
        cmocka_unit_test(everything_else_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
