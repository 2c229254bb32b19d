/* How an observer waits until the screen stops changing. */
#include <string.h>

#include "runner/observe/observer_private.h"

#define POLL_MS 50

/* A video has a frame for every change: without one, the screen settled. */
#define VIDEO_QUIET_MS 150
/* After this time a screenshot is begun, unless screenshots take long. */
#define EARLY_QUIET_MS 50
#define LONG_SHOT_MS 450

/* Height of the status bar if the phone does not report it, in dp. */
#define STATUS_BAR_DP 36

/* ---- one screenshot, one reading ---- */

bool observer_take_frame(struct observer *observer, struct deadline by,
                         enum settle_frame *frame, struct err *err)
{
    int reported = observer->signals.status_bar;
    bool done;

    observer->tracker.clock =
        (uint32_t)(reported ? reported
                            : STATUS_BAR_DP * observer->facts.density / 160);
    done = frame_tracker_capture(&observer->tracker, observer->device, by,
                                 frame, err);
    phone_clock_set_captures(&observer->clock, observer->tracker.capture_count);
    return done;
}

bool observer_read_signals(struct observer *observer, struct deadline by,
                           bool *equal, struct err *err)
{
    struct screen_signals before = observer->signals;

    if (!screen_signals_read(observer->device, observer->counts, by,
                             &observer->text, &observer->signals, err))
        return false;
    *equal = screen_signals_equal(&before, &observer->signals);
    return true;
}

bool observer_signals_differ(const struct observer *observer)
{
    return !screen_signals_equal(&observer->signals, &observer->last_signals);
}

/* ---- by signals ---- */

/* The signals are stable: take a screenshot, and check them again. */
static bool picture_at_rest(struct observer *observer, struct deadline by,
                            bool *still, struct err *err)
{
    enum settle_frame frame;

    if (!observer_take_frame(observer, by, &frame, err) ||
        !observer_read_signals(observer, by, still, err))
        return false;
    observer->tracker.animated = (struct box){0};
    return true;
}

/*
 * Games and videos draw without being counted: if only the screenshot changed,
 * the signals are not used.
 */
static bool signals_are_blind(const struct observer *observer)
{
    return observer->tracker.last.width && !observer_signals_differ(observer) &&
           frame_tracker_has_changed(&observer->tracker);
}

/* Read the signals; *help: they are meaningful. */
static bool ask_signals(struct observer *observer, struct deadline by,
                        bool *equal, bool *help, struct err *err)
{
    char asked[SCREEN_SIGNALS_NAME_MAX];

    memcpy(asked, observer->signals.package, sizeof(asked));
    if (!observer_read_signals(observer, by, equal, err))
        return false;
    /* After a change of the app its frames are counted next time. */
    *help = observer->signals.counts ||
            strcmp(asked, observer->signals.package) != 0;
    return true;
}

/* Wait for stable signals; *still is false when they do not help. */
static bool rest_by_signals(struct observer *observer, struct settle *settle,
                            struct deadline by, bool *still, struct err *err)
{
    bool equal, help;

    while (!settle_signals_failed(settle, observer_now_ms(observer))) {
        if (!ask_signals(observer, by, &equal, &help, err))
            return false;
        if (!help)
            return true;
        if (settle_signals(settle, observer_now_ms(observer), equal,
                           observer_signals_differ(observer)) ==
            SETTLE_PICTURE) {
            if (!picture_at_rest(observer, by, still, err))
                return false;
            if (*still) {
                *still = !signals_are_blind(observer);
                return true;
            }
            settle_moved(settle, observer_now_ms(observer));
        } else if (!phone_clock_pause(&observer->clock, POLL_MS, by,
                                      observer->cancel, err)) {
            return false;
        }
    }
    return true;
}

/* ---- by the video ---- */

/* Is it worth to wait for the video to settle? */
static bool may_rest(const struct observer *observer,
                     const struct settle *settle)
{
    return screen_helper_works(observer->helper) &&
           !cancel_fired(observer->cancel) &&
           !settle_signals_failed(settle, observer_now_ms(observer));
}

/*
 * Frames are counted of the app that the signals named before: read them again
 * when it is another one now, so that they can be compared with the next ones.
 */
static bool read_own_signals(struct observer *observer, struct deadline by,
                             struct err *err)
{
    char asked[SCREEN_SIGNALS_NAME_MAX];
    bool ignored;

    memcpy(asked, observer->signals.package, sizeof(asked));
    return observer_read_signals(observer, by, &ignored, err) &&
           (!strcmp(asked, observer->signals.package) ||
            observer_read_signals(observer, by, &ignored, err));
}

/*
 * Wait for the video to settle after a number of changes; *next is
 * SETTLE_PICTURE then. Meanwhile the signals are read, which takes a while.
 */
