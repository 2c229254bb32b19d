/* What is typed into password fields is in no file of a recording. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/picture_file.h"
#include "tests/runner/record/record_helper.h"
#include "tests/support/folder_search.h"
#include "tests/support/scratch_folder.h"

#define SECRET "hunter2-Zebra"

static void type(struct recorder *recorder, const char *text, bool at_field)
{
    struct action action = {.kind = ACTION_TYPE, .text = (char *)text};

    if (at_field) {
        action.has_from = true;
        action.from = fake_record_phone_field();
    }
    record_helper_step(recorder, &action);
}

static void assert_masked(const char *name, size_t number)
{
    struct recording recording;

    record_helper_load(name, &recording);
    assert_int_equal(recording.steps[number].step->action.kind, ACTION_TYPE);
    assert_true(recording.steps[number].step->action.secret);
    assert_string_equal(recording.steps[number].step->action.text,
                        RECORDING_MASK);
    recording_release(&recording);
    assert_null(folder_search_text(record_helper_folder(name), SECRET));
}

static void text_of_a_password_field_is_masked(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    recorder = record_helper_start("secret", &phone);
    type(recorder, SECRET, false);
    type(recorder, SECRET, true);
    record_helper_finish(recorder);
    assert_masked("secret", 0);
    assert_masked("secret", 1);
}

static void shown_password_stays_masked(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct picture picture = PICTURE_INIT;
    struct recording recording;
    struct err err = ERR_INIT;
    const uint8_t *inside;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    recorder = record_helper_start("shown", &phone);
    type(recorder, SECRET, false);
    phone.field = SECRET; /* the app shows what was typed */
    phone.password = false;
    assert_true(recorder_observe(recorder, &err));
    type(recorder, SECRET, false);
    record_helper_finish(recorder);
    assert_masked("shown", 1);
    record_helper_load("shown", &recording);
    assert_true(
        picture_file_load("recordings/shown/screens/0003.png", &picture,
                          &err) ||
        picture_file_load("recordings/shown/screens/0002.png", &picture, &err));
    inside = picture_row(&picture, 120) + (size_t)60 * PICTURE_PIXEL;
    assert_int_equal(inside[0], 0x80);
    assert_int_equal(inside[2], 0x80);
    picture_release(&picture);
    recording_release(&recording);
}

/* What a person marks is taken from the phone's tree of that moment. */
static void password_is_masked_in_a_tree_of_now(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct record_screen screen;
    struct tree tree = TREE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    recorder = record_helper_start("now", &phone);
    type(recorder, SECRET, false);
    phone.field = SECRET; /* the app shows what was typed */
    phone.password = false;
    record_screen_init(&screen);
    assert_true(phone.phone.ops->observe(&phone.phone, &screen, &err));
    assert_true(
        tree_read(&tree, buf_cstr(&screen.xml), screen.xml.length, &err));
    assert_true(recorder_mask(recorder, &tree, &err));
    for (uint32_t i = 0; i < tree.count; i++)
        assert_null(strstr(tree.nodes[i].text, SECRET));
    tree_release(&tree);
    record_screen_release(&screen);
    recorder_close(recorder);
}

static void keys_of_a_password_are_not_recorded(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;
    const struct action key = {
        .kind = ACTION_CLICK, .has_from = true, .from = {33, 201}};

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    phone.keyboard_top = 180;
    recorder = record_helper_start("keys", &phone);
    record_helper_step(recorder, &key);
    record_helper_finish(recorder);
    assert_masked("keys", 0);
    record_helper_load("keys", &recording);
    assert_false(recording.steps[0].step->action.has_from);
    recording_release(&recording);
}

