/* Steps from screens, gestures and keys of a phone in the hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/keycode.h"
#include "base/macros.h"
#include "runner/hand/hand_steps.h"
#include "runner/recording/recording.h"

#define TEXT_MAX 1024

/* A screen of 1000 x 2000 with one field, or none; the keyboard is at 1200. */
static void see(struct hand_steps *steps, const char *field, const char *text,
                bool keyboard, int64_t begin_ms)
{
    struct record_screen screen;

    record_screen_init(&screen);
    buf_text(&screen.xml, "<hierarchy rotation=\"0\"><node class=\"v\" "
                          "bounds=\"[0,0][1000,2000]\">");
    if (field)
        buf_printf(&screen.xml,
                   "<node class=\"android.widget.EditText\" package=\"p\" "
                   "resource-id=\"%s\" focused=\"true\" password=\"%s\" "
                   "text=\"%s\" bounds=\"[0,0][1000,100]\"/>",
                   field, strcmp(field, "secret") == 0 ? "true" : "false",
                   text);
    buf_text(&screen.xml, "</node></hierarchy>");
    screen.keyboard_top = keyboard ? 1200 : 0;
    snprintf(screen.package, sizeof(screen.package), "%lld",
             (long long)begin_ms);
    hand_steps_see(steps, &screen, begin_ms, begin_ms + 50);
    record_screen_release(&screen);
}

static struct event_moment at(int64_t ms)
{
    return (struct event_moment){ms, ms};
}

static void tap(struct hand_steps *steps, int x, int y, int64_t ms)
{
    struct recognized_gesture gesture = {
        .kind = GESTURE_TAP,
        .action = {.kind = ACTION_CLICK, .has_from = true, .from = {x, y}}};

    hand_steps_gesture(steps, &gesture, at(ms), at(ms + 60));
}

static void type_on_screen(struct hand_steps *steps, int64_t ms)
{
    tap(steps, 500, 1500, ms);
}

/* "click 5 9 on 100", "type [x] submit on 100 flagged". */
static void describe(const struct hand_step *step, char *text)
{
    const struct action *action = &step->action;
    size_t used = strlen(text);

    snprintf(text + used, TEXT_MAX - used, "%s%s", used ? "; " : "",
             action_kind_name(action->kind));
    used = strlen(text);
    if (action->has_from)
        snprintf(text + used, TEXT_MAX - used, " %d %d", action->from.x,
                 action->from.y);
    used = strlen(text);
    if (action->text)
        snprintf(text + used, TEXT_MAX - used, " [%s]", action->text);
    used = strlen(text);
    snprintf(text + used, TEXT_MAX - used, "%s%s%s on %s%s",
             action->replace ? " replace" : "", action->submit ? " submit" : "",
             action->secret ? " secret" : "", step->screen.package,
             step->flag[0] ? " flagged" : "");
}

static void expect(struct hand_steps *steps, const char *expected)
{
    char found[TEXT_MAX] = "";
    struct hand_step step;

    while (hand_steps_next(steps, &step)) {
        describe(&step, found);
        hand_step_release(&step);
    }
    assert_string_equal(found, expected);
}

static void finish(struct hand_steps *steps, const char *expected)
{
    hand_steps_end(steps);
    expect(steps, expected);
    hand_steps_release(steps);
}

static void a_touch_belongs_to_the_screen_before_it(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    assert_false(hand_steps_ready(&steps));
    see(&steps, NULL, "", false, 100);
    assert_true(hand_steps_ready(&steps));
    tap(&steps, 5, 9, 200);
    assert_false(hand_steps_ready(&steps));
    expect(&steps, "click 5 9 on 100");
    see(&steps, NULL, "", false, 300);
    assert_true(hand_steps_ready(&steps));
    tap(&steps, 6, 9, 400);
    expect(&steps, "click 6 9 on 300");
    finish(&steps, "");
}

static void a_touch_before_the_screen_was_read_is_flagged(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    tap(&steps, 1, 1, 20);
    see(&steps, NULL, "", false, 100);
    tap(&steps, 5, 9, 200);
    tap(&steps, 6, 9, 300);
    finish(&steps, "click 5 9 on 100; click 6 9 on 100 flagged");
}

static void touches_of_the_keyboard_become_the_text(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "m", true, 300);
    type_on_screen(&steps, 400);
    type_on_screen(&steps, 500);
    see(&steps, "f", "milk", true, 600);
    tap(&steps, 500, 300, 700);
    expect(&steps, "type [milk] on 100; click 500 300 on 600");
    finish(&steps, "");
}

static void the_end_of_the_recording_ends_the_text(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "m", true, 300);
    finish(&steps, "type [m] on 100");
}

