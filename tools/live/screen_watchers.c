/* The watchers of a screen: what they have, what they wait for. */
#include <stdlib.h>

#include "base/mem.h"
#include "tools/live/watched_screen_private.h"

/*
 * A watcher who is so many packets behind skips to a key frame, which is
 * requested when that watcher goes on; without one in time it gets all packets.
 */
#define VIDEO_BEHIND_MAX 12
#define KEY_WANTED_NS INT64_C(500000000) /* not more often */
#define KEY_WAIT_NS INT64_C(500000000)

#define REDUCTION_MAX 8U

/* ---- what they need ---- */

static size_t unseen_max(const struct watched_screen *screen)
{
    return screen->shows_video ? LIVE_UNSEEN_VIDEO_MAX : LIVE_UNSEEN_MAX;
}

bool phone_watcher_has_room(const struct phone_watcher *watcher)
{
    return !watcher->pending && !watcher->busy &&
           watcher->unseen_count < unseen_max(watcher->screen);
}

bool phone_watcher_awaits_key(const struct phone_watcher *watcher)
{
    return watcher->key_after &&
           !video_buffer_has_key_after(&watcher->screen->video,
                                       watcher->key_after) &&
           clock_ns() < watcher->key_until;
}

static bool has_news(const struct phone_watcher *watcher)
{
    const struct watched_screen *screen = watcher->screen;

    if (screen->shows_video && phone_watcher_awaits_key(watcher))
        return false;
    return screen->shows_video
               ? video_buffer_next(&screen->video, watcher->since) != NULL
               : screen->map.picture.width &&
                     screen->map.frame > watcher->since;
}

struct phone_watcher *watched_screen_next_watcher(
    const struct watched_screen *screen)
{
    for (struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next) {
        if (phone_watcher_has_room(watcher) && has_news(watcher))
            return watcher;
    }
    return NULL;
}

bool watched_screen_wants_frame(const struct watched_screen *screen)
{
    for (const struct phone_watcher *watcher = screen->watchers; watcher;
         watcher = watcher->next) {
        if (phone_watcher_has_room(watcher) && !has_news(watcher))
            return true;
    }
    return false;
}

void phone_watcher_remove(struct phone_watcher *watcher)
{
    struct phone_watcher **at = &watcher->screen->watchers;

    while (*at != watcher)
        at = &(*at)->next;
    *at = watcher->next;
    watcher->next = NULL;
}

void phone_watcher_append(struct phone_watcher *watcher)
{
    struct phone_watcher **at = &watcher->screen->watchers;

    while (*at)
        at = &(*at)->next;
    *at = watcher;
}

unsigned phone_watcher_reduction(const struct phone_watcher *watcher,
                                 uint32_t width)
{
    unsigned reduction = 1;

    while (watcher->width > 0 && reduction < REDUCTION_MAX &&
           width / (reduction * 2) >= (uint32_t)watcher->width)
        reduction *= 2;
    return reduction;
}

bool watched_screen_may_want_key(struct watched_screen *screen)
{
    const int64_t now = clock_ns();

    if (now - screen->key_wanted < KEY_WANTED_NS)
        return false;
    screen->key_wanted = now;
    return true;
}

/* ---- for those who watch ---- */

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
    phone_watcher_append(watcher);
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
    phone_watcher_remove(watcher);
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
        !watched_screen_may_want_key(screen))
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
