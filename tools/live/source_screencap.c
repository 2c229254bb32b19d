/*
 * Screenshots of any phone over ADB, as fast as the phone takes them while the
 * screen changes, and less often while it does not.
 *
 * Each method is used once; then the fastest one.
 */
#include <pthread.h>
#include <stdlib.h>

#include "adb/services/screenshot.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "tools/live/live_source.h"

#define SHOT_MS 20000

/* Pause after a screenshot without a change: from, doubled, at most. */
#define PAUSE_MS 50
#define PAUSE_MS_MAX 400

/* One method, and how long it took. */
struct screencap_way {
    enum screenshot_way way;
    int64_t took_ns; /* 0: not tried; INT64_MAX: it does not work */
};

#define WAYS 4

struct source_screencap {
    struct live_source source; /* first */
    struct device *device;     /* borrowed */
    struct live_sink sink;
    struct screencap_way ways[WAYS];
    struct screenshot shot;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t changed;
    bool hurry; /* the screen will change: no pause */
    bool stopped;
};

/* The first that was not tried, or else the fastest; NULL: none works. */
static struct screencap_way *pick_way(struct source_screencap *source)
{
    struct screencap_way *best = NULL;

    for (size_t i = 0; i < WAYS; i++) {
        struct screencap_way *way = &source->ways[i];

        if (way->took_ns != INT64_MAX &&
            (!best || way->took_ns < best->took_ns))
            best = way;
    }
    return best;
}

static bool shoot(struct source_screencap *source, struct screencap_way *way,
                  struct err *err)
{
    const int64_t began = clock_ns();

    if (!screenshot_take(source->device, way->way, deadline_in_ms(SHOT_MS),
                         &source->shot, err) ||
        !screenshot_decode(&source->shot, err)) {
        way->took_ns = INT64_MAX;
        return false;
    }
    way->took_ns = clock_ns() - began;
    return true;
}

/* Take a picture by any method that works; false: none does. */
static bool take_picture(struct source_screencap *source, struct err *err)
{
    struct screencap_way *way;

    (void)err_set(err, ERR_UNSUPPORTED, "the phone takes no screenshots");
    while ((way = pick_way(source))) {
        if (shoot(source, way, err))
            return true;
        if (err->code == ERR_LOST || err->code == ERR_CANCELLED)
            return false;
    }
    return false;
}

/* False: stopped. */
static bool pause_for(struct source_screencap *source, int64_t ms)
{
    const struct timespec end = deadline_timespec(deadline_in_ms(ms));
    int number = 0;
    bool goes_on;

    pthread_mutex_lock(&source->lock);
    while (!number && ms && !source->hurry && !source->stopped)
        number = pthread_cond_timedwait(&source->changed, &source->lock, &end);
    source->hurry = false;
    goes_on = !source->stopped;
    pthread_mutex_unlock(&source->lock);
    return goes_on;
}

static void *take_screenshots(void *context)
{
    struct source_screencap *source = context;
    const struct live_sink *sink = &source->sink;
    int64_t pause = 0;

    while (sink->wait_wanted(sink->context) && pause_for(source, pause)) {
        struct err err;

        if (!take_picture(source, &err)) {
            sink->failed(sink->context, &err);
            break;
        }
        if (sink->picture(sink->context, &source->shot.picture,
                          clock_ns() / 1000))
            pause = 0;
        else
            pause = !pause                     ? PAUSE_MS
                    : pause * 2 < PAUSE_MS_MAX ? pause * 2
                                               : PAUSE_MS_MAX;
    }
    return NULL;
}

static void source_screencap_hurry(struct live_source *source)
{
    struct source_screencap *screencap = (struct source_screencap *)source;

    pthread_mutex_lock(&screencap->lock);
    screencap->hurry = true;
    pthread_cond_broadcast(&screencap->changed);
    pthread_mutex_unlock(&screencap->lock);
}

static void release(struct source_screencap *source)
{
    screenshot_release(&source->shot);
    pthread_cond_destroy(&source->changed);
    pthread_mutex_destroy(&source->lock);
    free(source);
}

static void source_screencap_stop(struct live_source *source)
{
    struct source_screencap *screencap = (struct source_screencap *)source;

    pthread_mutex_lock(&screencap->lock);
    screencap->stopped = true;
    pthread_cond_broadcast(&screencap->changed);
    pthread_mutex_unlock(&screencap->lock);
    pthread_join(screencap->thread, NULL);
    release(screencap);
}

bool source_screencap_start(struct device *device, const struct live_sink *sink,
                            struct live_source **source, struct err *err)
{
    static const struct live_source_ops ops = {.stop = source_screencap_stop,
                                               .hurry = source_screencap_hurry};
    struct source_screencap *made = mem_new(1, sizeof(*made));
    int number;

    *made = (struct source_screencap){
        .source.ops = &ops,
        .device = device,
        .sink = *sink,
        .ways = {{SCREENSHOT_RAW, 0},
                 {SCREENSHOT_GZIP, 0},
                 {SCREENSHOT_PNG, 0},
                 {SCREENSHOT_FRAMEBUFFER, 0}},
        .shot = SCREENSHOT_INIT,
    };
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    number = pthread_create(&made->thread, NULL, take_screenshots, made);
    if (number) {
        release(made);
        return err_errno(err, number, "starting a thread for screenshots");
    }
    *source = &made->source;
    return true;
}
