/*
 * scrcpy's sockets: what can be parsed is the same after writing and parsing it
 * again. The first byte chooses the layout and what the rest is.
 */
#include <string.h>

#include "adb/scrcpy/scrcpy_wire.h"
#include "adb/scrcpy/video_packet.h"
#include "tests/fuzz/fuzz.h"

static void parse_controls(const uint8_t *data, size_t size)
{
    struct buf out = BUF_INIT(SCRCPY_CONTROL_MAX);
    struct scrcpy_control control;
    struct err err = ERR_INIT;
    size_t used = 1;

    while (used && scrcpy_control_parse(data, size, &used, &control, &err)) {
        fuzz_expect(used <= size && used <= SCRCPY_CONTROL_MAX);
        if (!used)
            break;
        buf_clear(&out);
        fuzz_expect(scrcpy_control_write(&control, &out, &err));
        fuzz_expect(out.length == used && (uint8_t)out.data[0] == data[0]);
        fuzz_expect(!control.text ||
                    !memcmp(out.data + used - control.text_length, control.text,
                            control.text_length));
        data += used;
        size -= used;
    }
    buf_release(&out);
}

static void parse_replies(const uint8_t *data, size_t size)
{
    struct scrcpy_reply reply;
    struct err err = ERR_INIT;
    size_t used = 1;

    while (used && scrcpy_reply_parse(data, size, &used, &reply, &err)) {
        fuzz_expect(used <= size);
        data += used;
        size -= used;
    }
}

static void parse_video(enum scrcpy_layout layout, const uint8_t *data,
                        size_t size)
{
    struct buf out = BUF_INIT(64);
    struct scrcpy_video_header video;
    struct scrcpy_packet_header packet;
    struct scrcpy_packet_header again;
    struct err err = ERR_INIT;

    if (size < SCRCPY_PACKET_HEADER_SIZE)
        return;
    if (scrcpy_video_header_parse(layout, data, &video, &err)) {
        scrcpy_video_header_write(layout, &video, &out);
        fuzz_expect(!memcmp(out.data, data, out.length));
        buf_clear(&out);
    }
    if (scrcpy_packet_header_parse(layout, data, &packet, &err)) {
        fuzz_expect(packet.length <= VIDEO_PACKET_MAX);
        scrcpy_packet_header_write(layout, &packet, &out);
        fuzz_expect(scrcpy_packet_header_parse(layout, (uint8_t *)out.data,
                                               &again, &err));
        fuzz_expect(again.kind == packet.kind &&
                    again.pts_us == packet.pts_us &&
                    again.length == packet.length &&
                    again.size.width == packet.size.width &&
                    again.size.height == packet.size.height);
    }
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    switch (data[0] % 4) {
    case 0:
        parse_controls(data + 1, size - 1);
        break;
    case 1:
        parse_replies(data + 1, size - 1);
        break;
    case 2:
        parse_video(SCRCPY_LAYOUT_2, data + 1, size - 1);
        break;
    default:
        parse_video(SCRCPY_LAYOUT_4, data + 1, size - 1);
        break;
    }
    return 0;
}
