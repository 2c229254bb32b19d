#include "runner/record/step_retake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/runner/record/record_helper.h"
#include "tests/support/folder_search.h"
#include "tests/support/scratch_folder.h"

#define STEPS 3
#define LATE 1 /* the step whose screen may be late */
#define SECRET "hunter2-Zebra"

/* Steps on the button, one of them with a flag. The recording is not ended. */
static struct recorder *record(const char *name,
                               struct fake_record_phone *phone)
{
    const struct action tap = record_helper_tap();
    const struct recorder_action late = {
        .action = &tap, .at_ms = 5000, .flag = "the screen was late"};
    struct recorder *recorder = record_helper_start(name, phone);
    struct err err = ERR_INIT;

    for (int i = 0; i < STEPS; i++) {
        if (i != LATE)
            record_helper_step(recorder, &tap);
        else if (!recorder_observe(recorder, &err) ||
                 !recorder_acted(recorder, &late, NULL, &err))
            fail_msg("%s", err.text);
        phone->acts = i + 1;
    }
    return recorder;
}

static bool retake(const char *name, struct fake_record_phone *phone, int step,
                   struct err *err)
{
    struct record_screen screen;
    bool done;

    record_screen_init(&screen);
    if (!phone->phone.ops->observe(&phone->phone, &screen, err))
        fail_msg("%s", err->text);
    done = step_retake(record_helper_folder(name), step, &screen, err);
    record_screen_release(&screen);
    return done;
}

static const char *target_text(const struct recording *recording, int step)
{
    assert_non_null(recording->steps[step].target);
    assert_int_equal(recording->steps[step].target->text.count, 1);
    return recording->steps[step].target->text.items[0];
}

static void a_late_screen_is_replaced_with_its_target(void **state)
{
    struct fake_record_phone phone;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    record_helper_finish(record("late", &phone));
    record_helper_load("late", &recording);
    assert_string_equal(recording.steps[LATE].flag, "the screen was late");
    assert_string_equal(target_text(&recording, LATE), "Step 1");
    recording_release(&recording);
    phone.acts = 7;
    if (!retake("late", &phone, LATE, &err))
        fail_msg("%s", err.text);
    record_helper_load("late", &recording);
    assert_int_equal(recording.count, STEPS + 1);
    assert_null(recording.steps[LATE].flag);
    assert_string_equal(target_text(&recording, LATE), "Step 7");
    assert_non_null(recording.steps[LATE].target->crop);
    assert_string_equal(target_text(&recording, 0), "Step 0");
    assert_string_equal(target_text(&recording, 2), "Step 2");
    recording_release(&recording);
    assert_null(folder_search_text(record_helper_folder("late"), "Step 1"));
}

static void a_step_without_a_tree_can_be_taken_again(void **state)
{
    const struct action tap = record_helper_tap();
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.no_tree = true;
    recorder = record_helper_start("no-tree", &phone);
    record_helper_step(recorder, &tap);
    record_helper_finish(recorder);
    record_helper_load("no-tree", &recording);
    assert_null(recording.steps[0].target);
    assert_non_null(recording.steps[0].flag);
    assert_non_null(strstr(recording.steps[0].flag, "no UI tree"));
    recording_release(&recording);
    phone.no_tree = false;
    if (!retake("no-tree", &phone, 0, &err))
        fail_msg("%s", err.text);
    record_helper_load("no-tree", &recording);
    assert_null(recording.steps[0].flag);
    assert_string_equal(target_text(&recording, 0), "Step 1");
    recording_release(&recording);
}

/* A way to the target that was chosen later belonged to the screen before. */
static void a_second_time_counts(void **state)
{
    struct fake_record_phone phone;
    char before[] = "Step 1";
    char *texts[] = {before};
    struct node_selector other = {.text = {.items = texts, .count = 1}};
    const struct recording_edit healed = {
        .kind = EDIT_TARGET, .step = LATE, .selector = &other};
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    record_helper_finish(record("twice", &phone));
    assert_true(
        recording_edit_add(record_helper_folder("twice"), &healed, &err));
    for (phone.acts = 8; phone.acts < 10; phone.acts++) {
        if (!retake("twice", &phone, LATE, &err))
            fail_msg("%s", err.text);
    }
    record_helper_load("twice", &recording);
    assert_string_equal(target_text(&recording, LATE), "Step 9");
    recording_release(&recording);
}

static void a_password_is_removed(void **state)
{
    struct fake_record_phone phone;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = true;
    record_helper_finish(record("secret", &phone));
    phone.password = false; /* the app shows it */
    phone.field = SECRET;
    if (!retake("secret", &phone, LATE, &err))
        fail_msg("%s", err.text);
    assert_null(folder_search_text(record_helper_folder("secret"), SECRET));
}

static void a_recording_that_goes_on_is_not_changed(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record("busy", &phone);
    assert_false(retake("busy", &phone, LATE, &err));
    assert_int_equal(err.code, ERR_BUSY);
    record_helper_finish(recorder);
}

static void assert_refused(struct fake_record_phone *phone, int step)
{
    struct recording recording;
    struct err err = ERR_INIT;

    assert_false(retake("refused", phone, step, &err));
    assert_int_equal(err.code, ERR_INVALID);
    record_helper_load("refused", &recording);
    assert_non_null(recording.steps[LATE].flag);
    assert_string_equal(target_text(&recording, LATE), "Step 1");
    recording_release(&recording);
}

static void what_cannot_be_the_step_is_refused(void **state)
{
    struct fake_record_phone phone;

    (void)state;
    fake_record_phone_init(&phone, true);
    record_helper_finish(record("refused", &phone));
    assert_refused(&phone, -1);
    assert_refused(&phone, STEPS); /* the screen at the end */
    assert_refused(&phone, STEPS + 1);
    phone.no_tree = true;
    assert_refused(&phone, LATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_screen_is_replaced_with_its_target),
        cmocka_unit_test(a_step_without_a_tree_can_be_taken_again),
        cmocka_unit_test(a_second_time_counts),
        cmocka_unit_test(a_password_is_removed),
        cmocka_unit_test(a_recording_that_goes_on_is_not_changed),
        cmocka_unit_test(what_cannot_be_the_step_is_refused),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
