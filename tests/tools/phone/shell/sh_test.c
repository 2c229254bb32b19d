/* The shell's language, tested by its output. */
#include "tools/phone/shell/sh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tests/tools/phone/shell/sh_fixture.h"

static void quotes_keep_words_together(void **state)
{
    static const struct sh_example examples[] = {
        {"echo a   b", "a b\n"},
        {"echo 'a   b'", "a   b\n"},
        {"echo \"a   b\"", "a   b\n"},
        {"echo a\\ \\ b", "a  b\n"},
        {"echo 'it'\\''s'", "it's\n"},
        {"echo \"a\"'b'c", "abc\n"},
        {"A='x  y'; echo $A; echo \"$A\"; echo '$A'", "x y\nx  y\n$A\n"},
        {"printf '%s|' '' \"\" a", "||a|"},
        {"echo \"\\$HOME \\\"q\\\" \\a\" | cat", "$HOME \"q\" \a\n"},
        {"echo a#b # a comment; echo no", "a#b\n"},
        {"echo one \\\ntwo", "one two\n"},
        {"A=$(seq 2000); [ \"$A*\" = \"$(seq 2000)*\" ] && echo equal",
         "equal\n"},
        {"", ""},
        {"  # nothing", ""},
        {"\n\n", ""},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void lists_depend_on_the_status(void **state)
{
    static const struct sh_example examples[] = {
        {"echo a; echo b", "a\nb\n"},
        {"true && echo yes", "yes\n"},
        {"false && echo no; echo $?", "1\n"},
        {"false || echo yes", "yes\n"},
        {"true || echo no && echo yes", "yes\n"},
        {"false && echo no || echo else", "else\n"},
        {"! false && echo yes", "yes\n"},
        {"echo a &&\necho b", "a\nb\n"},
        {"echo a & echo b", "a\nb\n"},
        {"false & echo $?", "0\n"},
        {"false && echo no & echo b", "b\n"},
        {"{ echo a; echo b; } | wc -l", "2\n"},
        {"(A=1; echo $A); echo [$A]", "1\n[]\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void variables_are_kept_and_exported(void **state)
{
    static const struct sh_example examples[] = {
        {"A=1; B=$A$A; echo $B ${B}x", "11 11x\n"},
        {"A=1 env | grep ^A=", "A=1\n"},
        {"A=1 true; echo [$A]", "[]\n"},
        {"A=1; env | grep -c ^A=", "0\n"},
        {"export A=1; env | grep ^A=", "A=1\n"},
        {"A=1; unset A; echo [$A]", "[]\n"},
        {"echo ${A:-none} ${A:=set} $A ${A:+other}", "none set set other\n"},
        {"A=; echo [${A-x}] [${A:-x}] ${#A}", "[] [x] 0\n"},
        {"F=/sdcard/a.tar.gz; echo ${F##*/} ${F#*/} ${F%.*} ${F%%.*}",
         "a.tar.gz sdcard/a.tar.gz /sdcard/a.tar /sdcard/a\n"},
        {"echo $((6 * 7)) $((1 + 2 * 3)) $(((1 + 2) * 3)) $((7 % 4))",
         "42 7 9 3\n"},
        {"i=5; i=$((i - 1)); echo $i $((i << 2)) $((-i)) $((i >= 4 && i != 5))",
         "4 16 -4 1\n"},
        {"echo $((2147483647 + 1)) $((0x10))", "-2147483648 16\n"},
        {"echo a b | while read x y; do echo $y $x; done", "b a\n"},
        {"echo 'x  y z' | read a b; echo \"$a|$b\"", "x|y z\n"},
        {"sh -c 'echo $0 $1 $#' me one two", "me one 2\n"},
        {"sh -c 'for a in \"$@\"; do echo \"<$a>\"; done' me 'a b' c",
         "<a b>\n<c>\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void command_substitution_inserts_output(void **state)
{
    static const struct sh_example examples[] = {
        {"echo $(echo a; echo b)", "a b\n"},
        {"echo \"$(echo a; echo b)\"", "a\nb\n"},
        {"echo `echo a` \"`echo 'b  c'`\"", "a b  c\n"},
        {"echo $(echo $(echo $(echo deep)))", "deep\n"},
        {"A=$(false); echo $?", "1\n"},
        {"A=$(exit 3); echo $?", "3\n"},
        {"echo \"$(echo \")\")\"", ")\n"},
        {"eval 'A=1; echo $A'", "1\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void pipes_join_commands(void **state)
{
    static const struct sh_example examples[] = {
        {"echo a | cat", "a\n"},
        {"printf 'b\\na\\n' | sort | head -n 1", "a\n"},
        {"yes | head -n 2", "y\ny\n"},
        {"yes | head -n 100000 | wc -l", "100000\n"},
        {"true | false; echo $?", "1\n"},
        {"false | true; echo $?", "0\n"},
        {"! true | false; echo $?", "0\n"},
        {"seq 3 | while read i; do echo $i $i; done | tail -n 1", "3 3\n"},
        {"cat nothing 2>/dev/null | wc -c", "0\n"},
        {"echo a |\ncat", "a\n"},
        {"(echo a; echo b >&2) 2>&1 | sort -r", "b\na\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void redirections_use_the_phones_files(void **state)
{
    static const struct sh_example examples[] = {
        {"cd /sdcard; echo a >f; echo b >>f; cat <f", "a\nb\n"},
        {"cd /sdcard; echo a >f; >f; cat f; echo -", "-\n"},
        {"echo a >/dev/null", ""},
        {"cat nothing 2>&1", "cat: nothing: No such file or directory\n"},
        {"cat nothing >/sdcard/e 2>&1; cat /sdcard/e",
         "cat: nothing: No such file or directory\n"},
        {"cd /sdcard; { echo a; echo b; } >f; cat f", "a\nb\n"},
        {"cd /sdcard; for i in 1 2; do echo $i; done >f; cat f", "1\n2\n"},
        {"echo out >&1; echo tty >/dev/tty", "out\ntty\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void patterns_match_files(void **state)
{
    static const struct sh_example examples[] = {
        {"cd /data/local/tmp; touch b.txt a.txt c; echo *.txt",
         "a.txt b.txt\n"},
        {"cd /data/local/tmp; touch a; echo '*' \\* \"*\" x*", "* * * x*\n"},
        {"cd /data/local/tmp; mkdir d; touch d/1 d/2; echo d/[12] */2",
         "d/1 d/2 d/2\n"},
        {"cd /data/local/tmp; touch .h v; echo *", "v\n"},
        {"cd /data/local/tmp; touch 'a b'; for f in *; do echo \"$f\"; done",
         "a b\n"},
        {"A='*'; cd /data/local/tmp; touch z; echo $A \"$A\"", "z *\n"},
        {"cd /; echo /sys*m", "/system\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void conditions_and_loops_run(void **state)
{
    static const struct sh_example examples[] = {
        {"if true; then echo a; else echo b; fi", "a\n"},
        {"if false; then echo a; elif true; then echo c; else echo b; fi",
         "c\n"},
        {"if false; then echo a; fi; echo $?", "0\n"},
        {"for i in 1 2 3; do echo $i; done", "1\n2\n3\n"},
        {"for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", "1\n3\n"},
        {"for i in 1 2 3; do [ $i = 2 ] && break; echo $i; done", "1\n"},
        {"for i in 1 2; do for j in a b; do break 2; done; done; echo $i$j",
         "1a\n"},
        {"i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i", "3\n"},
        {"i=0; until [ $i -ge 3 ]; do i=$((i+1)); done; echo $i", "3\n"},
        {"for i in; do echo no; done; echo ok", "ok\n"},
        {"for i in a\ndo\n  echo $i\ndone", "a\n"},
        {"if [ -d /sdcard ] && [ ! -e /sdcard/x ]; then echo ok; fi", "ok\n"},
        {"[ a = a -a 1 -lt 2 ] && [ ! \\( a = b -o 2 -gt 3 \\) ] && echo ok",
         "ok\n"},
        {"while true; do exit 4; done; echo no", ""},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void directories_are_changed(void **state)
{
    static const struct sh_example examples[] = {
        {"pwd", "/\n"},
        {"cd /sdcard; pwd; cd ..; pwd", "/sdcard\n/\n"},
        {"cd /data/local/./tmp/../tmp; pwd; cd -; pwd", "/data/local/tmp\n/\n"},
        {"(cd /sdcard); pwd", "/\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void errors_have_the_messages_of_android(void **state)
{
    (void)state;
    assert_sh_fails("foo", 127,
                    "/system/bin/sh: foo: inaccessible or not found\n");
    assert_sh_fails("/bin/foo", 127,
                    "/system/bin/sh: /bin/foo: inaccessible or not found\n");
    assert_sh_fails("cd /nope", 2,
                    "/system/bin/sh: cd: /nope: No such file or directory\n");
    assert_sh_fails("cat </nope", 1,
                    "/system/bin/sh: can't open /nope: No such file or "
                    "directory\n");
    assert_sh_fails("echo >/system/x", 1,
                    "/system/bin/sh: can't create /system/x: Read-only file "
                    "system\n");
    assert_sh_fails("echo a; )", 1,
                    "/system/bin/sh: syntax error: unexpected ')'\n");
    assert_sh_fails("echo || ; echo", 1,
                    "/system/bin/sh: syntax error: unexpected ';'\n");
    assert_sh_fails("done", 1,
                    "/system/bin/sh: syntax error: unexpected 'done'\n");
    assert_sh_fails("echo ${}", 1, "/system/bin/sh: bad substitution\n");
    assert_sh_fails("echo $((1 / 0))", 1,
                    "/system/bin/sh: 1 / 0: zero divisor\n");
    assert_sh_fails("[ a", 2, "/system/bin/sh: [: missing ]\n");
    assert_sh_fails("exit 7", 7, "");
    assert_sh_fails("exit 256", 0, "");
    assert_sh_fails("cat <&5", 1, "/system/bin/sh: 5: bad file descriptor\n");
}

static void incomplete_text_is_recognized(void **state)
{
    static const char *const texts[] = {
        "if true", "for i in a; do", "echo 'a",  "echo \"a",
        "echo $(", "while true",     "echo a |", "true &&",
        "{ echo",  "( echo",         "echo \\",  "echo `a",
    };
    struct sh_fixture *fixture =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    const char *errors;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_int_equal(sh_fixture_run(fixture, texts[i], NULL, &errors),
                         SH_FIXTURE_INCOMPLETE);
        assert_string_equal(errors, "");
    }
    sh_fixture_free(fixture);
}

static void state_is_kept_between_lines(void **state)
{
    struct sh_fixture *fixture =
        sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
    const char *out;

    (void)state;
    assert_int_equal(sh_fixture_run(fixture, "A=1; cd /sdcard", NULL, NULL), 0);
    assert_int_equal(sh_fixture_run(fixture, "false", NULL, NULL), 1);
    assert_int_equal(sh_fixture_run(fixture, "echo $? $A; pwd", &out, NULL), 0);
    assert_string_equal(out, "1 1\n/sdcard\n");
    assert_false(sh_fixture_exited(fixture));
    assert_int_equal(sh_fixture_run(fixture, "exit 5", NULL, NULL), 5);
    assert_true(sh_fixture_exited(fixture));
    sh_fixture_free(fixture);
}

static void scripts_are_run_from_files(void **state)
{
    (void)state;
    assert_sh("cd /data/local/tmp; printf 'echo hi $1\\nexit 3\\n' >s; "
              "sh s you; echo $?; chmod 755 s; ./s me; echo $?",
              "hi you\n3\nhi me\n3\n");
    assert_sh_fails("cd /data/local/tmp; echo >s; ./s", 126,
                    "/system/bin/sh: ./s: can't execute: Permission denied\n");
    assert_sh_fails("/sdcard", 126,
                    "/system/bin/sh: /sdcard: can't execute: Is a directory\n");
}

static void input_is_shared_between_commands(void **state)
{
    (void)state;
    assert_sh_input("cat", "in\n", "in\n");
    assert_sh_input("read a; cat", "one\ntwo\n", "two\n");
    assert_sh_input("cat | tr a-z A-Z", "abc", "ABC");
    assert_sh_input("cat & cat", "abc", "abc");
    assert_sh_input("while read l; do echo \"<$l>\"; done", "a\nb\n",
                    "<a>\n<b>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_keep_words_together),
        cmocka_unit_test(lists_depend_on_the_status),
        cmocka_unit_test(variables_are_kept_and_exported),
        cmocka_unit_test(command_substitution_inserts_output),
        cmocka_unit_test(pipes_join_commands),
        cmocka_unit_test(redirections_use_the_phones_files),
        cmocka_unit_test(patterns_match_files),
        cmocka_unit_test(conditions_and_loops_run),
        cmocka_unit_test(directories_are_changed),
        cmocka_unit_test(errors_have_the_messages_of_android),
        cmocka_unit_test(incomplete_text_is_recognized),
        cmocka_unit_test(state_is_kept_between_lines),
        cmocka_unit_test(scripts_are_run_from_files),
        cmocka_unit_test(input_is_shared_between_commands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
