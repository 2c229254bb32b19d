/* proctor judge for people and programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/judge/episode_maker.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/pty.h"

#define NEEDS                                                                  \
    "\"needs\":[{\"say\":\"sort by price\",\"check\":{\"target\":\"price\"}}]"
#define SHEET "title: Shop\n( ) Price\n(x) Rating\n"
#define SORTED "title: Shop\n(x) Price\n( ) Rating\n"

static void run_on(const struct episode_maker *maker, struct command_run *run,
                   int status, const char *command)
{
    char script[512];

    snprintf(script, sizeof(script), "cd %s && %s", maker->folder, command);
    RUN(run, status, script);
}

static void each_episode_gets_a_line_and_a_file(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_tap(&maker, SHEET, 1);
    episode_complete(&maker, SORTED);
    run_on(&maker, &run, 0, "proctor judge . && ls");
    SAYS(run.out, "success      .  1/1  1 of 1 needs are met\n");
    SAYS(run.out, "1 episode: 1 success, 0 failure");
    SAYS(run.out, "verdict.rules-");
    run_on(&maker, &run, 0, "proctor check .");
    command_run_release(&run);
    episode_remove(&maker);
}

static void judging_again_changes_nothing(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_complete(&maker, SHEET);
    run_on(&maker, &run, 0,
           "proctor judge . >/dev/null && sha256sum verdict.* >before && "
           "proctor judge . >/dev/null && sha256sum verdict.* | cmp - before "
           "&& proctor judge --provider plain . >/dev/null && "
           "ls verdict.* | wc -l");
    SAYS(run.out, "2\n");
    command_run_release(&run);
    episode_remove(&maker);
}

static void json_has_the_whole_verdict(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_tap(&maker, SHEET, 2);
    episode_complete(&maker, SHEET);
    run_on(&maker, &run, 0, "proctor judge --json .");
    SAYS(run.out, "\"outcome\":\"failure\"");
    SAYS(run.out, "\"episode\":\".\"");
    SAYS(run.out, "\"success\":0,\"failure\":1,\"uncompleted\":0");
    command_run_release(&run);
    episode_remove(&maker);
}

static void unfinished_episode_is_not_judged(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_tap(&maker, SHEET, 2);
    run_on(&maker, &run, 0, "proctor judge . && ls");
    SAYS(run.out, "1 unfinished");
    assert_null(strstr(buf_cstr(&run.out), "verdict."));
    command_run_release(&run);
    episode_remove(&maker);
}

static void unreadable_episodes_are_counted_and_reported(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_complete(&maker, SHEET);
    run_on(&maker, &run, 1, "echo '{' >task.json; proctor judge .");
    SAYS(run.out, "error        .  ");
    SAYS(run.out, "1 could not be judged");
    run_on(&maker, &run, 2, "proctor judge --judge missing .");
    SAYS(run.errors, "there is no judge \"missing\"");
    run_on(&maker, &run, 2, "proctor judge --repeats 0 .");
    SAYS(run.errors, "from 1 to 99");
    run_on(&maker, &run, 2, "proctor judge --provider model .");
    SAYS(run.errors, "--summarizer");
    run_on(&maker, &run, 2, "proctor judge --repeats 3 .");
    SAYS(run.errors, "--repeats is for judges that are models");
    run_on(&maker, &run, 2, "proctor judge --summarizer openai:a .");
    SAYS(run.errors, "--summarizer is for --provider model");
    run_on(&maker, &run, 2,
           "printf '\\377' >p; proctor judge --judge openai:a --prompt p .");
    SAYS(run.errors, "p is not UTF-8");
    command_run_release(&run);
    episode_remove(&maker);
}

static void damaged_verdict_is_found_by_check(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_complete(&maker, SHEET);
    run_on(&maker, &run, 1,
           "echo '{}' >verdict.rules-00000000.json; proctor check .");
    SAYS(run.out, "format: missing");
    command_run_release(&run);
    episode_remove(&maker);
}

/* A file of the phone becomes evidence, and is compared with a reference. */
static void a_picture_on_the_phone_is_judged(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "set -e; cd \"$(mktemp -d)\"; "
        "echo '[{\"id\":\"a.b\",\"app\":\"com.android.settings\","
        "\"kind\":\"state\",\"instruction\":\"x\",\"set_up\":"
        "[\"screencap -p /sdcard/a.png\"],\"images\":[{\"file\":"
        "\"/sdcard/a.png\",\"reference\":\"a.png\",\"ssim\":0.99},"
        "{\"file\":\"/sdcard/no.png\",\"reference\":\"a.png\","
        "\"ssim\":0.99}]}]' >suite.json; "
        "proctor run suite.json --agent nothing --device phone -o run "
        ">/dev/null 2>&1; cp run/episodes/a.b/0/0/files/0000 a.png; "
        "proctor judge --json run; proctor check run; rm -r \"$PWD\"");
    SAYS(run.out, "\"why\":\"SSIM 1.0000, PSNR inf dB\"");
    SAYS(run.out, "\"why\":\"/sdcard/no.png is not there\"");
    SAYS(run.out, "\"met\":1,\"needed\":2");
    command_run_release(&run);
}

static void the_checklist_needs_gold(void **state)
{
    struct command_run run = {0};
    struct episode_maker maker;

    (void)state;
    episode_begin(&maker, NEEDS);
    episode_complete(&maker, SHEET);
    run_on(&maker, &run, 2, "proctor judge --judge checklist .");
    SAYS(run.errors, "needs --gold");
    run_on(&maker, &run, 2, "proctor judge --gold . .");
    SAYS(run.errors, "--gold is for the judge checklist");
    run_on(&maker, &run, 2, "proctor judge --judge checklist --gold . .");
    SAYS(run.errors, "no gold steps");
    command_run_release(&run);
    episode_remove(&maker);
}

static void progress_is_shown_on_a_terminal(void **state)
{
    struct episode_maker maker;
    struct pty pty;
    char script[512];

    (void)state;
    episode_begin(&maker, NEEDS);
    for (int i = 0; i < 20; i++)
        episode_tap(&maker, SHEET, 1 + i % 2);
    episode_complete(&maker, SORTED);
    snprintf(script, sizeof(script), "exec " PROCTOR_FOLDER "/proctor judge %s",
             maker.folder);
    pty_start(&pty, script);
    pty_expect(&pty, "judging: 0 of 1 episode, 1 step described");
    pty_expect(&pty, "\r\033[K");
    pty_expect(&pty, "1 episode: ");
    assert_int_equal(pty_wait(&pty), 0);
    pty_release(&pty);
    episode_remove(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_episode_gets_a_line_and_a_file),
        cmocka_unit_test(judging_again_changes_nothing),
        cmocka_unit_test(progress_is_shown_on_a_terminal),
        cmocka_unit_test(json_has_the_whole_verdict),
        cmocka_unit_test(unfinished_episode_is_not_judged),
        cmocka_unit_test(unreadable_episodes_are_counted_and_reported),
        cmocka_unit_test(damaged_verdict_is_found_by_check),
        cmocka_unit_test(a_picture_on_the_phone_is_judged),
        cmocka_unit_test(the_checklist_needs_gold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
