/* What proctor says of itself, and to who gets it wrong. No phone needed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cli/command_run.h"
#include "tools/cli/command.h"

static void the_version_is_told(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor --version");
    assert_string_equal(buf_cstr(&run.out), "proctor " PROCTOR_VERSION "\n");
    command_run_release(&run);
}

static void no_command_is_an_error(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor");
    SAYS(run.errors, "proctor: no command (see: proctor --help)");
    assert_int_equal(run.out.length, 0);
    command_run_release(&run);
}

static void an_unknown_command_is_answered_with_the_nearest(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor complation bash");
    SAYS(run.errors, "no command \"complation\"; did you mean \"completion\"?");
    RUN(&run, 2, "proctor \"$(printf 'x\\033[2Jy')\"");
    SAYS(run.errors, "no command \"x?[2Jy\"");
    command_run_release(&run);
}

static void every_command_has_help(void **state)
{
    struct command_run run = {0};
    char script[128];

    (void)state;
    RUN(&run, 0, "proctor --help");
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->hidden)
            SAYS(run.out, commands[i]->name);
    }
    for (size_t i = 0; commands[i]; i++) {
        snprintf(script, sizeof(script), "proctor %s --help",
                 commands[i]->name);
        RUN(&run, 0, script);
        SAYS(run.out, "Usage: proctor ");
        SAYS(run.out, "--help");
        assert_int_equal(run.errors.length, 0);
    }
    RUN(&run, 0, "test \"$(proctor help ls)\" = \"$(proctor ls --help)\"");
    RUN(&run, 2, "proctor help shel");
    SAYS(run.errors, "did you mean \"shell\"?");
    command_run_release(&run);
}

static void each_section_of_help_stands_once(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor --help | grep '^[A-Z]' | sort | uniq -d");
    assert_string_equal(buf_cstr(&run.out), "");
    command_run_release(&run);
}

static void help_fits_into_80_columns_and_has_no_colours(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "for command in '' $(proctor completion fish |"
        " sed -n 's/.*use_subcommand -a \\([a-z]*\\).*/\\1/p')\n"
        "do proctor $command --help; done |"
        " grep -e \"$(printf '\\033')\" -e '.\\{81\\}'");
    command_run_release(&run);
}

static void the_manual_page_is_well_formed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor man | mandoc -T lint");
    assert_string_equal(buf_cstr(&run.out), "");
    RUN(&run, 0, "proctor man | mandoc -T ascii | col -b");
    for (size_t i = 0; commands[i]; i++) {
        if (!commands[i]->hidden)
            SAYS(run.out, commands[i]->name);
    }
    command_run_release(&run);
}

static void bash_loads_the_completion_and_uses_it(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "bash -c '. <(proctor completion bash) && complete -p proctor &&"
        " ask() { COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=(); _proctor;"
        " echo \"[${COMPREPLY[*]}]\"; };"
        " ask \"proctor compl\"; ask \"proctor completion f\";"
        " ask \"proctor completion --h\"; ask \"proctor --ver\"'");
    assert_string_equal(buf_cstr(&run.out),
                        "complete -F _proctor proctor\n[completion]\n[fish]\n"
                        "[--help]\n[--version]\n");
    assert_int_equal(run.errors.length, 0);
    command_run_release(&run);
}

static void other_shells_load_their_completion(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "check() { ! command -v \"$1\" >/dev/null ||"
        " proctor completion \"$1\" | \"$1\" -n /dev/stdin; };"
        "check zsh && check fish");
    assert_int_equal(run.errors.length, 0);
    command_run_release(&run);
}

static void the_doctor_makes_no_key_that_nobody_asks_for(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "home=$(mktemp -d); HOME=$home ANDROID_ADB_SERVER_PORT=1 "
        "proctor doctor --json; code=$?; rmdir $home || exit 99; exit $code");
    SAYS(run.out, "adbkey is not there; it is made once a phone asks for it");
    command_run_release(&run);
}

static void a_closed_pipe_ends_it_quietly(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 141,
        "bash -c '(sleep 0.1; exec proctor --help) | true;"
        " exit ${PIPESTATUS[0]}'");
    assert_int_equal(run.errors.length, 0);
    command_run_release(&run);
}

static void a_full_disk_is_an_error(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor --help >/dev/full");
    SAYS(run.errors, "No space left on device");
    command_run_release(&run);
}

static void closed_descriptors_are_not_taken_by_others(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor --help >&-");
    SAYS(run.errors, "writing the output");
    RUN(&run, 0, "proctor --help <&- 2>&- >/dev/null");
    RUN(&run, 2, "proctor nosuch <&- >&- 2>&-");
    command_run_release(&run);
}

static void a_trace_of_nothing_known_is_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "PROCTOR_TRACE=pakcet proctor --version");
    SAYS(run.errors, "no component \"pakcet\"");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_told),
        cmocka_unit_test(no_command_is_an_error),
        cmocka_unit_test(an_unknown_command_is_answered_with_the_nearest),
        cmocka_unit_test(every_command_has_help),
        cmocka_unit_test(each_section_of_help_stands_once),
        cmocka_unit_test(help_fits_into_80_columns_and_has_no_colours),
        cmocka_unit_test(the_manual_page_is_well_formed),
        cmocka_unit_test(bash_loads_the_completion_and_uses_it),
        cmocka_unit_test(other_shells_load_their_completion),
        cmocka_unit_test(the_doctor_makes_no_key_that_nobody_asks_for),
        cmocka_unit_test(a_closed_pipe_ends_it_quietly),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(closed_descriptors_are_not_taken_by_others),
        cmocka_unit_test(a_trace_of_nothing_known_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
