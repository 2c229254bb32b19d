/* State that all videos of one phone's screen share. */
#ifndef TOOLS_PHONE_VIDEO_PHONE_VIDEO_H
#define TOOLS_PHONE_VIDEO_PHONE_VIDEO_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "tools/phone/core/clock_follower.h"
#include "tools/phone/services/cmd_screen.h"

/* The most encoders at once; each has about 16 bytes per pixel. */
#define PHONE_VIDEO_ENCODERS 8

#define PHONE_VIDEO_FAMILIES 1

struct phone_video {
    struct screen_context *screen; /* borrowed */
    struct clock_follower follower;
    atomic_uint encoders;
    pthread_mutex_t lock; /* guards the clipboard */
    struct buf clipboard;
};

/* screen may be filled in later, before the first command. */
void phone_video_init(struct phone_video *video, struct screen_context *screen,
                      struct virtual_clock *clock);
void phone_video_release(struct phone_video *video);

/*
 * The commands screenrecord and app_process, which is scrcpy's server here and
 * passes every other class on: this family comes before that of services.
 */
void phone_video_families(struct phone_video *video,
                          struct command_family families[PHONE_VIDEO_FAMILIES]);

#endif
