/* proctor report, on generated runs. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <libxml/parser.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "tests/support/fake_run.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/report_html/report_page.h"

/*
 * Runs "a" on a real phone, "b" on a built-in one, "evil" with hostile texts.
 */
static int make_runs(void **state)
{
    struct fake_run plan = {.folder = "a",
                            .id = "run-a",
                            .agent = "able",
                            .tasks = 4,
                            .repeats = 2,
                            .steps = 4,
                            .success = 100,
                            .alike = true,
                            .seed = 1};

    if (scratch_folder_enter(state))
        return -1;
    fake_run_write(&plan);
    plan.folder = "b";
    plan.agent = "idle";
    plan.success = 0;
    plan.builtin = true;
    plan.no_words = true;
    fake_run_write(&plan);
    plan.folder = "idle2";
    plan.agent = "able";
    plan.success = 100;
    fake_run_write(&plan);
    plan.folder = "evil";
    plan.agent = "=cmd|' /C calc'!A0";
    plan.hostile = true;
    plan.success = 100;
    plan.tasks = 1;
    fake_run_write(&plan);
    plan = (struct fake_run){.folder = "fresh",
                             .id = "fresh",
                             .agent = "able",
                             .tasks = 1,
                             .repeats = 1,
                             .steps = 2,
                             .no_screen = true,
                             .unfinished = true,
                             .no_judge = true};
    fake_run_write(&plan);
    return 0;
}

/* The number of elements below node with that name. */
static int count_elements(const xmlNode *node, const char *name)
{
    int count = 0;

    for (; node; node = node->next)
        count += !strcmp((const char *)node->name, name) +
                 count_elements(node->children, name);
    return count;
}

static void expect_suite(const xmlDoc *xml, const char *run,
                         const char *attribute, const char *value)
{
    const xmlNode *suite = xmlDocGetRootElement(xml)->children;
    char *name = NULL;
    char *found;

    for (; suite; suite = suite->next) {
        name = (char *)xmlGetProp(suite, BAD_CAST "name");
        if (name && !strcmp(name, run))
            break;
        xmlFree(name);
    }
    assert_non_null(suite);
    xmlFree(name);
    found = (char *)xmlGetProp(suite, BAD_CAST attribute);
    assert_string_equal(found, value);
    xmlFree(found);
}

static void junit_lists_episodes_as_tests(void **state)
{
    struct command_run run = {0};
    xmlDoc *xml;

    (void)state;
    RUN(&run, 0, "proctor report a b evil fresh --junit report.xml");
    SAYS(run.errors, "wrote report.xml");
    xml = xmlReadFile("report.xml", NULL, XML_PARSE_NOERROR);
    assert_non_null(xml);
    expect_suite(xml, "a", "tests", "8");
    expect_suite(xml, "a", "failures", "0");
    expect_suite(xml, "b", "failures", "8");
    expect_suite(xml, "evil", "tests", "2");
    expect_suite(xml, "fresh", "errors", "1");
    assert_int_equal(count_elements(xmlDocGetRootElement(xml), "testcase"),
                     8 + 8 + 2 + 1);
    assert_int_equal(count_elements(xmlDocGetRootElement(xml), "failure"), 8);
    assert_int_equal(count_elements(xmlDocGetRootElement(xml), "error"), 1);
    assert_int_equal(count_elements(xmlDocGetRootElement(xml), "img"), 0);
    xmlFreeDoc(xml);
    command_run_release(&run);
}

static void runs_are_compared(void **state)
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
    SAYS(run.out, "tapped an empty place, or beside the target");
    SAYS(run.out, "\n  task-003");
    SAYS(run.out, "never counted together with them");
    command_run_release(&run);
}

/* Wide tables continue below; an agent is not split. */
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
        if (text_page_columns(shown) > 80)
            fail_msg("too wide: %s", shown);
        free(shown);
    }
    command_run_release(&run);
}

static void json_has_all_tables(void **state)
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

