#include "tools/phone/adbd/shell_packets.h"

#include <string.h>

#include "base/bytes.h"

/* Collect the header from the available bytes. */
static size_t take_header(struct shell_packets *feed, const char *data,
                          size_t size, struct shell_packets_piece *piece)
{
    size_t missing = SHELL_WIRE_HEADER_SIZE - feed->header_length;
    size_t take = size < missing ? size : missing;

    memcpy(feed->header + feed->header_length, data, take);
    feed->header_length += take;
    if (take == missing) {
        feed->left = get_u32le(feed->header + 1);
        feed->header_length = 0;
        if (feed->header[0] == SHELL_WIRE_CLOSE_STDIN)
            piece->kind = SHELL_PACKETS_END;
    }
    return take;
}

size_t shell_packets_next(struct shell_packets *feed, const char *data,
                          size_t size, struct shell_packets_piece *piece)
{
    size_t take;

    *piece = (struct shell_packets_piece){.kind = SHELL_PACKETS_NOTHING};
    if (!feed->left)
        return take_header(feed, data, size, piece);
    take = size < feed->left ? size : feed->left;
    feed->left -= (uint32_t)take;
    if (feed->header[0] == SHELL_WIRE_STDIN)
        *piece = (struct shell_packets_piece){SHELL_PACKETS_INPUT, data, take};
    return take;
}