static bool wait_for_rest(struct observer *observer, struct settle *settle,
                          struct deadline by, uint64_t *changes,
                          enum settle_next *next, struct err *err)
{
    uint64_t read_at = UINT64_MAX; /* the changes when signals were read */
    uint64_t before = screen_helper_changes(observer->helper);

    *next = SETTLE_AGAIN;
    for (; *next == SETTLE_AGAIN && may_rest(observer, settle);
         before = *changes) {
        *changes = screen_helper_changes(observer->helper);
        *next = settle_signals(settle, observer_now_ms(observer),
                               *changes == before,
                               *changes != observer->last_changes);
        if (*next == SETTLE_PICTURE && read_at != *changes)
            *next = SETTLE_AGAIN;
        if (*next != SETTLE_AGAIN ||
            screen_helper_wait(observer->helper, *changes, POLL_MS) ||
            read_at == *changes)
            continue;
        if (!read_own_signals(observer, by, err))
            return false;
        read_at = *changes;
    }
    return true;
}

/*
 * A screenshot is begun when the screen has rested for a while, and takes the
 * rest of that time. One that takes long waits for all of it: if the screen
 * changes meanwhile, it delays the next one.
 */
static int64_t quiet_before_shot(const struct observer *observer)
{
    return observer->slowness *
           (observer->shot_ms > LONG_SHOT_MS ? VIDEO_QUIET_MS : EARLY_QUIET_MS);
}

static bool shoot_at_rest(struct observer *observer, struct deadline by,
                          struct err *err)
{
    const int64_t began = observer_now_ms(observer);
    enum settle_frame frame;

    if (!observer_take_frame(observer, by, &frame, err))
        return false;
    observer->shot_ms = observer_now_ms(observer) - began;
    return true;
}

/* Has nothing changed since then until it has rested for long enough? */
static bool stays_at_rest(const struct observer *observer,
                          const struct settle *settle, uint64_t changes)
{
    const int64_t left = settle->quiet_since_ms +
                         observer->slowness * VIDEO_QUIET_MS -
                         observer_now_ms(observer);

    if (left > 0)
        return !screen_helper_wait(observer->helper, changes, left);
    return screen_helper_changes(observer->helper) == changes;
}

/* *still is false when the video does not rest. */
static bool rest_by_video(struct observer *observer, struct settle *settle,
                          struct deadline by, bool *still, struct err *err)
{
    enum settle_next next;
    uint64_t changes = 0;

    do {
        settle->options.quiet_ms = quiet_before_shot(observer);
        if (!wait_for_rest(observer, settle, by, &changes, &next, err))
            return false;
        if (next != SETTLE_PICTURE)
            break;
        if (!shoot_at_rest(observer, by, err))
            return false;
        *still = stays_at_rest(observer, settle, changes);
        if (!*still)
            settle_moved(settle, observer_now_ms(observer));
    } while (!*still);
    settle->options = observer->settle;
    observer->tracker.animated = (struct box){0};
    return true;
}

/* ---- by screenshots ---- */

/* Capture a frame and decide what is next. */
static bool rest_by_frame(struct observer *observer, struct settle *settle,
                          struct deadline by, enum settle_next *next,
                          struct err *err)
{
    bool first = !settle->seen;
    enum settle_frame frame;

    if (!observer_take_frame(observer, by, &frame, err))
        return false;
    /* A change since the last observation is not an animation. */
    if (first)
        observer->tracker.animated = (struct box){0};
    *next = settle_frame(settle, observer_now_ms(observer), frame,
                         frame_tracker_has_changed(&observer->tracker));
    return true;
}

bool observer_settle_by_frames(struct observer *observer, struct settle *settle,
                               struct deadline by, bool *still, struct err *err)
{
    enum settle_next next;

    settle_by_frames(settle);
    do {
        int64_t began = observer_now_ms(observer);

        if (!rest_by_frame(observer, settle, by, &next, err))
            return false;
        if (next == SETTLE_AGAIN &&
            !phone_clock_pause(&observer->clock,
                               observer->settle.quiet_ms -
                                   (observer_now_ms(observer) - began),
                               by, observer->cancel, err))
            return false;
    } while (next == SETTLE_AGAIN);
    *still = next == SETTLE_STILL;
    if (*still && settle_all_still(settle, observer_now_ms(observer)))
        observer->tracker.animated = (struct box){0};
    return true;
}

/* ---- the best way ---- */

bool observer_settle(struct observer *observer, struct settle *settle,
                     struct deadline by, bool *still, struct err *err)
{
    bool equal;

    *still = false;
    if (screen_helper_works(observer->helper)) {
        if (!rest_by_video(observer, settle, by, still, err))
            return false;
    } else if (observer->counts &&
               !rest_by_signals(observer, settle, by, still, err)) {
        return false;
    }
    return *still ||
           (observer_settle_by_frames(observer, settle, by, still, err) &&
            observer_read_signals(observer, by, &equal, err));
}
