#include "tools/phone/video/screen_video.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/video/video_encoder.h"

enum next_packet {
    NEXT_NONE, /* until the screen has changed */
    NEXT_CONFIG,
    NEXT_FRAME,
};

struct screen_video {
    struct phone_video *phone; /* borrowed */
    struct screen_video_settings settings;
    struct video_encoder *encoder; /* owned; NULL before the first frame */
    struct extent screen;          /* the size that the encoder is made for */
    struct i420 picture;
    uint64_t number;          /* of the last frame that was encoded */
    bool reset;               /* the next frame is a key frame */
    enum next_packet next;    /* what is due of the frame */
    struct video_frame frame; /* of the encoder */
    int64_t encoded_ns;
};

bool screen_video_open(struct phone_video *phone,
                       const struct screen_video_settings *settings,
                       struct screen_video **video, struct err *err)
{
    struct screen_video *opened;

    if (atomic_fetch_add(&phone->encoders, 1) >= PHONE_VIDEO_ENCODERS) {
        atomic_fetch_sub(&phone->encoders, 1);
        return err_set(err, ERR_LIMIT,
                       "%d video encoders are in use, which is the limit",
                       PHONE_VIDEO_ENCODERS);
    }
    opened = mem_new(1, sizeof(*opened));
    opened->phone = phone;
    opened->settings = *settings;
    opened->reset = true;
    clock_follower_join(&phone->follower);
    *video = opened;
    return true;
}

void screen_video_close(struct screen_video *video)
{
    if (!video)
        return;
    clock_follower_leave(&video->phone->follower);
    atomic_fetch_sub(&video->phone->encoders, 1);
    video_encoder_close(video->encoder);
    i420_release(&video->picture);
    free(video);
}

void screen_video_reset(struct screen_video *video)
{
    video->reset = true;
}

/* ---- the size ---- */

/* scrcpy's sides are multiples of 8. */
static int align(double side)
{
    int aligned = (int)(side + 4) / 8 * 8;

    return aligned < VIDEO_ENCODER_SIDE_MIN ? VIDEO_ENCODER_SIDE_MIN : aligned;
}

static struct extent video_size(const struct screen_video *video,
                                struct extent screen)
{
    int longer = screen.width > screen.height ? screen.width : screen.height;
    double scale = 1;

    if (video->settings.size.width)
        return video->settings.size;
    if (video->settings.max_side && video->settings.max_side < longer)
        scale = (double)video->settings.max_side / longer;
    while (scale * screen.width * scale * screen.height >
           VIDEO_ENCODER_PIXELS_MAX)
        scale *= 0.95;
    return (struct extent){align(screen.width * scale),
                           align(screen.height * scale)};
}

/* ---- frames ---- */

static bool prepare_encoder(struct screen_video *video, struct extent screen,
                            struct err *err)
{
    struct extent size;

    if (video->encoder && screen.width == video->screen.width &&
        screen.height == video->screen.height)
        return true;
    video_encoder_close(video->encoder);
    video->encoder = NULL;
    size = video_size(video, screen);
    if (!video_encoder_open(size, video->settings.bit_rate, video->settings.fps,
                            &video->encoder, err))
        return false;
    video->screen = screen;
    i420_resize(&video->picture, size);
    return true;
}

static bool encode(struct screen_video *video, const struct phone_frame *frame,
                   struct err *err)
{
    struct extent screen = {(int)frame->picture.width,
                            (int)frame->picture.height};

    if (!prepare_encoder(video, screen, err))
        return false;
    i420_from_picture(&video->picture, &frame->picture);
    video->encoded_ns = clock_ns();
    if (!video_encoder_encode(video->encoder, &video->picture,
                              video->encoded_ns / 1000000, video->reset,
                              &video->frame, err))
        return false;
    video->number = frame->number;
    video->reset = false;
    return true;
}

static struct video_packet packet_of(const struct screen_video *video,
                                     enum video_packet_kind kind,
                                     const struct buf *data)
{
    return (struct video_packet){
        .kind = kind,
        .pts_us = kind == VIDEO_CONFIG ? 0 : (uint64_t)video->encoded_ns / 1000,
        .size = video->picture.size,
        .data = (const uint8_t *)data->data,
        .length = data->length,
    };
}

static enum next_packet first_packet(const struct video_frame *frame)
{
    if (frame->is_key && frame->config->length)
        return NEXT_CONFIG;
    return frame->frame->length ? NEXT_FRAME : NEXT_NONE;
}

static bool look(struct screen_video *video, struct err *err)
{
    struct phone_frame *frame;
    bool done = true;

    clock_follower_move(&video->phone->follower);
    if (!screen_look(video->phone->screen->screen, &frame, err))
        return false;
    if (video->reset || frame->number != video->number) {
        done = encode(video, frame, err);
        if (done)
            video->next = first_packet(&video->frame);
    }
    screen_frame_drop(frame);
    return done;
}

bool screen_video_poll(struct screen_video *video, bool *got,
                       struct video_packet *packet, struct err *err)
{
    if (video->next == NEXT_NONE && !look(video, err))
        return false;
    *got = video->next != NEXT_NONE;
    if (video->next == NEXT_CONFIG) {
        *packet = packet_of(video, VIDEO_CONFIG, video->frame.config);
        video->next = NEXT_FRAME;
    } else if (video->next == NEXT_FRAME) {
        *packet =
            packet_of(video, video->frame.is_key ? VIDEO_KEY : VIDEO_DELTA,
                      video->frame.frame);
        video->next = NEXT_NONE;
    }
    return true;
}
