#include "runner/device/gesture.h"

#define SWIPE_MS 300
#define DRAG_MS 1000

/* Slow enough to avoid a fling: the next content is near. */
#define SCROLL_MS 600

/* In parts of a side: the length of a gesture, and the margin to the edge. */
#define REACH_PART 4
#define EDGE_PART 12

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/*
 * The direction of the finger: opposite to that of the content when scrolling.
 */
static enum action_direction finger_way(const struct action *action)
{
    static const enum action_direction opposite[ACTION_DIRECTIONS] = {
        [DIRECTION_NONE] = DIRECTION_NONE,  [DIRECTION_UP] = DIRECTION_DOWN,
        [DIRECTION_DOWN] = DIRECTION_UP,    [DIRECTION_LEFT] = DIRECTION_RIGHT,
        [DIRECTION_RIGHT] = DIRECTION_LEFT,
    };

    return action->kind == ACTION_SCROLL ? opposite[action->direction]
                                         : action->direction;
}

/*
 * Both ends at the same distance from the point; shifted when an end would be
 * too near to an edge.
 */
static void spread(int at, int side, int sign, int *from, int *to)
{
    int reach = side / REACH_PART;
    int edge = side / EDGE_PART;
    int middle = clamp(at, edge + reach, side - 1 - edge - reach);

    *from = middle - sign * reach;
    *to = middle + sign * reach;
}

/* From the point itself, as far as there is room. */
static void depart(int at, int side, int sign, int *from, int *to)
{
    int edge = side / EDGE_PART;

    *from = clamp(at, edge, side - 1 - edge);
    *to = clamp(*from + sign * (2 * side / REACH_PART), edge, side - 1 - edge);
}

static void by_direction(const struct action *action, struct extent screen,
                         struct gesture *gesture)
{
    struct action_point at =
        action->has_from
            ? action->from
            : (struct action_point){screen.width / 2, screen.height / 2};
    enum action_direction way = finger_way(action);
    void (*go)(int at, int side, int sign, int *from, int *to) =
        action->has_from ? depart : spread;

    if (way == DIRECTION_UP || way == DIRECTION_DOWN) {
        gesture->from.x = gesture->to.x = at.x;
        go(at.y, screen.height, way == DIRECTION_DOWN ? 1 : -1,
           &gesture->from.y, &gesture->to.y);
    } else {
        gesture->from.y = gesture->to.y = at.y;
        go(at.x, screen.width, way == DIRECTION_RIGHT ? 1 : -1,
           &gesture->from.x, &gesture->to.x);
    }
}

static int default_ms(enum action_kind kind)
{
    if (kind == ACTION_DRAG)
        return DRAG_MS;
    return kind == ACTION_SCROLL ? SCROLL_MS : SWIPE_MS;
}

bool gesture_resolve(const struct action *action, struct extent screen,
                     struct gesture *gesture)
{
    if (action->has_from && action->has_to) {
        gesture->from = action->from;
        gesture->to = action->to;
    } else if (action->direction != DIRECTION_NONE) {
        by_direction(action, screen, gesture);
    } else {
        return false;
    }
    gesture->milliseconds = action->milliseconds > 0 ? action->milliseconds
                                                     : default_ms(action->kind);
    return true;
}
