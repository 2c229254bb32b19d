#include "runner/recording/recording_change.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/picture/picture_file.h"
#include "tests/runner/record/record_helper.h"
#include "tests/support/folder_search.h"
#include "tests/support/scratch_folder.h"

#define STEPS 4

/* Steps on the button; step 1 is starred, step 2 has a note. */
static void record(const char *name)
{
    char note[] = "a note";
    const struct action action = record_helper_tap();
    const struct recording_edit edits[] = {
        {.kind = EDIT_STAR, .step = 1, .on = true},
        {.kind = EDIT_NOTE, .step = 2, .text = note},
    };
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct err err = ERR_INIT;

    fake_record_phone_init(&phone, true);
    recorder = record_helper_start(name, &phone);
    for (int i = 0; i < STEPS; i++)
        record_helper_step(recorder, &action);
    for (size_t i = 0; i < 2; i++) {
        if (!recording_edit_add(record_helper_folder(name), &edits[i], &err))
            fail_msg("%s", err.text);
    }
    record_helper_finish(recorder);
}

/* ---- blur ---- */

static const struct box button = {10, 20, 110, 60};

static void blurred_original_is_gone(void **state)
{
    struct buf original = BUF_INIT((size_t)1 << 20);
    struct recording recording;
    struct picture picture = PICTURE_INIT;
    struct buf path = BUF_INIT(1024);
    struct err err = ERR_INIT;
    const uint8_t *row;

    (void)state;
    record("blur");
    record_helper_load("blur", &recording);
    assert_true(trajectory_read_file(&recording.trajectory,
                                     &recording.trajectory.steps[1].screen,
                                     &original, &err));
    recording_release(&recording);
    assert_non_null(folder_search(record_helper_folder("blur"), original.data,
                                  original.length));
    assert_non_null(folder_search(record_helper_folder("blur"), "Step 1", 6));
    if (!recording_blur(record_helper_folder("blur"), 1, button, &err))
        fail_msg("%s", err.text);
    assert_null(folder_search(record_helper_folder("blur"), original.data,
                              original.length));
    assert_null(folder_search(record_helper_folder("blur"), "Step 1", 6));
    record_helper_load("blur", &recording);
    assert_int_equal(recording.count, STEPS + 1);
    assert_true(recording.steps[1].starred);
    assert_null(recording.steps[1].target->crop);
    assert_non_null(recording.steps[2].target->crop);
    buf_printf(&path, "%s/%s", record_helper_folder("blur"),
               recording.steps[1].step->screen.file);
    assert_true(picture_file_load(buf_cstr(&path), &picture, &err));
    row = picture_row(&picture, 30);
    assert_int_equal(row[(size_t)11 * 4 + 2], row[(size_t)20 * 4 + 2]);
    row = picture_row(&picture, 100);
    assert_int_not_equal(row[(size_t)11 * 4 + 2], row[(size_t)20 * 4 + 2]);
    picture_release(&picture);
    buf_release(&path);
    recording_release(&recording);
    buf_release(&original);
}

/* A corner of the button is enough, also where it was not tapped. */
static void element_that_the_rectangle_touches_is_hidden(void **state)
{
    const struct box corner = {10, 20, 30, 40};
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    record("corner");
    if (!recording_blur(record_helper_folder("corner"), 1, corner, &err))
        fail_msg("%s", err.text);
    assert_null(folder_search(record_helper_folder("corner"), "Step 1", 6));
    assert_non_null(folder_search(record_helper_folder("corner"), "Step 2", 6));
    record_helper_load("corner", &recording);
    assert_null(recording.steps[1].target->crop);
    recording_release(&recording);
}

/* What was read off the box may be known from the edits alone. */
static void blurred_answer_is_gone(void **state)
{
    char text[] = "Step 1";
    const struct recording_edit edit = {
        .kind = EDIT_ANSWER, .step = 1, .text = text};
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    record("answer");
    assert_true(
        recording_edit_add(record_helper_folder("answer"), &edit, &err));
    record_helper_load("answer", &recording);
    assert_string_equal(recording.steps[1].answer, text);
    recording_release(&recording);
    if (!recording_blur(record_helper_folder("answer"), 1, button, &err))
        fail_msg("%s", err.text);
    assert_null(
        folder_search(record_helper_folder("answer"), text, strlen(text)));
    record_helper_load("answer", &recording);
    assert_null(recording.steps[1].answer);
    recording_release(&recording);
}

