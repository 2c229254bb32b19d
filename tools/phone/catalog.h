/* The apps that the phone has. */
#ifndef PHONE_CATALOG_H
#define PHONE_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/phone/app.h"
#include "tools/phone/icon.h"

struct catalog_app {
    const char *package;
    const char *names[2]; /* by locale */
    const char *version;
    const struct icon *icon;
    bool docked; /* at the foot of the launcher, without its name */
};

extern const struct catalog_app catalog[];
extern const size_t catalog_count;

#endif
