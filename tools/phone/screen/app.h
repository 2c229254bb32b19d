/*
 * The interface of an app: it has a state, builds widgets from it, and handles
 * events.
 */
#ifndef TOOLS_PHONE_SCREEN_APP_H
#define TOOLS_PHONE_SCREEN_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/graphics/theme.h"
#include "tools/phone/widgets/widget.h"

enum phone_locale {
    LOCALE_EN,
    LOCALE_ZH,
};

/* State of the phone on which an app's screen depends, beside its own. */
struct phone_surroundings {
    enum phone_locale locale;
    const struct phone_theme *theme;
    int64_t now;      /* nanoseconds since 1970 */
    int battery;      /* percent */
    float status_bar; /* dp at the top and the bottom that are covered by */
    float navigation; /* system bars; the app's background is visible there */
    float width, height; /* size of the whole screen in dp */
    uint64_t seed;       /* seed of generated content */
};

enum phone_app_event_kind {
    APP_CLICK,      /* a tap on a widget with an action */
    APP_LONG_CLICK, /* a long press on one */
    APP_OUTSIDE,    /* a tap outside of a dialog */
    APP_KEY,
    APP_TEXT,
    APP_CHANGE, /* the text of a field or the value of a slider changed */
    APP_SUBMIT, /* the enter key, in a field */
    APP_SCROLL, /* a list with an action was scrolled */
    APP_TIMER,  /* set for owner APP_TIMERS; argument is its number */
    APP_INTENT, /* it is running and was started again */
};

struct phone_intent;

/* The owner name of apps' timers (tools/phone/core/timers.h). */
#define APP_TIMERS "app"

struct phone_app_event {
    enum phone_app_event_kind kind;
    int action; /* of the widget */
    int64_t argument;
    int key;          /* an Android key code */
    const char *text; /* typed text, or the current text of a field */
    float value;      /* of a slider; or the scroll offset of a list, in dp */
    float left;       /* remaining scroll distance */
    const struct phone_intent *intent;
};

struct phone_app;

struct phone_app_ops {
    /* Add windows to tree. The same state always gives the same windows. */
    void (*build)(struct phone_app *app,
                  const struct phone_surroundings *around,
                  struct widget_tree *tree);

    /* True if the app handled it; its screen may have changed. */
    bool (*handle)(struct phone_app *app, const struct phone_app_event *event);

    /*
     * Save and load its state, for a snapshot (tools/phone/core/saved_state.h).
     * NULL: it has none.
     */
    void (*save)(struct phone_app *app, struct buf *out);
    void (*load)(struct phone_app *app, struct saved_state *in);

    void (*close)(struct phone_app *app);

    /*
     * Has its screen changed without an event since the last call? NULL: never.
     */
    bool (*changed)(struct phone_app *app);

    /*
     * Append the events of the ground truth that using a widget with this
     * action causes, one line for each way to use it (see screen_effect_point).
     * NULL: none.
     */
    void (*calls)(struct phone_app *app, int action, int64_t argument,
                  struct buf *out);
};

/* Implementations embed this as their first member. */
struct phone_app {
    const struct phone_app_ops *ops;
};

#endif
