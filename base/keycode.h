/* Android's key codes, and their names: "KEYCODE_HOME" is 3. */
#ifndef BASE_KEYCODE_H
#define BASE_KEYCODE_H

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
    KEY_DPAD_CENTER = 23,
    KEY_CLEAR = 28, /* clears a field: requested by keyboards */
    KEY_A = 29,
    KEY_SHIFT_LEFT = 59,
    KEY_SHIFT_RIGHT = 60,
    KEY_TAB = 61,
    KEY_SPACE = 62,
    KEY_ENTER = 66,
    KEY_DELETE = 67, /* deletes the character before the caret */
    KEY_NOTIFICATION = 83,
    KEY_ESCAPE = 111,
    KEY_FORWARD_DELETE = 112, /* deletes the character after it */
    KEY_CTRL_LEFT = 113,
    KEY_CTRL_RIGHT = 114,
    KEY_MOVE_HOME = 122,
    KEY_MOVE_END = 123,
    KEY_NUMPAD_ENTER = 160,
    KEY_APP_SWITCH = 187,
    KEY_CUT = 277,
    KEY_PASTE = 279,
    KEY_SLEEP = 223,
    KEY_WAKEUP = 224,
    KEY_LAST = 316,
};

/*
 * The key code of a number or a name, with or without "KEYCODE_". False if it
 * is neither.
 */
MUST_USE bool keycode_parse(const char *text, int *code);

#define KEYCODE_NAME_MAX 32

/* The name of a key, without "KEYCODE_"; its number if it has none. */
void keycode_name(int code, char name[KEYCODE_NAME_MAX]);

/* The character that a key types, or 0. */
char keycode_character(int code);

#endif
