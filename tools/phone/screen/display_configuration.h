/* The configuration of a display, as Android's Configuration prints it. */
#ifndef TOOLS_PHONE_SCREEN_DISPLAY_CONFIGURATION_H
#define TOOLS_PHONE_SCREEN_DISPLAY_CONFIGURATION_H

#include "base/buf.h"
#include "tools/phone/screen/screen.h"

/* The size after rotation. */
struct phone_size display_configuration_size(
    const struct screen_display *display);

/* Append "{1.0 ... winConfig={ ... } ...}" for windows of that type. */
void display_configuration_print(const struct screen_display *display,
                                 const char *type, struct buf *text);

#endif
