/* What a display is like, as Android's Configuration prints itself. */
#ifndef PHONE_CONFIGURATION_H
#define PHONE_CONFIGURATION_H

#include "base/buf.h"
#include "tools/phone/screen.h"

/* The size as it is turned. */
struct screen_size configuration_size(const struct screen_display *display);

/* Append "{1.0 ... winConfig={ ... } ...}" for windows of that type. */
void configuration_print(const struct screen_display *display, const char *type,
                         struct buf *text);

#endif
