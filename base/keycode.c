#include "base/keycode.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PREFIX "KEYCODE_"

/* Keys with their own name; letters and digits are in rows. */
static const struct key_name {
    const char *name;
    int code;
    char character;
} keys[] = {
    {"UNKNOWN", 0, 0},
    {"SOFT_LEFT", 1, 0},
    {"SOFT_RIGHT", 2, 0},
    {"HOME", KEY_HOME, 0},
    {"BACK", KEY_BACK, 0},
    {"CALL", 5, 0},
    {"ENDCALL", 6, 0},
    {"STAR", 17, '*'},
    {"POUND", 18, '#'},
    {"DPAD_UP", 19, 0},
    {"DPAD_DOWN", 20, 0},
    {"DPAD_LEFT", KEY_LEFT, 0},
    {"DPAD_RIGHT", KEY_RIGHT, 0},
    {"DPAD_CENTER", KEY_DPAD_CENTER, 0},
    {"VOLUME_UP", KEY_VOLUME_UP, 0},
    {"VOLUME_DOWN", KEY_VOLUME_DOWN, 0},
    {"POWER", KEY_POWER, 0},
    {"CAMERA", 27, 0},
    {"CLEAR", KEY_CLEAR, 0},
    {"COMMA", 55, ','},
    {"PERIOD", 56, '.'},
    {"ALT_LEFT", 57, 0},
    {"ALT_RIGHT", 58, 0},
    {"SHIFT_LEFT", KEY_SHIFT_LEFT, 0},
    {"SHIFT_RIGHT", KEY_SHIFT_RIGHT, 0},
    {"TAB", KEY_TAB, 0},
    {"SPACE", KEY_SPACE, ' '},
    {"SYM", 63, 0},
    {"EXPLORER", 64, 0},
    {"ENVELOPE", 65, 0},
    {"ENTER", KEY_ENTER, 0},
    {"DEL", KEY_DELETE, 0},
    {"GRAVE", 68, '`'},
    {"MINUS", 69, '-'},
    {"EQUALS", 70, '='},
    {"LEFT_BRACKET", 71, '['},
    {"RIGHT_BRACKET", 72, ']'},
    {"BACKSLASH", 73, '\\'},
    {"SEMICOLON", 74, ';'},
    {"APOSTROPHE", 75, '\''},
    {"SLASH", 76, '/'},
    {"AT", 77, '@'},
    {"HEADSETHOOK", 79, 0},
    {"FOCUS", 80, 0},
    {"PLUS", 81, '+'},
    {"MENU", 82, 0},
    {"NOTIFICATION", KEY_NOTIFICATION, 0},
    {"SEARCH", 84, 0},
    {"MEDIA_PLAY_PAUSE", 85, 0},
    {"MEDIA_STOP", 86, 0},
    {"MEDIA_NEXT", 87, 0},
    {"MEDIA_PREVIOUS", 88, 0},
    {"MUTE", 91, 0},
    {"PAGE_UP", 92, 0},
    {"PAGE_DOWN", 93, 0},
    {"ESCAPE", KEY_ESCAPE, 0},
    {"FORWARD_DEL", KEY_FORWARD_DELETE, 0},
    {"CTRL_LEFT", KEY_CTRL_LEFT, 0},
    {"CTRL_RIGHT", KEY_CTRL_RIGHT, 0},
    {"CAPS_LOCK", 115, 0},
    {"META_LEFT", 117, 0},
    {"META_RIGHT", 118, 0},
    {"MOVE_HOME", KEY_MOVE_HOME, 0},
    {"MOVE_END", KEY_MOVE_END, 0},
    {"INSERT", 124, 0},
    {"FORWARD", 125, 0},
    {"NUMPAD_ENTER", KEY_NUMPAD_ENTER, 0},
    {"VOLUME_MUTE", 164, 0},
    {"SETTINGS", 176, 0},
    {"APP_SWITCH", KEY_APP_SWITCH, 0},
    {"CALENDAR", 208, 0},
    {"MUSIC", 209, 0},
    {"CALCULATOR", 210, 0},
    {"ASSIST", 219, 0},
    {"BRIGHTNESS_DOWN", 220, 0},
    {"BRIGHTNESS_UP", 221, 0},
    {"SLEEP", KEY_SLEEP, 0},
    {"WAKEUP", KEY_WAKEUP, 0},
    {"VOICE_ASSIST", 231, 0},
    {"CUT", KEY_CUT, 0},
    {"COPY", 278, 0},
    {"PASTE", KEY_PASTE, 0},
    {"ALL_APPS", 284, 0},
};

/* A row of keys whose names are one character each: '0' to '9', 'A' to 'Z'. */
static int row_code(char name)
{
    if (isdigit((unsigned char)name))
        return KEY_0 + name - '0';
    if (isalpha((unsigned char)name))
        return KEY_A + toupper((unsigned char)name) - 'A';
    return -1;
}

static bool parse_number(const char *text, int *code)
{
    char *end;
    long number = strtol(text, &end, 0);

    if (end == text || *end || number < 0 || number > KEY_LAST)
        return false;
    *code = (int)number;
    return true;
}

/* A single digit is a key code, as in Android. */
bool keycode_parse(const char *text, int *code)
{
    const char *name = text;

    if (parse_number(text, code))
        return true;
    if (!strncasecmp(text, PREFIX, strlen(PREFIX)))
        name += strlen(PREFIX);
    if (name[0] && !name[1] && row_code(name[0]) >= 0) {
        *code = row_code(name[0]);
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (!strcasecmp(keys[i].name, name)) {
            *code = keys[i].code;
            return true;
        }
    }
    return false;
}

void keycode_name(int code, char name[KEYCODE_NAME_MAX])
{
    if (code >= KEY_A && code < KEY_A + 26) {
        snprintf(name, KEYCODE_NAME_MAX, "%c", 'A' + code - KEY_A);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].code == code) {
            snprintf(name, KEYCODE_NAME_MAX, "%s", keys[i].name);
            return;
        }
    }
    snprintf(name, KEYCODE_NAME_MAX, "%d", code);
}

char keycode_character(int code)
{
    if (code >= KEY_0 && code < KEY_0 + 10)
        return (char)('0' + code - KEY_0);
    if (code >= KEY_A && code < KEY_A + 26)
        return (char)('a' + code - KEY_A);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].code == code)
            return keys[i].character;
    }
    return 0;
}
