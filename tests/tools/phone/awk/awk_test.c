/* awk, with one-liners and short scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "tests/tools/phone/shell/sh_fixture.h"

#define TMP "cd /data/local/tmp; "

static void lines_are_split_into_fields(void **state)
{
    static const struct sh_example examples[] = {
        {"echo a b c | awk '{print $2}'", "b\n"},
        {"echo a b c | awk '{print $NF, NF, $(NF-1)}'", "c 3 b\n"},
        {"echo '  a   b ' | awk '{print $1 \"-\" $2}'", "a-b\n"},
        {"echo a:b:c | awk -F: '{print $3}'", "c\n"},
        {"echo a::c | awk -F: '{print NF, \"[\" $2 \"]\"}'", "3 []\n"},
        {"echo 'a, b;c' | awk -F'[,;] *' '{print $1 $2 $3}'", "abc\n"},
        {"echo 'a=1|b' | awk -F'|' '{print $1}'", "a=1\n"},
        {"printf 'a\\tb c\\n' | awk -F'\\t' '{print $2}'", "b c\n"},
        {"echo a b c | awk '{$2 = \"X\"; print; print NF}'", "a X c\n3\n"},
        {"echo a b | awk '{$5 = \"e\"; print}'", "a b   e\n"},
        {"echo a b c | awk '{NF = 2; print $0}'", "a b\n"},
        {"echo a b | awk 'BEGIN {OFS = \"-\"} {$1 = $1; print}'", "a-b\n"},
        {"echo a b | awk '{$0 = \"x y z\"; print $3}'", "z\n"},
        {"echo abc | awk 'BEGIN {FS = \"\"} {print $2}'", "b\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void rules_choose_lines(void **state)
{
    static const struct sh_example examples[] = {
        {"seq 5 | awk 'NR == 2'", "2\n"},
        {"seq 5 | awk '/[24]/'", "2\n4\n"},
        {"seq 5 | awk '!/3/ && NR > 1 {print}'", "2\n4\n5\n"},
        {"seq 9 | awk '/3/,/5/'", "3\n4\n5\n"},
        {"seq 9 | awk '$1 % 3 == 0 {print $1 * 10}'", "30\n60\n90\n"},
        {"seq 4 | awk '{s += $1} END {print s, s / NR}'", "10 2.5\n"},
        {"awk 'BEGIN {print 1 + 2}'", "3\n"},
        {"awk 'BEGIN {printf \"%*d|\", log(-1), 1}' | tail -c 2", " |"},
        {"seq 60000 | awk '{split(\"a b c d\", x)} END {print NR, x[4]}'",
         "60000 d\n"},
        {"printf 'a 1\\nb 2\\n' | awk '$1 == \"b\" {print $2}'", "2\n"},
        {"printf 'a 1\\nb 2\\n' | awk '$2 > 1 {print $1}'", "b\n"},
        {"printf '10\\n9\\n' | awk '$1 > 9'", "10\n"},
        {"echo com.a/.B | awk '$0 ~ \"[.]a/\" {print \"yes\"}'", "yes\n"},
        {TMP "seq 2 >a; seq 3 >b; awk 'FNR == 1 {print FILENAME, NR}' a b",
         "a 1\nb 3\n"},
        {"echo x | awk '{print v}' v=7 -; awk -v v='a\\tb' 'BEGIN {print v}'",
         "7\na\tb\n"},
        {"seq 3 | awk 'NR == 2 {next} {print}'", "1\n3\n"},
        {"seq 3 | awk 'NR == 2 {exit 4} {print} END {print \"e\"}'; echo $?",
         "1\ne\n4\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void statements_and_operators_work(void **state)
{
    static const struct sh_example examples[] = {
        {"awk 'BEGIN {for (i = 1; i <= 3; i++) printf \"%d \", i; print \"\"}'",
         "1 2 3 \n"},
        {"awk 'BEGIN {i = 3; while (i > 0) {print i; i--}}'", "3\n2\n1\n"},
        {"awk 'BEGIN {do {i++} while (i < 5); print i}'", "5\n"},
        {"awk 'BEGIN {if (0) print \"a\"; else print \"b\"}'", "b\n"},
        {"awk 'BEGIN {\nif (1)\n  print \"a\"\nelse\n  print \"b\"\n}'", "a\n"},
        {"awk 'BEGIN {for (;;) {if (++n == 3) break; if (n == 1) continue; "
         "print n}}'",
         "2\n"},
        {"awk 'BEGIN {print 2 ^ 3 ^ 2, -2 ^ 2, 7 % 4, 1 / 4}'", "512 -4 3 "
                                                                "0.25\n"},
        {"awk 'BEGIN {x = 5; x += 2; x *= 3; print x, x++, x, --x}'",
         "21 21 22 21\n"},
        {"awk 'BEGIN {print 1 == 1.0, \"a\" < \"b\", !0, !\"\", 1 && 0, 0 || "
         "2}'",
         "1 1 1 1 0 1\n"},
        {"awk 'BEGIN {print (1 > 0) ? \"y\" : \"n\"}'", "y\n"},
        {"awk 'BEGIN {print \"a\" 1 + 2 \"b\"}'", "a3b\n"},
        {"awk 'BEGIN {print 1e6, 1000000 * 10, 0.1 + 0.2, 1e300 * 10}'",
         "1000000 10000000 0.3 1e+301\n"},
        {"awk 'BEGIN {a[\"x\"] = 1; a[1, 2] = 3; if ((1, 2) in a) print "
         "\"in\"; if (!(\"y\" in a)) print \"not\"}'",
         "in\nnot\n"},
        {"printf 'b\\na\\nb\\n' | awk '{n[$1]++} END {for (k in n) print k, "
         "n[k]}'",
         "a 1\nb 2\n"},
        {"awk 'BEGIN {a[1]; delete a[1]; print length(a); a[2]; delete a; "
         "print (2 in a)}'",
         "0\n0\n"},
        {"awk 'BEGIN {$3 = \"c\"; print NF, $0}'", "3   c\n"},
        {TMP "awk 'BEGIN {print \"a\" > \"f\"; print \"b\" > \"f\"; "
             "print \"c\" >> \"g\"}'; cat f g",
         "a\nb\nc\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void builtin_functions_work(void **state)
{
    static const struct sh_example examples[] = {
        {"echo hello | awk '{print length, length($1), length(\"ab\")}'",
         "5 5 2\n"},
        {"awk 'BEGIN {print substr(\"hello\", 2, 3), substr(\"hello\", 4), "
         "substr(\"hello\", 0, 2), substr(\"hello\", -1) \"|\" "
         "substr(\"hello\", 9)}'",
         "ell lo h hello|\n"},
        {"awk 'BEGIN {print index(\"hello\", \"l\"), index(\"a\", \"b\")}'",
         "3 0\n"},
        {"awk 'BEGIN {n = split(\"a:b:c\", p, \":\"); print n, p[1], p[3]}'",
         "3 a c\n"},
        {"echo 'a1b22c' | awk '{gsub(/[0-9]+/, \"<&>\"); print}'",
         "a<1>b<22>c\n"},
        {"echo aaa | awk '{print sub(/a/, \"b\"), $0; print gsub(\"a\", "
         "\"\"), $0}'",
         "1 baa\n2 b\n"},
        {"echo a.b | awk '{s = $1; gsub(/\\./, \"/\", s); print s, $1}'",
         "a/b a.b\n"},
        {"awk 'BEGIN {print match(\"foobar\", /o+/), RSTART, RLENGTH; print "
         "match(\"a\", /b/), RLENGTH}'",
         "2 2 2\n0 -1\n"},
        {"echo 'bounds=\"[1,2][3,4]\"' | awk '{match($0, /\\[[0-9]+/); print "
         "substr($0, RSTART + 1, RLENGTH - 1)}'",
         "1\n"},
        {"awk 'BEGIN {print toupper(\"aB\"), tolower(\"aB\"), int(-3.9), "
         "int(\"12abc\"), sqrt(16)}'",
         "AB ab -3 12 4\n"},
        {"awk 'BEGIN {printf \"%5d|%-5s|%05.1f|%x|%c|%c|%%|%e\\n\", 42, "
         "\"ab\", 3.14159, 255, \"hey\", 65, 12345.678}'",
         "   42|ab   |003.1|ff|h|A|%|1.234568e+04\n"},
        {"awk 'BEGIN {print sprintf(\"%s-%s\", \"a\", 1), sprintf(\"%.2s\", "
         "\"abc\")}'",
         "a-1 ab\n"},
        {"awk 'BEGIN {srand(1); a = rand(); srand(1); print a == rand(), a < "
         "1}'",
         "1 1\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

static void errors_are_reported(void **state)
{
    (void)state;
    assert_sh_fails("awk", 2,
                    "usage: awk [-F fs][-v var=value][prog | -f progfile]"
                    "[file ...]\n");
    assert_sh_fails("awk '{print'", 2, "awk: syntax error at source line 1\n");
    assert_sh_fails("awk '{print \"a}'", 2,
                    "awk: non-terminated string at source line 1\n");
    assert_sh_fails("awk '\n\n}'", 2, "awk: syntax error at source line 3\n");
    assert_sh_fails("awk 'BEGIN {print 1 / 0}'", 2, "awk: division by zero\n");
    assert_sh_fails("awk 'BEGIN {print substr(1)}'", 2,
                    "awk: wrong arguments for substr\n");
    assert_sh_fails("awk '{print}' /nope", 2,
                    "awk: /nope: No such file or directory\n");
    assert_sh_fails("echo a | awk '{print $-1}'", 2,
                    "awk: trying to access out of range field\n");
    assert_sh_fails("awk 'function f() {}'", 2,
                    "awk: syntax error at source line 1\n");
}

static void endless_program_is_stopped(void **state)
{
    static const char *const texts[] = {
        "awk 'BEGIN {for (;;) ;}'",
        "awk 'BEGIN {while (1) a[n++] = 1}'",
        "awk 'BEGIN {s = \"aaaaaaaa\"; while (1) s = s s}'",
        "awk 'BEGIN {while (1) a[1] = a[1] \"aaaaaaaaaaaaaaaaaaaaaaaaaa\"}'",
        "awk 'BEGIN {$99999999 = 1}'",
        "awk 'BEGIN {NF = 1e18}'",
        "yes | awk '{n++}'",
        "awk 'BEGIN {while (1) print}'",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture =
            sh_fixture_new(&(struct sh_fixture_options){.steps = 50000});

        if (!sh_fixture_run(fixture, texts[i], NULL, NULL))
            fail_msg("%s ends well", texts[i]);
        sh_fixture_free(fixture);
    }
}

static void deep_programs_are_refused(void **state)
{
    static const char *const pieces[] = {
        "(", "{", "!", "-", "$", "1?", "if(1)", "a[", "x=", "2^", "length("};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        struct sh_fixture *fixture =
            sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
        struct buf text = BUF_INIT(1U << 17U);

        buf_text(&text, "awk 'BEGIN {");
        for (int j = 0; j < 5000; j++)
            buf_text(&text, pieces[i]);
        buf_text(&text, "1'");
        assert_int_equal(sh_fixture_run(fixture, buf_cstr(&text), NULL, NULL),
                         2);
        buf_release(&text);
        sh_fixture_free(fixture);
    }
}

/* Operators that follow one another are evaluated one in another, too. */
static void long_chains_of_operators_are_refused(void **state)
{
    static const char *const pieces[][2] = {
        {"1", "+1"},  {"1", "*1"},   {"1", " 1"},       {"1", " in a"},
        {"1", "&&1"}, {"1", "<1"},   {"1", "~1"},       {"x", " \"y\""},
        {"(1", "+1"}, {"a[1", "+1"}, {"length(1", " 1"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        struct sh_fixture *fixture =
            sh_fixture_new(&(struct sh_fixture_options){.steps = 0});
        struct buf text = BUF_INIT(1U << 17U);
        const char *errors;

        buf_printf(&text, "awk 'BEGIN {x = %s", pieces[i][0]);
        for (int j = 0; j < 5000; j++)
            buf_text(&text, pieces[i][1]);
        buf_text(&text, "}'");
        assert_int_equal(
            sh_fixture_run(fixture, buf_cstr(&text), NULL, &errors), 2);
        if (!strstr(errors, "too large"))
            fail_msg("%s: %s", pieces[i][1], errors);
        buf_release(&text);
        sh_fixture_free(fixture);
    }
}

static void a_hundred_operators_are_fine(void **state)
{
    struct buf text = BUF_INIT(1U << 12U);

    (void)state;
    buf_text(&text, "awk 'BEGIN {print 1");
    for (int i = 1; i < 100; i++)
        buf_text(&text, "+1");
    buf_text(&text, "}'");
    assert_sh(buf_cstr(&text), "100\n");
    buf_release(&text);
}

static void numbers_out_of_range_are_cut(void **state)
{
    static const struct sh_example examples[] = {
        {"awk 'BEGIN {exit log(-1)}'; echo $?", "0\n"},
        {"awk 'BEGIN {exit 1e300}'; echo $?", "0\n"},
        {"awk 'BEGIN {exit -1e300}'; echo $?", "0\n"},
        {"awk 'BEGIN {exit 257}'; echo $?", "1\n"},
        {"awk 'BEGIN {srand(log(-1)); srand(1e300); print \"ok\"}'", "ok\n"},
        {"awk 'BEGIN {printf \"%c|%c\", 1e300, 65}'", "1|A"},
        {"awk 'BEGIN {printf \"%c|\", log(-1)}' | wc -c", "2\n"},
    };

    (void)state;
    ASSERT_SH_EXAMPLES(examples);
}

/* The fixture checks that everything was returned to the account. */
static void memory_is_paid_for(void **state)
{
    static const char *const texts[] = {
        "awk 'BEGIN {s = \"12345678\"; while (i++ < 15) s = s s}'",
        "awk 'BEGIN {for (i = 0; i < 9000; i++) a[i] = \"a long value\"}'",
        "awk 'BEGIN {$0 = \"12345678\"; while (i++ < 15) $0 = $0 $0}'",
        "awk 'BEGIN {$1 = \"12345678\"; while (i++ < 15) $1 = $1 $1}'",
        "awk 'BEGIN {s = 1234; while (i++ < 12) s = s s; split(s, a, \"\")}'",
        "awk 'BEGIN {NF = 30000}'",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct sh_fixture *fixture = sh_fixture_new(
            &(struct sh_fixture_options){.memory = (size_t)128 * 1024});
        const char *errors;

        assert_int_equal(sh_fixture_run(fixture, texts[i], NULL, &errors), 2);
        if (!strstr(errors, "out of memory"))
            fail_msg("%s: %s", texts[i], errors);
        assert_int_equal(
            sh_fixture_run(fixture, "awk 'BEGIN {a[1] = 2}'", NULL, NULL), 0);
        sh_fixture_free(fixture);
        fixture = sh_fixture_new(&(struct sh_fixture_options){0});
        assert_int_equal(sh_fixture_run(fixture, texts[i], NULL, NULL), 0);
        sh_fixture_free(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_split_into_fields),
        cmocka_unit_test(rules_choose_lines),
        cmocka_unit_test(statements_and_operators_work),
        cmocka_unit_test(builtin_functions_work),
        cmocka_unit_test(errors_are_reported),
        cmocka_unit_test(endless_program_is_stopped),
        cmocka_unit_test(deep_programs_are_refused),
        cmocka_unit_test(long_chains_of_operators_are_refused),
        cmocka_unit_test(a_hundred_operators_are_fine),
        cmocka_unit_test(numbers_out_of_range_are_cut),
        cmocka_unit_test(memory_is_paid_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
