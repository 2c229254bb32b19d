/*
 * Help, version, manual page and completion, and messages about wrong usage. No
 * phone needed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/tools/cli/command_run.h"
#include "tools/cli/command_line/command.h"

static void version_is_printed(void **state)
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

static void unknown_command_is_reported_with_the_nearest(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor complation bash");
    SAYS(run.errors, "no command \"complation\"; did you mean \"completion\"?");
    RUN(&run, 2, "proctor screenshot");
    SAYS(run.errors, "no command \"screenshot\"; use: proctor shot");
    RUN(&run, 2, "proctor uninstall org.example");
    SAYS(run.errors, "use: proctor shell pm uninstall PACKAGE");
    RUN(&run, 2, "proctor kill-server");
    SAYS(run.errors, "needs no server");
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

static void each_section_of_help_is_printed_once(void **state)
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

static void bash_completes_values(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "bash -c '. <(proctor completion bash);"
        " ask() { COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=(); _proctor;"
        " echo \"[${COMPREPLY[*]}]\"; };"
        " ask \"proctor run pho\"; ask \"proctor run phone --agent go\";"
        " ask \"proctor run --agent gold -k 2 pho\";"
        " ask \"proctor run phone --task settings.da\";"
        " ask \"proctor tasks phone settings.da\";"
        " ask \"proctor run phone --mode m\";"
        " ask \"proctor run phone -p ui-t\"; ask \"proctor key b\";"
        " ask \"proctor run phone --device pho\"'");
    assert_string_equal(buf_cstr(&run.out),
                        "[phone]\n[gold]\n[phone]\n[settings.dark]\n"
                        "[settings.dark]\n[marks]\n[ui-tars]\n[back]\n"
                        "[phone]\n");
    assert_int_equal(run.errors.length, 0);
    command_run_release(&run);
}

/* What is completed in other shells, a line each, and what they offer. */
static const char typed_lines[] = "proctor compl\n"
                                  "proctor run pho\n"
                                  "proctor run phone --agent go\n"
                                  "proctor run --agent gold -k 2 pho\n"
                                  "proctor run phone --task settings.da\n"
                                  "proctor tasks phone settings.da\n"
                                  "proctor run phone --mode m\n"
                                  "proctor run phone -p ui-t\n"
                                  "proctor key b\n"
                                  "proctor run phone --device pho\n"
                                  "proctor completion --h\n";

static const char offered_lines[] = "[completion]\n[phone]\n[gold]\n[phone]\n"
                                    "[settings.dark]\n[settings.dark]\n"
                                    "[marks]\n[ui-tars]\n[back]\n[phone]\n"
                                    "[--help]\n";

/* The script runs in a shell that may be missing: it exits with 77 then. */
static void assert_completes(const char *script)
{
    struct command_run run = {0};

    command_run_save("typed", typed_lines);
    command_run(&run, NULL, script);
    if (run.status == 77) {
        command_run_release(&run);
        skip();
    }
    command_run_expect(&run, 0, script, __FILE__, __LINE__);
    assert_string_equal(buf_cstr(&run.out), offered_lines);
    command_run_release(&run);
}

static void fish_completes_values(void **state)
{
    (void)state;
    assert_completes(
        "command -v fish > /dev/null || exit 77;"
        "proctor completion fish > proctor.fish;"
        "fish -N -c 'source proctor.fish; while read -l line;"
        "  set found (complete -C \"$line\" | string split -f 1 \\t);"
        "  echo \"[\"(string join -- \" \" $found)\"]\";"
        "end < typed'");
}

/*
 * Types into an interactive zsh on a terminal, and prints what its completion
 * adds. A hook of zsh makes the file "finished" after each completion.
 */
static const char complete_zsh[] =
    "zmodload zsh/zpty\n"
    "zpty shell zsh -f -i\n"
    "send() { zpty -w shell \"$1\" }\n"
    "send 'PROMPT= RPS1= PROMPT_SP=; unsetopt prompt_cr prompt_sp beep'\n"
    "send 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D'\n"
    "send 'compadd() {\n"
    "  local -a hits\n"
    "  if [[ \" $* \" == *\" -\"[OAD]\" \"* ]]; then builtin compadd \"$@\"; "
    "return; fi\n"
    "  builtin compadd -O hits \"$@\"\n"
    "  print -rl -- $hits >> found\n"
    "  builtin compadd \"$@\"\n"
    "}'\n"
    "send 'finished() { print > finished; comppostfuncs=(finished) }; "
    "comppostfuncs=(finished)'\n"
    "send 'print > ready'\n"
    "wait_for() { until [[ -e $1 ]]; do zpty -rt shell junk || sleep 0.02; "
    "done; rm -f $1 }\n"
    "wait_for ready\n"
    "while read -r line; do\n"
    "  : > found\n"
    "  zpty -wn shell \"$line\"$'\\t'\n"
    "  wait_for finished\n"
    "  print -r -- \"[${(pj: :)${(ou)${(f)$(<found)}}}]\"\n"
    "  zpty -wn shell $'\\x15'\n"
    "done\n"
    "zpty -d shell\n";

static void zsh_completes_values(void **state)
{
    (void)state;
    command_run_save("complete.zsh", complete_zsh);
    assert_completes("command -v zsh > /dev/null || exit 77;"
                     "proctor completion zsh > _proctor;"
                     "zsh -f complete.zsh < typed");
}

static void doctor_creates_no_key(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "home=$(mktemp -d); HOME=$home ANDROID_ADB_SERVER_PORT=1 "
        "proctor doctor --json; code=$?; rmdir $home || exit 99; exit $code");
    SAYS(run.out,
         "adbkey does not exist yet; it is created when a phone asks for it");
    command_run_release(&run);
}

static void closed_pipe_ends_it_without_a_message(void **state)
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

static void closed_standard_descriptors_are_not_reused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor --help >&-");
    SAYS(run.errors, "writing the output");
    RUN(&run, 0, "proctor --help <&- 2>&- >/dev/null");
    RUN(&run, 2, "proctor nosuch <&- >&- 2>&-");
    command_run_release(&run);
}

static void unknown_trace_component_is_refused(void **state)
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
        cmocka_unit_test(version_is_printed),
        cmocka_unit_test(no_command_is_an_error),
        cmocka_unit_test(unknown_command_is_reported_with_the_nearest),
        cmocka_unit_test(every_command_has_help),
        cmocka_unit_test(each_section_of_help_is_printed_once),
        cmocka_unit_test(help_fits_into_80_columns_and_has_no_colours),
        cmocka_unit_test(the_manual_page_is_well_formed),
        cmocka_unit_test(bash_loads_the_completion_and_uses_it),
        cmocka_unit_test(bash_completes_values),
        cmocka_unit_test(fish_completes_values),
        cmocka_unit_test(zsh_completes_values),
        cmocka_unit_test(doctor_creates_no_key),
        cmocka_unit_test(closed_pipe_ends_it_without_a_message),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(closed_standard_descriptors_are_not_reused),
        cmocka_unit_test(unknown_trace_component_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
