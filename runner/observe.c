#include "runner/observe.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/shell.h"
#include "base/mem.h"
#include "runner/dump.h"
#include "runner/eye.h"
#include "runner/settle.h"
#include "runner/shot_way.h"
#include "runner/signals.h"

#define TEXT_MAX ((size_t)1 << 20)

#define SETTLE_MS 5000
#define PART_MS 2000
#define PATIENCE_MS 1200
#define SIGNALS_MS 2000
#define QUIET_MS 250
#define POLL_MS 50

/* A phone whose time is virtual moves it by so much for each picture. */
#define VIRTUAL_LOOK_MS 100

/* The clock's place where the phone does not tell it, in dp. */
#define STATUS_BAR_DP 36

#define SEE_ATTEMPTS 3

struct observer {
    struct device *device; /* borrowed, as all pointers of the options */
    const struct cancel *cancel;
    struct frames *frames;
    bool own_frames;
    struct facts facts;
    struct settle_options settle;
    struct eye eye;
    struct buf text;
    bool counts; /* signals count frames */
    struct signals signals;
    struct signals last_signals; /* of the last observation */
    bool acted;
};

/* ---- opening ---- */

/* Frames are counted since Android 6, and not on every phone. */
static bool try_signals(struct observer *observer, struct deadline by,
                        struct err *err)
{
    for (int i = 0; i < 2; i++) {
        if (!signals_read(observer->device, true, by, &observer->text,
                          &observer->signals, err))
            return false;
    }
    /* Where time moves by looking alone, what is not looked at is still. */
    observer->counts =
        observer->signals.counts && !observer->facts.virtual_time;
    return true;
}

static bool measure_ways(struct observer *observer, struct deadline by,
                         struct err *err)
{
    struct frame *frame = frames_take_for_wire(observer->frames);
    bool done = shot_way_measure(observer->device, by, &frame->shot,
                                 &observer->eye.way, err);

    frames_give_from_wire(observer->frames, frame);
    return done;
}

/* Pictures move a virtual clock: such a phone is not measured. */
static bool choose_way(struct observer *observer, const char *cache,
                       struct deadline by, struct err *err)
{
    const char *serial = device_serial(observer->device);

    observer->eye.way = SCREENSHOT_PNG;
    if (observer->facts.virtual_time ||
        shot_way_recall(cache, serial, &observer->facts, &observer->eye.way))
        return true;
    if (!measure_ways(observer, by, err))
        return err_wrap(err, "finding out how to take pictures");
    shot_way_remember(cache, serial, &observer->facts, observer->eye.way);
    return true;
}

static void set_times(struct observer *observer, int64_t bound_ms)
{
    observer->settle = (struct settle_options){
        .quiet_ms = observer->facts.virtual_time ? VIRTUAL_LOOK_MS : QUIET_MS,
        .patience_ms = PATIENCE_MS,
        .signals_ms = SIGNALS_MS,
        .part_ms = PART_MS,
        .bound_ms = bound_ms ? bound_ms : SETTLE_MS,
    };
}

bool observer_open(struct device *device,
                   const struct observer_options *options, struct deadline by,
                   struct observer **observer, struct err *err)
{
    struct observer *made = mem_new(1, sizeof(*made));

    *made = (struct observer){
        .device = device,
        .cancel = options->cancel,
        .frames = options->frames ? options->frames : frames_open(),
        .own_frames = !options->frames,
        .text = BUF_INIT(TEXT_MAX),
    };
    eye_init(&made->eye, made->frames);
    if (!facts_read(device, by, &made->facts, err) ||
        !try_signals(made, by, err) ||
        !choose_way(made, options->cache, by, err)) {
        observer_close(made);
        return false;
    }
    set_times(made, options->settle_ms);
    *observer = made;
    return true;
}

void observer_close(struct observer *observer)
{
    if (!observer)
        return;
    if (observer->own_frames)
        frames_close(observer->frames);
    eye_release(&observer->eye);
    buf_release(&observer->text);
    free(observer);
}

struct frames *observer_frames(const struct observer *observer)
{
    return observer->frames;
}

void observer_use(struct observer *observer, struct device *device)
{
    observer->device = device;
}

const struct facts *observer_facts(const struct observer *observer)
{
    return &observer->facts;
}

void observer_acted(struct observer *observer)
{
    observer->acted = true;
}

int64_t observer_now_ms(const struct observer *observer)
{
    return observer->facts.virtual_time ? observer->eye.looks * VIRTUAL_LOOK_MS
                                        : clock_ns() / 1000000;
}

