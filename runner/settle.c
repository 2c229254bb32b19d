#include "runner/settle.h"

void settle_begin(struct settle *settle, const struct settle_options *options,
                  int64_t now_ms, bool acted)
{
    *settle = (struct settle){
        .options = *options,
        .began_ms = now_ms,
        .quiet_since_ms = now_ms,
        .changed = !acted,
    };
}

/* Has it been quiet for long enough? */
static bool is_quiet(const struct settle *settle, int64_t now_ms)
{
    if (now_ms - settle->quiet_since_ms < settle->options.quiet_ms)
        return false;
    return settle->changed ||
           now_ms - settle->began_ms >= settle->options.patience_ms;
}

static void note(struct settle *settle, int64_t now_ms, bool equal,
                 bool differs_from_last)
{
    if (!settle->seen || !equal)
        settle->quiet_since_ms = now_ms;
    /* What changes while we look has begun to change. */
    if (differs_from_last || (settle->seen && !equal))
        settle->changed = true;
    settle->seen = true;
}

static bool is_over(const struct settle *settle, int64_t now_ms)
{
    return now_ms - settle->began_ms >= settle->options.bound_ms;
}

enum settle_next settle_signals(struct settle *settle, int64_t now_ms,
                                bool equal, bool differ_from_last)
{
    note(settle, now_ms, equal, differ_from_last);
    if (is_quiet(settle, now_ms))
        return SETTLE_PICTURE;
    return is_over(settle, now_ms) ? SETTLE_GIVE_UP : SETTLE_AGAIN;
}

enum settle_next settle_frame(struct settle *settle, int64_t now_ms, bool equal,
                              bool differs_from_last)
{
    note(settle, now_ms, equal, differs_from_last);
    if (is_quiet(settle, now_ms))
        return SETTLE_STILL;
    return is_over(settle, now_ms) ? SETTLE_GIVE_UP : SETTLE_AGAIN;
}

bool settle_signals_failed(const struct settle *settle, int64_t now_ms)
{
    return now_ms - settle->began_ms >= settle->options.signals_ms;
}

void settle_by_frames(struct settle *settle)
{
    settle->seen = false;
}
