/* Gestures from contacts, as a screen of 1080 x 2400 at 420 dpi has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "runner/hand/gesture_recognizer.h"

static const struct gesture_options options = {
    .screen = {1080, 2400},
    .density = 420,
    .edge_gestures = true,
    .double_taps = true,
};

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used ? "; " : "", more);
}

/* "tap 100 200", "swipe 1 2 3 4 300ms". */
static void describe(const struct recognized_gesture *gesture, char *text,
                     size_t size)
{
    const struct action *action = &gesture->action;
    char one[160];
    size_t used;

    snprintf(one, sizeof(one), "%s", gesture_kind_name(gesture->kind));
    if (gesture->kind == GESTURE_CANCELLED) {
        append(text, size, one);
        return;
    }
    used = strlen(one);
    if (action->has_from)
        snprintf(one + used, sizeof(one) - used, " %d %d", action->from.x,
                 action->from.y);
    used = strlen(one);
    if (action->has_to)
        snprintf(one + used, sizeof(one) - used, " %d %d", action->to.x,
                 action->to.y);
    used = strlen(one);
    if (action->milliseconds)
        snprintf(one + used, sizeof(one) - used, " %dms", action->milliseconds);
    used = strlen(one);
    if (action->text)
        snprintf(one + used, sizeof(one) - used, " [%s]", action->text);
    append(text, size, one);
}

static void take_all(struct gesture_recognizer *recognizer, char *text,
                     size_t size)
{
    struct recognized_gesture gesture;

    while (gesture_recognizer_next(recognizer, &gesture)) {
        describe(&gesture, text, size);
        recognized_gesture_release(&gesture);
    }
}

static long long read_number(const char **at)
{
    char *end;
    long long number = strtoll(*at, &end, 10);

    *at = end;
    return number;
}

/* "TIME d|m|u|c POINTER X Y" or "TIME p" (time passes), "," between them. */
static void run_script(struct gesture_recognizer *recognizer,
                       const char *script, char *text, size_t size)
{
    static const char phases[] = "dmuc";

    for (const char *at = script; at; at = strchr(at, ',')) {
        struct touch_contact contact = {.phase = CONTACT_DOWN};
        const char *phase;

        at += *at == ',';
        contact.at_ms = read_number(&at);
        at += strspn(at, " ");
        phase = strchr(phases, *at++);
        if (phase) {
            contact.phase = (enum contact_phase)(phase - phases);
            contact.pointer = (uint64_t)read_number(&at);
            contact.x = (int)read_number(&at);
            contact.y = (int)read_number(&at);
            gesture_recognizer_add(recognizer, &contact);
        } else {
            assert_int_equal(at[-1], 'p');
            gesture_recognizer_pass(recognizer, contact.at_ms);
        }
        take_all(recognizer, text, size);
    }
}

static void expect_with(const struct gesture_options *wanted,
                        const char *script, const char *expected)
{
    struct gesture_recognizer recognizer;
    char text[512] = "";

    gesture_recognizer_init(&recognizer, wanted);
    run_script(&recognizer, script, text, sizeof(text));
    gesture_recognizer_end(&recognizer);
    take_all(&recognizer, text, sizeof(text));
    gesture_recognizer_release(&recognizer);
    if (strcmp(text, expected) != 0)
        fail_msg("%s\n  gives    %s\n  expected %s", script, text, expected);
}

static void expect(const char *script, const char *expected)
{
    expect_with(&options, script, expected);
}

static void short_touches_are_taps(void **state)
{
    (void)state;
    expect("0 d 1 500 900, 80 u 1", "tap 500 900");
    expect("0 d 1 500 900, 0 u 1", "tap 500 900");
    expect("0 d 1 500 900, 20 m 1 510 890, 80 u 1", "tap 500 900");
    expect("0 d 1 500 900, 400 u 1", "long press 500 900 400ms");
}