/* ---- one picture ---- */

static bool look_once(struct observer *observer, struct deadline by,
                      enum settle_frame *frame, struct err *err)
{
    int told = observer->signals.status_bar;

    observer->eye.clock =
        (uint32_t)(told ? told : STATUS_BAR_DP * observer->facts.density / 160);
    return eye_look(&observer->eye, observer->device, by, frame, err);
}

/* ---- coming to rest ---- */

/* Let a moment pass on a phone whose time passes by itself. */
static bool let_pass(const struct observer *observer, int64_t ms,
                     struct deadline by, struct err *err)
{
    struct pollfd waited = {.fd = cancel_fd(observer->cancel),
                            .events = POLLIN};
    struct deadline until = deadline_sooner(by, deadline_in_ms(ms));

    if (observer->facts.virtual_time || ms <= 0)
        return true;
    if (poll(&waited, 1, deadline_left_ms(until)) > 0)
        return err_set(err, ERR_CANCELLED, "stopped");
    return true;
}

static bool read_signals(struct observer *observer, struct deadline by,
                         bool *equal, struct err *err)
{
    struct signals before = observer->signals;

    if (!signals_read(observer->device, observer->counts, by, &observer->text,
                      &observer->signals, err))
        return false;
    *equal = signals_equal(&before, &observer->signals);
    return true;
}

static bool signals_differ_from_last(const struct observer *observer)
{
    return !signals_equal(&observer->signals, &observer->last_signals);
}

/* The signals rest: take the picture, and see that they still do. */
static bool picture_at_rest(struct observer *observer, struct deadline by,
                            bool *still, struct err *err)
{
    enum settle_frame frame;

    if (!look_once(observer, by, &frame, err) ||
        !read_signals(observer, by, still, err))
        return false;
    observer->eye.restless = (struct box){0};
    return true;
}

/* What is drawn past the counter (a game, a video) shows in the picture alone:
 * then the signals are not believed. */
static bool signals_are_blind(const struct observer *observer)
{
    return observer->eye.last.width && !signals_differ_from_last(observer) &&
           eye_sees_other(&observer->eye);
}

/* Read the signals; *help says whether they can tell anything. */
static bool ask_signals(struct observer *observer, struct deadline by,
                        bool *equal, bool *help, struct err *err)
{
    char asked[SIGNALS_NAME_MAX];

    memcpy(asked, observer->signals.package, sizeof(asked));
    if (!read_signals(observer, by, equal, err))
        return false;
    /* Another app came to the front: its frames are counted next time. */
    *help = observer->signals.counts ||
            strcmp(asked, observer->signals.package) != 0;
    return true;
}

/* Wait for the signals to rest; *still stays false when they do not help. */
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
                           signals_differ_from_last(observer)) ==
            SETTLE_PICTURE) {
            if (!picture_at_rest(observer, by, still, err))
                return false;
            if (*still) {
                *still = !signals_are_blind(observer);
                return true;
            }
            settle_moved(settle, observer_now_ms(observer));
        } else if (!let_pass(observer, POLL_MS, by, err)) {
            return false;
        }
    }
    return true;
}

/* One frame of many, and what follows from it. */
static bool rest_by_frame(struct observer *observer, struct settle *settle,
                          struct deadline by, enum settle_next *next,
                          struct err *err)
{
    bool first = !settle->seen;
    enum settle_frame frame;

    if (!look_once(observer, by, &frame, err))
        return false;
    /* What changed since the last time need not be restless. */
    if (first)
        observer->eye.restless = (struct box){0};
    *next = settle_frame(settle, observer_now_ms(observer), frame,
                         eye_sees_other(&observer->eye));
    return true;
}

static bool rest_by_frames(struct observer *observer, struct settle *settle,
                           struct deadline by, bool *still, struct err *err)
{
    enum settle_next next;

    settle_by_frames(settle);
    do {
        int64_t began = observer_now_ms(observer);

        if (!rest_by_frame(observer, settle, by, &next, err))
            return false;
        if (next == SETTLE_AGAIN &&
            !let_pass(observer,
                      observer->settle.quiet_ms -
                          (observer_now_ms(observer) - began),
                      by, err))
            return false;
    } while (next == SETTLE_AGAIN);
    *still = next == SETTLE_STILL;
    if (*still && settle_all_still(settle, observer_now_ms(observer)))
        observer->eye.restless = (struct box){0};
    return true;
}

