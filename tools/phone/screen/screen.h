/*
 * The phone's screen: it shows an app as pixels and as uiautomator's tree, and
 * passes touches and keys to it.
 *
 *     touch, key, text ──> app changes ──> tree built ──> frame drawn
 *
 * The tree is built and drawn on demand, and again only after a change. Every
 * call is safe from any thread.
 */
#ifndef TOOLS_PHONE_SCREEN_SCREEN_H
#define TOOLS_PHONE_SCREEN_SCREEN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/deadline.h"
#include "base/err.h"
#include "base/picture/picture.h"
#include "tools/phone/core/clock.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/core/timers.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone/screen/app.h"

#define SCREEN_SIDE_MIN 200
#define SCREEN_SIDE_MAX 3840
#define SCREEN_DENSITY_MIN 72
#define SCREEN_DENSITY_MAX 1000

/* Font scale in percent. */
#define SCREEN_TEXT_MIN 50
#define SCREEN_TEXT_MAX 200

/* Battery level of a new phone, in percent. */
#define SCREEN_BATTERY 82

struct phone_size {
    int width;
    int height;
};

/* Zeros stand for the defaults. */
struct screen_options {
    struct phone_fonts *fonts; /* borrowed, needed */
    struct phone_time_source clock;
    struct phone_app *app;  /* the app to show; the screen closes it */
    struct phone_size size; /* 1080x2400 */
    int density;            /* 440 dpi */
    enum phone_locale locale;
    bool dark;
    uint64_t seed;
    bool rgb_565; /* reduce colours to 16 bits per pixel */
};

struct phone_screen;

/* Fails with ERR_INVALID for a size or density beyond the limits. */
MUST_USE bool screen_open(const struct screen_options *options,
                          struct phone_screen **screen, struct err *err);
void screen_close(struct phone_screen *screen); /* NULL is fine */

/* ---- reading the screen ---- */

/* A rendered frame. It is immutable: a redraw creates another one. */
struct phone_frame {
    struct picture picture;
    uint64_t number; /* number of this redraw */
    atomic_int holders;
    pthread_mutex_t encoding; /* guards the PNG while it is encoded */
    struct buf png;           /* empty until it is requested */
};

/*
 * The current frame. The caller releases it with screen_frame_drop.
 * Fails with ERR_LIMIT when there is no memory for it.
 */
MUST_USE bool screen_look(struct phone_screen *screen,
                          struct phone_frame **frame, struct err *err);
/*
 * Append a picture's pixels with 16 bits each, little-endian, red in the top
 * bits.
 */
void screen_pack_565(const struct picture *picture, struct buf *pixels);

void screen_frame_drop(struct phone_frame *frame); /* NULL is fine */

/*
 * Block until the screen may have changed: an input, a timer or a change of the
 * display since the last call with the same *seen (0 at first), screen_wake, or
 * `by` passes. Changes of the app without an event, and those that only time
 * makes, are not noticed: look again after a while.
 *
 * True if the screen moves with time: a finger is on it or a list is flung.
 */
bool screen_await_change(struct phone_screen *screen, struct deadline by,
                         uint64_t *seen);

/* End every screen_await_change that blocks now. */
void screen_wake(struct phone_screen *screen);

/*
 * Free the cached frame, which is most of a phone's memory, when no host is
 * connected.
 */
void screen_rest(struct phone_screen *screen);

/*
 * The frame as a PNG, encoded once; borrowed as long as the frame is
 * referenced. Fails as png_encode does.
 */
MUST_USE bool screen_frame_png(struct phone_frame *frame,
                               const struct buf **png, struct err *err);

/* Append uiautomator's XML of the current tree. */
void screen_dump(struct phone_screen *screen, bool compressed, struct buf *xml);

/* ---- input ---- */

enum phone_touch {
    SCREEN_DOWN,
    SCREEN_MOVE,
    SCREEN_UP,
    SCREEN_CANCEL,
};

/* One finger. Its timing comes from the phone's clock. */
void screen_touch(struct phone_screen *screen, enum phone_touch touch, int x,
                  int y);

/* Press and release a key. */
void screen_key(struct phone_screen *screen, int key);

/* Type a text as a keyboard does. */
void screen_type(struct phone_screen *screen, const char *text);

/* Select all text of the focused field, as Ctrl+A does. */
void screen_select_all(struct phone_screen *screen);

/* Does the current input method have a visible keyboard? Default: yes. */
void screen_set_keyboard(struct phone_screen *screen, bool visible);

/* Is the keyboard on the screen now? Where it begins; 0: it is not. */
bool screen_shows_keyboard(struct phone_screen *screen);
int screen_keyboard_top(struct phone_screen *screen);

/* Handles the timer of an app: a timers_fire_fn with the screen as context. */
timers_fire_fn screen_fire;

/* Freeze the current frame until that time of the phone's clock. */
void screen_freeze(struct phone_screen *screen, int64_t until);

/* ---- finding ---- */

#define SCREEN_CALL_MAX 256

/* The direction to scroll a list in. */
enum screen_way {
    SCREEN_STAY,
    SCREEN_UPWARDS,
    SCREEN_DOWNWARDS,
    SCREEN_LEFTWARDS,
    SCREEN_RIGHTWARDS,
};

/* The result of screen_effect_point. */
struct phone_place {
    bool shown;
    int x, y; /* a visible point; or one in the list to be scrolled */
    enum screen_way way; /* for widgets out of view; STAY: not found */
};

/*
 * Find a point where a touch causes this event, written as in the ground truth:
 * "shop.sort price_asc". A field's event is the one of typing in it, without
 * the text; a slider with a value is the point that sets that value. '*'
 * matches any text; " #2" at the end selects the second match in the order of
 * the tree, otherwise the first visible one is used. Not available to hosts.
 */
struct phone_place screen_effect_point(struct phone_screen *screen,
                                       const char *call);

/* ---- the display ---- */

struct screen_display {
    struct phone_size physical;
    struct phone_size size; /* the values set, or the physical ones */
    int physical_density;
    int density;
    int rotation; /* quarter turns; size and density are before turning */
    bool dark;
    enum phone_locale locale;
    int battery;   /* percent */
    int text_size; /* percent of the sizes that apps use */
};

struct screen_display screen_display(struct phone_screen *screen);

/*
 * Change the display; its physical values cannot be changed. Fails with
 * ERR_INVALID if a value is out of range, and then changes nothing.
 */
MUST_USE bool screen_set_display(struct phone_screen *screen,
                                 const struct screen_display *display,
                                 struct err *err);

/* Saves the display, the finger, and the app's state. */
void screen_save(struct phone_screen *screen, struct buf *out);
void screen_load(struct phone_screen *screen, struct saved_state *in);

#endif
