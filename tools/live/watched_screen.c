#include "tools/live/watched_screen.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/extent.h"
#include "base/mem.h"
#include "tools/live/watched_screen_private.h"

/* While no watcher wants a frame, one is taken so often nevertheless, so that
 * touches are compared with what the screen shows. */
#define UNWANTED_MS 100

/*
 * The least time between two pictures: smooth for a large one; for small ones,
 * of which many are looked at together, few enough that a wall of them does not
 * keep a core busy.
 */
#define FRAME_NS INT64_C(20000000)
#define SMALL_FRAME_NS INT64_C(66000000)
#define SMALL_REDUCTION 4

/* A finger covers the pixels around its point. */
#define FINGER_RADIUS 16

/* A touch may be made on a frame of a video that is so much older than the
 * newest one. */
#define VIDEO_STALE_NS INT64_C(500000000)

/* ---- the sink ---- */

/* Videos and pictures follow each other when the source changes. */
static void show_pictures(struct watched_screen *screen)
{
    screen->shows_video = false;
    video_buffer_release(&screen->video);
}

static bool on_picture(void *context, const struct picture *picture,
                       int64_t time_us)
{
    struct watched_screen *screen = context;
    struct tile_map *map = &screen->map;
    struct err err;
    bool resized, done;
    bool changed = false;

    pthread_mutex_lock(&screen->pixels);
    pthread_mutex_lock(&screen->lock);
    resized = map->picture.width != picture->width ||
              map->picture.height != picture->height;
    show_pictures(screen);
    done = tile_map_update(map, picture, time_us, clock_ns(), &changed, &err);
    if (changed)
        frame_times_add(&screen->times, map->frame, clock_ns());
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    pthread_mutex_unlock(&screen->pixels);
    if (!done)
        screen->options.on_failed(screen->options.context, &err);
    else if (resized)
        screen->options.on_status(screen->options.context);
    return changed;
}

static struct live_video *copy_packet(const struct live_source_packet *packet,
                                      uint32_t number)
{
    struct live_video *video = mem_new(1, sizeof(*video));

    *video = (struct live_video){.number = number,
                                 .config = packet->config,
                                 .key = packet->key,
                                 .width = packet->width,
                                 .height = packet->height,
                                 .time_us = packet->time_us,
                                 .bytes = BUF_INIT(packet->length)};
    atomic_init(&video->holders, 1);
    buf_append(&video->bytes, packet->bytes, packet->length);
    return video;
}

/* The picture of before does not count any more: locked, with pixels. */
static void show_video(struct watched_screen *screen)
{
    screen->shows_video = true;
    screen->map.picture.width = 0;
    screen->map.picture.height = 0;
}

static void on_video(void *context, const struct live_source_packet *packet)
{
    struct watched_screen *screen = context;
    bool resized, wanted;

    pthread_mutex_lock(&screen->pixels);
    pthread_mutex_lock(&screen->lock);
    resized = !screen->shows_video || screen->video_width != packet->width ||
              screen->video_height != packet->height;
    show_video(screen);
    screen->video_width = packet->width;
    screen->video_height = packet->height;
    wanted = !video_buffer_add(&screen->video,
                               copy_packet(packet, ++screen->map.frame)) &&
             watched_screen_may_want_key(screen);
    if (!packet->config)
        frame_times_add(&screen->times, screen->map.frame, clock_ns());
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    pthread_mutex_unlock(&screen->pixels);
    if (resized)
        screen->options.on_status(screen->options.context);
    if (wanted)
        screen->options.on_key_wanted(screen->options.context);
}

static void on_failed(void *context, const struct err *err)
{
    struct watched_screen *screen = context;

    screen->options.on_failed(screen->options.context, err);
}

/* When there may be another picture. */
static struct deadline next_picture(const struct watched_screen *screen)
{
    bool small = screen->watchers != NULL;

    for (const struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next)
        small = small &&
                phone_watcher_reduction(watcher, screen->map.picture.width) >=
                    SMALL_REDUCTION;
    return (struct deadline){screen->picture_wanted +
                             (small ? SMALL_FRAME_NS : FRAME_NS)};
}

/*
 * Until when a source waits before its next picture: without watchers without
 * end, with watchers that are busy a little, and always for its turn.
 */
static struct deadline wait_until(const struct watched_screen *screen,
                                  struct deadline unwanted)
{
    if (!screen->watchers)
        return DEADLINE_NEVER;
    return deadline_later(
        next_picture(screen),
        watched_screen_wants_frame(screen) ? (struct deadline){0} : unwanted);
}

static bool wait_wanted(void *context)
{
    struct watched_screen *screen = context;
    const struct deadline unwanted = deadline_in_ms(UNWANTED_MS);
    bool goes_on;

    pthread_mutex_lock(&screen->lock);
    while (!screen->source_ends) {
        const struct deadline until = wait_until(screen, unwanted);
        const struct timespec end = deadline_timespec(until);

        if (deadline_passed(until))
            break;
        if (until.at_ns == INT64_MAX)
            pthread_cond_wait(&screen->changed, &screen->lock);
        else
            (void)pthread_cond_timedwait(&screen->changed, &screen->lock, &end);
    }
    screen->picture_wanted = clock_ns();
    goes_on = !screen->source_ends;
    pthread_mutex_unlock(&screen->lock);
    return goes_on;
}

