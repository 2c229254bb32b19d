/*
 * H.264 video as an MP4 file (ISO/IEC 14496-12 and -15), in memory until it is
 * complete.
 */
#ifndef TOOLS_PHONE_VIDEO_MP4_WRITER_H
#define TOOLS_PHONE_VIDEO_MP4_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/scrcpy/video_packet.h"
#include "base/buf.h"

/* The most bytes of video in a file. */
#define MP4_WRITER_MAX ((size_t)64 << 20)

struct mp4_sample;

struct mp4_writer {
    struct buf config; /* parameter sets of the first frame */
    struct extent size;
    struct buf data;            /* the frames */
    struct mp4_sample *samples; /* owned */
    size_t count;
    size_t capacity;
};

void mp4_writer_init(struct mp4_writer *writer);
void mp4_writer_release(struct mp4_writer *writer);

/*
 * Add a packet. False when the file is full, or when the video's size changes,
 * which such a file cannot express.
 */
MUST_USE bool mp4_writer_add(struct mp4_writer *writer,
                             const struct video_packet *packet);

/* Append the file to out; end_us is when the last frame ends. */
void mp4_writer_finish(const struct mp4_writer *writer, int64_t end_us,
                       struct buf *out);

#endif
