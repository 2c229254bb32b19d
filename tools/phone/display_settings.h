/*
 * The settings that the display obeys: how it is turned, its night mode, its
 * language, and whether the keyboard in use is one that shows itself.
 */
#ifndef PHONE_DISPLAY_SETTINGS_H
#define PHONE_DISPLAY_SETTINGS_H

#include "tools/phone/handset.h"
#include "tools/phone/screen.h"

struct display_settings {
    struct settings *settings;
    struct screen *screen;
};

/* Let screen obey settings from now on; both stay as long as this does. */
void display_settings_follow(struct display_settings *display,
                             struct settings *settings, struct screen *screen);

/* Turn it by quarters and hold it so, or let it go again. */
void display_settings_turn(struct settings *settings, bool held, int rotation);

#endif
