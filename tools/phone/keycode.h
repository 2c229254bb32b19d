/* Android's key codes, and their names: "KEYCODE_HOME" is 3. */
#ifndef PHONE_KEYCODE_H
#define PHONE_KEYCODE_H

#include <stdbool.h>

#include "base/macros.h"

enum keycode {
    KEY_HOME = 3,
    KEY_BACK = 4,
    KEY_0 = 7,
    KEY_LEFT = 21,
    KEY_RIGHT = 22,
    KEY_VOLUME_UP = 24,
    KEY_VOLUME_DOWN = 25,
    KEY_POWER = 26,
    KEY_CLEAR = 28, /* all of a field: what keyboards ask for */
    KEY_A = 29,
    KEY_TAB = 61,
    KEY_SPACE = 62,
    KEY_ENTER = 66,
    KEY_DELETE = 67, /* the character before the caret */
    KEY_ESCAPE = 111,
    KEY_FORWARD_DELETE = 112, /* the one behind it */
    KEY_MOVE_HOME = 122,
    KEY_MOVE_END = 123,
    KEY_NUMPAD_ENTER = 160,
    KEY_APP_SWITCH = 187,
    KEY_SLEEP = 223,
    KEY_WAKEUP = 224,
    KEY_LAST = 316,
};

/*
 * The code of a key given by its number or its name, with or without
 * "KEYCODE_". False for what is neither.
 */
MUST_USE bool keycode_parse(const char *text, int *code);

/* The character that a key types, or 0. */
char keycode_character(int code);

#endif
