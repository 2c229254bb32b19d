/*
 * A screen and its watchers: takes what the source delivers, and a thread
 * encodes for each watcher what that one has not seen.
 *
 * Two locks, taken in this order:
 *     pixels   the newest picture and its tiles; held while it is encoded
 *     lock     everything else, and for changes of the tiles; held for as long
 *              as two pictures are compared
 */
#ifndef TOOLS_LIVE_WATCHED_SCREEN_H
#define TOOLS_LIVE_WATCHED_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "tools/live/live_source.h"
#include "tools/live/phone_view.h"

struct watched_screen;

struct watched_screen_options {
    /* The first frame of a source, or another size. Must not block. */
    void (*on_status)(void *context);
    /* The source has failed. Must not block. */
    void (*on_failed)(void *context, const struct err *err);
    /* A watcher of a video needs a key frame. Must not block. */
    void (*on_key_wanted)(void *context);
    void *context;
};

/* Fails when no thread can be started. */
MUST_USE bool watched_screen_start(const struct watched_screen_options *options,
                                   struct watched_screen **screen,
                                   struct err *err);

/* All watchers must have been closed, and the source stopped. NULL is fine. */
void watched_screen_stop(struct watched_screen *screen);

/* Where a source delivers. */
struct live_sink watched_screen_sink(struct watched_screen *screen);

/* A source is about to start: its rate and its first frame are measured. */
void watched_screen_begin_source(struct watched_screen *screen);

/* A source is about to be stopped: what it waits for ends. */
void watched_screen_end_source(struct watched_screen *screen);

struct watched_screen_status {
    uint32_t frame;
    int width; /* 0: no picture yet */
    int height;
    double fps;       /* in the last second */
    double best_fps;  /* of this source in any second */
    uint64_t frames;  /* of this source */
    int first_ms;     /* of this source until its first frame; -1: none yet */
    bool watched;     /* sources of pictures wait for the first watcher */
    uint64_t encoded; /* how many rectangles were encoded, for tests */
};

void watched_screen_status(struct watched_screen *screen,
                           struct watched_screen_status *status);

/*
 * May a finger that saw this frame come down at this point? Fails with
 * ERR_REFUSED if the screen there has changed since, and ERR_INVALID for a
 * point outside of the screen.
 */
MUST_USE bool watched_screen_check_touch(struct watched_screen *screen,
                                         const struct view_command *touch,
                                         struct err *err);

/* See phone_view_watch. */
struct phone_watcher *watched_screen_watch(struct watched_screen *screen,
                                           int width,
                                           void (*on_packet)(void *context),
                                           void *context);

#endif
