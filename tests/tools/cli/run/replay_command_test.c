/* proctor replay and proctor export, on episodes of gold. */
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
#include "base/picture/picture_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define EPISODE "gold/episodes/shop.cheapest/0/0"

/* A dialog comes over the app, and nothing dismisses it. */
#define COVERED                                                                \
    " --popups none.json --faults "                                            \
    "'popup:service=exec:screencap,skip=4,times=1'"

static int record(void **state)
{
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    RUN(&run, 0,
        "proctor run phone --agent gold --device phone --out gold "
        "-t shop.cheapest --seed 4");
    command_run_release(&run);
    return 0;
}

static void episode_of_gold_is_replayed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor replay " EPISODE " --times 2");
    SAYS(run.out, "stability 1.00: 2 of 2");
    command_run_release(&run);
}

static void different_screen_stops_a_replay_with_a_picture_of_both(void **state)
{
    struct command_run run = {0};
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    RUN(&run, 1,
        "echo '[]' >none.json; proctor replay " EPISODE COVERED " -o both.png");
    SAYS(run.out, "stopped");
    SAYS(run.out, "both.png");
    if (!picture_file_load("both.png", &picture, &err))
        fail_msg("%s", err.text);
    assert_true(picture.width > 2 * 1080);
    picture_release(&picture);
    command_run_release(&run);
}

static void replay_prints_its_result_as_json(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor replay " EPISODE " --locale zh --json");
    SAYS(run.out, "\"stability\":1,");
    SAYS(run.out, "\"done\":true");
    SAYS(run.out, "\"truth\":true");
    SAYS(run.out, "\"confidence\":");
    SAYS(run.out, "\"reason\":\"same id");
    RUN(&run, 1,
        "echo '[]' >none.json; proctor replay " EPISODE COVERED " --json");
    SAYS(run.out, "\"stability\":0,");
    SAYS(run.out, "\"done\":false");
    SAYS(run.out, "\"stopped_by\":\"screen\"");
    command_run_release(&run);
}

/* The sheet of step 3 comes after twenty seconds. */
#define SLOW_SHEET " --faults 'slow:service=input tap,ms=20000,skip=1,times=1'"
#define WAIT_FOR_IT                                                            \
    "printf '%s\\n' '{\"format\":\"proctor-recording\",\"version\":1}' "       \
    "'{\"edit\":\"wait_for\",\"step\":3,\"selector\":{\"text\":"               \
    "\"Price: low to high\",\"point\":[540,1619]}}' >" EPISODE                 \
    "/edits.jsonl; "

static void marked_node_is_waited_for(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1, "proctor replay " EPISODE SLOW_SHEET);
    SAYS(run.out, "step 2: the screen is another");
    RUN(&run, 0,
        WAIT_FOR_IT "proctor replay " EPISODE SLOW_SHEET
                    "; result=$?; rm " EPISODE "/edits.jsonl; exit $result");
    SAYS(run.out, "5 of 5");
    command_run_release(&run);
}

static void run_is_exported_as_a_table(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "proctor export gold");
    SAYS(run.out, "run,task,repeat,attempt,agent");
    SAYS(run.out, ",\"shop.cheapest\",0,0,\"gold\",\"phone-0\",");
    RUN(&run, 0, "proctor judge gold && proctor export -f jsonl gold");
    SAYS(run.out, "\"judge\":\"rules\"");
    RUN(&run, 0, "proctor export -f jsonl --judge rules gold");
    SAYS(run.out, "\"judge\":\"rules\"");
    RUN(&run, 0, "proctor export -f jsonl --judge rule gold");
    assert_null(strstr(buf_cstr(&run.out), "\"judge\""));
    SAYS(run.out, "\"task\":\"shop.cheapest\"");
    RUN(&run, 0,
        "cd gold/episodes/shop.cheapest/0/0 && for f in verdict.rules-*; do "
        "sed 's/\"judge\":\"rules\"/\"judge\":\"a\"/' $f > "
        "verdict.a-00000000.json; done; cd - >/dev/null; "
        "proctor export -f jsonl gold; proctor export -f jsonl -j rules gold");
    SAYS(run.out, "\"judge\":\"a\"");
    SAYS(run.out, "\"judge\":\"rules\"");
    RUN(&run, 2, "proctor export nowhere");
    command_run_release(&run);
}

