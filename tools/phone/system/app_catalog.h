/* The apps of a new phone. */
#ifndef TOOLS_PHONE_SYSTEM_APP_CATALOG_H
#define TOOLS_PHONE_SYSTEM_APP_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/phone/graphics/icon.h"
#include "tools/phone/system/packages.h"

#define APP_CATALOG_PERMISSIONS 8

enum app_catalog_place {
    IN_GRID,
    IN_DOCK,   /* in the dock, without a label */
    NOT_SHOWN, /* not implemented: shows a placeholder */
};

struct app_catalog_app {
    const char *package;
    const char *names[2]; /* by locale */
    const char *version;
    int version_code;
    const char *activity; /* what launchers start; NULL: nothing */
    const char *apk;
    uint32_t uid; /* 0: assigned; not a system app */
    const struct phone_icon *icon;
    enum app_catalog_place place; /* shown in the launcher */
    const char
        *permissions[APP_CATALOG_PERMISSIONS]; /* from android.permission */
};

extern const struct app_catalog_app app_catalog[];
extern const size_t app_catalog_count;

/* Actions that they handle. */
struct app_catalog_answer {
    const char *package;
    const char *action;
    const char *scheme;
    const char *activity;
};

extern const struct app_catalog_answer app_catalog_answers[];
extern const size_t app_catalog_answer_count;

/* Install all of them; flat: with the paths of Android before 5. */
void app_catalog_install(struct phone_packages *packages, int64_t now,
                         bool flat);

#endif
