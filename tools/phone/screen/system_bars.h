/* The status bar above every app, and the home handle below it. */
#ifndef TOOLS_PHONE_SCREEN_SYSTEM_BARS_H
#define TOOLS_PHONE_SCREEN_SYSTEM_BARS_H

#include "tools/phone/screen/app.h"

#define STATUS_BAR_HEIGHT 34.0F /* dp */
#define NAVIGATION_HEIGHT 24.0F

/* Add them above the existing windows, drawn in ink. */
void system_bars_build(const struct phone_surroundings *around, uint32_t ink,
                       struct widget_tree *tree);

#endif
