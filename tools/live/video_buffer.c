#include "tools/live/video_buffer.h"

void video_buffer_init(struct video_buffer *buffer)
{
    *buffer = (struct video_buffer){.count = 0};
}

static void drop_packets(struct video_buffer *buffer)
{
    for (size_t i = 0; i < buffer->count; i++)
        live_video_drop(buffer->packets[i]);
    buffer->count = 0;
    buffer->bytes = 0;
}

void video_buffer_release(struct video_buffer *buffer)
{
    drop_packets(buffer);
    live_video_drop(buffer->config);
    buffer->config = NULL;
}

bool video_buffer_add(struct video_buffer *buffer, struct live_video *packet)
{
    if (packet->config) {
        drop_packets(buffer);
        live_video_drop(buffer->config);
        buffer->config = packet;
        return true;
    }
    if (packet->key || buffer->count == VIDEO_BUFFER_PACKETS ||
        buffer->bytes + packet->bytes.length > VIDEO_BUFFER_BYTES_MAX)
        drop_packets(buffer);
    if (!packet->key && !buffer->count) {
        live_video_drop(packet);
        return false;
    }
    buffer->packets[buffer->count++] = packet;
    buffer->bytes += packet->bytes.length;
    return true;
}

/* The place of the first packet after that number. */
static size_t place_after(const struct video_buffer *buffer, uint32_t after)
{
    size_t low = 0;
    size_t high = buffer->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (buffer->packets[middle]->number > after)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

struct live_video *video_buffer_next(const struct video_buffer *buffer,
                                     uint32_t after)
{
    const size_t place = place_after(buffer, after);

    if (buffer->config && buffer->config->number > after)
        return buffer->config;
    return place < buffer->count ? buffer->packets[place] : NULL;
}

size_t video_buffer_behind(const struct video_buffer *buffer, uint32_t after)
{
    return buffer->count - place_after(buffer, after);
}

bool video_buffer_has_key_after(const struct video_buffer *buffer,
                                uint32_t number)
{
    return buffer->count && buffer->packets[0]->number > number;
}