/* A phone over ADB does not say where its keyboard is: the tree does. */
static void keys_over_adb_are_not_recorded(void **state)
{
    char two[] = "2 fingers tap 33 201";
    const struct action keys[] = {
        {.kind = ACTION_CLICK, .has_from = true, .from = {33, 201}},
        {.kind = ACTION_RAW, .has_from = true, .from = {33, 201}, .text = two},
    };
    struct fake_record_phone phone;
    struct recorder *recorder;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = phone.keyboard = true;
    recorder = record_helper_start("adb-keys", &phone);
    record_helper_step(recorder, &keys[0]);
    phone.no_tree = true; /* from the screen of step 2 on */
    record_helper_step(recorder, &keys[1]);
    record_helper_step(recorder, &keys[0]);
    record_helper_finish(recorder);
    for (size_t i = 0; i < 3; i++)
        assert_masked("adb-keys", i);
    assert_null(folder_search_text(record_helper_folder("adb-keys"), "\"x\":"));
    assert_null(
        folder_search_text(record_helper_folder("adb-keys"), "fingers"));
}

/* What a password field shows after its hint is content, with dots or not. */
static void password_without_dots_is_masked(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    const struct action action = record_helper_tap();

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    phone.field = "Your password";
    recorder = record_helper_start("dotless", &phone);
    record_helper_step(recorder, &action);
    phone.field = SECRET;
    record_helper_step(recorder, &action);
    record_helper_finish(recorder);
    assert_null(folder_search_text(record_helper_folder("dotless"), SECRET));
    assert_non_null(folder_search_text("recordings/dotless/trees/0000.xml",
                                       "Your password"));
}

static void password_stays_masked_when_a_recording_goes_on(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    const struct action action = record_helper_tap();

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    recorder = record_helper_start("resumed", &phone);
    record_helper_step(recorder, &action);
    recorder_close(recorder);
    phone.field = SECRET;
    phone.password = false;
    recorder = record_helper_start("resumed", &phone);
    type(recorder, SECRET, false);
    record_helper_finish(recorder);
    assert_masked("resumed", 1);
}

/* Where the password is on the picture is not known. */
static void screen_of_a_password_without_a_tree_is_not_stored(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;
    const struct action action = record_helper_tap();

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.password = phone.focused = true;
    recorder = record_helper_start("dropped", &phone);
    record_helper_step(recorder, &action);
    phone.no_tree = true; /* from the screen of step 2 on */
    record_helper_step(recorder, &action);
    record_helper_step(recorder, &action);
    record_helper_finish(recorder);
    record_helper_load("dropped", &recording);
    assert_true(recording.steps[1].step->screen.file[0]);
    assert_false(recording.steps[2].step->screen.file[0]);
    assert_false(recording.steps[3].step->screen.file[0]);
    assert_non_null(strstr(recording.steps[2].step->doubt, "not stored"));
    recording_release(&recording);
}

static void text_without_a_tree_is_masked_and_flagged(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.no_tree = true;
    recorder = record_helper_start("treeless", &phone);
    type(recorder, SECRET, false);
    record_helper_finish(recorder);
    assert_masked("treeless", 0);
    record_helper_load("treeless", &recording);
    assert_non_null(strstr(recording.steps[0].flag, "without a tree"));
    recording_release(&recording);
}

static void text_of_another_field_is_recorded(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;

    (void)state;
    fake_record_phone_init(&phone, true);
    phone.focused = true;
    recorder = record_helper_start("plain", &phone);
    type(recorder, "hello", false);
    record_helper_finish(recorder);
    record_helper_load("plain", &recording);
    assert_string_equal(recording.steps[0].step->action.text, "hello");
    assert_false(recording.steps[0].step->action.secret);
    assert_string_equal(recording.steps[0].target->id.items[0],
                        "com.example:id/field");
    recording_release(&recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_a_password_field_is_masked),
        cmocka_unit_test(shown_password_stays_masked),
        cmocka_unit_test(password_is_masked_in_a_tree_of_now),
        cmocka_unit_test(keys_of_a_password_are_not_recorded),
        cmocka_unit_test(keys_over_adb_are_not_recorded),
        cmocka_unit_test(password_without_dots_is_masked),
        cmocka_unit_test(password_stays_masked_when_a_recording_goes_on),
        cmocka_unit_test(screen_of_a_password_without_a_tree_is_not_stored),
        cmocka_unit_test(text_without_a_tree_is_masked_and_flagged),
        cmocka_unit_test(text_of_another_field_is_recorded),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
