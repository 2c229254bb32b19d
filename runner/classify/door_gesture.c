#include "runner/classify/door_gesture.h"

#include <stdlib.h>

/* Android's time for a long press. */
#define LONG_PRESS_MS 400

#define SLOP_DP 8
#define SCREEN_DP 400

int door_gesture_slop(struct extent screen)
{
    int side = screen.width < screen.height ? screen.width : screen.height;

    return side > SCREEN_DP ? side * SLOP_DP / SCREEN_DP : SLOP_DP;
}

static bool is_apart(struct action_point a, struct action_point b, int slop)
{
    return abs(a.x - b.x) > slop || abs(a.y - b.y) > slop;
}

int door_gesture_milliseconds(int64_t milliseconds)
{
    if (milliseconds < 0)
        return 0;
    return milliseconds > ACTION_MILLISECONDS_MAX ? ACTION_MILLISECONDS_MAX
                                                  : (int)milliseconds;
}

void door_gesture_down(struct door_gesture *touch, struct action_point at,
                       int64_t now)
{
    *touch = (struct door_gesture){
        .down = true, .first = at, .last = at, .since = now};
}

void door_gesture_move(struct door_gesture *touch, struct action_point at,
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

struct action door_gesture_up(struct door_gesture *touch, int64_t now)
{
    int time = door_gesture_milliseconds(now - touch->since);
    bool drags =
        touch->moved_at && touch->moved_at - touch->since >= LONG_PRESS_MS;

    touch->down = false;
    if (!touch->moved_at)
        return press(touch->first, time);
    return movement(touch->first, touch->last, time, drags);
}

struct action door_gesture_path(struct action_point from,
                                struct action_point to, int milliseconds,
                                bool drags, int slop)
{
    int time = door_gesture_milliseconds(milliseconds);

    if (!drags && !is_apart(from, to, slop))
        return press(from, time);
    return movement(from, to, time, drags);
}
