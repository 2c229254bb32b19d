#include "runner/hand/gesture_recognizer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/hand/gesture_shape.h"

/* Of Android's GestureDetector: from the end of a tap to the next. */
#define DOUBLE_TAP_MS 300
/* Two taps of one finger hit places so far apart, but not two keys. */
#define DOUBLE_TAP_DP 32
/* Contacts that are shorter, while another finger is down, are noise. */
#define GHOST_MS 20

/* ---- fingers ---- */

static struct gesture_finger *find_finger(struct gesture_recognizer *recognizer,
                                          uint64_t pointer)
{
    for (size_t i = 0; i < recognizer->count; i++) {
        struct gesture_finger *finger = &recognizer->fingers[i];

        if (finger->touch.down && finger->pointer == pointer)
            return finger;
    }
    return NULL;
}

static size_t down_count(const struct gesture_recognizer *recognizer)
{
    size_t count = 0;

    for (size_t i = 0; i < recognizer->count; i++)
        count += recognizer->fingers[i].touch.down;
    return count;
}

static void remove_finger(struct gesture_recognizer *recognizer,
                          struct gesture_finger *finger)
{
    size_t index = (size_t)(finger - recognizer->fingers);

    recognizer->count--;
    memmove(finger, finger + 1, (recognizer->count - index) * sizeof(*finger));
}

static void add_sample(struct gesture_finger *finger, struct action_point at,
                       int64_t now)
{
    finger->samples[finger->sample_count++ % GESTURE_SAMPLES] =
        (struct gesture_sample){at, now};
}

/* ---- complete gestures ---- */

static void report(struct gesture_recognizer *recognizer,
                   struct recognized_gesture gesture)
{
    assert(recognizer->queued < GESTURE_QUEUE);
    recognizer->queue[recognizer->queued++] = gesture;
}

/* The tap before is no part of a double tap. */
static void report_tap(struct gesture_recognizer *recognizer)
{
    if (recognizer->has_tap)
        report(recognizer, recognizer->tap);
    recognizer->has_tap = false;
}

static bool is_near_tap(const struct gesture_recognizer *recognizer,
                        struct action_point at)
{
    const struct action_point first = recognizer->tap.action.from;
    int reach = gesture_pixels(&recognizer->options, DOUBLE_TAP_DP);

    return abs(at.x - first.x) <= reach && abs(at.y - first.y) <= reach;
}

static bool is_second_tap(const struct gesture_recognizer *recognizer,
                          const struct recognized_gesture *gesture)
{
    return recognizer->has_tap && gesture->kind == GESTURE_TAP &&
           gesture->down_ms - recognizer->tap.up_ms <= DOUBLE_TAP_MS &&
           is_near_tap(recognizer, gesture->action.from);
}

static void take_gesture(struct gesture_recognizer *recognizer,
                         struct recognized_gesture gesture)
{
    if (is_second_tap(recognizer, &gesture)) {
        recognizer->tap.kind = GESTURE_DOUBLE_TAP;
        recognizer->tap.action.kind = ACTION_DOUBLE_TAP;
        recognizer->tap.up_ms = gesture.up_ms;
        report_tap(recognizer);
        return;
    }
    report_tap(recognizer);
    if (gesture.kind == GESTURE_TAP && recognizer->options.double_taps) {
        recognizer->tap = gesture;
        recognizer->has_tap = true;
        return;
    }
    report(recognizer, gesture);
}

/* All fingers are lifted. */
static void finish(struct gesture_recognizer *recognizer)
{
    const struct gesture_options *options = &recognizer->options;
    const struct gesture_finger *fingers = recognizer->fingers;
    size_t count = recognizer->count;
    struct recognized_gesture gesture;

    if (!recognizer->cancelled && gesture_is_taps_in_turn(fingers, count)) {
        for (size_t i = 0; i < count; i++)
            take_gesture(recognizer, gesture_of(options, &fingers[i], 1));
    } else {
        gesture = gesture_of(options, fingers, count);
        if (recognizer->cancelled) {
            recognized_gesture_release(&gesture);
            gesture.kind = GESTURE_CANCELLED;
        }
        take_gesture(recognizer, gesture);
    }
    recognizer->count = 0;
    recognizer->lifted = recognizer->cancelled = false;
}

/* ---- contacts ---- */

static int limited(int value, int side)
{
    if (side <= 0)
        return value;
    if (value < 0)
        return 0;
    return value < side ? value : side - 1;
}

static struct action_point place_of(const struct gesture_recognizer *recognizer,
                                    const struct touch_contact *contact)
{
    struct extent screen = recognizer->options.screen;

    return (struct action_point){limited(contact->x, screen.width),
                                 limited(contact->y, screen.height)};
}

static void lift(struct gesture_recognizer *recognizer,
                 struct gesture_finger *finger)
{
    int64_t now = recognizer->now_ms;

    finger->touch.down = false;
    finger->up_ms = now;
    if (down_count(recognizer) && !finger->touch.moved_at &&
        now - finger->touch.since < GHOST_MS)
        remove_finger(recognizer, finger);
    else if (down_count(recognizer))
        recognizer->lifted = true;
    else
        finish(recognizer);
}

