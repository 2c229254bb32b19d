#include "runner/record/recorder.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/picture/picture_file.h"
#include "tests/runner/record/record_helper.h"
#include "tests/support/scratch_folder.h"

/* ---- steps ---- */

static void step_has_screen_tree_action_and_target(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;
    const struct action action = record_helper_tap();

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("whole", &phone);
    assert_int_equal(record_helper_step(recorder, &action), 0);
    assert_int_equal(record_helper_step(recorder, &action), 1);
    record_helper_finish(recorder);
    record_helper_load("whole", &recording);
    assert_int_equal(recording.count, 3);
    assert_string_equal(recording.name, "whole");
    assert_string_equal(recording.trajectory.head.task, "whole");
    assert_int_equal(recording.trajectory.ending, ENDING_COMPLETE);
    assert_int_equal(recording.steps[0].step->actor, ACTOR_HUMAN);
    assert_true(recording.steps[1].step->screen.file[0]);
    assert_true(recording.steps[1].step->tree.file[0]);
    assert_non_null(recording.steps[1].target);
    assert_string_equal(recording.steps[1].target->text.items[0], "Step 1");
    assert_string_equal(recording.steps[1].target->crop, "crops/0001.png");
    assert_true(recording.steps[2].step->seen);
    assert_false(recording.steps[2].step->acted);
    recording_release(&recording);
}

static void steps_are_described_in_words(void **state)
{
    struct fake_record_phone phone;
    struct recorder *recorder;
    struct recording recording;
    const struct action action = record_helper_tap();
    char *words;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("words", &phone);
    record_helper_step(recorder, &action);
    record_helper_finish(recorder);
    record_helper_load("words", &recording);
    words = recording_describe(&recording, 0);
    assert_non_null(strstr(words, "Step 0"));
    free(words);
    words = recording_describe(&recording, 1);
    assert_string_equal(words, "");
    free(words);
    recording_release(&recording);
}

static void action_without_a_screen_is_refused(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    const struct recorder_action acted = {.action = &action};
    struct recorder *recorder;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("blind", &phone);
    assert_false(recorder_acted(recorder, &acted, NULL, &err));
    assert_int_equal(err.code, ERR_INVALID);
    recorder_close(recorder);
}

/* The screen is taken again before the finger comes down: the last counts. */
static void newest_screen_before_the_action_counts(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    const struct recorder_action acted = {.action = &action};
    struct recorder *recorder;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("newest", &phone);
    assert_true(recorder_observe(recorder, &err));
    phone.acts = 5;
    assert_true(recorder_observe(recorder, &err));
    assert_true(recorder_acted(recorder, &acted, NULL, &err));
    record_helper_finish(recorder);
    record_helper_load("newest", &recording);
    assert_int_equal(recording.count, 1);
    assert_string_equal(recording.steps[0].target->text.items[0], "Step 5");
    recording_release(&recording);
}

/* ---- going on ---- */

static void unfinished_recording_goes_on(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    struct recording recording;

    (void)state;
    fake_record_phone_init(&phone, true);
    for (int i = 0; i < 3; i++) {
        struct recorder *recorder = record_helper_start("again", &phone);

        assert_int_equal(record_helper_step(recorder, &action), i);
        if (i < 2)
            recorder_close(recorder);
        else
            record_helper_finish(recorder);
        phone.acts += 10; /* the phone was used meanwhile */
    }
    record_helper_load("again", &recording);
    assert_int_equal(recording.count, 4);
    assert_string_equal(recording.steps[1].target->text.items[0], "Step 11");
    for (size_t i = 1; i < recording.count; i++)
        assert_true(recording.steps[i].step->seen_ms >=
                    recording.steps[i - 1].step->seen_ms);
    recording_release(&recording);
}

static void finished_recording_is_not_continued(void **state)
{
    struct fake_record_phone phone;
    const struct recorder_options options = {
        .recordings = "recordings", .name = "done", .phone = &phone.phone};
    struct recorder *recorder = NULL;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    record_helper_finish(record_helper_start("done", &phone));
    assert_false(recorder_open(&options, &recorder, &err));
    assert_non_null(strstr(err.text, "choose another name"));
    assert_null(recorder);
}

static void recording_in_use_is_busy(void **state)
{
    struct fake_record_phone phone;
    const struct recorder_options options = {
        .recordings = "recordings", .name = "used", .phone = &phone.phone};
    struct recorder *first;
    struct recorder *second = NULL;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    first = record_helper_start("used", &phone);
    assert_false(recorder_open(&options, &second, &err));
    assert_int_equal(err.code, ERR_BUSY);
    recorder_close(first);
}

