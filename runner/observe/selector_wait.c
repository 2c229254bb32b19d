/* Waits for an element, and scrolls to it. */
#include "runner/observe/selector_find.h"

/* So many scrolls without a change mean the end of the list. */
#define STUCK_MAX 2

/* Scroll as the truth source says, otherwise down. */
static bool scroll(const struct selector_wait *wait,
                   const struct selector_match *found, struct deadline by,
                   struct observation *seen, struct err *err)
{
    const struct action action = {
        .kind = ACTION_SCROLL,
        .has_from = found->scroll != DIRECTION_NONE,
        .from = found->at,
        .direction = found->scroll ? found->scroll : DIRECTION_DOWN,
    };

    observer_begin_action(wait->observer);
    if (!actor_perform(wait->actor, &action, seen->screen, by, err))
        return false;
    observer_note_action(wait->observer);
    return observer_observe(wait->observer, by, seen, err);
}

bool selector_wait(const struct selector_wait *wait,
                   const struct node_selector *selector, struct deadline by,
                   struct observation *seen, struct selector_match *found,
                   struct err *err)
{
    const struct selector_scope place = {.seen = seen,
                                         .truth_source = wait->truth_source,
                                         .folder = wait->folder};
    int64_t until = observer_now_ms(wait->observer) + wait->milliseconds;
    int scrolls = wait->actor ? wait->scrolls : 0;
    int stuck = 0;

    if (!observer_observe(wait->observer, by, seen, err))
        return false;
    for (;;) {
        struct err lost = ERR_INIT;
        uint64_t looked = seen->screen_hash;

        if (selector_find(&place, selector, found, err))
            return true;
        if (err->code != ERR_NOT_FOUND)
            return false;
        if (scrolls > 0 && stuck < STUCK_MAX) {
            scrolls--;
            if (!scroll(wait, found, by, seen, &lost)) {
                *err = lost;
                return false;
            }
            stuck = seen->screen_hash == looked ? stuck + 1 : 0;
        } else if (observer_now_ms(wait->observer) < until) {
            if (!observer_observe(wait->observer, by, seen, &lost)) {
                *err = lost;
                return false;
            }
        } else {
            return false;
        }
    }
}
