#include "runner/observe/settle.h"

void settle_begin(struct settle *settle, const struct settle_options *options,
                  int64_t now_ms, bool acted)
{
    *settle = (struct settle){
        .options = *options,
        .began_ms = now_ms,
        .quiet_since_ms = now_ms,
        .known_since_ms = now_ms,
        .part_since_ms = now_ms,
        .changed = !acted,
    };
}

/* Has nothing changed for long enough? */
static bool is_quiet(const struct settle *settle, int64_t now_ms)
{
    const struct settle_options *options = &settle->options;

    if (!settle->changed && now_ms - settle->began_ms < options->timeout_ms)
        return false;
    return now_ms - settle->quiet_since_ms >= options->quiet_ms ||
           now_ms - settle->known_since_ms >= 2 * options->quiet_ms ||
           now_ms - settle->part_since_ms >= options->part_ms;
}

static void note(struct settle *settle, int64_t now_ms, enum settle_frame frame,
                 bool differs_from_last)
{
    if (!settle->seen)
        frame = SETTLE_CHANGED;
    else if (frame == SETTLE_CHANGED)
        settle->changed = true; /* it has begun to change */
    if (differs_from_last)
        settle->changed = true;
    if (frame >= SETTLE_KNOWN_ANIMATION)
        settle->quiet_since_ms = now_ms;
    if (frame >= SETTLE_SMALL_CHANGE)
        settle->known_since_ms = now_ms;
    if (frame >= SETTLE_CHANGED)
        settle->part_since_ms = now_ms;
    settle->seen = true;
}

static bool is_over(const struct settle *settle, int64_t now_ms)
{
    return now_ms - settle->began_ms >= settle->options.bound_ms;
}

enum settle_next settle_signals(struct settle *settle, int64_t now_ms,
                                bool equal, bool differ_from_last)
{
    note(settle, now_ms, equal ? SETTLE_SAME : SETTLE_CHANGED,
         differ_from_last);
    if (is_quiet(settle, now_ms))
        return SETTLE_PICTURE;
    return is_over(settle, now_ms) ? SETTLE_GIVE_UP : SETTLE_AGAIN;
}

enum settle_next settle_frame(struct settle *settle, int64_t now_ms,
                              enum settle_frame frame, bool differs_from_last)
{
    note(settle, now_ms, frame, differs_from_last);
    if (is_quiet(settle, now_ms))
        return SETTLE_STILL;
    return is_over(settle, now_ms) ? SETTLE_GIVE_UP : SETTLE_AGAIN;
}

void settle_moved(struct settle *settle, int64_t now_ms)
{
    note(settle, now_ms, SETTLE_CHANGED, true);
}

bool settle_all_still(const struct settle *settle, int64_t now_ms)
{
    return now_ms - settle->quiet_since_ms >= settle->options.quiet_ms;
}

bool settle_signals_failed(const struct settle *settle, int64_t now_ms)
{
    return now_ms - settle->began_ms >= settle->options.signals_ms;
}

void settle_by_frames(struct settle *settle)
{
    settle->seen = false;
}
