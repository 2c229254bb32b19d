#include "runner/observe/observer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/services/shell.h"
#include "base/mem.h"
#include "runner/observe/observer_private.h"
#include "runner/observe/screenshot_method.h"
#include "runner/observe/ui_dump.h"

#define TEXT_MAX ((size_t)1 << 20)

#define SETTLE_MS 5000
#define PART_MS 2000
#define PATIENCE_MS 1200
#define SIGNALS_MS 2000

/* A phone whose first command takes longer than this is slow. */
#define NORMAL_LATENCY_MS 500
#define SLOWNESS_MAX 8

/* How long an app may show a black window while it starts. */
#define BLACK_MS 5000

#define SEE_ATTEMPTS 3

/* ---- opening ---- */

/* Frames are counted since Android 6, and not on every phone. */
static bool try_signals(struct observer *observer, struct deadline by,
                        struct err *err)
{
    for (int i = 0; i < 2; i++) {
        if (!screen_signals_read(observer->device, true, by, &observer->text,
                                 &observer->signals, err))
            return false;
    }
    /*
     * Virtual time does not move between screenshots, so signals are useless.
     */
    observer->counts = observer->signals.counts && observer->clock.ops->passes;
    return true;
}

static bool measure_ways(struct observer *observer, struct deadline by,
                         struct err *err)
{
    struct pool_frame *frame = frame_pool_take_for_transfer(observer->frames);
    bool done = screenshot_method_measure(observer->device, by, &frame->shot,
                                          &observer->tracker.way, err);

    frame_pool_give_from_transfer(observer->frames, frame);
    return done;
}

/* Screenshots move a virtual clock: such a phone is not measured. */
static bool choose_way(struct observer *observer, const char *cache,
                       struct deadline by, struct err *err)
{
    const char *serial = device_serial(observer->device);

    observer->tracker.way = SCREENSHOT_PNG;
    if (!observer->clock.ops->passes ||
        screenshot_method_load(cache, serial, &observer->facts,
                               &observer->tracker.way))
        return true;
    if (!measure_ways(observer, by, err))
        return err_wrap(err, "measuring screenshot methods");
    screenshot_method_save(cache, serial, &observer->facts,
                           observer->tracker.way);
    return true;
}

static void set_times(struct observer *observer, int64_t bound_ms)
{
    int64_t slowness = observer->latency_ms / NORMAL_LATENCY_MS;

    slowness = slowness < 1 ? 1 : slowness;
    slowness = slowness > SLOWNESS_MAX ? SLOWNESS_MAX : slowness;
    observer->slowness = slowness;
    observer->settle = (struct settle_options){
        .quiet_ms = slowness * observer->clock.ops->quiet_ms,
        .timeout_ms = slowness * PATIENCE_MS,
        .signals_ms = slowness * SIGNALS_MS,
        .part_ms = slowness * PART_MS,
        .bound_ms = bound_ms ? bound_ms : slowness * SETTLE_MS,
    };
}

/* Also measures the duration of the first command. */
static bool read_facts(struct observer *observer, struct deadline by,
                       struct err *err)
{
    int64_t began_ns = clock_ns();

    if (!device_info_read(observer->device, by, &observer->facts, err))
        return false;
    phone_clock_init(&observer->clock, &observer->facts);
    if (observer->clock.ops->passes)
        observer->latency_ms = (clock_ns() - began_ns) / 1000000;
    return true;
}

bool observer_open(struct device *device,
                   const struct observer_options *options, struct deadline by,
                   struct observer **observer, struct err *err)
{
    struct observer *made = mem_new(1, sizeof(*made));

