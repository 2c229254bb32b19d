#include "tools/phone/screen/input_event_names.h"

#include <stddef.h>

#include "tools/phone/screen/input_devices.h"

const struct input_event_name input_types[] = {
    {INPUT_SYN, "EV_SYN"},
    {INPUT_KEY, "EV_KEY"},
    {INPUT_ABS, "EV_ABS"},
    {0, NULL},
};

static const struct input_event_name reports[] = {
    {INPUT_SYN_REPORT, "SYN_REPORT"},
    {0, NULL},
};

static const struct input_event_name axes[] = {
    {INPUT_ABS_X, "ABS_X"},
    {INPUT_ABS_Y, "ABS_Y"},
    {INPUT_MT_SLOT, "ABS_MT_SLOT"},
    {INPUT_MT_X, "ABS_MT_POSITION_X"},
    {INPUT_MT_Y, "ABS_MT_POSITION_Y"},
    {INPUT_MT_TRACKING_ID, "ABS_MT_TRACKING_ID"},
    {0, NULL},
};

static const struct input_event_name keys[] = {
    {1, "KEY_ESC"},
    {2, "KEY_1"},
    {3, "KEY_2"},
    {4, "KEY_3"},
    {5, "KEY_4"},
    {6, "KEY_5"},
    {7, "KEY_6"},
    {8, "KEY_7"},
    {9, "KEY_8"},
    {10, "KEY_9"},
    {11, "KEY_0"},
    {14, "KEY_BACKSPACE"},
    {15, "KEY_TAB"},
    {16, "KEY_Q"},
    {17, "KEY_W"},
    {18, "KEY_E"},
    {19, "KEY_R"},
    {20, "KEY_T"},
    {21, "KEY_Y"},
    {22, "KEY_U"},
    {23, "KEY_I"},
    {24, "KEY_O"},
    {25, "KEY_P"},
    {28, "KEY_ENTER"},
    {30, "KEY_A"},
    {31, "KEY_S"},
    {32, "KEY_D"},
    {33, "KEY_F"},
    {34, "KEY_G"},
    {35, "KEY_H"},
    {36, "KEY_J"},
    {37, "KEY_K"},
    {38, "KEY_L"},
    {44, "KEY_Z"},
    {45, "KEY_X"},
    {46, "KEY_C"},
    {47, "KEY_V"},
    {48, "KEY_B"},
    {49, "KEY_N"},
    {50, "KEY_M"},
    {57, "KEY_SPACE"},
    {96, "KEY_KPENTER"},
    {114, "KEY_VOLUMEDOWN"},
    {115, "KEY_VOLUMEUP"},
    {116, "KEY_POWER"},
    {142, "KEY_SLEEP"},
    {143, "KEY_WAKEUP"},
    {158, "KEY_BACK"},
    {172, "KEY_HOMEPAGE"},
    {INPUT_BTN_TOUCH, "BTN_TOUCH"},
    {580, "KEY_APPSELECT"},
    {0, NULL},
};

const struct input_event_name *input_codes(unsigned type)
{
    switch (type) {
    case INPUT_SYN:
        return reports;
    case INPUT_KEY:
        return keys;
    case INPUT_ABS:
        return axes;
    default:
        return NULL;
    }
}

const char *input_event_name(const struct input_event_name *names,
                             unsigned number)
{
    for (; names && names->name; names++) {
        if (names->number == number)
            return names->name;
    }
    return NULL;
}