static void text_of_a_blurred_field_is_gone(void **state)
{
    static const char typed[] = "7 Elm Street";
    static const char hint[] = "Home of Ada";
    const struct action action = {.kind = ACTION_TYPE, .text = (char *)typed};
    struct fake_record_phone phone;
    const struct recorder_options options = {
        .recordings = "recordings", .name = "field", .phone = &phone.phone};
    struct recorder *recorder;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.focused = true;
    assert_true(recorder_open(&options, &recorder, &err));
    assert_true(recorder_observe(recorder, &err));
    phone.field = typed;
    phone.hint = hint;
    assert_true(recorder_step(recorder, &action, NULL, &err));
    assert_true(recorder_finish(recorder, &err));
    assert_non_null(
        folder_search(record_helper_folder("field"), typed, strlen(typed)));
    assert_non_null(
        folder_search(record_helper_folder("field"), hint, strlen(hint)));
    if (!recording_blur(record_helper_folder("field"), 1,
                        (struct box){0, 90, 120, 110}, &err))
        fail_msg("%s", err.text);
    assert_null(
        folder_search(record_helper_folder("field"), typed, strlen(typed)));
    assert_null(
        folder_search(record_helper_folder("field"), hint, strlen(hint)));
    record_helper_load("field", &recording);
    assert_true(recording.steps[0].step->action.secret);
    recording_release(&recording);
}

static void original_that_cannot_be_removed_fails_the_blur(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    record("stuck");
    assert_int_equal(mkdir("recordings/stuck/screens/folder", 0777), 0);
    assert_false(recording_blur(record_helper_folder("stuck"), 1,
                                (struct box){10, 20, 110, 60}, &err));
    assert_non_null(strstr(err.text, "screens/folder"));
}

/* A kill during a blur left the original. */
static void rename_removes_files_that_nothing_names(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    record("killed");
    assert_true(
        file_save("recordings/killed/screens/0099.png", 0666, "x", 1, &err));
    assert_true(
        recording_rename(record_helper_folder("killed"), "alive", &err));
    assert_int_not_equal(access("recordings/alive/screens/0099.png", F_OK), 0);
}

