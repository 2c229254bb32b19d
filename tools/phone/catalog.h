/* The apps that the phone has, as a table for apps.c. */
#ifndef PHONE_CATALOG_H
#define PHONE_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/phone/app.h"
#include "tools/phone/icon.h"

#define CATALOG_PERMISSIONS 8

struct catalog_app {
    const char *package;
    const char *names[2]; /* by locale */
    const char *version;
    int version_code;
    const char *activity; /* what launchers start; NULL: nothing */
    const char *apk;
    uint32_t uid; /* 0: one of its own, and no system app */
    const struct icon *icon;
    bool docked; /* at the foot of the launcher, unnamed */
    const char *permissions[CATALOG_PERMISSIONS]; /* of android.permission */
};

extern const struct catalog_app catalog[];
extern const size_t catalog_count;

/* The actions that they answer. */
struct catalog_answer {
    const char *package;
    const char *action;
    const char *scheme;
    const char *activity;
};

extern const struct catalog_answer catalog_answers[];
extern const size_t catalog_answer_count;

#endif
