/* The table of symbols; icon_find searches it. */
#ifndef TOOLS_PHONE_GRAPHICS_ICON_SIGNS_H
#define TOOLS_PHONE_GRAPHICS_ICON_SIGNS_H

#include <stddef.h>

#include "tools/phone/graphics/icon.h"

struct icon_sign {
    const char *name;
    struct phone_icon icon;
};

extern const struct icon_sign icon_signs[];
extern const size_t icon_sign_count;

#endif
