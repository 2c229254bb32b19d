#include "tools/run_socket/run_frame.h"

#include <stdint.h>

static uint32_t read_u32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[2] << 8 | bytes[3];
}

bool run_frame_read(const char *data, size_t length, size_t max,
                    struct run_frame *frame, size_t *used, struct err *err)
{
    const unsigned char *header = (const unsigned char *)data;
    uint32_t size;

    *used = 0;
    if (length < RUN_FRAME_HEADER)
        return true;
    size = read_u32(header);
    if (header[4] != RUN_FRAME_TEXT && header[4] != RUN_FRAME_BINARY)
        return err_set(err, ERR_PROTOCOL, "a message of the unknown kind %u",
                       header[4]);
    if (size > max)
        return err_set(err, ERR_LIMIT,
                       "a message of %lu bytes: at most %zu are allowed",
                       (unsigned long)size, max);
    if (length - RUN_FRAME_HEADER < size)
        return true;
    *frame = (struct run_frame){.kind = (enum run_frame_kind)header[4],
                                .data = data + RUN_FRAME_HEADER,
                                .length = size};
    *used = RUN_FRAME_HEADER + size;
    return true;
}

void run_frame_write(const struct run_frame *frame, struct buf *bytes)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_byte(bytes, (char)(frame->length >> shift & 0xff));
    buf_byte(bytes, (char)frame->kind);
    buf_append(bytes, frame->data, frame->length);
}
