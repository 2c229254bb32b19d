/*
 * What the files of a watched screen share: the screen, its watchers, and who
 * is served next. All functions here are called with the lock.
 */
#ifndef TOOLS_LIVE_WATCHED_SCREEN_PRIVATE_H
#define TOOLS_LIVE_WATCHED_SCREEN_PRIVATE_H

#include <pthread.h>

#include "tools/live/frame_times.h"
#include "tools/live/patch_cache.h"
#include "tools/live/tile_map.h"
#include "tools/live/video_buffer.h"
#include "tools/live/watched_screen.h"

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

/* ---- screen_watchers.c ---- */

void phone_watcher_append(struct phone_watcher *watcher);
void phone_watcher_remove(struct phone_watcher *watcher);

/* May another packet be made for it? */
bool phone_watcher_has_room(const struct phone_watcher *watcher);
/* Does it still wait for the key frame to skip to? */
bool phone_watcher_awaits_key(const struct phone_watcher *watcher);
/* How many pixels of a picture of that width are one of those it gets. */
unsigned phone_watcher_reduction(const struct phone_watcher *watcher,
                                 uint32_t width);

/* The watcher to encode for next; NULL: none. */
struct phone_watcher *watched_screen_next_watcher(
    const struct watched_screen *screen);
/* Does a watcher wait for a frame that is not there yet? */
bool watched_screen_wants_frame(const struct watched_screen *screen);
/* A key frame is needed: may one be requested now? */
bool watched_screen_may_want_key(struct watched_screen *screen);

/* ---- screen_encoder.c ---- */

/*
 * The thread that encodes for each watcher what that one has not seen, until
 * the screen, its context, is stopped. Called without the lock.
 */
void *watched_screen_encode(void *context);

#endif