struct live_sink watched_screen_sink(struct watched_screen *screen)
{
    return (struct live_sink){on_picture, on_video, on_failed, wait_wanted,
                              screen};
}

void watched_screen_begin_source(struct watched_screen *screen)
{
    pthread_mutex_lock(&screen->pixels);
    pthread_mutex_lock(&screen->lock);
    screen->source_ends = false;
    screen->source_began = clock_ns();
    screen->key_wanted = 0;
    frame_times_init(&screen->times);
    pthread_mutex_unlock(&screen->lock);
    pthread_mutex_unlock(&screen->pixels);
}

void watched_screen_end_source(struct watched_screen *screen)
{
    pthread_mutex_lock(&screen->lock);
    screen->source_ends = true;
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
}

/* ---- starting and stopping ---- */

static void release(struct watched_screen *screen)
{
    tile_map_release(&screen->map);
    patch_cache_release(&screen->cache);
    video_buffer_release(&screen->video);
    pthread_cond_destroy(&screen->changed);
    pthread_mutex_destroy(&screen->lock);
    pthread_mutex_destroy(&screen->pixels);
    free(screen);
}

bool watched_screen_start(const struct watched_screen_options *options,
                          struct watched_screen **screen, struct err *err)
{
    struct watched_screen *made = mem_new(1, sizeof(*made));
    int number;

    made->options = *options;
    tile_map_init(&made->map);
    patch_cache_init(&made->cache);
    video_buffer_init(&made->video);
    frame_times_init(&made->times);
    pthread_mutex_init(&made->pixels, NULL);
    pthread_mutex_init(&made->lock, NULL);
    deadline_cond_init(&made->changed);
    number = pthread_create(&made->encoder, NULL, watched_screen_encode, made);
    if (number) {
        release(made);
        return err_errno(err, number, "starting a thread for pictures");
    }
    *screen = made;
    return true;
}

void watched_screen_stop(struct watched_screen *screen)
{
    if (!screen)
        return;
    pthread_mutex_lock(&screen->lock);
    screen->stopped = true;
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    pthread_join(screen->encoder, NULL);
    release(screen);
}

/* ---- questions ---- */

static struct extent size_of(const struct watched_screen *screen)
{
    return screen->shows_video
               ? (struct extent){screen->video_width, screen->video_height}
               : (struct extent){(int)screen->map.picture.width,
                                 (int)screen->map.picture.height};
}

void watched_screen_status(struct watched_screen *screen,
                           struct watched_screen_status *status)
{
    struct extent size;

    pthread_mutex_lock(&screen->lock);
    size = size_of(screen);
    *status = (struct watched_screen_status){
        .frame = screen->map.frame,
        .width = size.width,
        .height = size.height,
        .fps = frame_times_rate(&screen->times, clock_ns()),
        .best_fps = screen->times.best,
        .frames = screen->times.count,
        .first_ms =
            screen->times.count
                ? (int)((screen->times.first - screen->source_began) / 1000000)
                : -1,
        .watched = screen->watchers != NULL,
        .encoded = screen->cache.encoded,
    };
    pthread_mutex_unlock(&screen->lock);
}

static bool is_stale(const struct watched_screen *screen,
                     const struct view_command *touch)
{
    if (touch->frame == screen->map.frame)
        return false;
    if (!screen->shows_video)
        return tile_map_changed_near(&screen->map, touch->frame, touch->x,
                                     touch->y, FINGER_RADIUS);
    return frame_times_age(&screen->times, touch->frame, clock_ns()) >
           VIDEO_STALE_NS;
}

static bool check_touch(const struct watched_screen *screen,
                        const struct view_command *touch, struct err *err)
{
    const struct extent size = size_of(screen);

    if (!size.width)
        return err_set(err, ERR_REFUSED,
                       "there is no picture of the phone yet");
    if (touch->width != size.width || touch->height != size.height)
        return err_set(err, ERR_REFUSED,
                       "the screen has changed: it is %dx%d pixels now",
                       size.width, size.height);
    if (touch->x < 0 || touch->y < 0 || touch->x >= size.width ||
        touch->y >= size.height)
        return err_set(err, ERR_INVALID,
                       "the point (%d, %d) is outside of the screen", touch->x,
                       touch->y);
    return !is_stale(screen, touch) ||
           err_set(err, ERR_REFUSED, "the screen has changed");
}

bool watched_screen_check_touch(struct watched_screen *screen,
                                const struct view_command *touch,
                                struct err *err)
{
    bool done;

    pthread_mutex_lock(&screen->lock);
    done = check_touch(screen, touch, err);
    pthread_mutex_unlock(&screen->lock);
    return done;
}
