/*
 * The phone's screen: what the app shows as pixels and as uiautomator's tree,
 * and fingers and keys on their way to the app.
 *
 *     touch, key, text ──> app changes ──> tree built ──> frame drawn
 *
 * Nothing is built or drawn before somebody looks, and nothing again while it
 * is unchanged. Every call is safe from any thread.
 */
#ifndef PHONE_SCREEN_H
#define PHONE_SCREEN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture.h"
#include "tools/phone/app.h"
#include "tools/phone/clock.h"
#include "tools/phone/font.h"
#include "tools/phone/parcel.h"
#include "tools/phone/timers.h"

#define SCREEN_SIDE_MIN 200
#define SCREEN_SIDE_MAX 3840
#define SCREEN_DENSITY_MIN 72
#define SCREEN_DENSITY_MAX 1000

/* Percent of the usual size. */
#define SCREEN_TEXT_MIN 50
#define SCREEN_TEXT_MAX 200

/* Percent, of a new phone. */
#define SCREEN_BATTERY 82

struct screen_size {
    int width;
    int height;
};

/* Zeros stand for the defaults. */
struct screen_options {
    struct fonts *fonts; /* borrowed, needed */
    struct phone_clock clock;
    struct app *app;         /* what is shown; the screen closes it */
    struct screen_size size; /* 1080x2400 */
    int density;             /* 440 dpi */
    enum locale locale;
    bool dark;
    uint64_t seed;
};

struct screen;

/* Fails with ERR_INVALID for a size or density beyond the limits. */
MUST_USE bool screen_open(const struct screen_options *options,
                          struct screen **screen, struct err *err);
void screen_close(struct screen *screen); /* NULL is fine */

/* ---- looking ---- */

/* What was drawn. It never changes: the next one is another. */
struct screen_frame {
    struct picture picture;
    uint64_t number; /* counts what was drawn */
    atomic_int holders;
    pthread_mutex_t encoding; /* guards the PNG while it is made */
    struct buf png;           /* empty until somebody asks for it */
};

/*
 * What the screen shows now. The caller drops it, and may take its time.
 * Fails with ERR_LIMIT when there is no memory for it.
 */
MUST_USE bool screen_look(struct screen *screen, struct screen_frame **frame,
                          struct err *err);
void screen_frame_drop(struct screen_frame *frame); /* NULL is fine */

/*
 * Who looked is gone: let the frame go that is kept for the next look, which is
 * most of the memory that a phone takes.
 */
void screen_rest(struct screen *screen);

/*
 * The same as a PNG, which is made once; borrowed while the frame is held.
 * Fails as png_encode does.
 */
MUST_USE bool screen_frame_png(struct screen_frame *frame,
                               const struct buf **png, struct err *err);

/* Append uiautomator's tree of the same. */
void screen_dump(struct screen *screen, bool compressed, struct buf *xml);

/* ---- using ---- */

enum screen_touch {
    SCREEN_DOWN,
    SCREEN_MOVE,
    SCREEN_UP,
    SCREEN_CANCEL,
};

/* One finger. How long it stays is told from the phone's clock. */
void screen_touch(struct screen *screen, enum screen_touch touch, int x, int y);

/* A key is pressed and let go. */
void screen_key(struct screen *screen, int key);

/* Text comes from a keyboard. */
void screen_type(struct screen *screen, const char *text);

/* Has the keyboard in use anything to show? It has, until told otherwise. */
void screen_set_keyboard(struct screen *screen, bool visible);

/* Is it shown now? */
bool screen_shows_keyboard(struct screen *screen);

/* A timer of an app is due: a timers_fire_fn, whose context is the screen. */
timers_fire_fn screen_fire;

/* Show what is shown now until then, on the phone's clock, whatever is done. */
void screen_freeze(struct screen *screen, int64_t until);

/* ---- knowing ---- */

#define SCREEN_CALL_MAX 256

/* Where whoever reads a list has to go. */
enum screen_way {
    SCREEN_STAY,
    SCREEN_UPWARDS,
    SCREEN_DOWNWARDS,
    SCREEN_LEFTWARDS,
    SCREEN_RIGHTWARDS,
};

/* Where to touch. */
struct screen_place {
    bool shown;
    int x, y;            /* nothing covers it; or in what is to be scrolled */
    enum screen_way way; /* of what is not shown; STAY: it is not here */
};

/*
 * Where a touch has this effect, which is written as the truth tells events:
 * "shop.sort price_asc". A field is called by what typing in it calls, without
 * the text; a slider with a value is the point that gives it that value.
 * '*' stands for any text; " #2" at the end wants the second of those that
 * fit, in the order of the tree, and otherwise the first that can be touched.
 *
 * No host can ask this: it is for who is in the same program.
 */
struct screen_place screen_locate(struct screen *screen, const char *call);

/* ---- the display ---- */

struct screen_display {
    struct screen_size physical;
    struct screen_size size; /* as set; the same when it is not */
    int physical_density;
    int density;
    int rotation; /* quarter turns; size and density are before turning */
    bool dark;
    enum locale locale;
    int battery;   /* percent */
    int text_size; /* percent of what apps ask for */
};

struct screen_display screen_display(struct screen *screen);

/*
 * Have this display from now on; its physical values cannot be changed.
 * Fails with ERR_INVALID beyond the limits; the screen is then as it was.
 */
MUST_USE bool screen_set_display(struct screen *screen,
                                 const struct screen_display *display,
                                 struct err *err);

/* The display, the finger, and the app's state. */
void screen_save(struct screen *screen, struct buf *out);
void screen_load(struct screen *screen, struct parcel *in);

#endif
