#include "runner/hand/gesture_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* Android's baseline: a dp is a pixel at this density. */
#define BASE_DENSITY 160
#define DENSITY_MAX 2000
#define SLOP_DP 8

/* Of Android's gesture navigation: where it begins and how far it must go. */
#define SIDE_EDGE_DP 24
#define BOTTOM_EDGE_DP 32
#define BACK_DP 16
#define HOME_DP 48
/* A finger that rests longer at the edge is left to the app. */
#define EDGE_REST_MS 250

/* Of the end of a movement: fast is a fling, almost none a pause. */
#define SPEED_MS 100
#define FLING_DP_PER_SECOND 350
#define PAUSE_DP_PER_SECOND 80

/* Fingers that come down with so much time between them tap for themselves. */
#define ROLL_MS 60

/* ---- lengths ---- */

int gesture_pixels(const struct gesture_options *options, int dp)
{
    if (options->density > 0 && options->density <= DENSITY_MAX)
        return dp * options->density / BASE_DENSITY;
    return dp * finger_gesture_slop(options->screen) / SLOP_DP;
}

int gesture_slop(const struct gesture_options *options)
{
    int slop = gesture_pixels(options, SLOP_DP);

    return slop > 0 ? slop : 1;
}

static double length(double x, double y)
{
    return sqrt(x * x + y * y);
}

static double distance(struct action_point a, struct action_point b)
{
    return length(a.x - b.x, a.y - b.y);
}

/* In dp per second, when the finger was lifted. */
static double end_speed(const struct gesture_options *options,
                        const struct gesture_finger *finger)
{
    size_t kept = finger->sample_count < GESTURE_SAMPLES ? finger->sample_count
                                                         : GESTURE_SAMPLES;
    const struct gesture_sample *from = NULL;
    double way;

    for (size_t i = 1; i <= kept; i++) {
        from = &finger->samples[(finger->sample_count - i) % GESTURE_SAMPLES];
        if (from->at_ms <= finger->up_ms - SPEED_MS)
            break;
    }
    if (!from)
        return 0;
    way = distance(from->at, finger->touch.last) /
          (double)gesture_slop(options) * SLOP_DP;
    return finger->up_ms > from->at_ms
               ? way * 1000 / (double)(finger->up_ms - from->at_ms)
               : way * 1000;
}

/* ---- one finger ---- */

static bool is_back(const struct gesture_options *options,
                    const struct finger_gesture *touch, enum gesture_kind *kind)
{
    int edge = gesture_pixels(options, SIDE_EDGE_DP);
    bool left = touch->first.x < edge;
    bool right = touch->first.x >= options->screen.width - edge;
    int inwards =
        left ? touch->last.x - touch->first.x : touch->first.x - touch->last.x;
    int along = abs(touch->last.y - touch->first.y);

    if ((!left && !right) || along > abs(inwards))
        return false;
    *kind = inwards >= gesture_pixels(options, BACK_DP) ? GESTURE_BACK
                                                        : GESTURE_CANCELLED;
    return true;
}

static bool is_home(const struct gesture_options *options,
                    const struct gesture_finger *finger,
                    enum gesture_kind *kind)
{
    const struct finger_gesture *touch = &finger->touch;
    int up = touch->first.y - touch->last.y;

    if (touch->first.y <
            options->screen.height - gesture_pixels(options, BOTTOM_EDGE_DP) ||
        abs(touch->last.x - touch->first.x) > abs(up))
        return false;
    if (up < gesture_pixels(options, HOME_DP))
        *kind = GESTURE_CANCELLED;
    else if (end_speed(options, finger) < PAUSE_DP_PER_SECOND)
        *kind = GESTURE_RECENTS;
    else
        *kind = GESTURE_HOME;
    return true;
}

/* Is a movement taken by the system, and for what? */
static bool is_system(const struct gesture_options *options,
                      const struct gesture_finger *finger,
                      enum gesture_kind *kind)
{
    const struct finger_gesture *touch = &finger->touch;

    return options->edge_gestures && options->screen.width > 0 &&
           options->screen.height > 0 &&
           touch->moved_at - touch->since < EDGE_REST_MS &&
           (is_home(options, finger, kind) || is_back(options, touch, kind));
}

static enum gesture_kind kind_of_movement(const struct gesture_options *options,
                                          const struct gesture_finger *finger,
                                          enum action_kind action)
{
    int slop = gesture_slop(options);
    enum gesture_kind kind;

