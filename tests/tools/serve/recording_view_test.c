/* What pages get of a recording that changes. */
#include "tools/serve/recording_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/record/recorder.h"
#include "tests/runner/record/fake_record_phone.h"
#include "tests/support/scratch_folder.h"

/* Record so many taps. */
static void record(const char *name, int taps)
{
    const struct action tap = {.kind = ACTION_CLICK,
                               .has_from = true,
                               .from = fake_record_phone_button()};
    struct fake_record_phone phone;
    const struct recorder_options options = {
        .recordings = "recordings", .name = name, .phone = &phone.phone};
    struct recorder *recorder = NULL;
    struct err err = ERR_INIT;

    fake_record_phone_init(&phone, true);
    if (!recorder_open(&options, &recorder, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < taps; i++) {
        int number;

        assert_true(recorder_step(recorder, &tap, &number, &err));
    }
    if (!recorder_finish(recorder, &err))
        fail_msg("%s", err.text);
}

/* Read another recording as if it had the same name. */
static bool view_changes(struct recording_view *view, const char *name)
{
    struct err err = ERR_INIT;
    char folder[64];
    bool changed = false;

    snprintf(folder, sizeof(folder), "recordings/%s", name);
    if (!recording_view_read(view, folder, "name", &changed, &err))
        fail_msg("%s", err.text);
    return changed;
}

static bool writes_step(const struct recording_view *view, uint64_t since,
                        const char *step)
{
    struct buf json = BUF_INIT(1 << 20);
    bool found;

    recording_view_write(view, since, &json);
    found = strstr(buf_cstr(&json), step) != NULL;
    buf_release(&json);
    return found;
}

static void shorter_recording_is_written_again(void **state)
{
    struct recording_view view;
    uint64_t seen;

    (void)state;
    record("long", 2);
    record("short", 1);
    recording_view_init(&view);
    assert_true(view_changes(&view, "long"));
    assert_false(view_changes(&view, "long"));
    seen = view.revision;
    assert_int_equal(recording_view_since(&view, seen), seen);
    assert_false(writes_step(&view, seen, "\"step\":0"));
    assert_true(view_changes(&view, "short"));
    assert_true(view.finished);
    assert_true(view.revision > seen);
    assert_int_equal(recording_view_since(&view, seen), 0);
    assert_true(writes_step(&view, 0, "\"step\":0"));
    assert_false(writes_step(&view, 0, "\"step\":2"));
    assert_int_equal(recording_view_since(&view, view.revision), view.revision);
    assert_false(view_changes(&view, "short"));
    recording_view_release(&view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shorter_recording_is_written_again),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