static void a_field_that_is_gone_was_submitted(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "milk", true, 300);
    type_on_screen(&steps, 400);
    see(&steps, NULL, "", false, 500);
    expect(&steps, "type [milk] submit on 100");
    finish(&steps, "");
}

static void a_keyboard_that_is_gone_submitted_the_text(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "milk", true, 300);
    type_on_screen(&steps, 400);
    see(&steps, "f", "milk", false, 500);
    finish(&steps, "type [milk] submit on 100");
}

static void text_that_was_not_read_in_time_is_flagged(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "m", true, 300);
    type_on_screen(&steps, 400);
    type_on_screen(&steps, 500);
    see(&steps, NULL, "", false, 600);
    finish(&steps, "type [m] submit on 100 flagged");
}

static void a_touch_of_the_keyboard_without_text_is_kept(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "", true, 300);
    finish(&steps, "click 500 1500 on 100 flagged");
}

static void keys_that_type_become_the_text(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", false, 100);
    hand_steps_key(&steps, 0, at(200));
    hand_steps_key(&steps, KEY_SPACE, at(210));
    see(&steps, "f", "a ", false, 300);
    expect(&steps, "");
    hand_steps_key(&steps, KEY_ENTER, at(400));
    see(&steps, "f", "a ", false, 500);
    expect(&steps, "type [a ] submit on 100");
    finish(&steps, "");
}

static void enter_may_begin_a_line_or_stand_alone(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", false, 100);
    hand_steps_key(&steps, 0, at(200));
    hand_steps_key(&steps, KEY_ENTER, at(210));
    see(&steps, "f", "a&#10;", false, 300);
    expect(&steps, "type [a\n] on 100");
    hand_steps_key(&steps, KEY_ENTER, at(400));
    see(&steps, "f", "a&#10;", false, 500);
    finish(&steps, "enter on 300");
}

static void other_keys_are_steps(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, NULL, "", false, 100);
    hand_steps_key(&steps, 0, at(150));
    hand_steps_key(&steps, KEY_BACK, at(200));
    see(&steps, NULL, "", false, 300);
    hand_steps_key(&steps, KEY_VOLUME_UP, at(400));
    finish(&steps, "back on 100; key [VOLUME_UP] on 300");
}

static void gestures_of_the_system_are_no_typing(void **state)
{
    const struct recognized_gesture back = {.kind = GESTURE_BACK,
                                            .action = {.kind = ACTION_BACK}};
    const struct recognized_gesture none = {.kind = GESTURE_CANCELLED};
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "f", "m", true, 300);
    hand_steps_gesture(&steps, &none, at(400), at(410));
    see(&steps, "f", "m", true, 420);
    hand_steps_gesture(&steps, &back, at(500), at(600));
    finish(&steps, "type [m] on 100; back on 420");
}

static void a_password_is_masked(void **state)
{
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "secret", "", true, 100);
    type_on_screen(&steps, 200);
    see(&steps, "secret", "•••", true, 300);
    finish(&steps, "type [" RECORDING_MASK "] secret on 100");
}

/* Both thumbs at once. */
static void two_fingers_on_the_keyboard_type(void **state)
{
    const struct recognized_gesture two = {
        .kind = GESTURE_FINGERS_TAP,
        .action = {.kind = ACTION_RAW, .has_from = true, .from = {500, 1500}}};
    struct hand_steps steps;

    (void)state;
    hand_steps_init(&steps);
    see(&steps, "f", "", true, 100);
    hand_steps_gesture(&steps, &two, at(200), at(260));
    see(&steps, "f", "ab", true, 300);
    finish(&steps, "type [ab] on 100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_touch_belongs_to_the_screen_before_it),
        cmocka_unit_test(a_touch_before_the_screen_was_read_is_flagged),
        cmocka_unit_test(touches_of_the_keyboard_become_the_text),
        cmocka_unit_test(the_end_of_the_recording_ends_the_text),
        cmocka_unit_test(a_field_that_is_gone_was_submitted),
        cmocka_unit_test(a_keyboard_that_is_gone_submitted_the_text),
        cmocka_unit_test(text_that_was_not_read_in_time_is_flagged),
        cmocka_unit_test(a_touch_of_the_keyboard_without_text_is_kept),
        cmocka_unit_test(keys_that_type_become_the_text),
        cmocka_unit_test(enter_may_begin_a_line_or_stand_alone),
        cmocka_unit_test(other_keys_are_steps),
        cmocka_unit_test(gestures_of_the_system_are_no_typing),
        cmocka_unit_test(a_password_is_masked),
        cmocka_unit_test(two_fingers_on_the_keyboard_type),
    };

    return cmocka_run_group_tests_name("hand_steps", tests, NULL, NULL);
}