static void run_is_exported_as_androidcontrol(void **state)
{
    struct command_run run = {0};
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    struct json actions;
    struct json screens;
    struct err err = ERR_INIT;

    (void)state;
    RUN(&run, 0, "proctor export -f androidcontrol gold");
    if (!json_parse(buf_cstr(&run.out), run.out.length, &tree, &err))
        fail_msg("%s", err.text);
    root.value = tree;
    assert_true(json_get_array(&root, "actions", &actions, &err));
    assert_true(json_get_array(&root, "screenshots", &screens, &err));
    assert_int_equal(cJSON_GetArraySize(screens.value),
                     cJSON_GetArraySize(actions.value) + 1);
    SAYS(run.out, "{\"action_type\":\"click\",\"x\":");
    SAYS(run.out, "{\"action_type\":\"input_text\",\"text\":");
    SAYS(run.out, "{\"action_type\":\"status\",\"goal_status\":\"complete\"}");
    cJSON_Delete(tree);
    command_run_release(&run);
}

/* Tasks whose reset and gold are recordings. */
static void recording_can_be_gold_and_reset(void **state)
{
    static const char suite[] =
        "[{\"id\": \"again\", \"app\": \"com.proctor.shop\", \"kind\": "
        "\"state\", \"instruction\": \"Again\", \"needs\": [\"It is shown\"], "
        "\"gold\": {\"trajectory\": \"" EPISODE "\"}},"
        "{\"id\": \"after\", \"app\": \"com.proctor.shop\", \"kind\": "
        "\"state\", \"instruction\": \"After\", \"needs\": [\"It is shown\"], "
        "\"reset\": {\"recorded\": \"" EPISODE "\"}}]";
    struct command_run run = {0};
    struct err err;

    (void)state;
    assert_true(file_save("mine.json", 0666, suite, sizeof(suite) - 1, &err));
    RUN(&run, 0,
        "app=$(sed -n '1s/.*\"app\":\"\\([^\"]*\\)\".*/\\1/p' " EPISODE
        "/events.jsonl); sed -i \"s/com.proctor.shop/$app/g\" mine.json;"
        "proctor run mine.json --agent gold --device phone --seed 4 --out g "
        "-t again && proctor run mine.json --agent nothing --device phone "
        "--seed 4 --out n -t after");
    SAYS(run.out, "complete");
    RUN(&run, 0,
        "last=$(grep -o 'trees/[0-9]*.xml' " EPISODE "/events.jsonl | "
        "tail -n 1); cmp " EPISODE
        "/$last n/episodes/after/0/0/trees/0000.xml");
    command_run_release(&run);
}

/* The seed, the skin and the language are those of the recorded phone. */
static void recording_of_a_builtin_phone_is_replayed_on_such_a_phone(
    void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "printf 'tap 设置\ntap 显示\ns\nfinish\n' | proctor record shown "
        "-s phone --seed 7 --locale zh && proctor replay recordings/shown");
    RUN(&run, 0,
        "proctor propose recordings/shown --instruction 打开显示设置 "
        "--suite shown.json; proctor replay gold/shown/1 -n 2 --json");
    SAYS(run.out, "\"passed\":2");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(episode_of_gold_is_replayed),
        cmocka_unit_test(recording_can_be_gold_and_reset),
        cmocka_unit_test(
            recording_of_a_builtin_phone_is_replayed_on_such_a_phone),
        cmocka_unit_test(
            different_screen_stops_a_replay_with_a_picture_of_both),
        cmocka_unit_test(replay_prints_its_result_as_json),
        cmocka_unit_test(marked_node_is_waited_for),
        cmocka_unit_test(run_is_exported_as_a_table),
        cmocka_unit_test(run_is_exported_as_androidcontrol),
    };

    return cmocka_run_group_tests(tests, record, scratch_folder_leave);
}
