/* The inside of a screen, for screen*.c only. All of it is under its lock. */
#ifndef PHONE_SCREEN_PRIVATE_H
#define PHONE_SCREEN_PRIVATE_H

#include "tools/phone/screen.h"

#include <pthread.h>

#include "tools/phone/keep.h"
#include "tools/phone/keyboard.h"

/* ---- the finger ---- */

/*
 *           down                    move, over a list
 *     UP ─────────▶ PRESSING ───────────────────────▶ SCROLLING ──▶ a fling
 *      ▲               │ ├─── move, over a slider ──▶ SLIDING
 *      │               │ ├─── move, anywhere else ──▶ SWIPING ──▶ back, home
 *      │               │ └─── long enough ──────────▶ HOLDING
 *      └─── up ────────┘ a click
 */
enum finger_state {
    FINGER_UP,
    FINGER_PRESSING,
    FINGER_HOLDING,
    FINGER_SCROLLING,
    FINGER_SLIDING,
    FINGER_SWIPING,
};

#define FINGER_TRACK 16

struct finger {
    enum finger_state state;
    int x, y;        /* where it came down */
    int64_t since;   /* and when */
    bool caught;     /* it stopped something that moved: no click */
    uint64_t target; /* what it scrolls or slides */
    int grip;        /* where that was scrolled to when the finger was at 0 */
    struct finger_point {
        int x, y;
        int64_t time;
    } track[FINGER_TRACK]; /* where it was of late, the newest last */
    size_t track_count;
};

/* A list that goes on by itself. */
struct fling {
    uint64_t target; /* 0: none does */
    int from;
    int distance;
    int64_t since;
    int64_t duration;
};

/* ---- the screen ---- */

struct screen {
    pthread_mutex_t lock; /* for all of the below */
    struct fonts *fonts;  /* borrowed */
    struct phone_clock clock;
    struct app *app; /* owned */
    uint64_t seed;
    struct screen_display display;
    struct theme theme; /* of the display */
    struct widget_tree tree;
    int64_t built; /* the minute that the tree is of */
    bool stale;    /* the tree is no longer what the app shows */
    bool drawn;    /* the frame shows the tree */
    uint64_t frames;
    struct screen_frame *frame; /* held; NULL until somebody looks */
    struct finger finger;
    struct fling fling;
    struct keep keep;
    struct keyboard keyboard;
    bool no_keyboard; /* the one in use has nothing to show */
    int64_t frozen;   /* until then nothing is built or drawn anew */
};

/* ---- screen.c ---- */

/* Let the tree be what the app shows now. */
void screen_refresh(struct screen *screen);

void screen_tell(struct screen *screen, const struct app_event *event);

/* ---- screen_touch.c ---- */

/* What the finger is on, if it is still there to press something. */
struct widget *screen_pressed(const struct screen *screen);

/* The time is now: a finger may have pressed long, a list has moved on. */
void screen_move_on(struct screen *screen, int64_t now);

void finger_save(const struct finger *finger, struct buf *out);
void finger_load(struct finger *finger, struct parcel *in);
void fling_save(const struct fling *fling, struct buf *out);
void fling_load(struct fling *fling, struct parcel *in);

/* ---- screen_type.c ---- */

/* A field was tapped, or pressed long: type in it from now on. */
void screen_focus(struct screen *screen, const struct widget *field, int x,
                  int y, bool select);

void screen_press_key(struct screen *screen, int key);

/* A key of the keyboard on the screen was tapped. */
void screen_press_soft_key(struct screen *screen, const struct widget *key);

#endif
