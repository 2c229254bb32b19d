/* What is done on a viewed phone becomes steps. */
#include "tools/live/live_recorder.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adb/device/device.h"
#include "adb/services/shell.h"
#include "base/deadline.h"
#include "base/keycode.h"
#include "base/macros.h"
#include "runner/recording/recording.h"
#include "tests/support/scratch_folder.h"
#include "tests/tools/live/view_client.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/phone.h"

/* Nothing is split because the computer was busy. */
#define LONG_MS 60000

struct recorded_phone {
    struct phone *phone;
    bool remote; /* it is recorded over ADB */
    uint16_t port;
    struct phone_view *view;
    struct view_client client;
    uint32_t epoch;
    struct live_recorder *live;
    int ms; /* of the page's clock */
    bool in_hand;
};

static struct phone_fonts *fonts;

static void record(struct recorded_phone *used, const char *name)
{
    const struct live_recorder_options options = {
        .recordings = "recordings",
        .name = name,
        .view = used->view,
        .phone = used->remote ? NULL : used->phone,
        .serial = "test",
        .in_hand = used->in_hand};
    struct err err = ERR_INIT;

    if (!live_recorder_open(&options, &used->live, &err))
        fail_msg("%s", err.text);
}

static bool open_device(void *context, const struct cancel *cancel,
                        struct deadline by, struct device **device,
                        struct err *err)
{
    const struct recorded_phone *used = context;
    const struct device_options options = {.cancel = cancel};

    return device_open_tcp("127.0.0.1", used->port, &options, by, device, err);
}

static void start_phone(struct recorded_phone *used)
{
    const struct phone_options options = {.fonts = fonts,
                                          .seed = 3,
                                          .realtime = true,
                                          .unreachable = !used->remote,
                                          .port = used->port};
    struct err err;

    assert_true(phone_start(&options, &used->phone, &err));
    if (used->remote)
        used->port = phone_port(used->phone);
}

static int open_view(void **state, bool remote)
{
    struct recorded_phone *used = calloc(1, sizeof(*used));
    struct phone_view_options view = {.rest_ms = LONG_MS};
    struct err err;

    assert_non_null(used);
    used->remote = remote;
    start_phone(used);
    if (remote) {
        view.open = open_device;
        view.open_context = used;
        view.rung = LIVE_RUNG_SCREENCAP;
    } else {
        view.phone = used->phone;
    }
    assert_true(phone_view_open(&view, &used->view, &err));
    view_client_open(&used->client, used->view, 0);
    assert_true(view_client_paint(&used->client, LONG_MS));
    used->epoch =
        control_lease_take(phone_view_lease(used->view), CONTROL_RECORDER);
    phone_view_note_control(used->view);
    used->ms = 1000;
    *state = used;
    return 0;
}

static int set_up(void **state)
{
    return open_view(state, false);
}

static int set_up_remote(void **state)
{
    return open_view(state, true);
}

static int tear_down(void **state)
{
    struct recorded_phone *used = *state;

    view_client_close(&used->client);
    phone_view_close(used->view);
    phone_stop(used->phone);
    free(used);
    return 0;
}

static void act(struct recorded_phone *used, struct view_command command)
{
    struct err err = ERR_INIT;

    command.epoch = used->epoch;
    if (!view_command_run(used->view, &command, NULL, &err))
        fail_msg("%s", err.text);
}

static void press(struct recorded_phone *used, int key)
{
    act(used, (struct view_command){.kind = VIEW_KEY, .key = key});
}

static void type(struct recorded_phone *used, const char *text)
{
    act(used, (struct view_command){.kind = VIEW_TEXT, .text = text});
}

/* The newest frame: the phone's own changes are no part of these tests. */
static struct view_command touch_at(struct recorded_phone *used,
                                    enum view_touch touch, int x, int y)
{
    struct phone_view_status status;

    phone_view_status(used->view, &status);
    return (struct view_command){.kind = VIEW_TOUCH,
                                 .epoch = used->epoch,
                                 .frame = status.frame,
                                 .width = status.width,
                                 .height = status.height,
                                 .touch = touch,
                                 .x = x,
                                 .y = y,
                                 .ms = used->ms};
}

