/* A phone without connections: its screen, its apps, and their truth. */
#ifndef TESTS_TOOLS_PHONE_APPS_APP_PHONE_H
#define TESTS_TOOLS_PHONE_APPS_APP_PHONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/picture/box.h"
#include "tools/phone/activities/notification_shade.h"
#include "tools/phone/apps/app_registry.h"
#include "tools/phone/screen/popup.h"
#include "tools/phone/screen/screen.h"
#include "tools/phone/system/display_settings.h"

struct app_phone {
    struct handset handset;
    struct truth_log truth;
    struct app_registry apps;
    struct task_stack *task_stack;
    struct notification_shade *shade;
    struct popup *popup;
    struct phone_screen *screen;
    struct display_settings display;
    uint64_t seen; /* number of the first event that was not read yet */
};

/* 0 is the default. */
struct app_phone_options {
    struct phone_fonts *fonts; /* borrowed, needed */
    enum phone_locale locale;
    bool dark;
    uint64_t seed;
    unsigned skin;
    const char *directory; /* of scripts */
};

/* ---- nodes of a dump ---- */

struct app_node {
    int depth;
    struct box bounds;
    bool clickable;
    bool enabled;
    bool checkable;
    bool focusable;
    char text[128];
    char description[128];
    char id[128];
    char class[64];
};

/* The next node at or behind *at, which starts as {xml, 0}. False: no more. */
struct app_node_reader {
    const char *at;
    int depth;
};
bool app_node_next(struct app_node_reader *reader, struct app_node *node);

/* ---- using it ---- */

void app_phone_open(struct app_phone *phone,
                    const struct app_phone_options *options);
void app_phone_close(struct app_phone *phone);

/* Start a package as the launcher does. */
void app_phone_launch(struct app_phone *phone, const char *package);

/* uiautomator's tree; the caller releases it. */
struct buf app_phone_dump(struct app_phone *phone);
bool app_phone_shows(struct app_phone *phone, const char *what);

void app_phone_tap(struct app_phone *phone, int x, int y);
void app_phone_wait(struct app_phone *phone, double seconds);

/* Tap the middle of the first node whose text, description or id this is. */
void app_phone_press(struct app_phone *phone, const char *what);

/* That node; fails the running test if there is none. */
struct app_node app_phone_find(struct app_phone *phone, const char *what);

/*
 * The events since the last call, as "shop.sort price_asc, shop.open 3". Valid
 * until the next call.
 */
const char *app_phone_events(struct app_phone *phone);

#endif
