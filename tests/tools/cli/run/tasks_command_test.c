/* proctor tasks: lists, one task, filters, a new file, and mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/json.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

static int enter_folder(void **state)
{
    return setenv("SUITES", TESTS_SUITES, 1) || scratch_folder_enter(state);
}

static int count_tasks(const struct command_run *run)
{
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;
    int count;

    if (!json_parse(buf_cstr(&run->out), run->out.length, &tree, &err))
        fail_msg("%s", err.text);
    assert_true(cJSON_IsArray(tree));
    count = cJSON_GetArraySize(tree);
    cJSON_Delete(tree);
    return count;
}

static void suite_is_listed_with_a_line_per_task(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "LC_ALL=C proctor tasks $SUITES/full.json");
    SAYS(run.out, "shop.everything  process  L3  hard    Find headphones "
                  "below {limit}, delivere...\n");
    SAYS(run.out, "clock.small      state        medium  Set a timer of five "
                  "minutes.\n");
    SAYS(run.out, "3 tasks: 2 judged by state, 1 by process\n");
    RUN(&run, 0, "proctor tasks");
    SAYS(run.out, "20 tasks: ");
    command_run_release(&run);
}

static void filters_select_tasks(void **state)
{
    static const struct {
        const char *script;
        int count;
    } table[] = {
        {"proctor tasks $SUITES/full.json --json", 3},
        {"proctor tasks $SUITES/full.json --json --app clock", 2},
        {"proctor tasks $SUITES/full.json --json --app settings", 1},
        {"proctor tasks $SUITES/full.json --json --kind process", 1},
        {"proctor tasks $SUITES/full.json --json --level 1", 1},
        {"proctor tasks $SUITES/full.json --json --level 5", 0},
        {"proctor tasks $SUITES/full.json --json --category shopping", 1},
        {"proctor tasks $SUITES/full.json --json --tag sort", 1},
        {"proctor tasks $SUITES/full.json --json --tag shopping", 0},
        {"proctor tasks $SUITES/full.json --json --locale zh", 3},
        {"proctor tasks phone --json --kind state --level 1", 2},
    };
    struct command_run run = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        RUN(&run, 0, table[i].script);
        if (count_tasks(&run) != table[i].count)
            fail_msg("%s: %d", table[i].script, count_tasks(&run));
    }
    command_run_release(&run);
}

static void one_task_is_shown_in_full(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tasks $SUITES/full.json shop.everything");
    SAYS(run.out, "shop.everything  process, L3, hard, shopping\n");
    SAYS(run.out, "apps          org.proctor.shop, com.android.settings\n");
    SAYS(run.out, "screen_timeout (must not change): ");
    SAYS(run.out, "gold 3        {\"do\":\"scroll\",\"direction\":\"down\"}\n");
    RUN(&run, 0, "proctor tasks $SUITES/full.json clock.small --json");
    assert_string_equal(
        buf_cstr(&run.out),
        "{\"id\":\"clock.small\",\"app\":\"com.android.deskclock\","
        "\"kind\":\"state\",\"instruction\":\"Set a timer of five minutes.\","
        "\"needs\":[\"a timer of five minutes runs\"]}\n");
    RUN(&run, 2, "proctor tasks $SUITES/full.json clock.smal");
    SAYS(run.errors, "has no task \"clock.smal\"; did you mean "
                     "\"clock.small\"?");
    command_run_release(&run);
}

static void new_file_is_a_valid_suite(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tasks new > out.json && proctor tasks out.json");
    SAYS(run.out, "1 task: 1 judged by state");
    RUN(&run, 0, "proctor tasks new mine.json && cmp mine.json out.json");
    SAYS(run.errors, "proctor tasks mine.json");
    RUN(&run, 0, "proctor tasks mine settings.dark");
    SAYS(run.out, "need 1        the dark theme is on\n");
    RUN(&run, 2, "proctor tasks new mine.json");
    SAYS(run.errors, "mine.json already exists");
    command_run_release(&run);
}

static void mistake_is_reported_and_nothing_is_listed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2,
        "sed s/instruction/instructions/ $SUITES/full.json > bad.json; "
        "proctor tasks bad.json");
    SAYS(run.errors, "bad.json: task \"shop.everything\": instructions: there "
                     "is no such member; did you mean \"instruction\"?");
    assert_int_equal(run.out.length, 0);
    RUN(&run, 2, "proctor tasks nowhere");
    SAYS(run.errors, "there is no suite nowhere");
    RUN(&run, 2, "proctor tasks phoen");
    SAYS(run.errors, "no suite \"phoen\"; did you mean \"phone\"?");
    RUN(&run, 2, "proctor run phone --agent nothing -t setings.dark");
    SAYS(run.errors, "did you mean \"settings.dark\"?");
    RUN(&run, 2, "proctor meter -t setings.dark");
    SAYS(run.errors, "did you mean \"settings.dark\"?");
    RUN(&run, 2, "proctor preflight phone -t setings.dark");
    SAYS(run.errors, "did you mean \"settings.dark\"?");
    RUN(&run, 2, "proctor run phone --agent hooman");
    SAYS(run.errors, "did you mean \"human\"?");
    command_run_release(&run);
}

static void gallery_shows_tasks_with_gold_ways_and_outcomes(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "proctor run phone -t settings.dark --agent gold --device phone "
        "--out gold && "
        "proctor run phone -t settings.dark -t clock.city --agent nothing "
        "--device phone --out idle && "
        "proctor judge gold idle && "
        "proctor tasks phone --gallery all.html --with gold --with idle && "
        "grep -c '<article' all.html && grep -o '<img' all.html | wc -l && "
        "grep -o 'Agents: 1 episode, 1 failure' all.html | wc -l");
    SAYS(run.out, "\n20\n3\n2\n");
    RUN(&run, 0, "sed 's/base64,[^\"]*//g' all.html");
    SAYS(run.out, "3 other right ways, 4 wrong ways");
    SAYS(run.out, "<td>off-again</td><td>undone</td><td>dark</td>");
    SAYS(run.out, ", now on, 4th item");
    SAYS(run.out, "at most 15 steps, gold in 3</p>");
    SAYS(run.out, "<li class=\"key\">click <code>settings.timeout "
                  "300000</code></li>");
    SAYS(run.out, "<summary>10 other wordings</summary>");
    SAYS(run.out, "<td lang=\"en\">Dark theme on. Nothing else.</td>");
    SAYS(run.out, "Agents: 1 episode, 1 failure; 1.0 steps on average.");
    RUN(&run, 0,
        "echo '[{\"id\": \"bad\", \"app\": \"a.b\", \"kind\": \"state\", "
        "\"instruction\": \"<script>alert(1)</script>\", "
        "\"needs\": [\"<img src=x>\"]}]' > bad.json && "
        "proctor tasks bad.json --gallery bad.html && cat bad.html");
    SAYS(run.out, "&lt;script&gt;alert(1)&lt;/script&gt;");
    SAYS(run.out, "&lt;img src=x&gt;");
    RUN(&run, 2, "proctor tasks phone --with gold");
    SAYS(run.errors, "--with needs --gallery FILE");
    RUN(&run, 2, "proctor tasks phone settings.dark --gallery one.html");
    command_run_release(&run);
}

