/* The fields of a screen, for screen*.c only. Its lock guards them. */
#ifndef TOOLS_PHONE_SCREEN_SCREEN_PRIVATE_H
#define TOOLS_PHONE_SCREEN_SCREEN_PRIVATE_H

#include "tools/phone/screen/screen.h"

#include <pthread.h>

#include "tools/phone/screen/keyboard.h"
#include "tools/phone/screen/screen_tiles.h"
#include "tools/phone/widgets/widget_memory.h"

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
    int x, y;        /* position where it came down */
    int64_t since;   /* time of that */
    bool caught;     /* it stopped a moving list: no click */
    uint64_t target; /* the widget that it scrolls or slides */
    int grip;        /* scroll offset minus the finger's position */
    struct finger_point {
        int x, y;
        int64_t time;
    } track[FINGER_TRACK]; /* recent positions, the newest last */
    size_t track_count;
};

/* A list that keeps scrolling after a fling. */
struct fling {
    uint64_t target; /* 0: none */
    int from;
    int distance;
    int64_t since;
    int64_t duration;
};

/* ---- the screen ---- */

struct phone_screen {
    pthread_mutex_t lock;      /* guards everything below */
    struct phone_fonts *fonts; /* borrowed */
    struct phone_time_source clock;
    struct phone_app *app; /* owned */
    uint64_t seed;
    bool rgb_565;
    struct screen_display display;
    struct phone_theme theme; /* size of the display */
    struct widget_tree tree;
    int64_t built; /* the minute that the tree shows */
    bool stale;    /* the tree is outdated */
    bool drawn;    /* the frame shows the tree */
    bool tiled;    /* the tiles are those of the tree */
    struct phone_tiles tiles;
    uint64_t frames;
    struct phone_frame *frame; /* referenced; NULL until it is requested */
    struct finger finger;
    struct fling fling;
    struct widget_memory widget_memory;
    struct phone_keyboard keyboard;
    bool no_keyboard;       /* the current keyboard is invisible */
    int64_t frozen;         /* until then nothing is rebuilt or redrawn */
    uint64_t changes;       /* how often the screen may have changed; from 1 */
    pthread_cond_t changed; /* changes was increased */
};

/* ---- screen.c ---- */

/* Rebuild the tree if it is outdated. */
void screen_refresh(struct phone_screen *screen);

/* The screen may have changed: wake screen_await_change. Locked. */
void screen_note_change(struct phone_screen *screen);

void screen_tell(struct phone_screen *screen,
                 const struct phone_app_event *event);

/* ---- screen_touch.c ---- */

/* The widget under the finger, if it can still press one. */
struct widget *screen_pressed(const struct phone_screen *screen);

/* Time has passed: detect a long press, and move flung lists. */
void screen_move_on(struct phone_screen *screen, int64_t now);

void finger_save(const struct finger *finger, struct buf *out);
void finger_load(struct finger *finger, struct saved_state *in);
void fling_save(const struct fling *fling, struct buf *out);
void fling_load(struct fling *fling, struct saved_state *in);

/* ---- screen_type.c ---- */

/* A field was tapped or pressed long: it gets the focus. */
void screen_focus(struct phone_screen *screen, const struct widget *field,
                  int x, int y, bool select);

void screen_press_key(struct phone_screen *screen, int key);

/* A key of the on-screen keyboard was tapped. */
void screen_press_soft_key(struct phone_screen *screen,
                           const struct widget *key);

#endif
