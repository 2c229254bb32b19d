/* A phone without a wire: its screen, its apps, and the truth about them. */
#ifndef TESTS_PHONE_APP_PHONE_H
#define TESTS_PHONE_APP_PHONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/box.h"
#include "base/buf.h"
#include "tools/phone/apps.h"
#include "tools/phone/display_settings.h"
#include "tools/phone/popup.h"
#include "tools/phone/screen.h"

struct app_phone {
    struct handset handset;
    struct truth truth;
    struct apps apps;
    struct stage *stage;
    struct popup *popup;
    struct screen *screen;
    struct display_settings display;
    uint64_t seen; /* the number of the first event that was not asked for */
};

/* Zeros stand for the defaults. */
struct app_phone_options {
    struct fonts *fonts; /* borrowed, needed */
    enum locale locale;
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

/* That node, which must be there. */
struct app_node app_phone_find(struct app_phone *phone, const char *what);

/*
 * What was done since this was last asked, as "shop.sort price_asc, shop.open
 * 3". Valid until the next call.
 */
const char *app_phone_events(struct app_phone *phone);

#endif
