/*
 * Settings that control the display: rotation, night mode, language, and
 * whether the current keyboard is visible.
 */
#ifndef TOOLS_PHONE_SYSTEM_DISPLAY_SETTINGS_H
#define TOOLS_PHONE_SYSTEM_DISPLAY_SETTINGS_H

#include "tools/phone/screen/screen.h"
#include "tools/phone/system/handset.h"

struct display_settings {
    struct phone_settings *settings;
    struct phone_screen *screen;
};

/* Make screen follow settings from now on; both must exist as long as this. */
void display_settings_follow(struct display_settings *display,
                             struct phone_settings *settings,
                             struct phone_screen *screen);

/* Lock the rotation, in quarter turns, or unlock it. */
void display_settings_turn(struct phone_settings *settings, bool held,
                           int rotation);

#endif
