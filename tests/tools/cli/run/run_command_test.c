/* proctor run, resume and related commands, on built-in phones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "base/file.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tests/tools/cli/run/run_inspect.h"
#include "tools/phone/phone.h"

#define SCRIPT_MAX 512

/* With PROCTOR_FULL all tasks, otherwise some of each kind. */
static const char *tasks(void)
{
    return getenv("PROCTOR_FULL") ? ""
                                  : "-t settings.dark -t clock.city "
                                    "-t shop.cheapest";
}

static size_t task_count(void)
{
    return getenv("PROCTOR_FULL") ? 20 : 3;
}

/* The command that runs them with that agent. */
static const char *run_script(const char *agent, const char *name,
                              const char *more, char script[SCRIPT_MAX])
{
    snprintf(script, SCRIPT_MAX,
             "proctor run phone --agent %s --device phone:2 --out %s %s %s",
             agent, name, tasks(), more);
    return script;
}

static void run_with(const char *agent, const char *name, const char *more)
{
    struct command_run run = {0};
    char script[SCRIPT_MAX];

    RUN(&run, 0, run_script(agent, name, more, script));
    SAYS(run.errors, "are done");
    snprintf(script, sizeof(script), "proctor check %s", name);
    RUN(&run, 0, script);
    command_run_release(&run);
}

static void gold_completes_its_tasks(void **state)
{
    (void)state;
    run_with("gold", "gold", "");
    run_inspect_all("gold", task_count(), true);
}

static void run_file_has_the_versions_of_apps(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "grep -o '\"apps\":{[^}]*}' gold/run.json");
    SAYS(run.out, "\"org.proctor.shop\":\"3.2.1\"");
    SAYS(run.out, "\"com.android.settings\":\"");
    command_run_release(&run);
}

static void nothing_and_random_agents_fail(void **state)
{
    (void)state;
    run_with("nothing", "nothing", "");
    run_inspect_all("nothing", task_count(), false);
    run_with("random:7", "random", "--steps 4");
    run_inspect_all("random", task_count(), false);
}

static void nothing_is_lost_when_connections_drop_and_uiautomator_fails(
    void **state)
{
    char script[SCRIPT_MAX];

    (void)state;
    run_script("gold", "faults",
               "--locale zh --skin 2 --seed 3 --faults 'drop:chance=0.1;"
               "dump:how=null-root,chance=0.2;dump:how=killed,chance=0.1'",
               script);
    run_inspect_none_lost(script, "faults", task_count());
}

/* ---- programs as agents ---- */

/* Extract the example in that language from the manual. */
static void save_example(const char *language, const char *name)
{
    struct buf page = BUF_INIT(1 << 20);
    char fence[32];
    struct err err = ERR_INIT;
    char *start;
    char *end;

    snprintf(fence, sizeof(fence), "```%s\n", language);
    if (!file_load(DOCS_FOLDER "/runs.md", &page, &err))
        fail_msg("%s", err.text);
    start = strstr(page.data, fence);
    assert_non_null(start);
    start += strlen(fence);
    end = strstr(start, "```");
    assert_non_null(end);
    *end = '\0';
    command_run_save(name, start);
    buf_release(&page);
}

static void try_example(const char *command, const char *name)
{
    struct command_run run = {0};
    struct run_results results;
    char script[512];

    snprintf(script, sizeof(script),
             "proctor run phone --agent 'exec:%s' --device phone --out %s "
             "-t settings.dark --steps 3",
             command, name);
    RUN(&run, 0, script);
    run_inspect_results(name, 1, &results);
    assert_int_equal(results.items[0].ending, ENDING_COMPLETE);
    assert_int_equal(results.items[0].steps, 3);
    run_results_release(&results);
    command_run_release(&run);
}

static void example_programs_of_the_manual_work(void **state)
{
    struct command_run run = {0};

    (void)state;
    save_example("c", "agent.c");
    RUN(&run, 0, "cc -Wall -Werror -o agent agent.c");
    try_example("./agent", "in-c");
    command_run(&run, NULL, "python3 --version");
    if (run.status == 0) {
        save_example("python", "agent.py");
        try_example("python3 agent.py", "in-python");
    }
    command_run_release(&run);
}

/* ---- errors ---- */

/*
 * The agent does the first task, and the others only after the file "go"
 * exists.
 */
static void interrupted_run_says_how_to_resume(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("agent",
                     "read -r line; test -e go || mkdir once || exec sleep 600;"
                     "echo complete");
    RUN(&run, 130,
        "proctor run phone --agent 'exec:sh agent' --device phone --out cut "
        "-t settings.dark -t clock.city -t settings.timeout &"
        "await test -s cut/results.jsonl; kill -TERM $!; wait $!");
    SAYS(run.errors, "proctor resume cut");
    RUN(&run, 0, "touch go; proctor resume cut/ && proctor check cut");
    run_inspect_all("cut", 3, false);
    RUN(&run, 0, "proctor resume cut");
    run_inspect_all("cut", 3, false); /* nothing was left to do */
    command_run_release(&run);
}

