/* Waiting for a thing, and scrolling to it. */
#include "runner/find.h"

/* After so many scrolls that moved nothing there is no more. */
#define STUCK_MAX 2

/* Where to go on reading: as the oracle says, or else down. */
static bool scroll(const struct find_wait *wait, const struct found *found,
                   struct deadline by, struct observation *seen,
                   struct err *err)
{
    const struct action action = {
        .kind = ACTION_SCROLL,
        .has_from = found->scroll != DIRECTION_NONE,
        .from = found->at,
        .direction = found->scroll ? found->scroll : DIRECTION_DOWN,
    };

    if (!actor_do(wait->actor, &action, seen->screen, by, err))
        return false;
    observer_acted(wait->observer);
    return observer_see(wait->observer, by, seen, err);
}

bool find_wait(const struct find_wait *wait, const struct selector *selector,
               struct deadline by, struct observation *seen,
               struct found *found, struct err *err)
{
    const struct find_place place = {seen, wait->oracle, wait->folder};
    int64_t until = observer_now_ms(wait->observer) + wait->milliseconds;
    int scrolls = wait->actor ? wait->scrolls : 0;
    int stuck = 0;

    if (!observer_see(wait->observer, by, seen, err))
        return false;
    for (;;) {
        struct err lost = ERR_INIT;
        uint64_t looked = seen->looks;

        if (find_target(&place, selector, found, err))
            return true;
        if (err->code != ERR_NOT_FOUND)
            return false;
        if (scrolls > 0 && stuck < STUCK_MAX) {
            scrolls--;
            if (!scroll(wait, found, by, seen, &lost)) {
                *err = lost;
                return false;
            }
            stuck = seen->looks == looked ? stuck + 1 : 0;
        } else if (observer_now_ms(wait->observer) < until) {
            if (!observer_see(wait->observer, by, seen, &lost)) {
                *err = lost;
                return false;
            }
        } else {
            return false;
        }
    }
}
