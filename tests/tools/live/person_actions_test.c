/* What a person does on a phone, as actions. */
#include "tools/live/person_actions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/keycode.h"

static struct view_command touch(int pointer, enum view_touch what, int x,
                                 int y, int ms)
{
    return (struct view_command){.kind = VIEW_TOUCH,
                                 .width = 1080,
                                 .height = 2400,
                                 .pointer = pointer,
                                 .touch = what,
                                 .x = x,
                                 .y = y,
                                 .ms = ms};
}

static void add(struct person_actions *person, struct view_command command)
{
    struct action action;

    assert_false(person_actions_add(person, &command, &action));
}

static struct action complete(struct person_actions *person,
                              struct view_command command)
{
    struct action action;

    assert_true(person_actions_add(person, &command, &action));
    return action;
}

static void touches_become_gestures(void **state)
{
    struct person_actions person = {.pinches = false};
    struct action action;

    (void)state;
    add(&person, touch(0, VIEW_DOWN, 100, 200, 1000));
    action = complete(&person, touch(0, VIEW_UP, 101, 201, 1060));
    assert_int_equal(action.kind, ACTION_CLICK);
    assert_int_equal(action.from.x, 100);
    assert_int_equal(action.from.y, 200);

    add(&person, touch(0, VIEW_DOWN, 100, 200, 2000));
    action = complete(&person, touch(0, VIEW_UP, 100, 200, 2800));
    assert_int_equal(action.kind, ACTION_LONG_PRESS);
    assert_int_equal(action.milliseconds, 800);

    add(&person, touch(0, VIEW_DOWN, 500, 2000, 3000));
    add(&person, touch(0, VIEW_MOVE, 500, 1000, 3100));
    action = complete(&person, touch(0, VIEW_UP, 500, 400, 3200));
    assert_int_equal(action.kind, ACTION_SWIPE);
    assert_int_equal(action.from.y, 2000);
    assert_int_equal(action.to.y, 400);
    assert_int_equal(action.milliseconds, 200);
}

static void a_cancelled_touch_is_no_action(void **state)
{
    struct person_actions person = {.pinches = false};

    (void)state;
    add(&person, touch(0, VIEW_DOWN, 100, 200, 1000));
    add(&person, touch(0, VIEW_CANCEL, 100, 200, 1010));
    add(&person, touch(0, VIEW_UP, 100, 200, 1020));
    add(&person, touch(7, VIEW_DOWN, 100, 200, 1030));
}

static void two_fingers_pinch(void **state)
{
    struct person_actions person = {.pinches = false};
    struct action action;

    (void)state;
    add(&person, touch(0, VIEW_DOWN, 400, 1000, 0));
    add(&person, touch(1, VIEW_DOWN, 600, 1000, 10));
    add(&person, touch(0, VIEW_MOVE, 100, 1000, 200));
    add(&person, touch(1, VIEW_MOVE, 900, 1000, 210));
    add(&person, touch(0, VIEW_UP, 100, 1000, 300));
    action = complete(&person, touch(1, VIEW_UP, 900, 1000, 310));
    assert_int_equal(action.kind, ACTION_PINCH);
    assert_string_equal(action.text, "out");
    action_release(&action);
    add(&person, touch(0, VIEW_DOWN, 100, 200, 1000));
    action = complete(&person, touch(0, VIEW_UP, 100, 200, 1050));
    assert_int_equal(action.kind, ACTION_CLICK);
}

static void keys_texts_and_commands_are_actions(void **state)
{
    static const struct {
        struct view_command command;
        enum action_kind kind;
        const char *text;
    } known[] = {
        {{.kind = VIEW_KEY, .key = KEY_BACK}, ACTION_BACK, NULL},
        {{.kind = VIEW_KEY, .key = KEY_APP_SWITCH}, ACTION_RECENTS, NULL},
        {{.kind = VIEW_KEY, .key = KEY_VOLUME_UP}, ACTION_KEY, "VOLUME_UP"},
        {{.kind = VIEW_LOCK}, ACTION_KEY, "POWER"},
        {{.kind = VIEW_TEXT, .text = "hé"}, ACTION_TYPE, "hé"},
        {{.kind = VIEW_PASTE, .text = "x"}, ACTION_TYPE, "x"},
        {{.kind = VIEW_SHELL, .text = "ls"}, ACTION_RAW, "ls"},
        {{.kind = VIEW_ROTATE}, ACTION_RAW, "rotate the screen"},
    };
    struct person_actions person = {.pinches = false};

    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct action action = complete(&person, known[i].command);

        assert_int_equal(action.kind, known[i].kind);
        if (known[i].text)
            assert_string_equal(action.text, known[i].text);
        else
            assert_null(action.text);
        action_release(&action);
    }
    add(&person, (struct view_command){.kind = VIEW_SCREENSHOT});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_become_gestures),
        cmocka_unit_test(a_cancelled_touch_is_no_action),
        cmocka_unit_test(two_fingers_pinch),
        cmocka_unit_test(keys_texts_and_commands_are_actions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
