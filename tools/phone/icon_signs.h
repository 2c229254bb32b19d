/* The signs among the icons, by name. Others find them by icon_find. */
#ifndef PHONE_ICON_SIGNS_H
#define PHONE_ICON_SIGNS_H

#include <stddef.h>

#include "tools/phone/icon.h"

struct icon_sign {
    const char *name;
    struct icon icon;
};

extern const struct icon_sign icon_signs[];
extern const size_t icon_sign_count;

#endif
