/* A phone over ADB under the recorder. */
#include "runner/session/record_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/record/recorder.h"
#include "runner/recording/recording.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone_source/phone_source.h"

#define SOON deadline_in_ms(60000)

static void phone_over_adb_is_recorded_and_undo_strikes_out(void **state)
{
    const struct phone_source_options options = {.count = 1, .seed = 7};
    char app[] = "Settings";
    const struct action open = {.kind = ACTION_OPEN_APP, .text = app};
    const struct action back = {.kind = ACTION_BACK};
    struct recorder_options recorder_options = {.recordings = "recordings",
                                                .name = "adb"};
    struct device_session_options session_options = {.cache = NULL};
    struct device_source *source = NULL;
    struct device_lease *lease = NULL;
    struct device_session session = {.lease = NULL};
    struct record_phone *phone = NULL;
    struct recorder *recorder = NULL;
    struct recorder_undone undone;
    struct recording recording;
    struct err err = ERR_INIT;

    (void)state;
    if (!phone_source_open(&options, &source, &err) ||
        !source->ops->acquire(source, "phone-0", SOON, &lease, &err))
        fail_msg("%s", err.text);
    session_options.source = source;
    if (!device_session_open(&session, &session_options, lease, &err) ||
        !record_session_open(&session, &phone, &err))
        fail_msg("%s", err.text);
    assert_int_equal(phone->width, 1080);
    recorder_options.phone = phone;
    if (!recorder_open(&recorder_options, &recorder, &err) ||
        !recorder_step(recorder, &open, NULL, &err) ||
        !recorder_step(recorder, &back, NULL, &err) ||
        !recorder_undo(recorder, &undone, &err))
        fail_msg("%s", err.text);
    assert_int_equal(undone.step, 1);
    assert_false(undone.restored);
    assert_true(recorder_finish(recorder, &err));
    record_phone_close(phone);
    assert_true(device_session_close(&session, &err));
    source->ops->release(source, lease);
    source->ops->close(source);
    if (!recording_check("recordings/adb", &err) ||
        !recording_load("recordings/adb", &recording, &err))
        fail_msg("%s", err.text);
    assert_int_equal(recording.count, 3);
    assert_string_equal(recording.trajectory.head.phone, "phone-0");
    assert_string_equal(recording.steps[1].step->package,
                        "com.android.settings");
    assert_true(recording_step_counts(&recording.steps[0]));
    assert_false(recording_step_counts(&recording.steps[1]));
    recording_release(&recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phone_over_adb_is_recorded_and_undo_strikes_out),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