    *made = (struct observer){
        .device = device,
        .cancel = options->cancel,
        .frames = options->frames ? options->frames : frame_pool_open(),
        .own_frames = !options->frames,
        .text = BUF_INIT(TEXT_MAX),
    };
    frame_tracker_init(&made->tracker, made->frames);
    if (!read_facts(made, by, err) || !try_signals(made, by, err) ||
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
        frame_pool_close(observer->frames);
    frame_tracker_release(&observer->tracker);
    buf_release(&observer->text);
    free(observer);
}

struct frame_pool *observer_frames(const struct observer *observer)
{
    return observer->frames;
}

void observer_set_device(struct observer *observer, struct device *device)
{
    observer->device = device;
}

const struct device_info *observer_facts(const struct observer *observer)
{
    return &observer->facts;
}

int64_t observer_latency_ms(const struct observer *observer)
{
    return observer->latency_ms;
}

void observer_set_helper(struct observer *observer,
                         struct screen_helper *helper)
{
    observer->helper = helper;
    observer->last_changes = helper ? screen_helper_changes(helper) : 0;
}

void observer_begin_action(struct observer *observer)
{
    if (observer->helper)
        observer->last_changes = screen_helper_changes(observer->helper);
}

void observer_note_action(struct observer *observer)
{
    observer->acted = true;
}

bool observer_time_passes(const struct observer *observer)
{
    return observer->clock.ops->passes;
}

int64_t observer_now_ms(const struct observer *observer)
{
    return phone_clock_now_ms(&observer->clock);
}

/* ---- capturing ---- */

enum black_cause {
    BLACK_OFF,
    BLACK_PROTECTED,
    BLACK_UNKNOWN, /* an app that starts, or shows nothing */
};

static bool find_black_cause(struct observer *observer, struct deadline by,
                             enum black_cause *cause, struct err *err)
{
    struct buf *text = &observer->text;

    buf_clear(text);
    if (!shell_exec(observer->device,
                    "dumpsys power | grep mWakefulness=; "
                    "dumpsys window windows 2>/dev/null | grep ' fl='",
                    by, text, err))
        return false;
    if (strstr(buf_cstr(text), "Asleep") || strstr(buf_cstr(text), "Dozing"))
        *cause = BLACK_OFF;
    else if (strstr(buf_cstr(text), "SECURE"))
        *cause = BLACK_PROTECTED;
    else
        *cause = BLACK_UNKNOWN;
    return true;
}

/*
 * The screen has settled and is black. Without a known reason it may be the
 * window of an app that starts: observe again, for a time that grows with the
 * phone's latency.
 */
static bool wait_while_black(struct observer *observer, struct deadline by,
                             struct observation *seen, struct err *err)
{
    static const char *const doubts[] = {
        [BLACK_OFF] = "the screen is off",
        [BLACK_PROTECTED] = "the window is protected: it shows as black",
        [BLACK_UNKNOWN] = "the screen is black",
    };
    int64_t until_ms =
        observer_now_ms(observer) + observer->slowness * BLACK_MS;
    enum black_cause cause;
    bool still, equal;

    while (observer->tracker.now.black) {
        struct settle settle;

        if (!find_black_cause(observer, by, &cause, err))
            return false;
        if (cause != BLACK_UNKNOWN || observer_now_ms(observer) >= until_ms) {
            observation_doubt(seen, doubts[cause]);
            return true;
        }
        settle_begin(&settle, &observer->settle, observer_now_ms(observer),
                     false);
        if (!observer_settle_by_frames(observer, &settle, by, &still, err) ||
            !observer_read_signals(observer, by, &equal, err))
            return false;
    }
    return true;
}

static void keep_as_last(struct observer *observer, struct observation *seen)
{
    const struct tile_hashes *now = &observer->tracker.now;

    seen->screen_hash = frame_tracker_keep(&observer->tracker);
    observer->last_signals = observer->signals;
    if (observer->helper)
        observer->last_changes = screen_helper_changes(observer->helper);
    seen->black = now->black;
    seen->screen = (struct extent){(int)now->width, (int)now->height};
}

static void fill(struct observer *observer, struct observation *seen)
{
    memcpy(seen->package, observer->signals.package, sizeof(seen->package));
    memcpy(seen->activity, observer->signals.activity, sizeof(seen->activity));
    keep_as_last(observer, seen);
    frame_tracker_png(&observer->tracker, &seen->png);
}

bool observer_capture(struct observer *observer, struct deadline by,
                      struct observation *seen, struct err *err)
{
    struct settle settle;
    int64_t began = observer_now_ms(observer);
    bool still;