static void bad_names_are_refused(void **state)
{
    static const char *const names[] = {"", "A", "a b", "../a", ".a", "ä"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_false(recording_name_is_valid(names[i]));
    assert_true(recording_name_is_valid("shop.cart-2"));
}

static void torn_last_event_is_cut_off(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    struct recorder *recorder;
    struct recording recording;
    FILE *events;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("torn", &phone);
    record_helper_step(recorder, &action);
    recorder_close(recorder);
    events = fopen("recordings/torn/events.jsonl", "a");
    assert_non_null(events);
    fputs("{\"event\":\"action\",\"step\":1,\"ac", events);
    fclose(events);
    recorder = record_helper_start("torn", &phone);
    assert_int_equal(record_helper_step(recorder, &action), 1);
    record_helper_finish(recorder);
    record_helper_load("torn", &recording);
    assert_int_equal(recording.count, 3);
    recording_release(&recording);
}

/* ---- undo ---- */

static void undo_takes_the_phone_back(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    struct recorder *recorder;
    struct recorder_undone undone;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("undo", &phone);
    record_helper_step(recorder, &action);
    record_helper_step(recorder, &action);
    assert_true(recorder_undo(recorder, &undone, &err));
    assert_int_equal(undone.step, 1);
    assert_true(undone.restored);
    assert_int_equal(phone.acts, 1);
    assert_int_equal(record_helper_step(recorder, &action), 2);
    record_helper_finish(recorder);
    record_helper_load("undo", &recording);
    assert_true(recording_step_counts(&recording.steps[0]));
    assert_true(recording.steps[1].undone);
    assert_true(recording.steps[1].restored);
    assert_false(recording_step_counts(&recording.steps[1]));
    assert_true(recording_step_counts(&recording.steps[2]));
    assert_string_equal(recording.steps[2].target->text.items[0], "Step 1");
    recording_release(&recording);
}

static void undo_without_snapshots_warns(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    struct recorder *recorder;
    struct recorder_undone undone;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, false);
    recorder = record_helper_start("struck", &phone);
    record_helper_step(recorder, &action);
    assert_true(recorder_undo(recorder, &undone, &err));
    assert_false(undone.restored);
    assert_non_null(strstr(undone.warning, "bring the phone back"));
    assert_int_equal(phone.acts, 1);
    assert_false(recorder_undo(recorder, &undone, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    recorder_close(recorder);
    record_helper_load("struck", &recording);
    assert_true(recording.steps[0].undone);
    assert_false(recording.steps[0].restored);
    recording_release(&recording);
}

static bool no_screen(struct record_phone *phone, struct record_screen *screen,
                      struct err *err)
{
    (void)phone, (void)screen;
    return err_set(err, ERR_IO, "no picture");
}

/* A second undo would strike out another step. */
static void undo_is_done_when_only_the_screen_is_missing(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    struct record_phone_ops ops;
    const struct record_phone_ops *before;
    struct recorder *recorder;
    struct recorder_undone undone = {.step = -1};
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    recorder = record_helper_start("unseen", &phone);
    record_helper_step(recorder, &action);
    record_helper_step(recorder, &action);
    before = phone.phone.ops;
    ops = *before;
    ops.observe = no_screen;
    phone.phone.ops = &ops;
    assert_true(recorder_undo(recorder, &undone, &err));
    assert_int_equal(undone.step, 1);
    assert_non_null(strstr(undone.warning, "no picture"));
    phone.phone.ops = before;
    assert_int_equal(record_helper_step(recorder, &action), 2);
    record_helper_finish(recorder);
    record_helper_load("unseen", &recording);
    assert_true(recording_step_counts(&recording.steps[0]));
    assert_true(recording.steps[1].undone);
    assert_string_equal(recording.steps[2].target->text.items[0], "Step 1");
    recording_release(&recording);
}

/* What a step on the disk has counted. */
struct step_count {
    struct recorder *recorder;
    int stored;
};

static void take_count(void *context, int number)
{
    struct step_count *count = context;

    (void)number;
    count->stored = recorder_stored(count->recorder);
}

static void step_is_counted_when_it_is_reported(void **state)
{
    struct fake_record_phone phone;
    const struct action action = record_helper_tap();
    struct step_count count = {.stored = -1};
    const struct recorder_options options = {.recordings = "recordings",
                                             .name = "counted",
                                             .phone = &phone.phone,
                                             .on_step = take_count,
                                             .context = &count};
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    if (!recorder_open(&options, &count.recorder, &err))
        fail_msg("%s", err.text);
    record_helper_step(count.recorder, &action);
    assert_int_equal(count.stored, 1);
    record_helper_finish(count.recorder);
}

/* ---- names ---- */

static void folders_of_others_that_are_not_complete_stay(void **state)
{
    struct fake_record_phone phone;
    char others[64];
    char ended[64];
    pid_t child = fork();

    (void)state;
    if (!child)
        _exit(0);
    assert_true(waitpid(child, NULL, 0) == child);
    mkdir("recordings", 0777);
    snprintf(others, sizeof(others), "recordings/.two.%d.new", (int)getppid());
    snprintf(ended, sizeof(ended), "recordings/.two.%d.new", (int)child);
    assert_int_equal(mkdir(others, 0777), 0);
    assert_int_equal(mkdir(ended, 0777), 0);
    fake_record_phone_init(&phone, true);
    recorder_close(record_helper_start("two", &phone));
    assert_int_equal(rmdir(others), 0);
    assert_int_equal(access(ended, F_OK), -1);
}

/* ---- the queue ---- */

struct finished_steps {
    pthread_mutex_t lock;
    int count;
    bool in_order;
};

static void note_step(void *context, int step_number)
{
    struct finished_steps *finished = context;

    pthread_mutex_lock(&finished->lock);
    finished->in_order &= step_number == finished->count++;
    pthread_mutex_unlock(&finished->lock);
}

/* Each step comes at once: none is lost, and each has its own frame. */
static void fast_steps_have_their_own_frames(void **state)
{
    enum { STEPS = 60 };
    struct finished_steps finished = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                      .in_order = true};
    struct fake_record_phone phone;
    const struct recorder_options options = {.recordings = "recordings",
                                             .name = "fast",
                                             .phone = &phone.phone,
                                             .on_step = note_step,
                                             .context = &finished};
    const struct action action = record_helper_tap();
    const struct recorder_action acted = {.action = &action};
    struct recorder *recorder;
    struct record_screen screen;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    assert_true(recorder_open(&options, &recorder, &err));
    record_screen_init(&screen);
    for (int i = 0; i < STEPS; i++) {
        int number;

        assert_true(phone.phone.ops->capture(&phone.phone, &screen, &err));
        assert_true(recorder_before(recorder, &screen, &err));
        assert_true(recorder_acted(recorder, &acted, &number, &err));
        assert_int_equal(number, i);
        phone.acts++;
    }
    record_screen_release(&screen);
    assert_true(recorder_flush(recorder, &err));
    assert_int_equal(recorder_stored(recorder), STEPS);
    assert_int_equal(finished.count, STEPS);
    assert_true(finished.in_order);
    record_helper_finish(recorder);
    record_helper_load("fast", &recording);
    assert_int_equal(recording.count, STEPS);
    for (int i = 0; i < STEPS; i++) {
        char expected[32];

        snprintf(expected, sizeof(expected), "Step %d", i);
        assert_string_equal(recording.steps[i].target->text.items[0], expected);
        snprintf(expected, sizeof(expected), "screens/%04d.png", i);
        assert_string_equal(recording.steps[i].step->screen.file, expected);
    }
    recording_release(&recording);
}

static void note_failure(void *context, const struct err *err)
{
    *(enum err_code *)context = err->code;
}

/* Nothing blocks, and nothing is said to be stored. */
static void failed_write_ends_the_recording(void **state)
{
    enum err_code code = ERR_NONE;
    struct fake_record_phone phone;
    const struct recorder_options options = {.recordings = "recordings",
                                             .name = "failed",
                                             .phone = &phone.phone,
                                             .on_failure = note_failure,
                                             .context = &code};
    const struct action action = record_helper_tap();
    struct recorder *recorder;
    struct err err = ERR_INIT;

    (void)state;
    fake_record_phone_init(&phone, true);
    assert_true(recorder_open(&options, &recorder, &err));
    assert_int_equal(rmdir("recordings/failed/screens"), 0);
    assert_false(recorder_step(recorder, &action, NULL, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_int_equal(recorder_stored(recorder), 0);
    for (int i = 0; i < 10; i++)
        assert_false(recorder_step(recorder, &action, NULL, &err));
    assert_false(recorder_finish(recorder, &err));
    assert_int_equal(code, ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_write_ends_the_recording),
        cmocka_unit_test(step_has_screen_tree_action_and_target),
        cmocka_unit_test(steps_are_described_in_words),
        cmocka_unit_test(action_without_a_screen_is_refused),
        cmocka_unit_test(newest_screen_before_the_action_counts),
        cmocka_unit_test(unfinished_recording_goes_on),
        cmocka_unit_test(finished_recording_is_not_continued),
        cmocka_unit_test(recording_in_use_is_busy),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(torn_last_event_is_cut_off),
        cmocka_unit_test(undo_takes_the_phone_back),
        cmocka_unit_test(undo_without_snapshots_warns),
        cmocka_unit_test(undo_is_done_when_only_the_screen_is_missing),
        cmocka_unit_test(step_is_counted_when_it_is_reported),
        cmocka_unit_test(folders_of_others_that_are_not_complete_stay),
        cmocka_unit_test(fast_steps_have_their_own_frames),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