static void touch(struct recorded_phone *used, enum view_touch touch, int x,
                  int y)
{
    act(used, touch_at(used, touch, x, y));
}

static void tap(struct recorded_phone *used, int x, int y, int held_ms)
{
    touch(used, VIEW_DOWN, x, y);
    used->ms += held_ms;
    touch(used, VIEW_UP, x, y);
}

static void finish(struct recorded_phone *used)
{
    struct err err = ERR_INIT;

    if (!live_recorder_close(used->live, true, &err))
        fail_msg("%s", err.text);
}

static void assert_actions(const char *name, const enum action_kind *kinds,
                           size_t count)
{
    struct recording recording;
    struct err err = ERR_INIT;
    char folder[64];

    snprintf(folder, sizeof(folder), "recordings/%s", name);
    if (!recording_load(folder, &recording, &err))
        fail_msg("%s", err.text);
    assert_int_equal(recording.count, count + 1); /* and the end */
    for (size_t i = 0; i < count; i++) {
        assert_true(recording.steps[i].step->acted);
        assert_int_equal(recording.steps[i].step->action.kind, kinds[i]);
    }
    recording_release(&recording);
    assert_true(recording_check(folder, &err));
}

#define EXPECT(name, ...)                                                      \
    assert_actions(name, (const enum action_kind[]){__VA_ARGS__},              \
                   ARRAY_LEN(((const enum action_kind[]){__VA_ARGS__})))

static void touches_are_gestures(void **state)
{
    struct recorded_phone *used = *state;

    record(used, "gestures");
    tap(used, 540, 1300, 60);
    used->ms += 100;
    tap(used, 540, 1305, 60); /* a double tap */
    used->ms += 100;
    tap(used, 100, 900, 60);
    used->ms += 100;
    tap(used, 900, 1600, 60); /* elsewhere, as soon */
    used->ms += 1000;
    tap(used, 900, 1600, 700);
    used->ms += 1000;
    touch(used, VIEW_DOWN, 540, 1800);
    used->ms += 50;
    touch(used, VIEW_MOVE, 540, 1200);
    used->ms += 50;
    touch(used, VIEW_UP, 540, 900);
    finish(used);
    EXPECT("gestures", ACTION_DOUBLE_TAP, ACTION_CLICK, ACTION_CLICK,
           ACTION_LONG_PRESS, ACTION_SWIPE);
}

static void a_gesture_that_is_cancelled_is_no_step(void **state)
{
    struct recorded_phone *used = *state;

    record(used, "cancelled");
    touch(used, VIEW_DOWN, 540, 1300);
    used->ms += 50;
    touch(used, VIEW_CANCEL, 540, 1300);
    press(used, KEY_BACK);
    finish(used);
    EXPECT("cancelled", ACTION_BACK);
}

static void texts_are_one_step_without_what_was_deleted(void **state)
{
    struct recorded_phone *used = *state;
    struct recording recording;
    struct err err;

    record(used, "texts");
    tap(used, 540, 2219, 60); /* the search field */
    type(used, "ab");
    type(used, "你好");
    press(used, KEY_DELETE);
    type(used, "c");
    press(used, KEY_ENTER);
    finish(used);
    EXPECT("texts", ACTION_CLICK, ACTION_TYPE, ACTION_ENTER);
    assert_true(recording_load("recordings/texts", &recording, &err));
    assert_string_equal(recording.steps[1].step->action.text, "ab你c");
    recording_release(&recording);
}

static void undo_takes_the_phone_back(void **state)
{
    struct recorded_phone *used = *state;
    struct recorder_undone undone;
    struct phone_component front;
    struct err err = ERR_INIT;
    int step = -1;

    record(used, "undone");
    tap(used, 172, 479, 60); /* an app */
    assert_true(live_recorder_next_step(used->live, NULL, &step, &err));
    assert_int_equal(step, 1);
    phone_front(used->phone, &front);
    assert_string_not_equal(front.package, "com.android.launcher3");
    assert_true(live_recorder_undo(used->live, &undone, &err));
    assert_true(undone.restored);
    assert_int_equal(undone.step, 0);
    phone_front(used->phone, &front);
    assert_string_equal(front.package, "com.android.launcher3");
    finish(used);
}

