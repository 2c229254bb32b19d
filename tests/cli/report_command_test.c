/* proctor report, on runs that nobody ran. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "tests/cli/command_run.h"
#include "tests/support/run_maker.h"
#include "tests/support/scratch.h"
#include "tools/cli/page.h"
#include "tools/web/report_page.h"

/* Runs "a" on a real phone, "b" on one of software, "evil" of hostile texts. */
static int make_runs(void **state)
{
    struct run_plan plan = {.folder = "a",
                            .id = "run-a",
                            .agent = "able",
                            .tasks = 4,
                            .repeats = 2,
                            .steps = 4,
                            .success = 100,
                            .alike = true,
                            .seed = 1};

    if (scratch_enter(state))
        return -1;
    run_make(&plan);
    plan.folder = "b";
    plan.agent = "idle";
    plan.success = 0;
    plan.builtin = true;
    plan.no_words = true;
    run_make(&plan);
    plan.folder = "idle2";
    plan.agent = "able";
    plan.success = 100;
    run_make(&plan);
    plan.folder = "evil";
    plan.agent = "=cmd|' /C calc'!A0";
    plan.hostile = true;
    plan.success = 100;
    plan.tasks = 1;
    run_make(&plan);
    plan = (struct run_plan){.folder = "fresh",
                             .id = "fresh",
                             .agent = "able",
                             .tasks = 1,
                             .repeats = 1,
                             .steps = 2,
                             .no_screen = true,
                             .unfinished = true,
                             .no_judge = true};
    run_make(&plan);
    return 0;
}

static void runs_stand_side_by_side(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor report a b --tasks");
    SAYS(run.out, "On real phones, able succeeded in 8 of 8 episodes (100.0 %"
                  "). On the built-in\nphone, idle succeeded in 0 of 8 "
                  "episodes (0.0 %).\n");
    SAYS(run.out, "a: judged by rules\n");
    SAYS(run.out, "\nReal phones\n  able");
    SAYS(run.out, "\nBuilt-in phone\n  idle");
    SAYS(run.out, "tapped nothing, or beside the target");
    SAYS(run.out, "\n  task-003");
    SAYS(run.out, "never counted together with them");
    command_run_release(&run);
}

/* What is too wide goes on below; agents are not torn apart. */
static void lines_of_several_agents_fit_on_a_terminal(void **state)
{
    struct command_run run = {0};
    const char *line, *end;

    (void)state;
    RUN(&run, 0, "proctor report a b idle2 evil --tasks");
    for (line = buf_cstr(&run.out); *line; line = end + 1) {
        char *shown;

        end = strchr(line, '\n');
        assert_non_null(end);
        shown = mem_dup_n(line, (size_t)(end - line));
        if (page_columns(shown) > 80)
            fail_msg("too wide: %s", shown);
        free(shown);
    }
    command_run_release(&run);
}

static void programs_get_json(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    const struct cJSON *row;
    struct err err;

    (void)state;
    RUN(&run, 0, "proctor report --json a b");
    assert_true(json_parse(buf_cstr(&run.out), run.out.length, &tree, &err));
    row = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(tree, "rows"), 0);
    assert_string_equal(
        cJSON_GetObjectItemCaseSensitive(row, "agent")->valuestring, "able");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(row, "scored")->valueint,
                     8);
    assert_true(cJSON_GetObjectItemCaseSensitive(row, "high")->valuedouble ==
                1);
    assert_true(
        cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(row, "builtin")));
    cJSON_Delete(tree);
    command_run_release(&run);
}

static void spreadsheets_get_lines_without_formulas(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor report --csv a | wc -l | tr -d ' '");
    assert_string_equal(buf_cstr(&run.out), "9\n");
    RUN(&run, 0, "proctor report --csv evil");
    SAYS(run.out, "\r\n\"run-a\",\"'=cmd|' /C calc'!A0\",");
    SAYS(run.out, "\"</script><img src=x onerror=alert(1)>\"\"'&lt;");
    command_run_release(&run);
}

/* Task 0 has two episodes: the one whose own file is whole counts. */
static void a_broken_episode_is_named_and_the_others_count(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "cp -r a torn; echo '{' > torn/episodes/task-000/0/0/task.json; "
        "for verdict in torn/episodes/task-001/1/0/verdict.*; "
        "do echo '{' > \"$verdict\"; done; "
        "proctor report torn --html torn.html");
    SAYS(run.out, "able succeeded in 6 of 6 episodes");
    SAYS(run.out, "its files could not be read");
    SAYS(run.errors, "torn/episodes/task-000/0/0 is in no rate");
    SAYS(run.errors, "torn/episodes/task-001/1/0 is in no rate");
    SAYS(run.errors, "task.json");
    RUN(&run, 0, "proctor diff a torn");
    SAYS(run.errors, "torn/episodes/task-000/0/0 is in no rate");
    command_run_release(&run);
}

