#include "runner/streak.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void streak_release(struct streak *streak)
{
    action_release(&streak->last);
    *streak = (struct streak){.count = 0};
}

static void move_near(bool has, struct action_point *point, bool has_other,
                      struct action_point other, int distance)
{
    if (has && has_other && abs(point->x - other.x) <= distance &&
        abs(point->y - other.y) <= distance)
        *point = other;
}

/* The same deed, but for a trembling finger. */
static bool same(const struct action *a, const struct action *b, int distance)
{
    struct action moved = *b;

    move_near(b->has_from, &moved.from, a->has_from, a->from, distance);
    move_near(b->has_to, &moved.to, a->has_to, a->to, distance);
    return action_equal(a, &moved);
}

bool streak_add(struct streak *streak, const struct policy *policy,
                const struct action *action, uint64_t looks, int width)
{
    int distance = width * policy->equal_percent / 100;

    if (streak->count && same(&streak->last, action, distance) &&
        (policy->equal_anyhow || streak->looks == looks))
        return ++streak->count >= policy->equal_actions;
    streak_release(streak);
    streak->last = *action;
    streak->last.text = action->text ? mem_dup(action->text) : NULL;
    streak->looks = looks;
    streak->count = 1;
    return policy->equal_actions <= 1;
}