/* ---- in the middle of a command ---- */

struct undoing {
    struct live_recorder *live;
    atomic_bool over;
    bool done;
};

/* There is nothing: that is known at once. */
static void *undo(void *context)
{
    struct undoing *undoing = context;
    struct recorder_undone undone;
    struct err ignored;

    undoing->done = live_recorder_undo(undoing->live, &undone, &ignored);
    undoing->over = true;
    return NULL;
}

/* What is carried out was seen before it, and has to be recorded after it. */
static void an_undo_waits_for_the_end_of_a_command(void **state)
{
    struct recorded_phone *used = *state;
    struct undoing undoing = {.over = false};
    struct deadline by;
    pthread_t thread;

    record(used, "undoing");
    undoing.live = used->live;
    phone_view_hold(used->view); /* as a command does */
    assert_int_equal(pthread_create(&thread, NULL, undo, &undoing), 0);
    by = deadline_in_ms(300);
    while (!undoing.over && !deadline_passed(by))
        sched_yield();
    assert_false(undoing.over);
    phone_view_resume(used->view);
    pthread_join(thread, NULL);
    assert_false(undoing.done);
    press(used, KEY_HOME);
    finish(used);
    EXPECT("undoing", ACTION_HOME);
}

static void a_recording_goes_on_on_another_clock(void **state)
{
    struct recorded_phone *used = *state;
    struct err err = ERR_INIT;

    record(used, "continued");
    used->ms = 900000;
    tap(used, 540, 1300, 60);
    used->ms = 10; /* of a page that was loaded again */
    tap(used, 540, 1300, 700);
    assert_true(live_recorder_close(used->live, false, &err));
    record(used, "continued");
    press(used, KEY_HOME);
    finish(used);
    EXPECT("continued", ACTION_CLICK, ACTION_LONG_PRESS, ACTION_HOME);
}

