/* proctor replay --update on the built-in phone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

/* An episode of a run, and a recording of it that was moved out of the run. */
static int record(void **state)
{
    static const char suite[] =
        "[{\"id\": \"written\", \"app\": \"com.android.settings\", "
        "\"kind\": \"state\", \"instruction\": \"Switch to the dark "
        "theme\", \"needs\": [\"it is on\"], \"truth\": "
        "\"settings.dark\", \"gold\": [{\"do\": \"click\", \"at\": "
        "{\"call\": \"settings.go display\"}}, {\"do\": \"click\", "
        "\"at\": {\"call\": \"settings.dark on\"}}, {\"do\": "
        "\"complete\"}]}]";
    struct command_run run = {0};

    if (scratch_folder_enter(state))
        return -1;
    command_run_save("my.json", suite);
    RUN(&run, 0,
        "proctor run my.json --agent gold --device phone --out gold --seed 1 "
        "--locale en && mkdir recordings && "
        "cp -r gold/episodes/written/0/0 recordings/dark");
    command_run_release(&run);
    return 0;
}

static void update_needs_a_terminal(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 2,
        "echo y | proctor replay recordings/dark --device phone "
        "--update");
    SAYS(run.errors, "terminal");
    command_run_release(&run);
}

/* script(1) gives the program a terminal. */
static void update_rewrites_only_what_is_confirmed(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "cp -r recordings/dark was; echo n | script -qec \"$(command -v "
        "proctor) replay recordings/dark --device phone --seed 1 --skin 3 "
        "--update\" log >shown && diff -r was recordings/dark && "
        "ls recordings | wc -l");
    SAYS(run.out, "1\n");
    RUN(&run, 0,
        "echo y | script -qec \"$(command -v proctor) replay recordings/dark "
        "--device phone --seed 1 --skin 3 --update\" log >shown; "
        "cat shown; ls recordings | wc -l; grep -c dark_item "
        "recordings/dark/trees/0001.xml");
    SAYS(run.out, "rewrote recordings/dark");
    SAYS(run.out, "1\n");
    RUN(&run, 0,
        "proctor replay recordings/dark --device phone --seed 1 --skin 3 "
        "--json");
    SAYS(run.out, "\"like\":1,");
    SAYS(run.out, "\"confidence\":1,\"reason\":\"same id, text, kind, "
                  "position\"");
    command_run_release(&run);
}

#define EDITS "{\"format\":\"proctor-recording\",\"version\":1}\n"
#define STAR "{\"edit\":\"star\",\"step\":1,\"on\":true}\n"
#define UPDATE                                                                 \
    "echo y | script -qec \"$(command -v proctor) replay marked --device "     \
    "phone --seed 1 --update\" log >shown"

/* The steps after one that is left out would get other numbers. */
static void update_with_a_deleted_step_is_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "rm -rf marked && cp -r gold/episodes/written/0/0 marked");
    command_run_save("marked/edits.jsonl", EDITS STAR
                     "{\"edit\":\"delete\",\"step\":2,\"on\":true}\n");
    RUN(&run, 0,
        "cp -r marked was_marked; " UPDATE "; cat shown; diff -r -x .lock "
        "was_marked marked");
    SAYS(run.out, "deleted, undone, trimmed or blocked");
    command_run_release(&run);
}

static void update_of_a_recording_in_use_is_refused(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "rm -rf marked && cp -r gold/episodes/written/0/0 marked");
    command_run_save("marked/edits.jsonl", EDITS);
    RUN(&run, 0, "exec 9>marked/.lock; flock 9; " UPDATE " 9<&-; cat shown");
    SAYS(run.out, "is used by another proctor");
    command_run_release(&run);
}

/* Someone is adding an edit when the recording is replaced. */
static void edit_during_an_update_is_kept(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0, "rm -rf marked && cp -r gold/episodes/written/0/0 marked");
    command_run_save("marked/edits.jsonl", EDITS);
    command_run_save("star", STAR);
    RUN(&run, 0,
        "exec 9>>marked/edits.jsonl; flock 9; >shown; { " UPDATE
        " 9<&- & }; while kill -0 $! && ! grep -q 'rewrite marked' shown; do "
        "sleep 0.1; done; cat star >&9; exec 9<&-; wait $!; cat shown; "
        "grep star marked/edits.jsonl");
    SAYS(run.out, "rewrote marked");
    SAYS(run.out, STAR);
    command_run_release(&run);
}

static void episode_of_a_run_is_not_rewritten(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "echo y | script -qec \"$(command -v proctor) replay "
        "gold/episodes/written/0/0 --update\" log >shown; cat shown; "
        "proctor check gold");
    SAYS(run.out, "copy it first");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(update_needs_a_terminal),
        cmocka_unit_test(update_rewrites_only_what_is_confirmed),
        cmocka_unit_test(update_with_a_deleted_step_is_refused),
        cmocka_unit_test(update_of_a_recording_in_use_is_refused),
        cmocka_unit_test(edit_during_an_update_is_kept),
        cmocka_unit_test(episode_of_a_run_is_not_rewritten),
    };

    return cmocka_run_group_tests(tests, record, scratch_folder_leave);
}
