/*
 * Recognizes gestures of fingers on a screen: contacts in, gestures out.
 *
 * Pure: no clock, no I/O, no allocation that a peer controls; one owner. Times
 * are milliseconds of any clock, those of one recognizer all of the same.
 *
 *     for each contact:
 *         gesture_recognizer_add(&recognizer, &contact);
 *         while (gesture_recognizer_next(&recognizer, &gesture))
 *             ... gesture.action ...; recognized_gesture_release(&gesture);
 *     when time passes without contacts:
 *         gesture_recognizer_pass(&recognizer, now); ... next as above
 *     at the end:
 *         gesture_recognizer_end(&recognizer); ... next as above
 *         gesture_recognizer_release(&recognizer);
 *
 * Distances and times are those of Android's ViewConfiguration, so that a
 * gesture is called what the phone takes it for.
 */
#ifndef RUNNER_HAND_GESTURE_RECOGNIZER_H
#define RUNNER_HAND_GESTURE_RECOGNIZER_H

#include <stddef.h>
#include <stdint.h>

#include "base/extent.h"
#include "runner/touch/finger_gesture.h"
#include "tasks/task/action.h"

/* ---- contacts ---- */

enum contact_phase {
    CONTACT_DOWN,
    CONTACT_MOVE,
    CONTACT_UP,
    CONTACT_CANCEL, /* the system took it away: it has no effect */
};

struct touch_contact {
    enum contact_phase phase;
    uint64_t pointer; /* the same from down to up */
    int x;            /* in pixels of the screen; used for DOWN and MOVE */
    int y;
    int64_t at_ms;
};

/* ---- gestures ---- */

enum gesture_kind {
    GESTURE_TAP,
    GESTURE_DOUBLE_TAP,
    GESTURE_LONG_PRESS,
    GESTURE_SWIPE,
    GESTURE_FLING, /* a swipe that is still fast when the finger is lifted */
    GESTURE_DRAG,  /* held for a long press, then moved */
    GESTURE_PINCH,
    GESTURE_FINGERS_TAP,   /* two or more at once */
    GESTURE_FINGERS_SWIPE, /* two or more, side by side */
    GESTURE_BACK,          /* from the left or right edge inwards */
    GESTURE_HOME,          /* from the bottom edge up */
    GESTURE_RECENTS,       /* the same, and held at the end */
    GESTURE_CANCELLED,     /* without effect: it has no action */
    GESTURE_KINDS,
};

struct recognized_gesture {
    enum gesture_kind kind;
    /*
     * A tap is a CLICK, a swipe or fling a SWIPE with its time; those of
     * several fingers that are no pinch are RAW, with a text such as
     * "2 fingers swipe 10 20 10 400 300". Owned. Of CANCELLED it is undefined.
     */
    struct action action;
    size_t fingers;
    int64_t down_ms; /* when the first finger came down */
    int64_t up_ms;   /* when the last one was lifted */
};

void recognized_gesture_release(struct recognized_gesture *gesture);

/* "tap", "double tap". */
const char *gesture_kind_name(enum gesture_kind kind);

/* ---- recognizer ---- */

struct gesture_options {
    struct extent screen; /* as it is turned now */
    int density;          /* dots per inch, overridden or not; 0: unknown */
    bool edge_gestures;   /* the phone is navigated by gestures, not buttons */
    /*
     * Two taps close together are a double tap; a tap is reported when it can
     * no longer become one. Otherwise each tap is reported at once.
     */
    bool double_taps;
};

#define GESTURE_FINGERS_MAX 10
#define GESTURE_SAMPLES 16
#define GESTURE_QUEUE (GESTURE_FINGERS_MAX + 2)

struct gesture_sample {
    struct action_point at;
    int64_t at_ms;
};

struct gesture_finger {
    uint64_t pointer;
    struct finger_gesture touch; /* .down: it is on the screen */
    int64_t up_ms;
    struct gesture_sample samples[GESTURE_SAMPLES]; /* the newest, in a ring */
    size_t sample_count;                            /* of all that there were */
};

struct gesture_recognizer {
    struct gesture_options options;
    int64_t now_ms; /* of the last contact */
    struct gesture_finger fingers[GESTURE_FINGERS_MAX];
    size_t count;   /* of this gesture, on the screen or lifted */
    bool lifted;    /* one of several was: the others move no more */
    bool cancelled; /* one of them was */
    struct recognized_gesture tap; /* that may become a double tap */
    bool has_tap;
    struct recognized_gesture queue[GESTURE_QUEUE];
    size_t queued;
};

void gesture_recognizer_init(struct gesture_recognizer *recognizer,
                             const struct gesture_options *options);
void gesture_recognizer_release(struct gesture_recognizer *recognizer);

/* The screen was turned or resized: from the next gesture on. */
void gesture_recognizer_set_options(struct gesture_recognizer *recognizer,
                                    const struct gesture_options *options);

/*
 * Something happened to a finger. Contacts of unknown pointers are ignored, a
 * time before the last one counts as that one. Take all gestures with
 * gesture_recognizer_next before the next contact.
 */
void gesture_recognizer_add(struct gesture_recognizer *recognizer,
                            const struct touch_contact *contact);

/* It is now so late, and no contact came. */
void gesture_recognizer_pass(struct gesture_recognizer *recognizer,
                             int64_t now_ms);

/* No more contacts come: fingers that are down are forgotten. */
void gesture_recognizer_end(struct gesture_recognizer *recognizer);

/* The next gesture that is complete; the caller releases it. */
MUST_USE bool gesture_recognizer_next(struct gesture_recognizer *recognizer,
                                      struct recognized_gesture *gesture);

/* Is a finger on the screen? *since_ms is when the first came down. */
bool gesture_recognizer_is_touched(const struct gesture_recognizer *recognizer,
                                   int64_t *since_ms);

#endif
