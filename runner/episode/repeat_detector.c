#include "runner/episode/repeat_detector.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void repeat_detector_release(struct repeat_detector *repeats)
{
    action_release(&repeats->last);
    *repeats = (struct repeat_detector){.count = 0};
}

static void move_near(bool has, struct action_point *point, bool has_other,
                      struct action_point other, int distance)
{
    if (has && has_other && abs(point->x - other.x) <= distance &&
        abs(point->y - other.y) <= distance)
        *point = other;
}

/* Are both actions equal, with points at most so far apart? */
static bool same(const struct action *a, const struct action *b, int distance)
{
    struct action moved = *b;

    move_near(b->has_from, &moved.from, a->has_from, a->from, distance);
    move_near(b->has_to, &moved.to, a->has_to, a->to, distance);
    return action_equal(a, &moved);
}

bool repeat_detector_add(struct repeat_detector *repeats,
                         const struct episode_policy *policy,
                         const struct action *action, uint64_t screen_hash,
                         int width)
{
    int distance = width * policy->equal_percent / 100;

    if (repeats->count && same(&repeats->last, action, distance) &&
        (policy->equal_on_any_screen || repeats->screen_hash == screen_hash))
        return ++repeats->count >= policy->equal_actions;
    repeat_detector_release(repeats);
    repeats->last = *action;
    repeats->last.text = action->text ? mem_dup(action->text) : NULL;
    repeats->screen_hash = screen_hash;
    repeats->count = 1;
    return policy->equal_actions <= 1;
}
