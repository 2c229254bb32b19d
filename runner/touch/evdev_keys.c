#include "runner/touch/evdev_keys.h"

#include <stddef.h>
#include <string.h>

#include "base/keycode.h"

static const struct {
    unsigned code; /* the kernel's */
    const char *name;
    const char *key; /* Android's, by its name */
} keys[] = {
    {1, "KEY_ESC", "ESCAPE"},
    {14, "KEY_BACKSPACE", "DEL"},
    {15, "KEY_TAB", "TAB"},
    {28, "KEY_ENTER", "ENTER"},
    {57, "KEY_SPACE", "SPACE"},
    {96, "KEY_KPENTER", "NUMPAD_ENTER"},
    {102, "KEY_HOME", "HOME"},
    {103, "KEY_UP", "DPAD_UP"},
    {105, "KEY_LEFT", "DPAD_LEFT"},
    {106, "KEY_RIGHT", "DPAD_RIGHT"},
    {108, "KEY_DOWN", "DPAD_DOWN"},
    {113, "KEY_MUTE", "VOLUME_MUTE"},
    {114, "KEY_VOLUMEDOWN", "VOLUME_DOWN"},
    {115, "KEY_VOLUMEUP", "VOLUME_UP"},
    {116, "KEY_POWER", "POWER"},
    {139, "KEY_MENU", "MENU"},
    {142, "KEY_SLEEP", "SLEEP"},
    {143, "KEY_WAKEUP", "WAKEUP"},
    {158, "KEY_BACK", "BACK"},
    {163, "KEY_NEXTSONG", "MEDIA_NEXT"},
    {164, "KEY_PLAYPAUSE", "MEDIA_PLAY_PAUSE"},
    {165, "KEY_PREVIOUSSONG", "MEDIA_PREVIOUS"},
    {172, "KEY_HOMEPAGE", "HOME"},
    {212, "KEY_CAMERA", "CAMERA"},
    {217, "KEY_SEARCH", "SEARCH"},
    {226, "KEY_MEDIA", "HEADSETHOOK"},
    {353, "KEY_SELECT", "DPAD_CENTER"},
    {580, "KEY_APPSELECT", "APP_SWITCH"},
};

bool evdev_key(unsigned code, int *key)
{
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].code == code)
            return keycode_parse(keys[i].key, key);
    }
    return false;
}

bool evdev_key_find(const char *name, unsigned *code)
{
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (strcmp(keys[i].name, name) == 0) {
            *code = keys[i].code;
            return true;
        }
    }
    return false;
}