static void two_taps_close_together_are_a_double_tap(void **state)
{
    (void)state;
    expect("0 d 1 500 900, 50 u 1, 150 d 1 520 910, 200 u 1",
           "double tap 500 900");
    expect("0 d 1 500 900, 50 u 1, 400 d 1 500 900, 450 u 1",
           "tap 500 900; tap 500 900");
    expect("0 d 1 500 900, 50 u 1, 150 d 1 700 900, 200 u 1",
           "tap 500 900; tap 700 900");
    expect("0 d 1 500 900, 50 u 1, 150 d 1 500 900, 900 u 1",
           "tap 500 900; long press 500 900 750ms");
    expect("0 d 1 5 9, 5 u 1, 9 d 1 5 9, 12 u 1, 20 d 1 5 9, 30 u 1",
           "double tap 5 9; tap 5 9");
}

static void without_double_taps_each_tap_is_reported_at_once(void **state)
{
    struct gesture_options single = options;
    struct gesture_recognizer recognizer;
    char text[64] = "";

    (void)state;
    single.double_taps = false;
    expect_with(&single, "0 d 1 500 900, 50 u 1, 150 d 1 500 900, 200 u 1",
                "tap 500 900; tap 500 900");
    gesture_recognizer_init(&recognizer, &single);
    run_script(&recognizer, "0 d 1 5 9, 50 u 1", text, sizeof(text));
    assert_string_equal(text, "tap 5 9");
    gesture_recognizer_release(&recognizer);
}

static void a_tap_is_reported_when_no_second_one_can_follow(void **state)
{
    struct gesture_recognizer recognizer;
    char text[64] = "";

    (void)state;
    gesture_recognizer_init(&recognizer, &options);
    run_script(&recognizer, "0 d 1 5 9, 50 u 1, 350 p", text, sizeof(text));
    assert_string_equal(text, "");
    run_script(&recognizer, "351 p", text, sizeof(text));
    assert_string_equal(text, "tap 5 9");
    gesture_recognizer_release(&recognizer);
}

static void movements_are_swipes_flings_and_drags(void **state)
{
    (void)state;
    expect("0 d 1 500 1800, 50 m 1 500 1500, 100 m 1 500 900, 120 u 1",
           "fling 500 1800 500 900 120ms");
    expect("0 d 1 500 1800, 200 m 1 500 1500, 400 m 1 500 900, 700 u 1",
           "swipe 500 1800 500 900 700ms");
    expect("0 d 1 500 1800, 600 m 1 500 1500, 900 m 1 500 900, 1200 u 1",
           "drag 500 1800 500 900 1200ms");
}

static void a_finger_that_comes_back_has_no_effect(void **state)
{
    (void)state;
    expect("0 d 1 500 900, 99 m 1 500 1200, 200 m 1 500 905, 250 u 1",
           "cancelled touch");
    expect("0 d 1 500 900, 50 c 1", "cancelled touch");
    expect("0 d 1 500 900, 9 d 2 900 900, 50 u 1, 60 c 2", "cancelled touch");
    expect("0 d 1 5 9, 50 u 1, 90 d 1 5 9, 99 c 1", "tap 5 9; cancelled touch");
}

static void two_fingers_pinch_tap_or_swipe(void **state)
{
    (void)state;
    expect("0 d 1 400 900, 10 d 2 600 900, 200 m 1 200 900, 210 m 2 800 900,"
           "300 u 1, 310 u 2",
           "pinch 500 900 310ms [out]");
    expect("0 d 1 200 900, 10 d 2 800 900, 200 m 1 400 900, 210 m 2 600 900,"
           "300 u 2, 350 m 1 0 0, 400 u 1",
           "pinch 500 900 400ms [in]");
    expect("0 d 1 400 900, 10 d 2 600 900, 80 u 1, 90 u 2",
           "tap with several fingers 500 900 [2 fingers tap 500 900]");
    expect(
        "0 d 1 400 900, 10 d 2 600 900, 200 m 1 400 400, 210 m 2 600 400,"
        "300 u 1, 300 u 2",
        "swipe with several fingers 500 900 [2 fingers swipe 500 900 500 400 "
        "300]");
}

static void overlapping_taps_of_two_thumbs_are_two_taps(void **state)
{
    (void)state;
    expect("0 d 1 200 2000, 90 d 2 900 2000, 100 u 1, 180 u 2",
           "tap 200 2000; tap 900 2000");
    expect("0 d 1 200 20, 90 d 2 900 20, 100 u 1, 180 d 1 50 60, 190 u 2,"
           "250 u 1",
           "tap 200 20; tap 900 20; tap 50 60");
}

