#include "tools/live/watched_screen.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/extent.h"
#include "base/mem.h"
#include "tools/live/frame_times.h"
#include "tools/live/patch_cache.h"
#include "tools/live/tile_map.h"
#include "tools/live/video_buffer.h"

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

/*
 * A watcher who is so many packets behind skips to a key frame, which is
 * requested when that watcher goes on; without one in time it gets all packets.
 */
#define VIDEO_BEHIND_MAX 12
#define KEY_WANTED_NS INT64_C(500000000) /* not more often */
#define KEY_WAIT_NS INT64_C(500000000)
#define KEY_MISSED_NS INT64_C(10000000000) /* then it is not tried again */

#define REDUCTION_MAX 8U

struct phone_watcher {
    struct watched_screen *screen;
    struct phone_watcher *next;
    void (*on_packet)(void *context);
    void *context;
    int width;      /* of the picture it shows; 0: as large as possible */
    uint32_t since; /* the newest frame that was encoded for it; 0: none */
    uint32_t sent;  /* the newest frame that was taken for it; 0: none */
    uint32_t unseen[LIVE_UNSEEN_VIDEO_MAX]; /* frames on their way */
    size_t unseen_count;
    struct live_packet *pending; /* owned; encoded, not taken yet */
    bool busy;                   /* the encoder uses it */
    uint32_t key_after; /* skips to a key frame after this one; 0: does not */
    int64_t key_until;  /* if it comes by then */
    int64_t skips_from; /* none came: it skips no more until then */
};

struct watched_screen {
    struct watched_screen_options options;
    pthread_t encoder;
    pthread_mutex_t pixels; /* guards cache */
    pthread_mutex_t lock;   /* guards the rest but map, of which both locks are
                               needed to change it, and one to read it */
    pthread_cond_t changed; /* for the encoder, the source, closing watchers */
    struct tile_map map;
    struct patch_cache cache;
    struct video_buffer video;
    bool shows_video;
    uint16_t video_width, video_height;
    struct frame_times times;
    int64_t source_began;   /* when the source was started */
    int64_t key_wanted;     /* when a key frame was requested last */
    int64_t picture_wanted; /* when the source went on last */
    bool source_ends;       /* the source must not wait any more */
    bool stopped;
    struct phone_watcher *watchers; /* the one served longest ago first */
};

/* ---- what watchers need; locked ---- */

static size_t unseen_max(const struct watched_screen *screen)
{
    return screen->shows_video ? LIVE_UNSEEN_VIDEO_MAX : LIVE_UNSEEN_MAX;
}

static bool has_room(const struct phone_watcher *watcher)
{
    return !watcher->pending && !watcher->busy &&
           watcher->unseen_count < unseen_max(watcher->screen);
}

/* Does it still wait for the key frame to skip to? */
static bool awaits_key(const struct phone_watcher *watcher)
{
    return watcher->key_after &&
           !video_buffer_has_key_after(&watcher->screen->video,
                                       watcher->key_after) &&
           clock_ns() < watcher->key_until;
}

static bool has_news(const struct phone_watcher *watcher)
{
    const struct watched_screen *screen = watcher->screen;

    if (screen->shows_video && awaits_key(watcher))
        return false;
    return screen->shows_video
               ? video_buffer_next(&screen->video, watcher->since) != NULL
               : screen->map.picture.width &&
                     screen->map.frame > watcher->since;
}

/* The watcher to encode for next; NULL: none. */
static struct phone_watcher *next_watcher(const struct watched_screen *screen)
{
    for (struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next) {
        if (has_room(watcher) && has_news(watcher))
            return watcher;
    }
    return NULL;
}

/* Does a watcher wait for a frame that is not there yet? */
static bool is_frame_wanted(const struct watched_screen *screen)
{
    for (const struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next) {
        if (has_room(watcher) && !has_news(watcher))
            return true;
    }
    return false;
}

static void remove_watcher(struct phone_watcher *watcher)
{
    struct phone_watcher **at = &watcher->screen->watchers;

    while (*at != watcher)
        at = &(*at)->next;
    *at = watcher->next;
    watcher->next = NULL;
}

static void append_watcher(struct phone_watcher *watcher)
{
    struct phone_watcher **at = &watcher->screen->watchers;

    while (*at)
        at = &(*at)->next;
    *at = watcher;
}

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