static void csv_has_no_formulas(void **state)
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

/* Task 0 has two episodes: the one with a valid file counts. */
static void damaged_episode_is_named_and_the_others_count(void **state)
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

static void interrupted_page_is_not_written(void **state)
{
    struct judged_runs judged = JUDGED_RUNS_INIT;
    struct cancel cancel = CANCEL_INIT;
    struct report report;
    struct report_tables sheets;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(judged_runs_add(&judged, "a", NULL, &err));
    assert_true(cancel_init(&cancel, &err));
    report_init(&report, &judged);
    report_tables(&report, &sheets);
    cancel_fire(&cancel);
    assert_false(report_page_save(&report, &sheets, REPORT_PICTURES_ALL,
                                  "cut.html", &cancel, &err));
    assert_int_equal(err.code, ERR_CANCELLED);
    assert_int_not_equal(access("cut.html", F_OK), 0);
    cancel_release(&cancel);
    report_tables_release(&sheets);
    report_release(&report);
    judged_runs_release(&judged);
}

static void rate_below_the_limit_fails(void **state)
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
    RUN(&run, 2, "proctor report a --judge missing");
    SAYS(run.errors, "there is no verdict of \"missing\"; rules judged it");
    RUN(&run, 0, "proctor report fresh");
    SAYS(run.out, "not judged yet; run: proctor judge fresh; 1 of 2 "
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
    SAYS(run.errors, "cannot be compared");
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

static void page_is_self_contained(void **state)
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
    /* Twelve different screens at most, each once. */
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

/* Add one more member to the first verdict of a run. */
static void add_to_verdict(const char *pattern, const char *member)
{
    struct buf text = BUF_INIT((size_t)1 << 20);
    struct buf changed = BUF_INIT((size_t)1 << 20);
    glob_t found;
    struct err err;

    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(file_load(found.gl_pathv[0], &text, &err));
    buf_printf(&changed, "{%s,%s", member, strchr(buf_cstr(&text), '{') + 1);
    assert_true(file_save(found.gl_pathv[0], 0666, buf_cstr(&changed),
                          changed.length, &err));
    globfree(&found);
    buf_release(&text);
    buf_release(&changed);
}

static void page_shows_the_descriptions_that_the_judge_read(void **state)
{
    struct buf page = BUF_INIT((size_t)64 << 20);
    struct command_run run = {0};
    struct err err;

    (void)state;
    RUN(&run, 0, "cp -r a copied");
    add_to_verdict(
        "copied/episodes/*/*/*/verdict.*.json",
        "\"process\":[{\"description\":\"tapped what the judge read\"}]");
    RUN(&run, 0, "proctor report copied --html page.html");
    assert_true(file_load("page.html", &page, &err));
    SAYS(page, "tapped what the judge read");
    buf_release(&page);
    command_run_release(&run);
}

static void hostile_text_is_escaped(void **state)
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

static void page_is_written_completely_or_not_at_all(void **state)
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
        cmocka_unit_test(junit_lists_episodes_as_tests),
        cmocka_unit_test(runs_are_compared),
        cmocka_unit_test(lines_of_several_agents_fit_on_a_terminal),
        cmocka_unit_test(json_has_all_tables),
        cmocka_unit_test(csv_has_no_formulas),
        cmocka_unit_test(damaged_episode_is_named_and_the_others_count),
        cmocka_unit_test(interrupted_page_is_not_written),
        cmocka_unit_test(rate_below_the_limit_fails),
        cmocka_unit_test(judges_are_chosen_by_name),
        cmocka_unit_test(changes_are_listed),
        cmocka_unit_test(page_is_self_contained),
        cmocka_unit_test(page_shows_the_descriptions_that_the_judge_read),
        cmocka_unit_test(hostile_text_is_escaped),
        cmocka_unit_test(page_is_written_completely_or_not_at_all),
    };

    return cmocka_run_group_tests(tests, make_runs, scratch_folder_leave);
}