/* ---- looking ---- */

/* Why is all of it black? */
static bool explain_black(struct observer *observer, struct deadline by,
                          struct observation *seen, struct err *err)
{
    struct buf *text = &observer->text;

    buf_clear(text);
    if (!shell_exec(observer->device,
                    "dumpsys power | grep mWakefulness=; "
                    "dumpsys window windows 2>/dev/null | grep ' fl='",
                    by, text, err))
        return false;
    if (strstr(buf_cstr(text), "Asleep") || strstr(buf_cstr(text), "Dozing"))
        observation_doubt(seen, "the screen is off");
    else if (strstr(buf_cstr(text), "SECURE"))
        observation_doubt(seen, "the window is protected: it shows as black");
    else
        observation_doubt(seen, "all of it is black");
    return true;
}

static void keep_as_last(struct observer *observer, struct observation *seen)
{
    const struct tiles *now = &observer->eye.now;

    seen->looks = eye_keep(&observer->eye);
    observer->last_signals = observer->signals;
    seen->black = now->black;
    seen->screen = (struct extent){(int)now->width, (int)now->height};
}

static bool fill(struct observer *observer, struct deadline by,
                 struct observation *seen, struct err *err)
{
    memcpy(seen->package, observer->signals.package, sizeof(seen->package));
    memcpy(seen->activity, observer->signals.activity, sizeof(seen->activity));
    keep_as_last(observer, seen);
    if (seen->black && !explain_black(observer, by, seen, err))
        return false;
    eye_png(&observer->eye, &seen->png);
    return true;
}

bool observer_look(struct observer *observer, struct deadline by,
                   struct observation *seen, struct err *err)
{
    struct settle settle;
    int64_t began = observer_now_ms(observer);
    bool still = false;
    bool equal;

    observation_clear(seen);
    observer->eye.restless = (struct box){0};
    settle_begin(&settle, &observer->settle, began,
                 observer->acted && observer->eye.last.width);
    if (observer->counts &&
        !rest_by_signals(observer, &settle, by, &still, err))
        return false;
    if (!still && (!rest_by_frames(observer, &settle, by, &still, err) ||
                   !read_signals(observer, by, &equal, err)))
        return false;
    observer->acted = false;
    seen->settle_ms = observer_now_ms(observer) - began;
    if (!still)
        observation_doubt(seen, "the screen did not come to rest");
    return fill(observer, by, seen, err);
}

/* ---- trees ---- */

/* Is the screen still the one of the picture? */
static bool check_unchanged(struct observer *observer, struct deadline by,
                            struct observation *seen, struct err *err)
{
    enum settle_frame frame;
    bool equal;

    if (observer->counts) {
        if (!read_signals(observer, by, &equal, err))
            return false;
        seen->changed = signals_differ_from_last(observer);
    }
    if (!observer->counts || seen->changed) {
        if (!look_once(observer, by, &frame, err))
            return false;
        observer->eye.restless = observer->eye.last_restless;
        seen->changed = eye_sees_other(&observer->eye);
    }
    if (seen->changed)
        observation_doubt(seen, "the screen changed while its tree was read");
    return true;
}

static void understand(struct observation *seen, enum dump_outcome outcome)
{
    struct err why;

    if (outcome != DUMP_WHOLE)
        observation_doubt(seen, dump_outcome_words(outcome));
    if (!seen->xml.length)
        return;
    tree_release(&seen->tree);
    seen->has_tree =
        tree_read(&seen->tree, seen->xml.data, seen->xml.length, &why);
    if (!seen->has_tree)
        observation_doubt(seen, why.text);
}

bool observer_read_tree(struct observer *observer, struct deadline by,
                        struct observation *seen, struct err *err)
{
    enum dump_outcome outcome;

    seen->has_tree = false;
    if (!dump_take(observer->device, !observer->facts.virtual_time,
                   observer->cancel, by, &seen->xml, &outcome, err) ||
        !check_unchanged(observer, by, seen, err)) {
        buf_clear(&seen->xml);
        return false;
    }
    understand(seen, outcome);
    return true;
}

bool observer_see(struct observer *observer, struct deadline by,
                  struct observation *seen, struct err *err)
{
    for (int i = 0; i < SEE_ATTEMPTS; i++) {
        if (!observer_look(observer, by, seen, err) ||
            !observer_read_tree(observer, by, seen, err))
            return false;
        if (!seen->changed)
            break;
    }
    return true;
}