static void rectangle_outside_of_the_screen_is_refused(void **state)
{
    struct err err = ERR_INIT;

    (void)state;
    record("outside");
    assert_false(recording_blur(record_helper_folder("outside"), 0,
                                (struct box){500, 500, 600, 600}, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(recording_blur(record_helper_folder("outside"), 99,
                                (struct box){0, 0, 10, 10}, &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_true(recording_check(record_helper_folder("outside"), &err));
}

static void recording_in_use_is_not_blurred(void **state)
{
    struct fake_record_phone phone;
    const struct recorder_options options = {
        .recordings = "recordings", .name = "open", .phone = &phone.phone};
    struct recorder *recorder;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    assert_true(recorder_open(&options, &recorder, &err));
    assert_false(recording_blur(record_helper_folder("open"), 0,
                                (struct box){0, 0, 10, 10}, &err));
    assert_int_equal(err.code, ERR_BUSY);
    recorder_close(recorder);
}

/* ---- names and parts ---- */

static void renamed_recording_has_its_content(void **state)
{
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    record("old");
    record("taken");
    assert_false(recording_rename(record_helper_folder("old"), "taken", &err));
    assert_int_equal(err.code, ERR_INVALID);
    assert_false(recording_rename(record_helper_folder("old"), "../x", &err));
    assert_true(
        recording_rename(record_helper_folder("old"), "new-name", &err));
    assert_false(recording_is_one(record_helper_folder("old")));
    record_helper_load("new-name", &recording);
    assert_string_equal(recording.name, "new-name");
    assert_int_equal(recording.count, STEPS + 1);
    recording_release(&recording);
}

static void trimmed_steps_do_not_count(void **state)
{
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    record("trim");
    assert_false(recording_trim(record_helper_folder("trim"), 2, 9, &err));
    assert_true(recording_trim(record_helper_folder("trim"), 1, 2, &err));
    record_helper_load("trim", &recording);
    assert_false(recording_step_counts(&recording.steps[0]));
    assert_true(recording_step_counts(&recording.steps[1]));
    assert_true(recording_step_counts(&recording.steps[2]));
    assert_false(recording_step_counts(&recording.steps[3]));
    recording_release(&recording);
}

static void split_makes_two_recordings(void **state)
{
    char text[] = "Step 3";
    const struct recording_edit edit = {
        .kind = EDIT_ANSWER, .step = 3, .text = text};
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    record("both");
    assert_true(recording_edit_add(record_helper_folder("both"), &edit, &err));
    assert_false(
        recording_split(record_helper_folder("both"), 0, "second", &err));
    if (!recording_split(record_helper_folder("both"), 2, "second", &err))
        fail_msg("%s", err.text);
    record_helper_load("both", &recording);
    assert_true(recording_step_counts(&recording.steps[1]));
    assert_false(recording_step_counts(&recording.steps[2]));
    recording_release(&recording);
    record_helper_load("second", &recording);
    assert_int_equal(recording.count, 3);
    assert_string_equal(recording.trajectory.head.task, "second");
    assert_string_equal(recording.steps[0].target->text.items[0], "Step 2");
    assert_string_equal(recording.steps[0].target->crop, "crops/0000.png");
    assert_string_equal(recording.steps[0].note, "a note");
    assert_string_equal(recording.steps[1].answer, text);
    assert_int_equal(recording.trajectory.ending, ENDING_COMPLETE);
    assert_int_equal(recording.steps[0].step->seen_ms, 0);
    recording_release(&recording);
}

static void copy_without_deleted_steps_is_consistent(void **state)
{
    const struct recording_edit deleted = {
        .kind = EDIT_DELETE, .step = 2, .on = true};
    const struct recording_part part = {.from = 0, .to = STEPS - 1};
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    record("dirty");
    assert_true(
        recording_edit_add(record_helper_folder("dirty"), &deleted, &err));
    record_helper_load("dirty", &recording);
    if (!recording_copy(&recording, &part, "recordings/clean", &err))
        fail_msg("%s", err.text);
    assert_false(recording_copy(&recording, &part, "recordings/clean", &err));
    recording_release(&recording);
    record_helper_load("clean", &recording);
    assert_int_equal(recording.count, STEPS);
    assert_string_equal(recording.steps[1].target->text.items[0], "Step 1");
    assert_true(recording.steps[1].starred);
    assert_string_equal(recording.steps[2].target->text.items[0], "Step 3");
    recording_release(&recording);
}

static void recordings_are_listed_by_name(void **state)
{
    struct text_list names;
    struct err err = ERR_INIT;

    (void)state;
    mkdir("some", 0777);
    mkdir("some/no-recording", 0777);
    assert_true(recording_list("missing", &names, &err));
    assert_int_equal(names.count, 0);
    assert_true(recording_list("some", &names, &err));
    assert_int_equal(names.count, 0);
    record("zz");
    record("aa");
    assert_true(recording_list("recordings", &names, &err));
    assert_string_equal(names.items[0], "aa");
    assert_string_equal(names.items[names.count - 1], "zz");
    text_list_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blurred_original_is_gone),
        cmocka_unit_test(element_that_the_rectangle_touches_is_hidden),
        cmocka_unit_test(blurred_answer_is_gone),
        cmocka_unit_test(text_of_a_blurred_field_is_gone),
        cmocka_unit_test(original_that_cannot_be_removed_fails_the_blur),
        cmocka_unit_test(rename_removes_files_that_nothing_names),
        cmocka_unit_test(rectangle_outside_of_the_screen_is_refused),
        cmocka_unit_test(recording_in_use_is_not_blurred),
        cmocka_unit_test(renamed_recording_has_its_content),
        cmocka_unit_test(trimmed_steps_do_not_count),
        cmocka_unit_test(split_makes_two_recordings),
        cmocka_unit_test(copy_without_deleted_steps_is_consistent),
        cmocka_unit_test(recordings_are_listed_by_name),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
