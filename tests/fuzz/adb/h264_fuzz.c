/*
 * H.264 from a phone, in pieces of any size: the packets are the same as those
 * of the whole, and no byte of a NAL unit is lost. The first byte is the size
 * of the pieces.
 */
#include <string.h>

#include "adb/scrcpy/h264_stream.h"
#include "tests/fuzz/fuzz.h"

struct h264_outcome {
    size_t packets;
    size_t bytes;
    uint32_t sum;
};

static void take(struct h264_splitter *splitter, bool flush,
                 struct h264_outcome *outcome)
{
    struct video_packet packet;

    while (h264_splitter_next(splitter, flush, &packet)) {
        fuzz_expect(packet.length > 0);
        outcome->packets++;
        outcome->bytes += packet.length;
        outcome->sum =
            outcome->sum * 31 + (uint32_t)packet.kind + (uint32_t)packet.length;
    }
}

static struct h264_outcome split(const uint8_t *data, size_t size, size_t piece)
{
    struct h264_splitter splitter;
    struct h264_outcome outcome = {0};
    struct err err = ERR_INIT;

    h264_splitter_init(&splitter);
    for (size_t at = 0; at < size; at += piece) {
        size_t part = size - at < piece ? size - at : piece;

        fuzz_expect(h264_splitter_add(&splitter, data + at, part, &err));
        take(&splitter, false, &outcome);
    }
    take(&splitter, true, &outcome);
    h264_splitter_release(&splitter);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct h264_config config;
    struct err err = ERR_INIT;
    struct h264_outcome whole;
    struct h264_outcome cut;

    if (size < 2)
        return 0;
    whole = split(data + 1, size - 1, SIZE_MAX);
    cut = split(data + 1, size - 1, (size_t)data[0] + 1);
    fuzz_expect(whole.packets == cut.packets && whole.sum == cut.sum);
    fuzz_expect(whole.bytes == cut.bytes && whole.bytes < size);
    if (h264_config_parse(data + 1, size - 1, &config, &err))
        fuzz_expect(config.size.width > 0 && config.size.height > 0);
    return 0;
}
