/* A built-in phone of this process under the recorder. */
#include "tools/phone_source/record_builtin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/png.h"
#include "base/sha256.h"
#include "runner/record/recorder.h"
#include "runner/recording/recording.h"
#include "tests/support/scratch_folder.h"

#define TAPS 20
#define PNG_MAX ((size_t)32 << 20)

struct recorded_phone {
    struct phone *phone;
    struct record_phone *record;
    struct recorder *recorder;
};

static void start(struct recorded_phone *self, const char *name)
{
    const struct phone_options options = {.seed = 7, .unreachable = true};
    struct record_builtin_options record = {.serial = "phone-0"};
    struct recorder_options recorder = {.recordings = "recordings",
                                        .name = name};
    struct err err = ERR_INIT;

    if (!phone_start(&options, &self->phone, &err))
        fail_msg("%s", err.text);
    record.phone = self->phone;
    if (!record_builtin_open(&record, &self->record, &err))
        fail_msg("%s", err.text);
    recorder.phone = self->record;
    if (!recorder_open(&recorder, &self->recorder, &err))
        fail_msg("%s", err.text);
}

static void stop(struct recorded_phone *self)
{
    struct err err = ERR_INIT;

    if (!recorder_finish(self->recorder, &err))
        fail_msg("%s", err.text);
    record_phone_close(self->record);
    phone_stop(self->phone);
}

static void hash_pixels(const struct picture *picture,
                        char hash[SHA256_HEX_SIZE])
{
    sha256_hex(picture->pixels,
               (size_t)picture->width * picture->height * PICTURE_PIXEL, hash);
}

static void assert_frame(const struct recording *recording, size_t step,
                         const char *expected)
{
    struct buf png = BUF_INIT(PNG_MAX);
    struct picture picture = PICTURE_INIT;
    char hash[SHA256_HEX_SIZE];
    struct err err = ERR_INIT;

    assert_true(trajectory_read_file(&recording->trajectory,
                                     &recording->steps[step].step->screen, &png,
                                     &err) &&
                png_decode(buf_cstr(&png), png.length, &picture, &err));
    hash_pixels(&picture, hash);
    assert_string_equal(hash, expected);
    picture_release(&picture);
    buf_release(&png);
}

/* A finger that comes down and up as fast as possible. */
static void touch(struct recorded_phone *self, int x, int y,
                  char hash[SHA256_HEX_SIZE])
{
    const struct action action = {
        .kind = ACTION_CLICK, .has_from = true, .from = {x, y}};
    struct record_screen screen;
    struct recorder_action acted = {.action = &action};
    struct err err = ERR_INIT;

    record_screen_init(&screen);
    assert_true(self->record->ops->capture(self->record, &screen, &err));
    hash_pixels(&screen.picture, hash);
    acted.at_ms = screen.at_ms;
    assert_true(recorder_before(self->recorder, &screen, &err));
    phone_touch(self->phone, SCREEN_DOWN, x, y);
    phone_touch(self->phone, SCREEN_UP, x, y);
    assert_true(recorder_acted(self->recorder, &acted, NULL, &err));
    record_screen_release(&screen);
}

/* Every tap types a digit: each frame differs. */
static void fast_taps_have_their_own_frames(void **state)
{
    struct recorded_phone self;
    char hashes[TAPS][SHA256_HEX_SIZE];
    struct recording recording;
    char app[] = "Calculator";
    const struct action open = {.kind = ACTION_OPEN_APP, .text = app};
    struct err err = ERR_INIT;
    struct phone_size size;

    (void)state;
    start(&self, "taps");
    if (!recorder_step(self.recorder, &open, NULL, &err))
        fail_msg("%s", err.text);
    size = phone_screen_size(self.phone);
    for (int i = 0; i < TAPS; i++)
        touch(&self, size.width / 8 + size.width / 4 * (i % 3),
              size.height * 7 / 10, hashes[i]);
    stop(&self);
    if (!recording_check("recordings/taps", &err) ||
        !recording_load("recordings/taps", &recording, &err))
        fail_msg("%s", err.text);
    assert_int_equal(recording.count, TAPS + 1);
    for (size_t i = 0; i < TAPS; i++)
        assert_frame(&recording, i + 1, hashes[i]);
    recording_release(&recording);
}

static void undo_restores_the_phone(void **state)
{
    struct recorded_phone self;
    const struct action home = {.kind = ACTION_HOME};
    char app[] = "Settings";
    const struct action open = {.kind = ACTION_OPEN_APP, .text = app};
    struct recorder_undone undone;
    struct phone_component front;
    struct err err = ERR_INIT;

    (void)state;
    start(&self, "undo");
    if (!recorder_step(self.recorder, &open, NULL, &err) ||
        !recorder_step(self.recorder, &home, NULL, &err))
        fail_msg("%s", err.text);
    assert_true(recorder_undo(self.recorder, &undone, &err));
    assert_true(undone.restored);
    phone_front(self.phone, &front);
    assert_string_equal(front.package, "com.android.settings");
    assert_true(recorder_undo(self.recorder, &undone, &err));
    assert_int_equal(undone.step, 0);
    phone_front(self.phone, &front);
    assert_string_not_equal(front.package, "com.android.settings");
    stop(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_taps_have_their_own_frames),
        cmocka_unit_test(undo_restores_the_phone),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
