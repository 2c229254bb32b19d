/*
 * An app: a state, what it shows of it, and what it does when it is used.
 */
#ifndef PHONE_APP_H
#define PHONE_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "tools/phone/parcel.h"
#include "tools/phone/theme.h"
#include "tools/phone/widget.h"

enum locale {
    LOCALE_EN,
    LOCALE_ZH,
};

/* What an app's screen depends on, besides its own state. */
struct surroundings {
    enum locale locale;
    const struct theme *theme;
    int64_t now;         /* nanoseconds since 1970 */
    int battery;         /* percent */
    float status_bar;    /* dp at the top and the bottom that belong to the */
    float navigation;    /* system, though the app's background shows there */
    float width, height; /* dp of the whole screen */
    uint64_t seed;       /* of what is made up */
};

enum app_event_kind {
    APP_CLICK,      /* of a widget with an action */
    APP_LONG_CLICK, /* the same, for longer */
    APP_OUTSIDE,    /* a tap beside a dialog */
    APP_KEY,
    APP_TEXT,
    APP_CHANGE, /* a field has another text, or a slider another value */
    APP_SUBMIT, /* the enter key, in a field */
    APP_SCROLL, /* of a list with an action */
    APP_TIMER,  /* set for owner APP_TIMERS; argument is what it said */
    APP_INTENT, /* it runs, and is started again */
};

struct intent;

/* Who owns the timers of apps (tools/phone/timers.h). */
#define APP_TIMERS "app"

struct app_event {
    enum app_event_kind kind;
    int action; /* the widget's */
    int64_t argument;
    int key;          /* an Android key code */
    const char *text; /* typed, or what a field holds now */
    float value;      /* of a slider; or how far a list is scrolled, in dp */
    float left;       /* how far it can still be scrolled */
    const struct intent *intent;
};

struct app;

struct app_ops {
    /* Add windows to tree. The same state always gives the same ones. */
    void (*build)(struct app *app, const struct surroundings *around,
                  struct widget_tree *tree);

    /* True when it had a meaning for the app, which may look different now. */
    bool (*handle)(struct app *app, const struct app_event *event);

    /*
     * Its state, which is plain data, for a snapshot (tools/phone/parcel.h).
     * NULL: it has none.
     */
    void (*save)(struct app *app, struct buf *out);
    void (*load)(struct app *app, struct parcel *in);

    void (*close)(struct app *app);

    /*
     * Has it come to look different by itself since it was last asked? NULL:
     * it never does.
     */
    bool (*changed)(struct app *app);

    /*
     * Append what using a widget with this action does, in the words of the
     * truth, one line for each way to use it. For whoever knows the truth
     * (screen_locate); NULL: nothing to tell.
     */
    void (*calls)(struct app *app, int action, int64_t argument,
                  struct buf *out);
};

/* Implementations embed this as their first member. */
struct app {
    const struct app_ops *ops;
};

#endif
