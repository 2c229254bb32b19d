/* proctor record, by a person at a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/recording/recording.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/cli/command_run.h"

#define SECRET "hunter2Zebra"

static void record(struct command_run *run, const char *input,
                   const char *script)
{
    command_run(run, input, script);
    command_run_expect(run, 0, script, __FILE__, __LINE__);
}

static void load(const char *folder, struct recording *recording)
{
    struct err err = ERR_INIT;

    if (!recording_check(folder, &err) ||
        !recording_load(folder, recording, &err))
        fail_msg("%s", err.text);
}

static void typed_steps_are_starred_undone_and_finished(void **state)
{
    struct command_run run = {0};
    struct recording recording;

    (void)state;
    record(&run,
           "tap Settings\ns\ntap Network\nu\nn the first\ntap Display\n"
           "back\nd\nl\nfinish\n",
           "proctor record terminal -s phone");
    SAYS(run.out, "recordings/terminal");
    SAYS(run.errors, "ready: step 0");
    SAYS(run.errors, "tapped 'Settings'");
    SAYS(run.errors, "step 1 is undone, the phone is as before it");
    SAYS(run.errors, "in settings  (undone)\n"); /* without an effect */
    load("recordings/terminal", &recording);
    assert_int_equal(recording.count, 5);
    assert_true(recording.steps[0].starred);
    assert_string_equal(recording.steps[0].note, "the first");
    assert_true(recording.steps[1].undone);
    assert_true(recording.steps[1].restored);
    assert_int_equal(recording.steps[2].step->action.kind, ACTION_CLICK);
    assert_true(recording.steps[3].deleted);
    assert_int_equal(recording.trajectory.ending, ENDING_COMPLETE);
    recording_release(&recording);
    RUN(&run, 0, "proctor check recordings");
    SAYS(run.out, "1 episode, 0 with problems");
    command_run_release(&run);
}

/* A number is the answer, too, and not that of a step. */
static void answer_is_of_the_current_screen(void **state)
{
    struct command_run run = {0};
    struct recording recording;

    (void)state;
    record(&run, "tap Settings\na 12\ntap Display\na 45 %\na\nfinish\n",
           "proctor record answer -s phone");
    SAYS(run.errors, "the answer is 45 %");
    SAYS(run.errors, "write the answer");
    load("recordings/answer", &recording);
    assert_int_equal(recording.count, 3);
    assert_null(recording.steps[1].answer);
    assert_string_equal(recording.steps[2].answer, "45 %");
    recording_release(&recording);
    RUN(&run, 0, "proctor propose recordings/answer");
    SAYS(run.out, "answer      45\n");
    command_run_release(&run);
}

static void stopped_recording_goes_on(void **state)
{
    struct command_run run = {0};
    struct recording recording;

    (void)state;
    record(&run, "tap Settings\nstop\n",
           "proctor record later -s phone --recordings some");
    SAYS(run.errors, "proctor record later goes on");
    record(&run, "tap Clock\nfinish\n",
           "proctor record later -s phone --recordings some");
    load("some/later", &recording);
    assert_int_equal(recording.count, 3);
    recording_release(&recording);
    command_run_release(&run);
}

static void recordings_without_a_name_are_numbered(void **state)
{
    struct command_run run = {0};

    (void)state;
    record(&run, "finish\n",
           "mkdir -p numbered/recording-1 && "
           "proctor record -s phone --recordings numbered");
    SAYS(run.out, "numbered/recording-2");
    command_run_release(&run);
}

static void killed_recording_goes_on(void **state)
{
    struct command_run run = {0};
    struct recording recording;

    (void)state;
    RUN(&run, 0,
        "mkfifo input\n"
        "proctor record killed -s phone < input 2> log &\n"
        "exec 3> input\n"
        "echo tap Settings >&3\n"
        "await grep -q 'ready: step 1' log\n"
        "kill -9 $!\n"
        "wait $!\n"
        "exec 3>&-\n"
        "proctor check recordings/killed");
    load("recordings/killed", &recording);
    assert_int_equal(recording.count, 2);
    assert_true(recording.steps[0].step->acted);
    recording_release(&recording);
    record(&run, "tap Clock\nfinish\n", "proctor record killed -s phone");
    load("recordings/killed", &recording);
    assert_int_equal(recording.count, 3);
    recording_release(&recording);
    command_run_release(&run);
}

/*
 * Also when the app shows the password afterwards, and when a key of the
 * keyboard on the screen is tapped.
 */
static void password_is_in_no_file(void **state)
{
    struct command_run run = {0};
    struct recording recording;

    (void)state;
    record(&run,
           "tap Settings\ntap Network\ntap Wi-Fi\ntap Mazevo-5G\n"
           "tap Password\ntype " SECRET "\ntap 540 1900\n"
           "tap Show password\nfinish\n",
           "proctor record secret -s phone --recordings secrets");
    load("secrets/secret", &recording);
    assert_true(recording.steps[5].step->action.secret);
    assert_int_equal(recording.steps[6].step->action.kind, ACTION_TYPE);
    assert_false(recording.steps[6].step->action.has_from);
    recording_release(&recording);
    RUN(&run, 1, "grep -r " SECRET " secrets");
    command_run_release(&run);
}

static void impossible_actions_are_refused_in_words(void **state)
{
    struct command_run run = {0};

    (void)state;
    record(&run, "tap Nowhere\ntap 99\nu\ns\ncomplete\nfinish\n",
           "proctor record refused -s phone --recordings refusals");
    SAYS(run.errors, "nothing on the screen is called \"Nowhere\"");
    SAYS(run.errors, "there is no element 99");
    SAYS(run.errors, "there is no step to undo");
    SAYS(run.errors, "there is no such step");
    SAYS(run.errors, "type finish");
    command_run_release(&run);
}

/* Of the recording of the test before. */
static void name_that_begins_with_a_number_is_tapped(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "printf 'tap Settings\ntap Display\ntap Screen timeout\n"
        "tap 5 minutes\nfinish\n' | proctor record minutes -s phone");
    SAYS(run.errors, "'5 minutes', now on");
    command_run_release(&run);
}

static void damaged_edits_are_reported(void **state)
{
    struct command_run run = {0};

    (void)state;
    RUN(&run, 0,
        "echo '{\"edit\":\"star\",\"step\":99,\"on\":true}' >> "
        "refusals/refused/edits.jsonl");
    RUN(&run, 1, "proctor check refusals");
    SAYS(run.out, "there is no step 99 to star");
    command_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_steps_are_starred_undone_and_finished),
        cmocka_unit_test(answer_is_of_the_current_screen),
        cmocka_unit_test(stopped_recording_goes_on),
        cmocka_unit_test(killed_recording_goes_on),
        cmocka_unit_test(recordings_without_a_name_are_numbered),
        cmocka_unit_test(password_is_in_no_file),
        cmocka_unit_test(impossible_actions_are_refused_in_words),
        cmocka_unit_test(name_that_begins_with_a_number_is_tapped),
        cmocka_unit_test(damaged_edits_are_reported),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
