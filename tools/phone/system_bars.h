/* The status bar above every app, and the handle to go home with below it. */
#ifndef PHONE_SYSTEM_BARS_H
#define PHONE_SYSTEM_BARS_H

#include "tools/phone/app.h"

#define STATUS_BAR_HEIGHT 34.0F /* dp */
#define NAVIGATION_HEIGHT 24.0F

/* Add them on top of the windows that are there, in ink. */
void system_bars_build(const struct surroundings *around, uint32_t ink,
                       struct widget_tree *tree);

#endif