/* Gold is done for the page, and the zoo's figures are in it. */
static void gallery_makes_its_own_screens(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "echo '{\"tasks\": [{\"task\": \"calculator.history\", "
        "\"success\": 0.25, \"discrimination\": 0.125, \"poor\": true}]}' "
        ">zoo.json && "
        "proctor tasks phone --app calculator --gallery one.html --gold "
        "--zoo zoo.json && grep -c '<article' one.html && "
        "sed 's/base64,[^\"]*//g' one.html");
    SAYS(run.out, "<img alt=\"\" src=\"data:image/jpeg;");
    SAYS(run.out, "Work out ");
    /* the values are filled in, in either language */
    assert_null(strstr(buf_cstr(&run.out), "Work out {a}"));
    assert_null(strstr(buf_cstr(&run.out), "用计算器先算 {a}"));
    SAYS(run.out, "25.0 % success, discrimination 0.12, <b>tells nothing "
                  "apart</b>");
    RUN(&run, 2,
        "echo '{\"tasks\": [{}]}' >zoo.json && "
        "proctor tasks phone --gallery one.html --zoo zoo.json");
    SAYS(run.errors, "zoo.json: ");
    RUN(&run, 2, "proctor tasks phone --gold");
    SAYS(run.errors, "--gold needs --gallery FILE");
    command_run_release(&run);
}

static void suites_for_real_phones_have_the_tasks_of_the_paper(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tasks probench-en");
    SAYS(run.out, "77 tasks: 53 judged by state, 24 by process\n");
    RUN(&run, 0, "proctor tasks probench-zh");
    SAYS(run.out, "142 tasks: 97 judged by state, 45 by process\n");
    command_run_release(&run);
}

