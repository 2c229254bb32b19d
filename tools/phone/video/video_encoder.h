/* Encodes pictures of one size as H.264, without delay: OpenH264. */
#ifndef TOOLS_PHONE_VIDEO_VIDEO_ENCODER_H
#define TOOLS_PHONE_VIDEO_VIDEO_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/extent.h"
#include "tools/phone/video/i420.h"

/* The sizes it can encode. */
#define VIDEO_ENCODER_SIDE_MIN 16
#define VIDEO_ENCODER_PIXELS_MAX (36864 * 256) /* level 5.2 */

struct video_encoder;

/*
 * size: both sides are even. bit_rate chooses the quality; what it takes
 * depends on the screen. Fails with ERR_UNSUPPORTED for a size beyond the
 * limits.
 */
MUST_USE bool video_encoder_open(struct extent size, int bit_rate, float fps,
                                 struct video_encoder **encoder,
                                 struct err *err);
void video_encoder_close(struct video_encoder *encoder); /* NULL is fine */

/* One encoded picture. Both are borrowed, until the next call. */
struct video_frame {
    const struct buf *config; /* parameter sets; empty unless it is a key */
    const struct buf *frame;
    bool is_key;
};

/*
 * Encode the next picture; the first one is a key frame, and each for which key
 * is true. time_ms increases. Fails with ERR_IO if the encoder does, and with
 * ERR_LIMIT if the frame is larger than VIDEO_PACKET_MAX.
 */
MUST_USE bool video_encoder_encode(struct video_encoder *encoder,
                                   const struct i420 *picture, int64_t time_ms,
                                   bool key, struct video_frame *frame,
                                   struct err *err);

#endif
