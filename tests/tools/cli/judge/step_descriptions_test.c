/* A step has one description, in all commands that show it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define EPISODE "run/episodes/shop.cheapest/0/0"

/*
 * Without trees, descriptions need the pictures: what changed between two, and
 * the text at a tap.
 */
static int make_run(void **state)
{
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    RUN(&run, 0,
        "proctor run phone --agent gold --task shop.cheapest --locale en "
        "--out run && sed -i 's/\"tree\":{[^}]*},//' " EPISODE "/events.jsonl");
    command_run_release(&run);
    return 0;
}

static bool has_ocr(void)
{
    struct command_run run = {0};
    bool has;

    command_run(&run, NULL, "tesseract --list-langs | grep -q chi_sim");
    has = run.status == 0;
    command_run_release(&run);
    return has;
}

static void all_commands_give_a_step_the_same_description(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "export XDG_CACHE_HOME=$PWD/cache\n"
        "list() { grep -o \"\\\"$1\\\":\\\"[^\\\"]*\\\"\" | cut -d: -f2-; }\n"
        "proctor process " EPISODE " >printed && proctor judge run && "
        "proctor report run --html page.html || exit 1\n"
        "list description <" EPISODE "/process.jsonl >stored\n"
        "sed 's/^ *[0-9]*  \\(.*\\)/\"\\1\"/' printed | cmp - stored &&\n"
        "sed 's/.*\"process\"://' " EPISODE "/verdict.* | list description | "
        "cmp - stored &&\n"
        "sed -n 's/.*\"steps\":\\[//p' page.html | list w | cmp - stored &&\n"
        "cat stored");
    SAYS(run.out, " % of the screen changed\"\n");
    SAYS(run.out, "\"said that the task is complete; nothing changed\"\n");
    command_run_release(&run);
}

static void verdicts_with_and_without_ocr_are_different_files(void **state)
{
    struct command_run run = {0};

    (void)state;
    if (!has_ocr())
        skip();
    RUN(&run, 0,
        "rm -f " EPISODE "/verdict.*; at=$(command -v proctor)\n"
        "proctor judge run && PATH=/nowhere \"$at\" judge run && "
        "ls " EPISODE " | grep -c '^verdict' && "
        "grep -l '\"ocr\":null' " EPISODE "/verdict.* | wc -l && "
        "grep -l '\"ocr\":\"tesseract ' " EPISODE "/verdict.* | wc -l");
    SAYS(run.out, "\n2\n1\n1\n");
    command_run_release(&run);
}

static void ocr_that_fails_is_a_doubt_in_the_verdict(void **state)
{
    struct command_run run = {0};

    (void)state;
    if (!has_ocr())
        skip();
    RUN(&run, 0,
        "rm -f " EPISODE "/verdict.*; mkdir -p fake\n"
        "printf '#!/bin/sh\\ncase $1 in stdin) exit 3;; esac\\nexec %s \"$@\"'"
        " \"$(command -v tesseract)\" >fake/tesseract && "
        "chmod +x fake/tesseract\n"
        "XDG_CACHE_HOME=$PWD/empty PATH=$PWD/fake:$PATH proctor judge run && "
        "cat " EPISODE "/verdict.*");
    SAYS(run.out, "\"ocr\":\"tesseract ");
    SAYS(run.out, "\"doubt\":\"tesseract ended with status 3");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_commands_give_a_step_the_same_description),
        cmocka_unit_test(verdicts_with_and_without_ocr_are_different_files),
        cmocka_unit_test(ocr_that_fails_is_a_doubt_in_the_verdict),
    };

    return cmocka_run_group_tests(tests, make_run, scratch_folder_leave);
}
