/*
 * The notification shade and the quick settings, which are pulled down from the
 * top of the screen above the app in front.
 *
 *             swipe down, NOTIFICATION      swipe down, NOTIFICATION
 *     CLOSED ────────────────────────▶ SHADE ─────────────▶ SETTINGS
 *        ▲                               │                      │
 *        └──── swipe up, BACK, HOME, a notification is opened ──┘
 */
#ifndef TOOLS_PHONE_ACTIVITIES_NOTIFICATION_SHADE_H
#define TOOLS_PHONE_ACTIVITIES_NOTIFICATION_SHADE_H

#include "tools/phone/activities/task_stack.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/system/truth_log.h"

enum notification_shade_state {
    SHADE_CLOSED,
    SHADE_NOTIFICATIONS, /* the notifications, below four of the tiles */
    SHADE_SETTINGS,      /* all tiles, and the brightness */
};

struct notification_shade;

/*
 * An app that shows the task stack's app, which it closes, with the shade
 * above. Everything is borrowed; truth may be NULL.
 */
struct notification_shade *notification_shade_open(
    struct task_stack *task_stack, struct handset *handset,
    struct truth_log *truth);
struct phone_app *notification_shade_app(struct notification_shade *shade);

/* Open or close it; safe from any thread. */
void notification_shade_set(struct notification_shade *shade,
                            enum notification_shade_state state);
enum notification_shade_state notification_shade_state(
    struct notification_shade *shade);

#endif
