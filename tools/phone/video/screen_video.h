/*
 * The phone's screen as H.264 video: a packet for each change that is looked
 * at, none while nothing changes. While one is open, the phone's virtual clock
 * follows the computer's.
 *
 * Of one thread; nothing here waits. The caller polls it, as often as it wants
 * frames.
 */
#ifndef TOOLS_PHONE_VIDEO_SCREEN_VIDEO_H
#define TOOLS_PHONE_VIDEO_SCREEN_VIDEO_H

#include <stdbool.h>

#include "adb/scrcpy/video_packet.h"
#include "base/err.h"
#include "tools/phone/video/phone_video.h"

#define SCREEN_VIDEO_FPS 60.0F

struct screen_video_settings {
    struct extent size; /* of the video; 0 x 0: as the screen */
    int max_side;       /* without size: limit of the longer side; 0: none */
    int bit_rate;
    float fps; /* at most */
};

struct screen_video;

/* Fails with ERR_LIMIT when the phone has PHONE_VIDEO_ENCODERS of them. */
MUST_USE bool screen_video_open(struct phone_video *phone,
                                const struct screen_video_settings *settings,
                                struct screen_video **video, struct err *err);
void screen_video_close(struct screen_video *video); /* NULL is fine */

/* The next frame is a key frame, and comes even if nothing changes. */
void screen_video_reset(struct screen_video *video);

/*
 * Look at the screen. *got: there is a packet, whose data is valid until the
 * next call; call again at once then. Fails as video_encoder_open,
 * video_encoder_encode and screen_look do.
 */
MUST_USE bool screen_video_poll(struct screen_video *video, bool *got,
                                struct video_packet *packet, struct err *err);

#endif
