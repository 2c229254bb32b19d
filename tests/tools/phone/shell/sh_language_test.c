/* What scripts use: case, functions, here-documents, traps, options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/shell/sh_fixture.h"

#define TMP "cd /data/local/tmp; "

static void case_runs_the_first_branch_that_matches(void **state)
{
    static const struct sh_example examples[] = {
        {"case abc in a*) echo 1;; *) echo 2;; esac", "1\n"},
        {"case x in a) echo 1;; b|x) echo 2;; *) echo 3;; esac", "2\n"},
        {"case x in (a) echo 1;; (*) echo 2; esac", "2\n"},
        {"case x in a) echo 1;; esac; echo $?", "0\n"},
        {"A='a b'; case $A in 'a b') echo one;; esac", "one\n"},
        {"case '*' in \\*) echo star;; esac; case a in \"*\") echo no;; esac",
         "star\n"},
        {"for f in a.png b.jpg; do\ncase \"$f\" in\n*.png)\n  echo p\n  ;;\n"
         "*.jpg) echo j;;\nesac\ndone",
         "p\nj\n"},
        {"case $(echo a) in [a-c]) echo class;; esac", "class\n"},
        {"case a in a) false;; esac; echo $?", "1\n"},
        {"for i in 1 2 3; do case $i in 2) break;; esac; echo $i; done", "1\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("case a in a echo;; esac", 1,
                    "/system/bin/sh: syntax error: unexpected 'echo'\n");
    assert_sh_fails(";;", 1, "/system/bin/sh: syntax error: unexpected ';;'\n");
}

static void functions_take_arguments_and_return(void **state)
{
    static const struct sh_example examples[] = {
        {"f() { echo \"$1-$2 $#\"; }; f a b", "a-b 2\n"},
        {"f() { return 3; echo no; }; f; echo $?", "3\n"},
        {"f() { X=1; }; f; echo $X", "1\n"},
        {"X=1; f() { local X=2 Y=3; echo $X$Y; }; f; echo $X[$Y]", "23\n1[]\n"},
        {"function f { echo k; }; f", "k\n"},
        {"f() (cd /sdcard; pwd); f; pwd", "/sdcard\n/\n"},
        {"f() { echo $1; shift; [ $# -gt 0 ] && f \"$@\"; }; f a b c",
         "a\nb\nc\n"},
        {"f() { cat; }; echo x | f", "x\n"},
        {"f() { echo out; } >/sdcard/o; f; cat /sdcard/o", "out\n"},
        {"f() { for i; do echo \"<$i>\"; done; }; f 'a b' c", "<a b>\n<c>\n"},
        {"ls() { echo mine; }; ls; command -v ls; unset -f ls; command -v ls",
         "mine\nls\n/system/bin/ls\n"},
        {"f() { :; }; type f; type cd; type ls",
         "f is a function\ncd is a shell builtin\n"
         "ls is a tracked alias for /system/bin/ls\n"},
        {"f() { f() { echo two; }; echo one; }; f; f", "one\ntwo\n"},
        {"f() { while true; do return 5; done; }; f; echo $?", "5\n"},
        {"(f() { echo sub; }; f); f 2>/dev/null; echo $?", "sub\n127\n"},
        {TMP "echo 'f() { echo lib; }; return 4; echo no' >l; . ./l; "
             "echo $?; f",
         "4\nlib\n"},
        {"f() { set -- x y; echo $*; }; set -- a b c; f; echo $* $#",
         "x y\na b c 3\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void here_documents_are_inputs(void **state)
{
    static const struct sh_example examples[] = {
        {"A=1\ncat <<E\na $A $(echo b)\n\"q\" \\$A\nE\necho c",
         "a 1 b\n\"q\" $A\nc\n"},
        {"cat <<'E'\n$A `x`\nE", "$A `x`\n"},
        {"cat <<-E\n\ta\n\t\tb\n\tE", "a\nb\n"},
        {"cat <<E | tr a-z A-Z\nabc\nE", "ABC\n"},
        {"while read l; do echo \"<$l>\"; done <<E\na\nb\nE", "<a>\n<b>\n"},
        {"cat <<<'a b'", "a b\n"},
        {"cat <<E\nE", ""},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("sh -c 'cat <<E\na'", 1,
                    "sh: here document 'E' unclosed\n");
}

static void double_brackets_match_patterns(void **state)
{
    static const struct sh_example examples[] = {
        {"x='a b'; [[ $x == a* ]] && echo yes; [[ $x = 'a*' ]] || echo no",
         "yes\nno\n"},
        {"[[ -d /sdcard && ! -e /nope ]] && echo both", "both\n"},
        {"[[ -z $nothing || 1 -gt 2 ]] && echo either", "either\n"},
        {"[[ a < b && ( 1 -lt 2 ) ]]; echo $?; [[ b != [a-c] ]]; echo $?",
         "0\n1\n"},
        {"if [[ abc == *b* ]]; then echo in; fi", "in\n"},
        {"p='a*'; [[ abc == $p ]] && echo y; [[ abc == \"$p\" ]] || echo n",
         "y\nn\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("[[ ]]", 1,
                    "/system/bin/sh: syntax error: unexpected ']]'\n");
}

static void expansions_cut_and_replace_values(void **state)
{
    static const struct sh_example examples[] = {
        {"x=hello; echo ${x:1:3} ${x:2} ${x: -3} ${x:0:-1} [${x:9}]",
         "ell llo llo hell []\n"},
        {"x=hello; n=1; echo ${x:n:n+1}", "el\n"},
        {"x=12345678; echo ${x:x=2} $x", "345678 2\n"},
        {"x=12345678; echo ${x/$((x=1))/-} ${x#$((x=3))} $x", "-2345678 1 3\n"},
        {"x=a.b.c; echo ${x/./-} ${x//./-} ${x//./} ${x/z/y}",
         "a-b.c a-b-c abc a.b.c\n"},
        {"x=foobar; echo ${x/o*b/X} ${x//[ao]/_}", "fXar f__b_r\n"},
        {"echo $'it\\'s\\x21' \"$'\"", "it's! $'\n"},
        {"echo a$'\\t'b $'\\u00e9' $''c", "a\tb é c\n"},
        {"x=; echo \"<${x:-d}> <${x:+e}>\"", "<d> <>\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void arithmetic_sets_variables(void **state)
{
    static const struct sh_example examples[] = {
        {"i=5; echo $((i++)) $((++i)) $i $((i--)) $((--i))", "5 7 7 7 5\n"},
        {"echo $((x = 3)) $((x += 4)) $((x *= 2)) $((x <<= 1)) $x",
         "3 7 14 28 28\n"},
        {"echo $((1 ? 2 : 3)) $((0 ? 2 : 3)) $((0 ? 1/0 : 4))", "2 3 4\n"},
        {"x=1; echo $((0 && (x = 9))) $((1 || (x = 9))) $x", "0 1 1\n"},
        {"i=0; while ((i < 3)); do echo $i; ((i++)); done", "0\n1\n2\n"},
        {"((0)); echo $?; ((2 > 1)) && echo yes; let a=2+3 a*=2; echo $a",
         "1\nyes\n10\n"},
        {"( (echo sub) ); echo $(( (1 + 2) * 3 ))", "sub\n9\n"},
        {"echo $((- -3)) $((2 - -1)) $((1 - 1)) $((3 == 3)) $((3 <= 2))",
         "3 3 0 1 0\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("x=abc; echo $((++x))", 1,
                    "/system/bin/sh: ++x: abc: bad number\n");
    assert_sh_fails("((1 / 0))", 2, "/system/bin/sh: 1 / 0: zero divisor\n");
}

static void traps_run_on_signals_and_exit(void **state)
{
    static const struct sh_example examples[] = {
        {"sh -c 'trap \"echo bye\" EXIT; echo hi'", "hi\nbye\n"},
        {"sh -c 'trap \"echo bye\" 0; exit 3'; echo $?", "bye\n3\n"},
        {"sh -c 'trap \"exit 7\" EXIT; exit 3'; echo $?", "7\n"},
        {"(trap 'echo bye' EXIT; echo hi); echo on", "hi\nbye\non\n"},
        {"sh -c 'trap \"echo got\" TERM; kill $$; echo on'", "got\non\n"},
        {"sh -c 'trap \"echo got; exit 2\" INT; kill -INT $$; echo no'; "
         "echo $?",
         "got\n2\n"},
        {"sh -c 'trap \"\" HUP; kill -1 $$; echo on'", "on\n"},
        {"trap 'echo a' INT; trap; trap - INT; trap", "trap -- 'echo a' INT\n"},
        {"sh -c 'trap \"echo x\" KILL; kill -9 $$; echo no'; echo $?", "137\n"},
        {"sh -c 'trap \"echo bye\" EXIT; kill $$'; echo $?", "143\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("trap x NOSUCH", 1,
                    "/system/bin/sh: trap: NOSUCH: bad signal\n");
}

static void disconnect_is_a_hangup_signal(void **state)
{
    struct sh_fixture *fixture =
        sh_fixture_new(&(struct sh_fixture_options){.stop_after = 4});
    const char *script =
        "trap 'echo HUP > /sdcard/log; exit 5' HUP; echo Waiting; "
        "while :; do :; done";
    struct shared_bytes *log;
    int number;

    (void)state;
    assert_int_equal(sh_fixture_run(fixture, script, NULL, NULL), 5);
    assert_true(files_open(sh_fixture_handset(fixture)->files, "/sdcard/log",
                           &log, &number));
    assert_int_equal(log->size, 4);
    assert_memory_equal(log->data, "HUP\n", 4);
    shared_bytes_drop(log);
    sh_fixture_free(fixture);
}

static void set_options_change_error_handling(void **state)
{
    static const struct sh_example examples[] = {
        {"sh -c 'set -e; false; echo no'; echo $?", "1\n"},
        {"sh -c 'set -e; if false; then :; fi; false || true; ! true; "
         "while false; do :; done; echo on'",
         "on\n"},
        {"sh -c 'set -e; set +e; false; echo on'", "on\n"},
        {"sh -c 'set -u; echo ${nosuch-x} ${nosuch:+y}; echo on'", "x\non\n"},
        {"set a b; echo $1 $2 $#; shift; echo $1; set --; echo $#",
         "a b 2\nb\n0\n"},
        {"set -- -n x; printf '%s\\n' \"$1\"", "-n\n"},
        {"set -eu; echo $-", "eu\n"},
        {"set a 'b c'; (set x; echo $1); echo $2; echo $1 | cat",
         "x\nb c\na\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("set -u; echo $nosuch; echo no", 1,
                    "/system/bin/sh: nosuch: parameter not set\n");
    assert_sh_fails("set -x; echo a >/dev/null; A=1", 0, "+ echo a\n");
    assert_sh_fails("set -q", 1, "/system/bin/sh: set: -q: unknown option\n");
    assert_sh_fails(": ${nosuch:?is needed}; echo no", 1,
                    "/system/bin/sh: nosuch: is needed\n");
}

static void error_messages_are_those_of_android(void **state)
{
    (void)state;
    assert_sh_fails("sh -c 'if then fi'", 1,
                    "sh: syntax error: unexpected 'fi'\n");
    assert_sh_fails("sh -c \"echo 'a\"", 1, "sh: no closing quote\n");
    assert_sh_fails("sh -c 'echo )'", 1, "sh: syntax error: unexpected ')'\n");
    assert_sh_fails("echo $((1/0)); echo no", 1,
                    "/system/bin/sh: 1/0: zero divisor\n");
    assert_sh_fails("kill -9 $$", 137, "");
    assert_sh_fails("kill 999999", 1,
                    "/system/bin/sh: kill: 999999: No such process\n");
    assert_sh_fails("kill 743", 1,
                    "/system/bin/sh: kill: 743: Operation not permitted\n");
    assert_sh_fails("timeout 1 sleep 3", 124, "");
    assert_sh_fails("sleep x", 1, "sleep: Not a number 'x'\n");
}

static void timeout_ends_its_command(void **state)
{
    static const struct sh_example examples[] = {
        {"timeout 1 sleep 3; date +%S", "01\n"},
        {"timeout 5 sleep 3; echo $?; date +%S", "0\n03\n"},
        {"timeout 2 sh -c 'while :; do sleep 0.5; echo a; done' | wc -l; "
         "date +%S",
         "3\n02\n"},
        {"timeout 2 sh -c 'timeout 1 sleep 9; echo $?; sleep 9; echo no'; "
         "echo $?",
         "124\n124\n"},
        {"timeout -k 1 -s KILL 1 sleep 2; echo $?", "124\n"},
        {"timeout 0.05 logcat >/dev/null; echo $?", "124\n"},
        {"timeout 1 false; echo $?", "1\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void test_t_recognizes_a_terminal(void **state)
{
    static const struct {
        const char *text;
        bool terminal;
        int status;
    } cases[] = {
        {"[ -t 0 ]", true, 0},         {"[ -t 0 ]", false, 1},
        {"[ -t 1 ]", true, 0},         {"[ -t 0 ] </dev/null", true, 1},
        {"echo | [ -t 0 ]", true, 1},  {"[ -t 1 ] >/sdcard/f", true, 1},
        {"test -t 2", true, 0},        {"test -t 9", true, 1},
        {"sh -c '[ -t 0 ]'", true, 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct sh_fixture *fixture = sh_fixture_new(
            &(struct sh_fixture_options){.terminal = cases[i].terminal});

        if (sh_fixture_run(fixture, cases[i].text, NULL, NULL) !=
            cases[i].status)
            fail_msg("%s does not end with %d", cases[i].text, cases[i].status);
        sh_fixture_free(fixture);
    }
}

static void every_shell_has_its_process_id(void **state)
{
    static const struct sh_example examples[] = {
        {"(echo $$) | grep -cx $$; sh -c 'echo $$' | grep -cx $$", "1\n0\n"},
        {"ps $$ | grep -c $$", "1\n"},
        {"ps 31999 | grep 31999; echo $?", "1\n"},
        {"true & wait $!; echo $?; A=$!; (exit 4) & wait $!; echo $?; "
         "[ $A != $! ]; echo $?",
         "0\n4\n0\n"},
        {"kill $! 2>/dev/null; true & kill $! 2>/dev/null; echo $?", "1\n"},
        {"ps -o PID,NAME -p $$ | sed s/$$/N/", "PID NAME\nN sh\n"},
        {"ps -A | grep -c ' sh$'", "1\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void processes_are_found_and_killed_by_name(void **state)
{
    static const struct sh_example examples[] = {
        {"pgrep adbd; pgrep -x sh | grep -cx $$; pgrep -l zygote",
         "521\n1\n398 zygote64\n"},
        {"pgrep nothing; echo $?", "1\n"},
        {"pgrep -u radio ''", "1187\n"},
        {"sh -c 'pkill -9 -x nothing; echo $?'", "1\n"},
        {"P=$$ sh -c 'trap \"echo got\" TERM; pkill -P $P sh; echo on'",
         "got\non\n"},
        {"top -b -n 1 | grep -c adbd; top -n 1 -m 2 | wc -l", "1\n7\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
    assert_sh_fails("killall nothing", 1,
                    "killall: nothing: No such process\n");
    assert_sh_fails("pkill surfaceflinger", 1,
                    "pkill: bad kill(412): Operation not permitted\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_runs_the_first_branch_that_matches),
        cmocka_unit_test(functions_take_arguments_and_return),
        cmocka_unit_test(here_documents_are_inputs),
        cmocka_unit_test(double_brackets_match_patterns),
        cmocka_unit_test(expansions_cut_and_replace_values),
        cmocka_unit_test(arithmetic_sets_variables),
        cmocka_unit_test(traps_run_on_signals_and_exit),
        cmocka_unit_test(disconnect_is_a_hangup_signal),
        cmocka_unit_test(set_options_change_error_handling),
        cmocka_unit_test(error_messages_are_those_of_android),
        cmocka_unit_test(timeout_ends_its_command),
        cmocka_unit_test(test_t_recognizes_a_terminal),
        cmocka_unit_test(every_shell_has_its_process_id),
        cmocka_unit_test(processes_are_found_and_killed_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
