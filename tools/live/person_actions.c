#include "tools/live/person_actions.h"

#include "base/keycode.h"
#include "base/macros.h"
#include "base/mem.h"

/* ---- fingers ---- */

static bool are_all_up(const struct person_actions *person)
{
    return !person->fingers[0].down && !person->fingers[1].down;
}

static bool lift(struct person_actions *person, struct finger_gesture *finger,
                 int64_t now, struct action *action)
{
    if (!person->pinches) {
        *action = finger_gesture_up(finger, now);
        return true;
    }
    finger->down = false;
    if (!are_all_up(person))
        return false;
    *action =
        finger_gesture_pinch(&person->fingers[0], &person->fingers[1], now);
    person->pinches = false;
    return true;
}

static bool add_touch(struct person_actions *person,
                      const struct view_command *touch, struct action *action)
{
    const struct action_point at = {touch->x, touch->y};
    struct finger_gesture *finger;

    if (touch->pointer < 0 ||
        (size_t)touch->pointer >= ARRAY_LEN(person->fingers))
        return false;
    finger = &person->fingers[touch->pointer];
    switch (touch->touch) {
    case VIEW_DOWN:
        finger_gesture_down(finger, at, touch->ms);
        person->pinches = person->pinches ||
                          (person->fingers[0].down && person->fingers[1].down);
        return false;
    case VIEW_MOVE:
    case VIEW_UP:
        if (!finger->down)
            return false;
        finger_gesture_move(
            finger, at, touch->ms,
            finger_gesture_slop((struct extent){touch->width, touch->height}));
        return touch->touch == VIEW_UP &&
               lift(person, finger, touch->ms, action);
    case VIEW_CANCEL:
        finger->down = false;
        person->pinches = person->pinches && !are_all_up(person);
        return false;
    }
    return false;
}

/* ---- all commands ---- */

static struct action key_action(int key)
{
    static const struct {
        int key;
        enum action_kind kind;
    } known[] = {
        {KEY_BACK, ACTION_BACK},
        {KEY_HOME, ACTION_HOME},
        {KEY_APP_SWITCH, ACTION_RECENTS},
        {KEY_ENTER, ACTION_ENTER},
    };
    char name[KEYCODE_NAME_MAX];

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (known[i].key == key)
            return (struct action){.kind = known[i].kind};
    }
    keycode_name(key, name);
    return (struct action){.kind = ACTION_KEY, .text = mem_dup(name)};
}

bool person_actions_add(struct person_actions *person,
                        const struct view_command *command,
                        struct action *action)
{
    switch (command->kind) {
    case VIEW_TOUCH:
        return add_touch(person, command, action);
    case VIEW_KEY:
        *action = key_action(command->key);
        return true;
    case VIEW_LOCK:
        *action = key_action(KEY_POWER);
        return true;
    case VIEW_TEXT:
    case VIEW_PASTE:
        *action = (struct action){.kind = ACTION_TYPE,
                                  .text = mem_dup(command->text)};
        return true;
    case VIEW_ROTATE:
        *action = (struct action){.kind = ACTION_RAW,
                                  .effect = EFFECT_SETTING,
                                  .text = mem_dup("rotate the screen")};
        return true;
    case VIEW_SHELL:
        *action =
            (struct action){.kind = ACTION_RAW, .text = mem_dup(command->text)};
        return true;
    case VIEW_TREE:
    case VIEW_DESCRIBE:
    case VIEW_SCREENSHOT:
    case VIEW_DUMP:
        break;
    }
    return false;
}
