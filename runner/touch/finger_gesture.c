#include "runner/touch/finger_gesture.h"

#include <stdlib.h>

#include "base/mem.h"

/* Android's time for a long press. */
#define LONG_PRESS_MS 400

#define SLOP_DP 8
#define SCREEN_DP 400

int finger_gesture_slop(struct extent screen)
{
    int side = screen.width < screen.height ? screen.width : screen.height;

    return side > SCREEN_DP ? side * SLOP_DP / SCREEN_DP : SLOP_DP;
}

static bool is_apart(struct action_point a, struct action_point b, int slop)
{
    return abs(a.x - b.x) > slop || abs(a.y - b.y) > slop;
}

int finger_gesture_milliseconds(int64_t milliseconds)
{
    if (milliseconds < 0)
        return 0;
    return milliseconds > ACTION_MILLISECONDS_MAX ? ACTION_MILLISECONDS_MAX
                                                  : (int)milliseconds;
}

void finger_gesture_down(struct finger_gesture *touch, struct action_point at,
                         int64_t now)
{
    *touch = (struct finger_gesture){
        .down = true, .first = at, .last = at, .since = now};
}

void finger_gesture_move(struct finger_gesture *touch, struct action_point at,
                         int64_t now, int slop)
{
    touch->last = at;
    if (!touch->moved_at && is_apart(touch->first, at, slop))
        touch->moved_at = now > touch->since ? now : touch->since + 1;
}

static struct action press(struct action_point at, int milliseconds)
{
    bool is_long = milliseconds >= LONG_PRESS_MS;

    return (struct action){
        .kind = is_long ? ACTION_LONG_PRESS : ACTION_CLICK,
        .has_from = true,
        .from = at,
        .milliseconds = is_long ? milliseconds : 0,
    };
}

static struct action movement(struct action_point from, struct action_point to,
                              int milliseconds, bool drags)
{
    return (struct action){
        .kind = drags ? ACTION_DRAG : ACTION_SWIPE,
        .has_from = true,
        .has_to = true,
        .from = from,
        .to = to,
        .milliseconds = milliseconds,
    };
}

struct action finger_gesture_up(struct finger_gesture *touch, int64_t now)
{
    int time = finger_gesture_milliseconds(now - touch->since);
    bool drags =
        touch->moved_at && touch->moved_at - touch->since >= LONG_PRESS_MS;

    touch->down = false;
    if (!touch->moved_at)
        return press(touch->first, time);
    return movement(touch->first, touch->last, time, drags);
}

struct action finger_gesture_path(struct action_point from,
                                  struct action_point to, int milliseconds,
                                  bool drags, int slop)
{
    int time = finger_gesture_milliseconds(milliseconds);

    if (!drags && !is_apart(from, to, slop))
        return press(from, time);
    return movement(from, to, time, drags);
}

static int64_t distance(struct action_point a, struct action_point b)
{
    int64_t x = (int64_t)a.x - b.x;
    int64_t y = (int64_t)a.y - b.y;

    return x * x + y * y;
}

struct action finger_gesture_pinch(const struct finger_gesture *a,
                                   const struct finger_gesture *b, int64_t now)
{
    bool in = distance(a->last, b->last) < distance(a->first, b->first);
    struct action action = {.kind = ACTION_PINCH,
                            .text = mem_dup(in ? "in" : "out")};

    action.has_from = true;
    action.from = (struct action_point){(a->first.x + b->first.x) / 2,
                                        (a->first.y + b->first.y) / 2};
    if (now - a->since < ACTION_MILLISECONDS_MAX)
        action.milliseconds = (int)(now - a->since);
    return action;
}
