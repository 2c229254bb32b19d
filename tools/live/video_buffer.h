/*
 * The packets of a video since its last key frame, so that a late watcher gets
 * a picture at once, and a slow one skips to the next key frame.
 *
 *     config  key  delta  delta  ...     numbers grow; a new key frame drops
 *                                        all packets before it but the config
 *
 * Not safe from several threads.
 */
#ifndef TOOLS_LIVE_VIDEO_BUFFER_H
#define TOOLS_LIVE_VIDEO_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/live/live_packet.h"

#define VIDEO_BUFFER_PACKETS 1024
#define VIDEO_BUFFER_BYTES_MAX ((size_t)24 << 20)

struct video_buffer {
    struct live_video *config;                        /* held; NULL: none */
    struct live_video *packets[VIDEO_BUFFER_PACKETS]; /* held; the first is a
                                                         key frame */
    size_t count;
    size_t bytes;
};

void video_buffer_init(struct video_buffer *buffer);
void video_buffer_release(struct video_buffer *buffer);

/*
 * Add a packet, with a higher number than all before; the buffer takes it over.
 * False: a key frame is needed, since there is none yet or there are too many
 * packets; the packet was dropped.
 */
bool video_buffer_add(struct video_buffer *buffer, struct live_video *packet);

/* The next packet after that number, borrowed; NULL: none. */
struct live_video *video_buffer_next(const struct video_buffer *buffer,
                                     uint32_t after);

/* How many packets follow after that number. */
size_t video_buffer_behind(const struct video_buffer *buffer, uint32_t after);

/* Is the key frame, which the others follow, newer than that number? */
bool video_buffer_has_key_after(const struct video_buffer *buffer,
                                uint32_t number);

#endif