    observation_clear(seen);
    observer->tracker.animated = (struct box){0};
    settle_begin(&settle, &observer->settle, began,
                 observer->acted && observer->tracker.last.width);
    if (!observer_settle(observer, &settle, by, &still, err))
        return false;
    observer->acted = false;
    if (!still)
        observation_doubt(seen, "the screen did not settle");
    if (!wait_while_black(observer, by, seen, err))
        return false;
    seen->settle_ms = observer_now_ms(observer) - began;
    fill(observer, seen);
    return true;
}

/* ---- trees ---- */

/* Has the screen changed since the screenshot? */
static bool check_unchanged(struct observer *observer, struct deadline by,
                            struct observation *seen, struct err *err)
{
    enum settle_frame frame;
    bool equal;

    if (observer->counts) {
        if (!observer_read_signals(observer, by, &equal, err))
            return false;
        seen->changed = observer_signals_differ(observer);
    }
    if (!observer->counts || seen->changed) {
        if (!observer_take_frame(observer, by, &frame, err))
            return false;
        observer->tracker.animated = observer->tracker.last_animated;
        seen->changed = frame_tracker_has_changed(&observer->tracker);
    }
    if (seen->changed)
        observation_doubt(seen, "the screen changed while its tree was read");
    return true;
}

static void understand(struct observation *seen, enum ui_dump_outcome outcome)
{
    struct err why;

    if (outcome != UI_DUMP_WHOLE)
        observation_doubt(seen, ui_dump_outcome_text(outcome));
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
    enum ui_dump_outcome outcome;

    seen->has_tree = false;
    if (!ui_dump_take(observer->device, &observer->clock, observer->cancel, by,
                      &seen->xml, &outcome, err) ||
        !check_unchanged(observer, by, seen, err)) {
        buf_clear(&seen->xml);
        return false;
    }
    understand(seen, outcome);
    return true;
}

/* Make an observation of a PNG, without a tree. */
static bool use_png(struct observer *observer, struct deadline by,
                    const struct buf *png, struct observation *seen,
                    struct err *err)
{
    enum settle_frame frame;
    bool equal;

    observation_clear(seen);
    observer->acted = false;
    observer->tracker.animated = (struct box){0};
    if (!frame_tracker_use_png(&observer->tracker, png->data, png->length,
                               &frame, err) ||
        !observer_read_signals(observer, by, &equal, err))
        return false;
    fill(observer, seen);
    return true;
}

/* If the text is not a valid tree, the observation has none. */
static void use_tree(const struct buf *xml, struct observation *seen)
{
    struct err ignored;

    tree_release(&seen->tree);
    seen->has_tree = tree_read(&seen->tree, xml->data, xml->length, &ignored);
    if (!seen->has_tree)
        return;
    buf_append(&seen->xml, xml->data, xml->length);
    if (seen->xml.overflow) {
        buf_clear(&seen->xml);
        seen->has_tree = false;
    }
}

bool observer_adopt(struct observer *observer, struct deadline by,
                    const struct buf *png, const struct buf *xml,
                    struct observation *seen, struct err *err)
{
    if (png ? !use_png(observer, by, png, seen, err)
            : !observer_capture(observer, by, seen, err))
        return false;
    if (xml)
        use_tree(xml, seen);
    return true;
}

/* Is there time for a further attempt, half as long again as the last one? */
static bool has_time(struct deadline by, int64_t took_ms)
{
    int left_ms = deadline_left_ms(by);

    return left_ms < 0 || left_ms > took_ms * 3 / 2;
}

bool observer_observe(struct observer *observer, struct deadline by,
                      struct observation *seen, struct err *err)
{
    for (int i = 0; i < SEE_ATTEMPTS; i++) {
        int64_t began_ns = clock_ns();
        int64_t took_ms;

        if (!observer_capture(observer, by, seen, err) ||
            !observer_read_tree(observer, by, seen, err))
            return false;
        took_ms = (clock_ns() - began_ns) / 1000000;
        if (!seen->changed || !has_time(by, took_ms))
            break;
    }
    return true;
}
