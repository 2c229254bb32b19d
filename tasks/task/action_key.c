#include "tasks/task/action_key.h"

#include "base/key_press.h"
#include "base/keycode.h"
#include "base/macros.h"
#include "base/mem.h"

bool action_key_kind(int code, enum action_kind *kind)
{
    static const struct {
        int code;
        enum action_kind kind;
    } keys[] = {
        {KEY_HOME, ACTION_HOME},   {KEY_BACK, ACTION_BACK},
        {KEY_ENTER, ACTION_ENTER}, {KEY_NUMPAD_ENTER, ACTION_ENTER},
        {KEY_CLEAR, ACTION_CLEAR}, {KEY_APP_SWITCH, ACTION_RECENTS},
    };

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].code == code) {
            *kind = keys[i].kind;
            return true;
        }
    }
    return false;
}

struct action action_of_key(int code)
{
    const struct key_press press = {.codes = {code}, .count = 1, .times = 1};
    struct action action = {.kind = ACTION_KEY};
    char text[KEY_PRESS_TEXT_MAX];

    if (action_key_kind(code, &action.kind))
        return action;
    key_press_text(&press, text);
    action.text = mem_dup(text);
    return action;
}