static void a_ghost_contact_is_ignored(void **state)
{
    (void)state;
    expect("0 d 1 500 900, 30 d 2 10 10, 40 u 2, 80 u 1", "tap 500 900");
    expect("0 d 2 10 10, 5 d 1 500 900, 9 u 2, 80 u 1", "tap 500 900");
}

static void edges_go_back_and_home(void **state)
{
    (void)state;
    expect("0 d 1 10 900, 50 m 1 200 910, 100 m 1 400 920, 110 u 1",
           "back gesture");
    expect("0 d 1 1075 900, 50 m 1 900 910, 100 m 1 800 920, 110 u 1",
           "back gesture");
    expect("0 d 1 10 900, 50 m 1 200 910, 100 m 1 12 920, 110 u 1",
           "cancelled touch");
    expect("0 d 1 540 2390, 50 m 1 540 2000, 100 m 1 540 1500, 110 u 1",
           "home gesture");
    expect("0 d 1 540 2390, 50 m 1 540 2000, 100 m 1 540 1500, 600 u 1",
           "recents gesture");
}

static void other_movements_at_the_edges_are_swipes(void **state)
{
    struct gesture_options buttons = options;

    (void)state;
    buttons.edge_gestures = false;
    expect_with(&buttons,
                "0 d 1 10 900, 50 m 1 200 910, 99 m 1 400 920, 99 u 1",
                "fling 10 900 400 920 99ms");
    expect("0 d 1 10 900, 50 m 1 20 1200, 99 m 1 30 1500, 99 u 1",
           "fling 10 900 30 1500 99ms");
    expect("0 d 1 540 2390, 50 m 1 300 2390, 99 m 1 100 2380, 99 u 1",
           "fling 540 2390 100 2380 99ms");
    expect("0 d 1 10 900, 500 m 1 200 910, 600 m 1 400 920, 610 u 1",
           "drag 10 900 400 920 610ms");
}

static void senseless_contacts_are_ignored(void **state)
{
    (void)state;
    expect("0 m 1 5 5, 5 u 1, 9 c 7", "");
    expect("100 d 1 50 50, 60 u 1", "tap 50 50");
    expect("0 d 1 -900 9000, 50 u 1", "tap 0 2399");
    expect("0 d 1 50 50, 60 d 1 900 900, 120 u 1", "tap 50 50; tap 900 900");
    expect("0 d 1 1 1, 0 d 2 1 1, 0 d 3 1 1, 0 d 4 1 1, 0 d 5 1 1, 0 d 6 1 1,"
           "0 d 7 1 1, 0 d 8 1 1, 0 d 9 1 1, 0 d 10 1 1, 0 d 11 1 1, 5 u 11",
           "");
}

/* A density that was overridden moves the threshold. */
static void distances_follow_the_density(void **state)
{
    struct gesture_options fine = options;

    (void)state;
    fine.density = 160;
    expect("0 d 1 500 900, 20 m 1 515 900, 80 u 1", "tap 500 900");
    expect_with(&fine, "0 d 1 500 900, 20 m 1 515 900, 300 u 1",
                "swipe 500 900 515 900 300ms");
    fine.density = 0;
    expect_with(&fine, "0 d 1 500 900, 20 m 1 515 900, 80 u 1", "tap 500 900");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_touches_are_taps),
        cmocka_unit_test(two_taps_close_together_are_a_double_tap),
        cmocka_unit_test(without_double_taps_each_tap_is_reported_at_once),
        cmocka_unit_test(a_tap_is_reported_when_no_second_one_can_follow),
        cmocka_unit_test(movements_are_swipes_flings_and_drags),
        cmocka_unit_test(a_finger_that_comes_back_has_no_effect),
        cmocka_unit_test(two_fingers_pinch_tap_or_swipe),
        cmocka_unit_test(overlapping_taps_of_two_thumbs_are_two_taps),
        cmocka_unit_test(a_ghost_contact_is_ignored),
        cmocka_unit_test(edges_go_back_and_home),
        cmocka_unit_test(other_movements_at_the_edges_are_swipes),
        cmocka_unit_test(senseless_contacts_are_ignored),
        cmocka_unit_test(distances_follow_the_density),
    };

    return cmocka_run_group_tests_name("gesture_recognizer", tests, NULL, NULL);
}