static void what_cannot_be_recorded_is_not_done(void **state)
{
    struct recorded_phone *used = *state;
    const struct view_command rotate = {.kind = VIEW_ROTATE,
                                        .epoch = used->epoch};
    struct phone_size before = phone_screen_size(used->phone);
    struct err err = ERR_INIT;

    record(used, "rotated");
    assert_false(view_command_run(used->view, &rotate, NULL, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_int_equal(phone_screen_size(used->phone).width, before.width);
    press(used, KEY_HOME);
    finish(used);
    EXPECT("rotated", ACTION_HOME);
}

static void await_connection(struct recorded_phone *used, bool connected)
{
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct phone_view_status status;

    phone_view_status(used->view, &status);
    while (status.connected != connected) {
        assert_false(deadline_passed(by));
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        phone_view_status(used->view, &status);
    }
}

/* The screen cannot be observed before it: so it is not done either. */
static void a_touch_that_is_refused_is_no_step(void **state)
{
    struct recorded_phone *used = *state;
    struct view_command down, up;
    struct err err = ERR_INIT;

    record(used, "refused");
    phone_stop(used->phone);
    used->phone = NULL;
    await_connection(used, false);
    down = touch_at(used, VIEW_DOWN, 172, 479);
    assert_false(view_command_run(used->view, &down, NULL, &err));
    assert_int_equal(err.code, ERR_LOST);
    start_phone(used);
    await_connection(used, true);
    used->ms += 60;
    up = touch_at(used, VIEW_UP, 172, 479);
    (void)view_command_run(used->view, &up, NULL, &err);
    used->ms += 1000;
    press(used, KEY_HOME);
    finish(used);
    EXPECT("refused", ACTION_HOME);
}

/* ---- in the hand ---- */

/* A finger or a key of the phone itself. */
static void use_phone(struct recorded_phone *used, const char *input)
{
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct device *device;
    struct shell_result result;
    struct err err = ERR_INIT;

    if (!device_open_tcp("127.0.0.1", used->port, NULL, by, &device, &err) ||
        !shell_run(device, input, 1000, by, &result, &err))
        fail_msg("%s", err.text);
    shell_result_release(&result);
    device_close(device);
}

/* Until so many steps are recorded, and the next one may be done. */
static void await_steps(struct recorded_phone *used, int count)
{
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct err err = ERR_INIT;
    int steps = -1;

    while (steps != count || !live_recorder_is_ready(used->live, &err)) {
        assert_int_equal(err.code, ERR_NONE);
        assert_false(deadline_passed(by));
        assert_true(live_recorder_next_step(used->live, NULL, &steps, &err));
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
}

static void touches_of_the_phone_itself_are_steps(void **state)
{
    struct recorded_phone *used = *state;
    struct recorder_undone undone;
    struct view_command down;
    struct err err = ERR_INIT;

    used->in_hand = true;
    record(used, "hand");
    await_steps(used, 0);
    down = touch_at(used, VIEW_DOWN, 172, 479);
    assert_false(view_command_run(used->view, &down, NULL, &err));
    assert_int_equal(err.code, ERR_REFUSED);
    use_phone(used, "input tap 172 479");
    await_steps(used, 1);
    use_phone(used, "input swipe 540 1600 540 600 300");
    await_steps(used, 2);
    assert_true(live_recorder_undo(used->live, &undone, &err));
    assert_int_equal(undone.step, 1);
    assert_false(undone.restored);
    finish(used);
    EXPECT("hand", ACTION_CLICK, ACTION_SWIPE);
}

/* The view does not wait for a recorder that uses its connection. */
static void a_phone_that_is_lost_ends_the_recording(void **state)
{
    struct recorded_phone *used = *state;
    const struct deadline by = deadline_in_ms(LONG_MS);
    struct recording recording;
    struct err failure = ERR_INIT;
    struct err err;

    used->in_hand = true;
    record(used, "lost");
    await_steps(used, 0);
    use_phone(used, "input tap 172 479");
    await_steps(used, 1);
    phone_stop(used->phone);
    used->phone = NULL;
    while (failure.code == ERR_NONE) {
        assert_false(deadline_passed(by));
        (void)live_recorder_is_ready(used->live, &failure);
    }
    assert_int_equal(failure.code, ERR_LOST);
    await_connection(used, false);
    assert_true(live_recorder_close(used->live, false, &err));
    assert_true(recording_load("recordings/lost", &recording, &err));
    assert_true(recording.steps[0].step->acted);
    recording_release(&recording);
    start_phone(used);
}

static void a_built_in_phone_cannot_be_held(void **state)
{
    struct recorded_phone *used = *state;
    const struct live_recorder_options options = {.recordings = "recordings",
                                                  .name = "none",
                                                  .view = used->view,
                                                  .phone = used->phone,
                                                  .serial = "test",
                                                  .in_hand = true};
    struct err err;

    assert_false(live_recorder_open(&options, &used->live, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
}

static int enter(void **state)
{
    struct err err;

    return scratch_folder_enter(state) || !fonts_open(&fonts, &err) ? -1 : 0;
}

static int leave(void **state)
{
    fonts_close(fonts);
    return scratch_folder_leave(state);
}

#define LIVE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define REMOTE_TEST(name)                                                      \
    cmocka_unit_test_setup_teardown(name, set_up_remote, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LIVE_TEST(touches_are_gestures),
        LIVE_TEST(a_gesture_that_is_cancelled_is_no_step),
        LIVE_TEST(texts_are_one_step_without_what_was_deleted),
        LIVE_TEST(undo_takes_the_phone_back),
        LIVE_TEST(an_undo_waits_for_the_end_of_a_command),
        LIVE_TEST(a_recording_goes_on_on_another_clock),
        LIVE_TEST(what_cannot_be_recorded_is_not_done),
        REMOTE_TEST(a_touch_that_is_refused_is_no_step),
        REMOTE_TEST(touches_of_the_phone_itself_are_steps),
        REMOTE_TEST(a_phone_that_is_lost_ends_the_recording),
        LIVE_TEST(a_built_in_phone_cannot_be_held),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