static void wordings_of_the_suites_are_valid(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor tasks phone");
    SAYS(run.errors, "100 other wordings");
    RUN(&run, 0, "proctor tasks world");
    SAYS(run.errors, "other wordings");
    command_run_save("worded.json",
                     "[{\"id\": \"a\", \"app\": \"com.a\", \"kind\": "
                     "\"state\", \"instruction\": \"Go\", \"needs\": "
                     "[\"It is there\"]}]");
    command_run_save("worded.wordings.json",
                     "[{\"task\": \"a\", \"wordings\": [{\"style\": "
                     "\"rude\", \"say\": \"Off you go\"}]}]");
    RUN(&run, 2, "proctor tasks worded.json");
    SAYS(run.errors, "worded.wordings.json: [0].wordings[0].style: ");
    command_run_release(&run);
}

static void preflight_compares_a_phone_with_the_requirements(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "LC_ALL=C proctor preflight phone -s phone --locale zh");
    SAYS(run.out, "+ settings.dark\n");
    SAYS(run.out, "20 of 20 tasks can begin on phone-0\n");
    RUN(&run, 1, "LC_ALL=C proctor preflight $SUITES/full.json -s phone");
    SAYS(run.out,
         "x shop.everything\n    org.proctor.shop does not request the "
         "permission android.permission.CAMERA\n    do: ");
    SAYS(run.out, "+ clock.small\n");
    SAYS(run.out, "2 of 3 tasks can begin on phone-0\n");
    RUN(&run, 0,
        "proctor preflight $SUITES/full.json -s phone -t clock.small --json");
    assert_string_equal(buf_cstr(&run.out),
                        "{\"device\":\"phone-0\",\"ready\":1,"
                        "\"missing_apps\":[],\"tasks\":[{"
                        "\"task\":\"clock.small\",\"ready\":true,"
                        "\"missing\":[]}]}\n");
    RUN(&run, 1,
        "LC_ALL=C proctor preflight probench-zh -s phone --locale zh "
        "-t wechat.groups -t taobao.cart -t wechat.mini -t clock.alarms");
    SAYS(run.out, "x wechat.groups\n    com.tencent.mm is not installed\n");
    SAYS(run.out, "+ clock.alarms\n"
                  "2 apps to install, from a store or with: proctor install "
                  "APK\n"
                  "    com.tencent.mm (微信), for 2 tasks\n"
                  "    com.taobao.taobao (淘宝), for 1 task\n"
                  "1 of 4 tasks can begin on phone-0\n");
    RUN(&run, 2, "proctor preflight $SUITES/full.json -s phone -t nothing");
    SAYS(run.errors, "suite everything has no task \"nothing\"");
    command_run_release(&run);
}

static void dates_are_relative_to_the_phones_day(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "cat > d.json <<'END'\n"
        "[{\"id\": \"d\", \"app\": \"com.android.deskclock\",\n"
        "  \"kind\": \"state\", \"needs\": [\"it is so\"],\n"
        "  \"instruction\": \"On {today+1m:%A, %-d %B %Y}.\",\n"
        "  \"gold\": [{\"do\": \"complete\"}]}]\n"
        "END\n"
        "proctor run d.json --agent gold --device phone -o run &&"
        "cat run/episodes/d/0/0/task.json");
    SAYS(run.out, "\"instruction\":\"On Thursday, 6 February 2025.\"");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gallery_makes_its_own_screens),
        cmocka_unit_test(gallery_shows_tasks_with_gold_ways_and_outcomes),
        cmocka_unit_test(suite_is_listed_with_a_line_per_task),
        cmocka_unit_test(filters_select_tasks),
        cmocka_unit_test(one_task_is_shown_in_full),
        cmocka_unit_test(new_file_is_a_valid_suite),
        cmocka_unit_test(mistake_is_reported_and_nothing_is_listed),
        cmocka_unit_test(suites_for_real_phones_have_the_tasks_of_the_paper),
        cmocka_unit_test(wordings_of_the_suites_are_valid),
        cmocka_unit_test(preflight_compares_a_phone_with_the_requirements),
        cmocka_unit_test(dates_are_relative_to_the_phones_day),
    };

    return cmocka_run_group_tests(tests, enter_folder, scratch_folder_leave);
}