    if (is_system(options, finger, &kind))
        return kind;
    if (abs(finger->touch.last.x - finger->touch.first.x) <= slop &&
        abs(finger->touch.last.y - finger->touch.first.y) <= slop)
        return GESTURE_CANCELLED; /* it came back */
    if (action == ACTION_DRAG)
        return GESTURE_DRAG;
    return end_speed(options, finger) >= FLING_DP_PER_SECOND ? GESTURE_FLING
                                                             : GESTURE_SWIPE;
}

static struct action system_action(enum gesture_kind kind,
                                   struct action movement)
{
    if (kind == GESTURE_BACK)
        return (struct action){.kind = ACTION_BACK};
    if (kind == GESTURE_HOME)
        return (struct action){.kind = ACTION_HOME};
    if (kind == GESTURE_RECENTS)
        return (struct action){.kind = ACTION_RECENTS};
    return movement;
}

static struct recognized_gesture of_one(const struct gesture_options *options,
                                        const struct gesture_finger *finger)
{
    struct finger_gesture touch = finger->touch;
    struct recognized_gesture gesture = {
        .fingers = 1, .down_ms = touch.since, .up_ms = finger->up_ms};

    gesture.action = finger_gesture_up(&touch, finger->up_ms);
    if (gesture.action.kind == ACTION_CLICK)
        gesture.kind = GESTURE_TAP;
    else if (gesture.action.kind == ACTION_LONG_PRESS)
        gesture.kind = GESTURE_LONG_PRESS;
    else
        gesture.kind = kind_of_movement(options, finger, gesture.action.kind);
    gesture.action = system_action(gesture.kind, gesture.action);
    return gesture;
}

/* ---- several fingers ---- */

bool gesture_is_taps_in_turn(const struct gesture_finger *fingers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fingers[i].touch.moved_at)
            return false;
        if (i &&
            (fingers[i].touch.since - fingers[i - 1].touch.since < ROLL_MS ||
             fingers[i].up_ms <= fingers[i - 1].up_ms))
            return false;
    }
    return count > 1;
}

static struct action_point middle(struct action_point a, struct action_point b)
{
    return (struct action_point){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

static bool is_pinch(const struct gesture_options *options,
                     const struct finger_gesture *a,
                     const struct finger_gesture *b)
{
    double change =
        fabs(distance(a->last, b->last) - distance(a->first, b->first));
    double shift =
        distance(middle(a->first, b->first), middle(a->last, b->last));

    return change > 2.0 * gesture_slop(options) && change > shift;
}

/* A gesture of several fingers that is no pinch: its action has a text. */
static struct action together(const struct finger_gesture *a,
                              const struct finger_gesture *b, size_t count,
                              int milliseconds)
{
    bool moved = a->moved_at || b->moved_at;
    struct action_point from = middle(a->first, b->first);
    struct action_point to = middle(a->last, b->last);
    char text[96];

    if (moved)
        snprintf(text, sizeof(text), "%zu fingers swipe %d %d %d %d %d", count,
                 from.x, from.y, to.x, to.y, milliseconds);
    else
        snprintf(text, sizeof(text), "%zu fingers tap %d %d", count, from.x,
                 from.y);
    return (struct action){.kind = ACTION_RAW,
                           .has_from = true,
                           .from = from,
                           .text = mem_dup(text)};
}

static struct recognized_gesture of_several(
    const struct gesture_options *options, const struct gesture_finger *fingers,
    size_t count)
{
    const struct finger_gesture *a = &fingers[0].touch;
    const struct finger_gesture *b = &fingers[1].touch;
    struct recognized_gesture gesture = {.fingers = count, .down_ms = a->since};
    int milliseconds;

    for (size_t i = 0; i < count; i++) {
        if (fingers[i].up_ms > gesture.up_ms || !i)
            gesture.up_ms = fingers[i].up_ms;
    }
    milliseconds = finger_gesture_milliseconds(gesture.up_ms - gesture.down_ms);
    if (is_pinch(options, a, b)) {
        gesture.kind = GESTURE_PINCH;
        gesture.action = finger_gesture_pinch(a, b, gesture.up_ms);
        return gesture;
    }
    gesture.kind = a->moved_at || b->moved_at ? GESTURE_FINGERS_SWIPE
                                              : GESTURE_FINGERS_TAP;
    gesture.action = together(a, b, count, milliseconds);
    return gesture;
}

struct recognized_gesture gesture_of(const struct gesture_options *options,
                                     const struct gesture_finger *fingers,
                                     size_t count)
{
    return count > 1 ? of_several(options, fingers, count)
                     : of_one(options, fingers);
}
