/* A piece of H.264 video from a phone's screen, as an encoder makes it. */
#ifndef ADB_SCRCPY_VIDEO_PACKET_H
#define ADB_SCRCPY_VIDEO_PACKET_H

#include <stddef.h>
#include <stdint.h>

#include "base/extent.h"

enum video_packet_kind {
    VIDEO_CONFIG, /* SPS and PPS; comes before the key frame that needs it */
    VIDEO_KEY,    /* a frame that can be decoded without the ones before it */
    VIDEO_DELTA,  /* a frame that needs all frames since the last key frame */
};

/* The largest packet that is accepted. */
#define VIDEO_PACKET_MAX ((size_t)16 * 1024 * 1024)

struct video_packet {
    enum video_packet_kind kind;
    uint64_t pts_us;     /* 0 for CONFIG; begins anywhere, never decreases */
    struct extent size;  /* of the frame, or of the frames that follow */
    const uint8_t *data; /* borrowed; Annex B, begins with a start code */
    size_t length;
};

#endif
