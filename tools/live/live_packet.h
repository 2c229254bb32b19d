/*
 * What a watcher of a phone gets: the rectangles of the screen that changed
 * since its last packet, or one packet of a video.
 *
 * Packets are immutable and counted; the same encoded rectangle is part of the
 * packets of all watchers who need it.
 */
#ifndef TOOLS_LIVE_LIVE_PACKET_H
#define TOOLS_LIVE_LIVE_PACKET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/picture/box.h"

/* The numbers are those of the WebSocket messages (docs/serve.md). */
enum live_packet_kind {
    LIVE_PICTURES = 1,
    LIVE_VIDEO = 2,
};

enum live_format {
    LIVE_PNG = 1,
    LIVE_JPEG = 2,
};

/* An encoded part of a screen; counted. */
struct live_patch {
    atomic_int holders;
    struct box box; /* in pixels of the phone */
    enum live_format format;
    unsigned reduction; /* 1, 2, 4, 8: the picture is so much smaller than the
                           box, rounded up */
    uint64_t version;   /* the frame that changed a pixel of it last */
    struct buf bytes;
};

/* Bytes of a video; counted. */
struct live_video {
    atomic_int holders;
    uint32_t number; /* a running number */
    bool config;     /* SPS and PPS, needed before the first key frame */
    bool key;        /* decodable without earlier frames */
    uint16_t width;  /* of the picture in it, which may be smaller than */
    uint16_t height; /* the screen */
    int64_t time_us; /* of the source */
    struct buf bytes;
};

struct live_packet {
    enum live_packet_kind kind;
    uint32_t frame;  /* the watcher reports this number with its touches */
    uint16_t width;  /* of the whole screen, in pixels of the phone */
    uint16_t height; /* (of the video, where the phone's is not known) */
    int64_t time_us; /* of the source */
    size_t patch_count;
    struct live_patch **patches; /* held; of LIVE_PICTURES */
    struct live_video *video;    /* held; of LIVE_VIDEO */
};

/* Free a packet; NULL is fine. */
void live_packet_free(struct live_packet *packet);

/*
 * Append the packet as the page reads it: big-endian u8 kind, u8 flags (of a
 * video: 1 config, 2 key), u16 watch, u32 frame, u16 width, u16 height, u64
 * time; then of pictures u16 count, and of each u16 x, y, w, h, u8 format, u32
 * length, bytes; of a video its bytes.
 */
void live_packet_write(const struct live_packet *packet, uint16_t watch,
                       struct buf *bytes);

/* The length of what live_packet_write appends. */
size_t live_packet_size(const struct live_packet *packet);

/* Hold a patch or a video once more; let go of it (NULL is fine). */
struct live_patch *live_patch_hold(struct live_patch *patch);
void live_patch_drop(struct live_patch *patch);
struct live_video *live_video_hold(struct live_video *video);
void live_video_drop(struct live_video *video);

#endif
