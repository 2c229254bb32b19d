#include "runner/gesture.h"

#define SWIPE_MS 300
#define DRAG_MS 1000

/* Slow enough that little momentum is left: what is read next is near. */
#define SCROLL_MS 600

/* Of a side: how far a finger goes to each side, and how near to the edge. */
#define REACH_PART 4
#define EDGE_PART 12

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* Where the finger goes: against the reader, when it is about reading. */
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
 * Both ends at the same distance from the point, on one line; moved along it
 * when an end would come too near to an edge.
 */
static void spread(int at, int side, int sign, int *from, int *to)
{
    int reach = side / REACH_PART;
    int edge = side / EDGE_PART;
    int middle = clamp(at, edge + reach, side - 1 - edge - reach);

    *from = middle - sign * reach;
    *to = middle + sign * reach;
}

/* From the point itself, which is on what is to move, as far as there is room.
 */
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

static int usual_ms(enum action_kind kind)
{
    if (kind == ACTION_DRAG)
        return DRAG_MS;
    return kind == ACTION_SCROLL ? SCROLL_MS : SWIPE_MS;
}

bool gesture_of(const struct action *action, struct extent screen,
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
                                                     : usual_ms(action->kind);
    return true;
}