static void void_attempts_are_repeated_and_then_reported(void **state)
{
    struct command_run run = {0};
    struct run_results results;

    (void)state;
    command_run_save("broken.json",
                     "[{\"id\": \"broken\", \"app\": "
                     "\"com.android.settings\", \"kind\": \"state\", "
                     "\"instruction\": \"Go\", \"needs\": [\"It is there\"], "
                     "\"set_up\": [\"ls /no/such/file\"]}]");
    RUN(&run, 1,
        "proctor run broken.json --agent nothing --device phone --out void "
        "--retries 1");
    SAYS(run.out, "set up: ls /no/such/file: status 1");
    SAYS(run.errors, "proctor retry void");
    RUN(&run, 1, "proctor resume void");
    run_inspect_results("void", 2, &results);
    run_results_release(&results);
    RUN(&run, 1, "proctor retry void && proctor check void");
    run_inspect_results("void", 4, &results);
    assert_int_equal(results.items[3].ending, ENDING_VOID);
    run_results_release(&results);
    command_run_release(&run);
}

/* The built-in phone has none of the apps of real phones but a few. */
static void missing_app_makes_its_task_void_once(void **state)
{
    struct command_run run = {0};
    struct run_results results;

    (void)state;
    RUN(&run, 1,
        "proctor run probench-zh --preset probench --agent nothing "
        "--device phone --locale zh --out apps -t wechat.groups "
        "-t clock.alarms");
    SAYS(run.out, "com.tencent.mm is not installed; proctor preflight lists "
                  "what to install\n");
    SAYS(run.errors, "1 of 2 are void");
    RUN(&run, 0, "proctor check apps");
    run_inspect_results("apps", 2, &results);
    assert_int_equal(results.items[0].ending, ENDING_VOID);
    assert_int_equal(results.items[0].steps, 0);
    assert_int_equal(results.items[1].ending, ENDING_COMPLETE);
    run_results_release(&results);

    command_run_save(
        "two.json",
        "[{\"id\": \"two\", \"apps\": "
        "[\"com.android.settings\", \"com.gone\", "
        "\"com.gone.too\"], \"kind\": \"state\", "
        "\"instruction\": \"Go\", \"needs\": [\"Both are open\"]}]");
    RUN(&run, 1, "proctor run two.json --agent nothing --device phone");
    SAYS(run.out, "com.gone, com.gone.too are not installed;");
    command_run_release(&run);
}

static void wordings_are_given_to_the_agent_and_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor run phone --rewording all -t settings.timeout --agent gold "
        "--device phone --locale en --out worded && proctor check worded && "
        "proctor judge worded");
    RUN(&run, 0, "cat worded/episodes/settings.timeout.terse/0/0/events.jsonl");
    SAYS(run.out, "\"instruction\":\"Screen timeout: 5 minutes.\"");
    RUN(&run, 0, "cat worded/episodes/settings.timeout.terse/0/0/task.json");
    SAYS(run.out, "\"rewording\":{\"of\":\"settings.timeout\","
                  "\"style\":\"terse\"}");
    RUN(&run, 0, "proctor report worded --tasks");
    SAYS(run.out, "By wording\n");
    SAYS(run.out, "  original");
    SAYS(run.out, "Spread over wordings\n");
    SAYS(run.out, "  settings.timeout  100.0  11/11\n");
    RUN(&run, 0, "proctor report worded --csv");
    SAYS(run.out, ",\"terse\",");

    RUN(&run, 0,
        "proctor run phone --rewording 3 -t settings.timeout --agent nothing "
        "--device phone --out third");
    SAYS(run.out, "settings.timeout.misspelt");
    RUN(&run, 2, "proctor run phone --rewording polit --agent gold");
    SAYS(run.errors, "did you mean \"polite\"?");
    command_run_release(&run);
}

static void mistakes_are_reported_before_the_run(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor run phone");
    SAYS(run.errors, "--agent gold");
    RUN(&run, 2, "proctor run no-such-suite --agent gold");
    RUN(&run, 2, "proctor run phone --agent gold -t shop.crat");
    SAYS(run.errors, "shop.crat");
    RUN(&run, 2, "proctor run phone --agent rondom --out x");
    SAYS(run.errors, "did you mean \"random\"");
    RUN(&run, 0, "test ! -e x");
    RUN(&run, 2,
        "env -u OPENAI_API_KEY -u OPENAI_BASE_URL proctor run phone --agent "
        "openai:x --out x");
    SAYS(run.errors, "OPENAI_API_KEY is not set");
    RUN(&run, 2,
        "ANDROID_ADB_SERVER_PORT=1 proctor run phone --agent gold -s nosuch "
        "--out x");
    SAYS(run.errors, "no device \"nosuch\"");
    RUN(&run, 0, "test ! -e x");
    RUN(&run, 2, "proctor run phone --agent gold --profile generic --out x");
    SAYS(run.errors, "gold is not one");
    RUN(&run, 2, "proctor run phone --agent gold --guard nowhere --out x");
    RUN(&run, 2,
        "mkdir x && echo mine > x/suite.json && "
        "proctor run phone --agent gold --out x");
    RUN(&run, 0, "grep mine x/suite.json && rm -r x");
    RUN(&run, 2, "proctor run phone --agent gold --out ''");
    RUN(&run, 2, "proctor run phone --agent gold --device phone:999");
    RUN(&run, 2, "proctor run phone --agent gold -k 0");
    RUN(&run, 2, "proctor resume nowhere");
    SAYS(run.errors, "nowhere is not a run");
    RUN(&run, 2,
        "proctor run phone --agent 'exec:no-such-program' --out y "
        "-t settings.dark");
    SAYS(run.errors, "no-such-program");
    command_run_release(&run);
}

