/* Hostile input: everything ends, and takes little memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/shell/sh_parse.h"
#include "tests/tools/phone/shell/sh_fixture.h"

static struct sh_fixture *shell_with(struct sh_fixture_options options)
{
    return sh_fixture_new(&options);
}

/* before, count times piece, after. */
static char *repeat(const char *before, const char *piece, size_t count,
                    const char *after)
{
    struct buf text = BUF_INIT((size_t)16 << 20);

    buf_text(&text, before);
    for (size_t i = 0; i < count; i++)
        buf_text(&text, piece);
    buf_text(&text, after);
    assert_false(text.overflow);
    return text.data;
}

static void endless_command_is_killed(void **state)
{
    static const char *const texts[] = {
        "while true; do :; done",
        "while :; do while :; do :; done; done",
        "until false; do echo >/dev/null; done",
        "yes >/dev/null",
        "yes | cat >/dev/null",
        "yes | while read x; do :; done",
        "cat /dev/zero >/dev/null",
        "cat /dev/zero | wc -c",
        "seq 2000000000 >/dev/null",
        "head -c 2000000000 /dev/zero >/dev/null",
        "A=$(while :; do :; done)",
        ("x=aaaaaaaaaaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 0; do x=$x$x; done; "
         "case $x in *${x}b) ;; esac"),
        "while :; do (while :; do :; done) | cat; done",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.steps = 5000});
        const char *errors;

        assert_int_equal(sh_fixture_run(fixture, texts[i], NULL, &errors),
                         SH_STATUS_KILLED);
        assert_non_null(strstr(errors, "it never ends"));
        assert_int_equal(sh_fixture_run(fixture, "true", NULL, NULL), 0);
        sh_fixture_free(fixture);
    }
}

static void endless_recursion_cannot_fork(void **state)
{
    static const char *const texts[] = {
        "cd /data/local/tmp; echo 'sh s' >s; sh s",
        "cd /data/local/tmp; echo '. ./s' >s; . ./s",
        "cd /data/local/tmp; echo 'cat s | sh | sh' >s; sh s",
        "cd /data/local/tmp; echo 'echo $(sh s)' >s; sh s",
        "X='eval $X'; eval \"$X\"",
        "X='eval \"$X\" | eval \"$X\"'; eval \"$X\"",
        "X='(eval \"$X\") & eval \"$X\"'; eval \"$X\"",
        ":(){ :|:& };:",
        "f() { f; }; f",
        "f() { echo $(f); }; f",
        "trap 'f' EXIT; f() { (trap f EXIT; f); }; f",
        ("f() { timeout 1 sh -c \"$1\" \"$1\"; }; f 'timeout 9 sh -c \"$0\" "
         "\"$0\"'"),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.steps = 20000});
        const char *errors;

        (void)sh_fixture_run(fixture, texts[i], NULL, &errors);
        if (!strstr(errors, "can't fork") && !strstr(errors, "never ends"))
            fail_msg("%s says \"%s\"", texts[i], errors);
        sh_fixture_free(fixture);
    }
}

static void deep_nesting_is_refused(void **state)
{
    static const struct {
        const char *open;
        const char *middle;
        const char *close;
    } nests[] = {
        {"(", ":", ")"},
        {"{ ", ":;", "} ;"},
        {"if ", ":", ";then :;fi"},
        {"$(", "echo", ")"},
        {"echo $(", "echo", ")"},
        {"\"$(", "echo", ")\""},
        {"while ", ":", ";do break;done"},
        {"case a in a) ", ":", ";;esac"},
        {"f() { ", ":;", "};"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(nests); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.steps = 0});
        char *opened = repeat("", nests[i].open, 5000, nests[i].middle);
        char *text = repeat(opened, nests[i].close, 5000, "");

        assert_int_not_equal(sh_fixture_run(fixture, text, NULL, NULL), 0);
        assert_int_not_equal(sh_fixture_run(fixture, opened, NULL, NULL), 0);
        free(text);
        free(opened);
        sh_fixture_free(fixture);
    }
}

static void many_prefixes_use_bounded_stack(void **state)
{
    static const char *const pieces[] = {
        "nohup ", "env ", "command ", "exec ",       "eval ", "timeout 1 ",
        "xargs ", "! ",   "sh -c ",   "function f ", "f() ",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.steps = 0});
        char *text = repeat("", pieces[i], 10000, "true");

        (void)sh_fixture_run(fixture, text, NULL, NULL);
        if (!sh_fixture_exited(fixture))
            assert_int_equal(sh_fixture_run(fixture, "true", NULL, NULL), 0);
        free(text);
        sh_fixture_free(fixture);
    }
}

static void long_expressions_and_tests_are_bounded(void **state)
{
    static const struct {
        const char *before;
        const char *piece;
        const char *after;
    } texts[] = {
        {"echo $((", "(", "1))"},  {"echo $((", "-", "1))"},
        {"echo $((", "1+", "1))"}, {"test ", "! ", "x"},
        {"test ", "\\( ", "x"},    {"test x", " -a x", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.steps = 0});
        char *text =
            repeat(texts[i].before, texts[i].piece, 4000, texts[i].after);

        (void)sh_fixture_run(fixture, text, NULL, NULL);
        free(text);
        sh_fixture_free(fixture);
    }
}