/* A key frame is needed: may one be requested now? Locked. */
static bool want_key(struct watched_screen *screen)
{
    const int64_t now = clock_ns();

    if (now - screen->key_wanted < KEY_WANTED_NS)
        return false;
    screen->key_wanted = now;
    return true;
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
             want_key(screen);
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

static unsigned reduction_for(const struct phone_watcher *watcher,
                              uint32_t width)
{
    unsigned reduction = 1;

    while (watcher->width > 0 && reduction < REDUCTION_MAX &&
           width / (reduction * 2) >= (uint32_t)watcher->width)
        reduction *= 2;
    return reduction;
}

/* When there may be another picture. */
static struct deadline next_picture(const struct watched_screen *screen)
{
    bool small = screen->watchers != NULL;

    for (const struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next)
        small = small && reduction_for(watcher, screen->map.picture.width) >=
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
    return deadline_later(next_picture(screen), is_frame_wanted(screen)
                                                    ? (struct deadline){0}
                                                    : unwanted);
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

/* ---- encoding ---- */

static struct live_packet *video_packet(struct watched_screen *screen,
                                        uint32_t since)
{
    struct live_video *video = video_buffer_next(&screen->video, since);
    struct live_packet *packet = mem_new(1, sizeof(*packet));

    *packet = (struct live_packet){.kind = LIVE_VIDEO,
                                   .frame = video->number,
                                   .width = video->width,
                                   .height = video->height,
                                   .time_us = video->time_us,
                                   .video = live_video_hold(video)};
    return packet;
}

/* What is new since a frame; NULL if it cannot be encoded. */
static struct live_packet *picture_packet(struct watched_screen *screen,
                                          uint32_t since, unsigned reduction)
{
    struct tile_map_patch parts[TILE_MAP_PATCHES_MAX];
    const struct tile_map *map = &screen->map;
    struct live_packet *packet = mem_new(1, sizeof(*packet));
    size_t count = tile_map_patches(map, since, clock_ns(), parts);
    struct err err;

    *packet = (struct live_packet){
        .kind = LIVE_PICTURES,
        .frame = map->frame,
        .width = (uint16_t)map->picture.width,
        .height = (uint16_t)map->picture.height,
        .time_us = map->time_us,
        .patches = mem_new(count + 1, sizeof(packet->patches[0]))};
    for (; packet->patch_count < count; packet->patch_count++) {
        if (!patch_cache_get(&screen->cache, map, &parts[packet->patch_count],
                             reduction, &packet->patches[packet->patch_count],
                             &err)) {
            live_packet_free(packet);
            screen->options.on_failed(screen->options.context, &err);
            return NULL;
        }
    }
    return packet;
}

static void note_lossy(struct watched_screen *screen,
                       const struct live_packet *packet)
{
    for (size_t i = 0; i < packet->patch_count; i++) {
        if (packet->patches[i]->format == LIVE_JPEG)
            tile_map_note_lossy(&screen->map, packet->patches[i]->box);
    }
}

/* Give a watcher its packet; locked. */
static void hand_over(struct phone_watcher *watcher, struct live_packet *packet)
{
    note_lossy(watcher->screen, packet);
    watcher->since = packet->frame;
    if (watcher->key_after && !video_buffer_has_key_after(
                                  &watcher->screen->video, watcher->key_after))
        watcher->skips_from = clock_ns() + KEY_MISSED_NS;
    watcher->key_after = 0;
    watcher->unseen[watcher->unseen_count++] = packet->frame;
    watcher->pending = packet;
    remove_watcher(watcher);
    append_watcher(watcher);
}

/*
 * Encode for one watcher, with both locks held; they are released. The watcher
 * is busy, so it is not closed meanwhile.
 */
static void serve(struct watched_screen *screen, struct phone_watcher *watcher)
{
    const uint32_t since = watcher->since;
    const unsigned reduction =
        reduction_for(watcher, screen->map.picture.width);
    const bool video = screen->shows_video;
    struct live_packet *packet = video ? video_packet(screen, since) : NULL;

    watcher->busy = true;
    pthread_mutex_unlock(&screen->lock);
    if (!video)
        packet = picture_packet(screen, since, reduction);
    pthread_mutex_lock(&screen->lock);
    if (packet)
        hand_over(watcher, packet);
    pthread_mutex_unlock(&screen->lock);
    pthread_mutex_unlock(&screen->pixels);
    if (packet)
        watcher->on_packet(watcher->context);
    pthread_mutex_lock(&screen->lock);
    watcher->busy = false;
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
}

/* When there is something to refine, or a watcher waits no longer for a key
 * frame; locked. */
static struct deadline next_turn(const struct watched_screen *screen)
{
    struct deadline turn = DEADLINE_NEVER;

    if (!screen->shows_video)
        return (struct deadline){tile_map_refine_at(&screen->map)};
    for (const struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next) {
        if (awaits_key(watcher) && has_room(watcher))
            turn = deadline_sooner(turn, (struct deadline){watcher->key_until});
    }
    return turn;
}

/* Wait until there is something to encode or to refine; false: stopped. */
static bool await_work(struct watched_screen *screen)
{
    bool goes_on;

    pthread_mutex_lock(&screen->lock);
    while (!screen->stopped && !next_watcher(screen)) {
        const struct deadline turn = next_turn(screen);
        const struct timespec end = deadline_timespec(turn);

        if (!screen->shows_video && deadline_passed(turn))
            break;
        if (turn.at_ns == INT64_MAX)
            pthread_cond_wait(&screen->changed, &screen->lock);
        else
            (void)pthread_cond_timedwait(&screen->changed, &screen->lock, &end);
    }
    goes_on = !screen->stopped;
    pthread_mutex_unlock(&screen->lock);
    return goes_on;
}

static void *encode_all(void *context)
{
    struct watched_screen *screen = context;

    while (await_work(screen)) {
        struct phone_watcher *watcher;

        pthread_mutex_lock(&screen->pixels);
        pthread_mutex_lock(&screen->lock);
        if (!screen->shows_video)
            tile_map_refine(&screen->map, clock_ns());
        watcher = next_watcher(screen);
        if (watcher) {
            serve(screen, watcher);
            continue;
        }
        pthread_mutex_unlock(&screen->lock);
        pthread_mutex_unlock(&screen->pixels);
    }
    return NULL;
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
    number = pthread_create(&made->encoder, NULL, encode_all, made);
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

/* ---- watchers ---- */

struct phone_watcher *watched_screen_watch(struct watched_screen *screen,
                                           int width,
                                           void (*on_packet)(void *context),
                                           void *context)
{
    struct phone_watcher *watcher = mem_new(1, sizeof(*watcher));

    watcher->screen = screen;
    watcher->on_packet = on_packet;
    watcher->context = context;
    watcher->width = width;
    pthread_mutex_lock(&screen->lock);
    append_watcher(watcher);
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    return watcher;
}

void phone_watcher_close(struct phone_watcher *watcher)
{
    struct watched_screen *screen;

    if (!watcher)
        return;
    screen = watcher->screen;
    pthread_mutex_lock(&screen->lock);
    while (watcher->busy)
        pthread_cond_wait(&screen->changed, &screen->lock);
    remove_watcher(watcher);
    pthread_mutex_unlock(&screen->lock);
    live_packet_free(watcher->pending);
    free(watcher);
}

struct live_packet *phone_watcher_take(struct phone_watcher *watcher)
{
    struct watched_screen *screen = watcher->screen;
    struct live_packet *packet;

    pthread_mutex_lock(&screen->lock);
    packet = watcher->pending;
    watcher->pending = NULL;
    if (packet)
        watcher->sent = packet->frame;
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    return packet;
}

/* One who goes on far behind skips to a key frame, if one can be requested;
 * locked. */
static bool skip_to_key(struct phone_watcher *watcher)
{
    struct watched_screen *screen = watcher->screen;

    if (!screen->shows_video || watcher->key_after ||
        clock_ns() < watcher->skips_from ||
        video_buffer_behind(&screen->video, watcher->since) <=
            VIDEO_BEHIND_MAX ||
        !want_key(screen))
        return false;
    watcher->key_after = screen->map.frame;
    watcher->key_until = clock_ns() + KEY_WAIT_NS;
    return true;
}

void phone_watcher_seen(struct phone_watcher *watcher, uint32_t frame)
{
    struct watched_screen *screen = watcher->screen;
    size_t kept = 0;
    bool skips;

    pthread_mutex_lock(&screen->lock);
    for (size_t i = 0; i < watcher->unseen_count; i++) {
        if (watcher->unseen[i] > frame || frame > watcher->sent)
            watcher->unseen[kept++] = watcher->unseen[i];
    }
    watcher->unseen_count = kept;
    skips = skip_to_key(watcher);
    pthread_cond_broadcast(&screen->changed);
    pthread_mutex_unlock(&screen->lock);
    if (skips)
        screen->options.on_key_wanted(screen->options.context);
}
