#include "tools/live/live_packet.h"

#include <stdlib.h>

#include "base/bytes.h"

#define HEADER 20 /* bytes before the content */
#define PATCH_HEADER 13

struct live_patch *live_patch_hold(struct live_patch *patch)
{
    atomic_fetch_add(&patch->holders, 1);
    return patch;
}

void live_patch_drop(struct live_patch *patch)
{
    if (!patch || atomic_fetch_sub(&patch->holders, 1) > 1)
        return;
    buf_release(&patch->bytes);
    free(patch);
}

struct live_video *live_video_hold(struct live_video *video)
{
    atomic_fetch_add(&video->holders, 1);
    return video;
}

void live_video_drop(struct live_video *video)
{
    if (!video || atomic_fetch_sub(&video->holders, 1) > 1)
        return;
    buf_release(&video->bytes);
    free(video);
}

void live_packet_free(struct live_packet *packet)
{
    if (!packet)
        return;
    for (size_t i = 0; i < packet->patch_count; i++)
        live_patch_drop(packet->patches[i]);
    free(packet->patches);
    live_video_drop(packet->video);
    free(packet);
}

/* ---- writing ---- */

static void write_header(const struct live_packet *packet, uint16_t watch,
                         struct buf *bytes)
{
    const struct live_video *video = packet->video;
    uint8_t header[HEADER] = {(uint8_t)packet->kind};

    if (video)
        header[1] = (uint8_t)((video->config ? 1 : 0) | (video->key ? 2 : 0));
    put_u16be(header + 2, watch);
    put_u32be(header + 4, packet->frame);
    put_u16be(header + 8, packet->width);
    put_u16be(header + 10, packet->height);
    put_u32be(header + 12, (uint32_t)((uint64_t)packet->time_us >> 32));
    put_u32be(header + 16, (uint32_t)packet->time_us);
    buf_append(bytes, header, sizeof(header));
}

static void write_patch(const struct live_patch *patch, struct buf *bytes)
{
    uint8_t header[PATCH_HEADER];

    put_u16be(header, (uint16_t)patch->box.left);
    put_u16be(header + 2, (uint16_t)patch->box.top);
    put_u16be(header + 4, (uint16_t)box_width(patch->box));
    put_u16be(header + 6, (uint16_t)box_height(patch->box));
    header[8] = (uint8_t)patch->format;
    put_u32be(header + 9, (uint32_t)patch->bytes.length);
    buf_append(bytes, header, sizeof(header));
    buf_append(bytes, patch->bytes.data, patch->bytes.length);
}

void live_packet_write(const struct live_packet *packet, uint16_t watch,
                       struct buf *bytes)
{
    uint8_t count[2];

    write_header(packet, watch, bytes);
    if (packet->kind == LIVE_VIDEO) {
        buf_append(bytes, packet->video->bytes.data,
                   packet->video->bytes.length);
        return;
    }
    put_u16be(count, (uint16_t)packet->patch_count);
    buf_append(bytes, count, sizeof(count));
    for (size_t i = 0; i < packet->patch_count; i++)
        write_patch(packet->patches[i], bytes);
}

size_t live_packet_size(const struct live_packet *packet)
{
    size_t size = HEADER;

    if (packet->kind == LIVE_VIDEO)
        return size + packet->video->bytes.length;
    size += 2;
    for (size_t i = 0; i < packet->patch_count; i++)
        size += PATCH_HEADER + packet->patches[i]->bytes.length;
    return size;
}
