/* proctor health on the built-in phone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/*
 * A suite with written gold, with a recording of it that was moved out of its
 * run, with steps to something that is not there, and with such steps beside
 * the recording, as a saved recording has them.
 */
static int record(void **state)
{
    static const char suite[] =
        "[\n"
        "  {\n"
        "    \"id\": \"written\",\n"
        "    \"app\": \"com.android.settings\", \"kind\": \"state\",\n"
        "    \"instruction\": \"Switch to the dark theme\",\n"
        "    \"needs\": [\"it is on\"], \"truth\": \"settings.dark\",\n"
        "    \"gold\": [{\"do\": \"click\", \"at\": {\"call\": "
        "\"settings.go display\"}}, {\"do\": \"click\", \"at\": {\"call\": "
        "\"settings.dark on\"}}, {\"do\": \"complete\"}]\n"
        "  },\n"
        "  {\n"
        "    \"id\": \"recorded\",\n"
        "    \"app\": \"com.android.settings\", \"kind\": \"state\",\n"
        "    \"instruction\": \"Switch to the dark theme\",\n"
        "    \"needs\": [\"it is on\"], \"truth\": \"settings.dark\",\n"
        "    \"gold\": {\"trajectory\": \"recordings/dark\"}\n"
        "  },\n"
        "  {\n"
        "    \"id\": \"gone\",\n"
        "    \"app\": \"com.android.settings\", \"kind\": \"state\",\n"
        "    \"validated\": {\"date\": \"2020-02-02\", \"version\": \"1\", "
        "\"device\": \"old\"},\n"
        "    \"instruction\": \"Open what was removed\",\n"
        "    \"needs\": [\"it is open\"], \"truth\": \"settings.dark\",\n"
        "    \"gold\": [{\"do\": \"click\", \"at\": {\"text\": \"Removed "
        "long ago\"}}, {\"do\": \"complete\"}]\n"
        "  },\n"
        "  {\n"
        "    \"id\": \"both\",\n"
        "    \"app\": \"com.android.settings\", \"kind\": \"state\",\n"
        "    \"instruction\": \"Switch to the dark theme\",\n"
        "    \"needs\": [\"it is on\"], \"truth\": \"settings.dark\",\n"
        "    \"gold\": {\"trajectory\": \"recordings/dark\", \"steps\": "
        "[{\"do\": \"click\", \"at\": {\"text\": \"Removed long ago\"}}, "
        "{\"do\": \"complete\"}]}\n"
        "  },\n"
        "  {\n"
        "    \"id\": \"covered\",\n"
        "    \"app\": \"com.android.settings\", \"kind\": \"state\",\n"
        "    \"instruction\": \"Switch to the dark theme\",\n"
        "    \"needs\": [\"it is on\"], \"truth\": \"settings.dark\",\n"
        "    \"gold\": [{\"do\": \"click\", \"at\": {\"text\": \"Dark "
        "theme\"}}, {\"do\": \"complete\"}]\n"
        "  },\n"
        "  {\n"
        "    \"id\": \"without\",\n"
        "    \"app\": \"com.android.settings\", \"kind\": \"state\",\n"
        "    \"instruction\": \"Look\", \"needs\": [\"it is shown\"]\n"
        "  }\n"
        "]\n";
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    command_run_save("my.json", suite);
    command_run_save("untouched.json", suite);
    RUN(&run, 0,
        "proctor run my.json --agent gold --device phone --out gold -t written "
        "--seed 1 --locale en && mkdir recordings && "
        "cp -r gold/episodes/written/0/0 recordings/dark");
    command_run_release(&run);
    return 0;
}

static void broken_gold_is_named_with_the_day_it_worked(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "proctor health my.json --device phone --seed 1 --skin 1 -t written -t "
        "recorded -t gone -t both -t without");
    SAYS(run.out, "written                   works");
    SAYS(run.out, "recorded                  works");
    SAYS(run.out, "gone                      broken");
    SAYS(run.out, "'Removed long ago' is not on the screen");
    SAYS(run.out, "worked last on 2020-02-02");
    SAYS(run.out, "both                      works");
    SAYS(run.out, "3 of 4 work; 1 without gold");
    RUN(&run, 0,
        "grep -c \"\\\"validated\\\": .*$(date +%Y)\" my.json; "
        "grep 2020-02-02 my.json; proctor tasks my.json");
    SAYS(run.out, "3\n");
    SAYS(run.out, "\"device\": \"old\"");
    command_run_release(&run);
}

static void health_prints_its_result_as_json(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "cp my.json before.json; proctor health my.json --device phone --json "
        "--no-update -t recorded --seed 1 && cmp my.json before.json");
    SAYS(run.out, "\"working\":1,\"broken\":0");
    SAYS(run.out, "\"task\":\"recorded\",\"works\":true");
    RUN(&run, 2, "proctor health my.json --device phone -t recordet");
    SAYS(run.errors, "recorded");
    command_run_release(&run);
}

/* A password is not in the recording, but in the written steps. */
static void recording_with_a_password_is_not_replayed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 1,
        "mkdir secret && cp -r recordings secret && sed "
        "'s/\"action\":\"click\"/&,\"secret\":true/' "
        "recordings/dark/events.jsonl >secret/recordings/dark/events.jsonl && "
        "! cmp -s recordings/dark/events.jsonl "
        "secret/recordings/dark/events.jsonl && cp my.json secret && proctor "
        "health secret/my.json --device phone --seed 1 -t both");
    SAYS(run.out, "'Removed long ago' is not on the screen");
    command_run_release(&run);
}

/*
 * The row that leads to the target stands for a pop-up over it. It stays where
 * a written step is about it.
 */
static void popup_over_a_target_is_dismissed(void **state)
{
    struct command_run run = {0};

    (void)state;
    command_run_save("popups.json",
                     "[{\"name\": \"row\", \"shows\": \"^Display$\", "
                     "\"tap\": {\"text\": [\"Display\"]}}]");
    RUN(&run, 0,
        "proctor health my.json --device phone --seed 1 --locale en --popups "
        "popups.json --no-update -t covered -t written");
    SAYS(run.out, "2 of 2 work");
    command_run_release(&run);
}

/* Someone has the lock, has read the suite, and writes it later. */
static void suite_that_is_being_changed_is_waited_for(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "mkdir busy && cd busy && exec 9<. && flock 9 && cp ../untouched.json "
        "my.json && sed 's/Look/Look twice/' my.json >new.json && { proctor "
        "health my.json --device phone --seed 1 -t written >out 9<&- & } && "
        "while kill -0 $! && ! grep -q works out; do sleep 0.1; done && "
        "cp new.json my.json && exec 9<&- && wait $! && "
        "grep -c 'Look twice' my.json && grep -c '\"validated\": .*'$(date "
        "+%Y) my.json");
    SAYS(run.out, "1\n1\n");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_gold_is_named_with_the_day_it_worked),
        cmocka_unit_test(health_prints_its_result_as_json),
        cmocka_unit_test(recording_with_a_password_is_not_replayed),
        cmocka_unit_test(popup_over_a_target_is_dismissed),
        cmocka_unit_test(suite_that_is_being_changed_is_waited_for),
    };

    return cmocka_run_group_tests(tests, record, scratch_folder_leave);
}
