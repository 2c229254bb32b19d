/* Touches of a phone over ADB, while observing it takes long or fails. */
#include "runner/hand/hand_session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "runner/recording/recording.h"
#include "runner/session/device_session.h"
#include "tests/runner/record/fake_record_phone.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone_source/phone_source.h"

#define SOON deadline_in_ms(60000)
#define TURNS_MAX 2000

/* As many keys as wait for a turn. */
#define KEYS_8 " 29 29 29 29 29 29 29 29"
#define KEYS_64 KEYS_8 KEYS_8 KEYS_8 KEYS_8 KEYS_8 KEYS_8 KEYS_8 KEYS_8

/* A phone that is touched over ADB, and shows the screens of a fake one. */
struct fixture {
    struct fake_record_phone fake; /* first */
    struct record_phone_ops ops;
    const struct record_phone_ops *fake_ops;
    const char *during; /* a command of the next observation; NULL: none */
    bool fails;         /* observing it does */
    struct device_source *source;
    struct device_lease *lease;
    struct device_session session;
    struct recorder *recorder;
    struct hand_session *hand;
    void *scratch;
};

static void run(struct fixture *fixture, const char *command)
{
    struct err err = ERR_INIT;

    if (!device_session_run(&fixture->session, command, NULL, &err))
        fail_msg("%s: %s", command, err.text);
}

/* An observation that takes longer than a tap may wait for a second one. */
static bool observe(struct record_phone *phone, struct record_screen *screen,
                    struct err *err)
{
    const struct timespec slow = {.tv_nsec = 700000000};
    struct fixture *fixture = (struct fixture *)phone;
    const char *during = fixture->during;

    if (fixture->fails)
        return err_set(err, ERR_IO, "no screen");
    fixture->during = NULL;
    if (during) {
        run(fixture, during);
        nanosleep(&slow, NULL);
    }
    return fixture->fake_ops->observe(phone, screen, err);
}

static int open_phone(void **state)
{
    static struct fixture fixture;
    const struct phone_source_options phones = {.count = 1, .realtime = true};
    struct device_session_options session = {.cache = NULL};
    struct err err = ERR_INIT;

    *state = &fixture;
    if (scratch_folder_enter(&fixture.scratch))
        return -1;
    if (!phone_source_open(&phones, &fixture.source, &err) ||
        !fixture.source->ops->acquire(fixture.source, "phone-0", SOON,
                                      &fixture.lease, &err))
        fail_msg("%s", err.text);
    session.source = fixture.source;
    if (!device_session_open(&fixture.session, &session, fixture.lease, &err))
        fail_msg("%s", err.text);
    return 0;
}

static int close_phone(void **state)
{
    struct fixture *fixture = *state;
    struct err err = ERR_INIT;

    if (!device_session_close(&fixture->session, &err))
        fail_msg("%s", err.text);
    fixture->source->ops->release(fixture->source, fixture->lease);
    fixture->source->ops->close(fixture->source);
    return scratch_folder_leave(&fixture->scratch);
}

static void start(struct fixture *fixture, const char *name)
{
    struct recorder_options recorder = {.recordings = "recordings",
                                        .name = name};
    struct hand_session_options hand = {.device = fixture->lease->device};
    struct err err = ERR_INIT;

    fake_record_phone_init(&fixture->fake, false);
    fixture->fake.focused = true;
    fixture->fake_ops = fixture->fake.phone.ops;
    fixture->ops = *fixture->fake_ops;
    fixture->ops.observe = observe;
    fixture->fake.phone.ops = &fixture->ops;
    fixture->during = NULL;
    fixture->fails = false;
    hand.phone = recorder.phone = &fixture->fake.phone;
    if (!recorder_open(&recorder, &fixture->recorder, &err))
        fail_msg("%s", err.text);
    hand.recorder = fixture->recorder;
    if (!hand_session_open(&hand, &fixture->hand, &err))
        fail_msg("%s", err.text);
}

static void stop(struct fixture *fixture)
{
    hand_session_close(fixture->hand);
    recorder_close(fixture->recorder);
}

/* Take turns until so many events came, and the next step may be done. */
static void take_events(struct fixture *fixture, int count)
{
    struct hand_turn turn = {.ready = false};
    struct err err = ERR_INIT;

    for (int i = 0; !turn.ready || count > 0; i++) {
        assert_true(i < TURNS_MAX);
        if (!hand_session_turn(fixture->hand, 100, &turn, &err))
            fail_msg("%s", err.text);
        count -= turn.events;
    }
    assert_int_equal(count, 0);
}

static void many_events_during_one_observation_are_all_taken(void **state)
{
    struct fixture *fixture = *state;

    start(fixture, "many");
    fixture->during = "input keyevent" KEYS_64 "; input tap 60 40";
    take_events(fixture, 65);
    stop(fixture);
}

/* Until the phone reports no touches any more. */
static void await_loss(struct fixture *fixture)
{
    struct hand_turn turn;
    struct err err = ERR_INIT;

    for (int i = 0; hand_session_turn(fixture->hand, 100, &turn, &err); i++)
        assert_true(i < TURNS_MAX);
    assert_int_equal(err.code, ERR_LOST);
}

/* The only step of the recording is the text that was typed. */
static void assert_typed(const char *folder, const char *text)
{
    struct recording recording;
    struct err err = ERR_INIT;

    if (!recording_load(folder, &recording, &err))
        fail_msg("%s", err.text);
    assert_true(recording.count >= 1);
    assert_int_equal(recording.steps[0].step->action.kind, ACTION_TYPE);
    assert_string_equal(recording.steps[0].step->action.text, text);
    recording_release(&recording);
}

/* Type two keys into the field of the phone. */
static void type(struct fixture *fixture)
{
    take_events(fixture, 0);
    fixture->fake.field = "ab";
    fixture->during = "input keyevent 29 30";
    take_events(fixture, 2);
}

static void a_text_is_recorded_when_getevent_ends(void **state)
{
    struct fixture *fixture = *state;

    start(fixture, "lost");
    type(fixture);
    run(fixture, "pkill getevent");
    await_loss(fixture);
    stop(fixture);
    assert_typed("recordings/lost", "ab");
}

static void a_text_is_recorded_when_the_last_screen_is_not(void **state)
{
    struct fixture *fixture = *state;
    struct hand_turn turn;
    struct err err = ERR_INIT;

    start(fixture, "unseen");
    type(fixture);
    fixture->fails = true;
    assert_false(hand_session_end(fixture->hand, &turn, &err));
    assert_int_equal(err.code, ERR_IO);
    stop(fixture);
    assert_typed("recordings/unseen", "ab");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_events_during_one_observation_are_all_taken),
        cmocka_unit_test(a_text_is_recorded_when_getevent_ends),
        cmocka_unit_test(a_text_is_recorded_when_the_last_screen_is_not),
    };

    return cmocka_run_group_tests(tests, open_phone, close_phone);
}