static void put_down(struct gesture_recognizer *recognizer,
                     const struct touch_contact *contact)
{
    struct action_point at = place_of(recognizer, contact);
    struct gesture_finger *finger = find_finger(recognizer, contact->pointer);

    if (finger)
        lift(recognizer, finger); /* the end of it was lost */
    if (!recognizer->count)
        gesture_recognizer_pass(recognizer, contact->at_ms);
    if (!recognizer->count && !is_near_tap(recognizer, at))
        report_tap(recognizer);
    if (recognizer->count == GESTURE_FINGERS_MAX)
        return;
    finger = &recognizer->fingers[recognizer->count++];
    *finger = (struct gesture_finger){.pointer = contact->pointer};
    finger_gesture_down(&finger->touch, at, recognizer->now_ms);
    add_sample(finger, at, recognizer->now_ms);
}

static void move(struct gesture_recognizer *recognizer,
                 const struct touch_contact *contact)
{
    struct gesture_finger *finger = find_finger(recognizer, contact->pointer);
    struct action_point at = place_of(recognizer, contact);

    if (!finger || recognizer->lifted)
        return;
    finger_gesture_move(&finger->touch, at, recognizer->now_ms,
                        gesture_slop(&recognizer->options));
    add_sample(finger, at, recognizer->now_ms);
}

void gesture_recognizer_add(struct gesture_recognizer *recognizer,
                            const struct touch_contact *contact)
{
    struct gesture_finger *finger;

    if (contact->at_ms > recognizer->now_ms)
        recognizer->now_ms = contact->at_ms;
    switch (contact->phase) {
    case CONTACT_DOWN:
        put_down(recognizer, contact);
        break;
    case CONTACT_MOVE:
        move(recognizer, contact);
        break;
    case CONTACT_UP:
    case CONTACT_CANCEL:
        finger = find_finger(recognizer, contact->pointer);
        if (!finger)
            break;
        recognizer->cancelled |= contact->phase == CONTACT_CANCEL;
        lift(recognizer, finger);
        break;
    }
}

void gesture_recognizer_pass(struct gesture_recognizer *recognizer,
                             int64_t now_ms)
{
    if (recognizer->has_tap && !recognizer->count &&
        now_ms - recognizer->tap.up_ms > DOUBLE_TAP_MS)
        report_tap(recognizer);
}

void gesture_recognizer_end(struct gesture_recognizer *recognizer)
{
    report_tap(recognizer);
    recognizer->count = 0;
    recognizer->lifted = recognizer->cancelled = false;
}

/* ---- the rest ---- */

void gesture_recognizer_init(struct gesture_recognizer *recognizer,
                             const struct gesture_options *options)
{
    *recognizer = (struct gesture_recognizer){.options = *options,
                                              .now_ms = INT64_MIN / 2};
}

void gesture_recognizer_release(struct gesture_recognizer *recognizer)
{
    for (size_t i = 0; i < recognizer->queued; i++)
        recognized_gesture_release(&recognizer->queue[i]);
    recognizer->queued = recognizer->count = 0;
    recognizer->has_tap = false; /* it has no text */
}

void gesture_recognizer_set_options(struct gesture_recognizer *recognizer,
                                    const struct gesture_options *options)
{
    recognizer->options = *options;
}

bool gesture_recognizer_next(struct gesture_recognizer *recognizer,
                             struct recognized_gesture *gesture)
{
    if (!recognizer->queued)
        return false;
    *gesture = recognizer->queue[0];
    recognizer->queued--;
    memmove(recognizer->queue, recognizer->queue + 1,
            recognizer->queued * sizeof(*recognizer->queue));
    return true;
}

bool gesture_recognizer_is_touched(const struct gesture_recognizer *recognizer,
                                   int64_t *since_ms)
{
    if (!recognizer->count)
        return false;
    *since_ms = recognizer->fingers[0].touch.since;
    return true;
}

void recognized_gesture_release(struct recognized_gesture *gesture)
{
    action_release(&gesture->action);
}

const char *gesture_kind_name(enum gesture_kind kind)
{
    static const char *const names[GESTURE_KINDS] = {
        [GESTURE_TAP] = "tap",
        [GESTURE_DOUBLE_TAP] = "double tap",
        [GESTURE_LONG_PRESS] = "long press",
        [GESTURE_SWIPE] = "swipe",
        [GESTURE_FLING] = "fling",
        [GESTURE_DRAG] = "drag",
        [GESTURE_PINCH] = "pinch",
        [GESTURE_FINGERS_TAP] = "tap with several fingers",
        [GESTURE_FINGERS_SWIPE] = "swipe with several fingers",
        [GESTURE_BACK] = "back gesture",
        [GESTURE_HOME] = "home gesture",
        [GESTURE_RECENTS] = "recents gesture",
        [GESTURE_CANCELLED] = "cancelled touch",
    };

    return names[kind];
}