static void existing_or_running_run_is_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor run phone --agent nothing --out once -t settings.dark");
    RUN(&run, 2,
        "proctor run phone --agent nothing --out once -t settings.dark");
    SAYS(run.errors, "proctor resume once");
    RUN(&run, 1, "exec 9<>once/.lock; flock 9; proctor resume once");
    SAYS(run.errors, "another proctor");
    command_run_release(&run);
}

/* Whether something is written to the pipe, or nothing. */
static void suite_in_a_pipe_is_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "mkfifo pipe && proctor run pipe --agent nothing");
    SAYS(run.errors, "\"pipe\" is not a regular file");
    RUN(&run, 2, "proctor run /dev/zero --agent nothing");
    SAYS(run.errors, "not a regular file");
    command_run_release(&run);
}

/* For a phone with changed settings. */
static void save_snapshot(const char *path)
{
    const struct phone_options options = {.seed = 0};
    struct deadline soon = deadline_in_ms(60000);
    struct shell_result result;
    struct phone *phone;
    struct device *device = NULL;
    struct err err = ERR_INIT;

    if (!phone_start(&options, &phone, &err) ||
        !device_open_tcp("127.0.0.1", phone_port(phone),
                         &(struct device_options){.log = NULL}, soon, &device,
                         &err) ||
        !shell_run(device, "settings put system x seen", 1024, soon, &result,
                   &err) ||
        !phone_save(phone, path, &err))
        fail_msg("%s", err.text);
    shell_result_release(&result);
    device_close(device);
    phone_stop(phone);
}

static void task_may_start_from_a_snapshot_of_a_built_in_phone(void **state)
{
    struct command_run run = {0};
    struct run_results results;

    (void)state;
    command_run_save(
        "named.json",
        "[{\"id\": \"a\", \"app\": \"org.proctor.shop\", \"kind\": "
        "\"state\", "
        "\"instruction\": \"Look\", \"needs\": [\"It is seen\"], "
        "\"reset\": {\"snapshot\": \"mine\"}, \"probes\": "
        "[{\"name\": \"x\", \"command\": \"settings get system x\"}]}]");
    RUN(&run, 1,
        "proctor run named.json --agent nothing --device phone --out unnamed "
        "--retries 0");
    SAYS(run.out, "there is no snapshot \"mine\"");
    save_snapshot("mine.snapshot");
    RUN(&run, 0,
        "proctor run named.json --agent nothing --device phone --out named "
        "--snapshots . && grep '\"value\":\"seen\"' "
        "named/episodes/a/0/0/events.jsonl");
    run_inspect_results("named", 1, &results);
    run_results_release(&results);
    command_run_release(&run);
}

/* Without readable results it is not known what is left. */
static void resume_with_unreadable_results_fails(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor run phone --agent nothing --out blind -t settings.dark");
    RUN(&run, 2,
        "mv blind/episodes blind/elsewhere && echo > blind/episodes && "
        "proctor resume blind");
    assert_null(strstr(buf_cstr(&run.errors), "left"));
    SAYS(run.errors, "blind/episodes");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gold_completes_its_tasks),
        cmocka_unit_test(run_file_has_the_versions_of_apps),
        cmocka_unit_test(nothing_and_random_agents_fail),
        cmocka_unit_test(
            nothing_is_lost_when_connections_drop_and_uiautomator_fails),
        cmocka_unit_test(example_programs_of_the_manual_work),
        cmocka_unit_test(interrupted_run_says_how_to_resume),
        cmocka_unit_test(void_attempts_are_repeated_and_then_reported),
        cmocka_unit_test(missing_app_makes_its_task_void_once),
        cmocka_unit_test(wordings_are_given_to_the_agent_and_reported),
        cmocka_unit_test(mistakes_are_reported_before_the_run),
        cmocka_unit_test(existing_or_running_run_is_refused),
        cmocka_unit_test(suite_in_a_pipe_is_refused),
        cmocka_unit_test(task_may_start_from_a_snapshot_of_a_built_in_phone),
        cmocka_unit_test(resume_with_unreadable_results_fails),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