static void a_line_of_a_megabyte_is_refused(void **state)
{
    struct sh_fixture *fixture =
        shell_with((struct sh_fixture_options){.steps = 0});
    char *text = repeat("echo ", "x", (size_t)1 << 20, "");
    const char *errors;

    (void)state;
    assert_int_equal(sh_fixture_run(fixture, text, NULL, &errors), 1);
    assert_string_equal(errors, "/system/bin/sh: the command is too large\n");
    free(text);
    text = repeat("echo", " x", SH_TEXT_MAX / 2 - 10, "");
    (void)sh_fixture_run(fixture, text, NULL, NULL);
    assert_int_equal(sh_fixture_run(fixture, "true", NULL, NULL), 0);
    free(text);
    sh_fixture_free(fixture);
}

static void doubling_variables_reach_a_limit(void **state)
{
    struct sh_fixture *fixture =
        shell_with((struct sh_fixture_options){.steps = 0});
    const char *errors;

    (void)state;
    assert_int_not_equal(
        sh_fixture_run(fixture, "A=0123456789; while A=$A$A; do :; done; false",
                       NULL, &errors),
        0);
    assert_string_equal(errors, "/system/bin/sh: out of memory\n");
    sh_fixture_free(fixture);
}

static void shells_share_a_memory_limit(void **state)
{
    static const char *const texts[] = {
        "A=$(yes | head -c 100000); echo ${#A}",
        "for a in $(seq 30000); do :; done",
        "echo /*/*/* /*/*/* | sort",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.memory = 24000});

        (void)sh_fixture_run(fixture, texts[i], NULL, NULL);
        assert_int_equal(sh_fixture_run(fixture, "true", NULL, NULL), 0);
        sh_fixture_free(fixture);
    }
}

static void pipeline_beyond_the_limit_cannot_fork(void **state)
{
    struct sh_fixture *fixture =
        shell_with((struct sh_fixture_options){.steps = 0});
    char *text = repeat("echo a", "|cat", 1000, "");
    const char *errors;
    const char *out;

    (void)state;
    assert_int_equal(sh_fixture_run(fixture, text, NULL, &errors), 1);
    assert_string_equal(errors, "/system/bin/sh: can't fork - try again\n");
    free(text);
    text = repeat("echo a", "|cat", 20, "");
    assert_int_equal(sh_fixture_run(fixture, text, &out, NULL), 0);
    assert_string_equal(out, "a\n");
    free(text);
    sh_fixture_free(fixture);
}

static void disconnect_ends_everything(void **state)
{
    static const char *const texts[] = {
        "yes",
        "yes | cat",
        "while :; do echo a; done",
        "yes | while read x; do echo $x; done | cat",
        "echo aaaaaaaaaaaaaaaa; while :; do :; done",
        "seq 100000 | xargs -n 1 echo",
        "echo aaaaaaaaaaaaaaaa; read x </dev/zero",
        "echo aaaaaaaaaaaaaaaa; read x </dev/urandom; cat /dev/urandom",
        "f() { echo a; f2; }; f2() { :; }; while :; do f; done",
        "while :; do case a in b) ;; *) echo a;; esac; done",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.stop_after = 10});

        assert_int_equal(sh_fixture_run(fixture, texts[i], NULL, NULL),
                         SH_STATUS_STOPPED);
        sh_fixture_free(fixture);
    }
}

static void files_are_limited_by_the_phones_storage(void **state)
{
    struct sh_fixture *fixture =
        shell_with((struct sh_fixture_options){.file_bytes = 1 << 20});
    const char *errors;

    (void)state;
    assert_int_equal(sh_fixture_run(fixture, "yes >/sdcard/f", NULL, &errors),
                     1);
    assert_string_equal(errors, "/system/bin/sh: write error: No space left "
                                "on device\n");
    sh_fixture_free(fixture);
}

static void expensive_patterns_are_bounded(void **state)
{
    static const char *const texts[] = {
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | grep -E '(a*)*$'",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | "
        "grep '\\(a*\\)*\\1*\\1*c'",
        "echo a | grep -E '((((.{1,255}){1,255}){1,255}){1,255}){1,255}'",
        "cd /sdcard; touch aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; "
        "echo *a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            shell_with((struct sh_fixture_options){.steps = 0});

        (void)sh_fixture_run(fixture, texts[i], NULL, NULL);
        sh_fixture_free(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_command_is_killed),
        cmocka_unit_test(endless_recursion_cannot_fork),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(many_prefixes_use_bounded_stack),
        cmocka_unit_test(long_expressions_and_tests_are_bounded),
        cmocka_unit_test(a_line_of_a_megabyte_is_refused),
        cmocka_unit_test(doubling_variables_reach_a_limit),
        cmocka_unit_test(shells_share_a_memory_limit),
        cmocka_unit_test(pipeline_beyond_the_limit_cannot_fork),
        cmocka_unit_test(disconnect_ends_everything),
        cmocka_unit_test(files_are_limited_by_the_phones_storage),
        cmocka_unit_test(expensive_patterns_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