static void a_page_that_is_interrupted_is_not_there(void **state)
{
    struct ledger ledger = LEDGER_INIT;
    struct cancel cancel = CANCEL_INIT;
    struct report report;
    struct report_sheets sheets;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(ledger_add(&ledger, "a", NULL, &err));
    assert_true(cancel_init(&cancel, &err));
    report_init(&report, &ledger);
    report_sheets(&report, &sheets);
    cancel_fire(&cancel);
    assert_false(report_page_save(&report, &sheets, REPORT_PICTURES_ALL,
                                  "cut.html", &cancel, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    assert_int_not_equal(access("cut.html", F_OK), 0);
    cancel_release(&cancel);
    report_sheets_release(&sheets);
    report_release(&report);
    ledger_release(&ledger);
}

static void a_gate_holds(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor report a --fail-under 99.5");
    RUN(&run, 3, "proctor report a b --fail-under 10");
    SAYS(run.errors, "idle: 0.0 % is under 10.0 %");
    RUN(&run, 3, "proctor report fresh --fail-under 0");
    SAYS(run.errors, "able: no scored episode");
    RUN(&run, 2, "proctor report a --fail-under many");
    SAYS(run.errors, "expected a percentage");
    command_run_release(&run);
}

static void judges_are_chosen_by_name(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor report a --judge rules");
    RUN(&run, 2, "proctor report a --judge nobody");
    SAYS(run.errors, "there is no verdict of \"nobody\"; rules judged it");
    RUN(&run, 0, "proctor report fresh");
    SAYS(run.out, "nobody judged it yet; try: proctor judge fresh; 1 of 2 "
                  "episodes are finished, the others: proctor resume fresh\n");
    assert_null(strstr(buf_cstr(&run.out), "Degrees and effort"));
    RUN(&run, 2, "proctor report nowhere");
    SAYS(run.errors, "nowhere/run.json");
    command_run_release(&run);
}

static void changes_are_listed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor diff b idle2");
    SAYS(run.out, "b, idle: 0 of 8 (0.0 %, 95 %: 0.0 to 32.4)\n"
                  "idle2, able: 8 of 8 (100.0 %, 95 %: 67.6 to 100.0)\n"
                  "8 gained, 0 lost: p = 0.00781 (McNemar, exact)\n");
    SAYS(run.out, "task-003  repeat 2  ");
    RUN(&run, 0, "proctor diff --json idle2 b");
    SAYS(run.out, "\"lost\":8,\"p\":0.0078125,\"changes\":[{\"task\":"
                  "\"task-000\",\"repeat\":0,\"before\":{\"outcome\":"
                  "\"success\"");
    RUN(&run, 2, "proctor diff a b");
    SAYS(run.errors, "which nobody can compare");
    RUN(&run, 0, "proctor diff b b");
    SAYS(run.out, "0 gained, 0 lost: p = 1 ");
    RUN(&run, 0, "proctor diff a fresh");
    SAYS(run.out, "No task was scored in both runs.\n\n9 episodes have no");
    command_run_release(&run);
}

/* How often part is in text. */
static size_t count(const char *text, const char *part)
{
    size_t found = 0;

    for (; (text = strstr(text, part)) != NULL; text++)
        found++;
    return found;
}

static void a_page_holds_everything(void **state)
{
    struct buf page = BUF_INIT((size_t)64 << 20);
    struct command_run run = {0};
    struct err err;

    (void)state;
    RUN(&run, 0, "proctor report a b --html page.html");
    SAYS(run.errors, "wrote page.html");
    assert_true(file_load("page.html", &page, &err));
    assert_int_equal(count(buf_cstr(&page), "<details class=\"ep\""), 16);
    assert_int_equal(count(buf_cstr(&page), "type=\"application/json\""), 16);
    /* Twelve different screens at most, and each once. */
    assert_in_range(count(buf_cstr(&page), "type=\"text/plain\""), 1, 12);
    SAYS(page, "default-src 'none'; img-src data:; style-src 'sha256-");
    assert_null(strstr(buf_cstr(&page), "http://www.example"));
    assert_null(strstr(buf_cstr(&page), " style=\""));
    assert_null(strstr(buf_cstr(&page), " onclick="));
    RUN(&run, 0, "proctor report a --html page.html --pictures none");
    buf_clear(&page);
    assert_true(file_load("page.html", &page, &err));
    assert_int_equal(count(buf_cstr(&page), "type=\"text/plain\""), 0);
    SAYS(page, "This page holds no screens");
    buf_release(&page);
    command_run_release(&run);
}

static void hostile_text_stays_text(void **state)
{
    struct buf page = BUF_INIT((size_t)64 << 20);
    struct command_run run = {0};
    struct err err;

    (void)state;
    RUN(&run, 0, "proctor report evil --html evil.html");
    assert_true(file_load("evil.html", &page, &err));
    assert_null(strstr(buf_cstr(&page), "<img"));
    SAYS(page, "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;"
               "&amp;lt;");
    SAYS(page, "\\u003c/script>\\u003cimg src=x");
    buf_release(&page);
    command_run_release(&run);
}

static void a_page_is_whole_or_not_there(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2, "proctor report a --html nowhere/page.html");
    RUN(&run, 0,
        "rm -r a/episodes/task-000/0/0/screens; "
        "proctor report a --html page.html");
    RUN(&run, 0,
        "echo broken > a/episodes/task-001/0/0/events.jsonl; "
        "proctor report a --html page.html && "
        "grep -c '\"trouble\":' page.html");
    SAYS(run.out, "\n1\n");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_stand_side_by_side),
        cmocka_unit_test(lines_of_several_agents_fit_on_a_terminal),
        cmocka_unit_test(programs_get_json),
        cmocka_unit_test(spreadsheets_get_lines_without_formulas),
        cmocka_unit_test(a_broken_episode_is_named_and_the_others_count),
        cmocka_unit_test(a_page_that_is_interrupted_is_not_there),
        cmocka_unit_test(a_gate_holds),
        cmocka_unit_test(judges_are_chosen_by_name),
        cmocka_unit_test(changes_are_listed),
        cmocka_unit_test(a_page_holds_everything),
        cmocka_unit_test(hostile_text_stays_text),
        cmocka_unit_test(a_page_is_whole_or_not_there),
    };

    return cmocka_run_group_tests(tests, make_runs, scratch_leave);
}
