/* sed, as toybox has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/shell/sh_fixture.h"

#define TMP "cd /data/local/tmp; "

static void text_is_substituted(void **state)
{
    static const struct sh_example examples[] = {
        {"echo hello | sed s/l/L/", "heLlo\n"},
        {"echo hello | sed s/l/L/g", "heLLo\n"},
        {"echo hello | sed s/l/L/2", "helLo\n"},
        {"echo aaaa | sed s/a/b/2g", "abbb\n"},
        {"echo HeLLo | sed s/l/x/gi", "Hexxo\n"},
        {"echo a/b | sed 's|/|:|'", "a:b\n"},
        {"echo a/b | sed 's/\\//:/'", "a:b\n"},
        {"echo a/b | sed 's/[/]/:/'", "a:b\n"},
        {"echo key=val | sed 's/\\(.*\\)=\\(.*\\)/\\2=\\1/'", "val=key\n"},
        {"echo key=val | sed -E 's/(.*)=(.*)/[&] \\2/'", "[key=val] val\n"},
        {"echo abc | sed 's/b*/x/g'", "xaxcx\n"},
        {"echo abc | sed 's/x*$/!/'", "abc!\n"},
        {"echo a.b | sed 's/\\./\\n/'", "a\nb\n"},
        {"echo ab | sed 's/a/\\&/; s/b/x\\ty/'", "&x\ty\n"},
        {"echo abc | sed 's/^//; s/$/;/'", "abc;\n"},
        {"echo a | sed -n s/a/b/p", "b\n"},
        {"echo abc | sed y/abc/xyz/", "xyz\n"},
        {"echo hello world | sed -e s/hello/bye/ -e s/world/all/", "bye all\n"},
        {"echo package:com.a | sed 's/^package://'", "com.a\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void addresses_select_lines(void **state)
{
    static const struct sh_example examples[] = {
        {"seq 5 | sed -n 2p", "2\n"},
        {"seq 5 | sed -n 2,4p", "2\n3\n4\n"},
        {"seq 5 | sed -n '$p'", "5\n"},
        {"seq 5 | sed 1d", "2\n3\n4\n5\n"},
        {"seq 5 | sed '2,$d'", "1\n"},
        {"seq 5 | sed -n '/3/,$p'", "3\n4\n5\n"},
        {"seq 9 | sed -n '/2/,/4/p'", "2\n3\n4\n"},
        {"seq 5 | sed -n '2!p'", "1\n3\n4\n5\n"},
        {"seq 6 | sed -n '0~2p'", "2\n4\n6\n"},
        {"seq 6 | sed -n '2,+2p'", "2\n3\n4\n"},
        {"seq 5 | sed -n '4,2p'", "4\n"},
        {"seq 3 | sed 2q", "1\n2\n"},
        {"seq 3 | sed q5; echo $?", "1\n5\n"},
        {"seq 3 | sed -n '$='", "3\n"},
        {"printf 'a\\n\\nb\\n' | sed '/^$/d'", "a\nb\n"},
        {TMP "seq 2 >a; seq 3 4 >b; sed -n '$p' a b; sed -sn '$p' a b",
         "4\n2\n4\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void scripts_have_blocks_jumps_and_a_hold_space(void **state)
{
    static const struct sh_example examples[] = {
        {"seq 4 | sed -n '2{p;p}'", "2\n2\n"},
        {"seq 4 | sed '2,3{/3/d;s/2/two/}'", "1\ntwo\n4\n"},
        {"seq 3 | sed ':a;N;$!ba;s/\\n/,/g'", "1,2,3\n"},
        {"seq 3 | sed -n '1!G;h;$p'", "3\n2\n1\n"},
        {"echo aaa | sed ':x; s/a/b/; tx'", "bbb\n"},
        {"seq 2 | sed '1a\\\nx'", "1\nx\n2\n"},
        {"seq 2 | sed '1i x'", "x\n1\n2\n"},
        {"seq 3 | sed '2c two'", "1\ntwo\n3\n"},
        {"seq 4 | sed 'N;s/\\n/-/'", "1-2\n3-4\n"},
        {"seq 4 | sed -n 'n;p'", "2\n4\n"},
        {"seq 2 | sed 'x;p;x' | head -n 2", "\n1\n"},
        {"printf 'a\\nb\\n' | sed 'N;P;D'", "a\nb\n"},
        {TMP "echo a >f; sed -i s/a/b/ f; cat f", "b\n"},
        {TMP "echo a >f; sed -i.old s/a/b/ f; cat f f.old", "b\na\n"},
        {TMP "echo s/a/b/ >s; echo a | sed -f s", "b\n"},
        {"echo a | sed '# nothing\n\ns/a/b/ # yes'", "b\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void errors_are_reported(void **state)
{
    (void)state;
    assert_sh_fails("sed", 1, "sed: no pattern\n");
    assert_sh_fails("echo a | sed k", 1, "sed: bad pattern ''\n");
    assert_sh_fails("echo a | sed s/a", 1, "sed: no '/'\n");
    assert_sh_fails("echo a | sed '{p'", 1, "sed: unclosed '{'\n");
    assert_sh_fails("echo a | sed '}'", 1, "sed: unexpected '}'\n");
    assert_sh_fails("echo a | sed bx", 1, "sed: no label 'x'\n");
    assert_sh_fails("sed p /nope", 1,
                    "sed: /nope: No such file or directory\n");
}

static void endless_script_is_stopped(void **state)
{
    static const char *const texts[] = {
        "echo a | sed ':a; ba'",
        "echo a | sed ':a; s/$/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/; ba'",
        "echo a | sed ':a; H; G; ba'",
        "yes | sed -n p",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            sh_fixture_new(&(struct sh_fixture_options){.steps = 20000});

        assert_int_not_equal(sh_fixture_run(fixture, texts[i], NULL, NULL), 0);
        sh_fixture_free(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_substituted),
        cmocka_unit_test(addresses_select_lines),
        cmocka_unit_test(scripts_have_blocks_jumps_and_a_hold_space),
        cmocka_unit_test(errors_are_reported),
        cmocka_unit_test(endless_script_is_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
