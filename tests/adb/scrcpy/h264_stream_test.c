#include "adb/scrcpy/h264_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"

/* ---- configurations ---- */

/* As made by OpenH264 and x264. */
static const struct config_sample {
    const char *bytes;
    size_t length;
    const char *codec;
    struct extent size;
} configs[] = {
#define SAMPLE(bytes_, codec_, width_, height_)                                \
    {                                                                          \
        bytes_, sizeof(bytes_) - 1, codec_,                                    \
        {                                                                      \
            width_, height_                                                    \
        }                                                                      \
    }
    SAMPLE("\0\0\0\1\x67\x42\xc0\x33\x8c\x8d\x40\x22\x00\x96\xf2\xf3\x50\x10"
           "\x10\x10\x78\x44\x23\x50\0\0\0\1\x68\xce\x3c\x80",
           "avc1.42c033", 1080, 2400),
    SAMPLE("\0\0\0\1\x67\x42\xc0\x1f\x8c\x8d\x40\xb8\x33\xf2\x44\x4d\x40\x40"
           "\x40\x41\xe1\x10\x8d\x40\0\0\0\1\x68\xce\x3c\x80",
           "avc1.42c01f", 362, 802),
    SAMPLE("\0\0\0\1\x67\x64\x00\x28\xac\xb4\x03\xc0\x11\x3f\x2c\x20\0\0\3\0"
           "\x20\0\0\6\x51\xe3\6\x54\0\0\0\1\x68\xce\x0f\xcb",
           "avc1.640028", 1920, 1080),
    SAMPLE("\0\0\1\x67\x64\x00\x28\xac\xe8\x07\x80\x44\xfd\xc2\0\0\3\0\2\0\0"
           "\3\0\x65\x3e\x2c\x5d\x40",
           "avc1.640028", 1920, 1080),
};

static void the_size_is_read_from_the_configuration(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(configs); i++) {
        char codec[H264_CODEC_MAX];
        struct h264_config config;
        struct err err = ERR_INIT;

        if (!h264_config_parse((const uint8_t *)configs[i].bytes,
                               configs[i].length, &config, &err))
            fail_msg("%zu: %s", i, err.text);
        assert_int_equal(config.size.width, configs[i].size.width);
        assert_int_equal(config.size.height, configs[i].size.height);
        h264_config_codec(&config, codec);
        assert_string_equal(codec, configs[i].codec);
    }
}

static void damaged_configurations_are_refused(void **state)
{
    static const uint8_t truncated[] = {0, 0, 1, 0x67, 0x42, 0xc0, 0x33, 0x8c};
    static const uint8_t zeros[] = {0,    0, 1, 0x67, 0x42, 0, 0x33,
                                    0x80, 0, 0, 0,    0,    0, 0x80};
    static const uint8_t frame[] = {0, 0, 1, 0x65, 0x88, 0x84};
    struct h264_config config;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(
        h264_config_parse(truncated, sizeof(truncated), &config, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_false(h264_config_parse(zeros, sizeof(zeros), &config, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
    assert_false(h264_config_parse(frame, sizeof(frame), &config, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
    assert_false(h264_config_parse(NULL, 0, &config, &err));
    assert_int_equal(err.code, ERR_NOT_FOUND);
}

/* ---- packets ---- */

#define SPS "\0\0\0\1\x67\x42\xc0\x33"
#define PPS "\0\0\0\1\x68\xce\x3c\x80"
#define IDR "\0\0\0\1\x65\x88\x84\x00\x21"
#define IDR_REST "\0\0\1\x65\x40\x84\x22"
#define DELTA "\0\0\0\1\x41\x9a\x10\x11"
#define SEI "\0\0\0\1\x06\x05\x01\x80"
#define DELIMITER "\0\0\0\1\x09\x10"

struct expected_packet {
    enum video_packet_kind kind;
    const char *bytes;
    size_t length;
};

#define PACKET(kind_, bytes_)                                                  \
    {                                                                          \
        kind_, bytes_, sizeof(bytes_) - 1                                      \
    }

static const char stream[] =
    SPS PPS IDR IDR_REST DELTA SEI DELTA DELIMITER DELTA SPS PPS SEI IDR;

static const struct expected_packet expected[] = {
    PACKET(VIDEO_CONFIG, SPS PPS),        PACKET(VIDEO_KEY, IDR IDR_REST),
    PACKET(VIDEO_DELTA, DELTA),           PACKET(VIDEO_DELTA, SEI DELTA),
    PACKET(VIDEO_DELTA, DELIMITER DELTA), PACKET(VIDEO_CONFIG, SPS PPS),
    PACKET(VIDEO_KEY, SEI IDR),
};

static void expect_next(struct h264_splitter *splitter, bool flush,
                        size_t *count)
{
    struct video_packet packet;

    while (h264_splitter_next(splitter, flush, &packet)) {
        const struct expected_packet *next = &expected[*count];

        assert_true(*count < ARRAY_LEN(expected));
        assert_int_equal(packet.kind, next->kind);
        assert_int_equal(packet.length, next->length);
        assert_memory_equal(packet.data, next->bytes, next->length);
        ++*count;
    }
}

static void packets_end_where_the_next_begins(void **state)
{
    (void)state;
    for (size_t piece = 1; piece < sizeof(stream); piece++) {
        struct h264_splitter splitter;
        struct err err = ERR_INIT;
        size_t count = 0;

        h264_splitter_init(&splitter);
        for (size_t at = 0; at < sizeof(stream) - 1; at += piece) {
            size_t left = sizeof(stream) - 1 - at;

            assert_true(h264_splitter_add(&splitter,
                                          (const uint8_t *)stream + at,
                                          left < piece ? left : piece, &err));
            expect_next(&splitter, false, &count);
        }
        assert_int_equal(count, ARRAY_LEN(expected) - 1);
        expect_next(&splitter, true, &count);
        assert_int_equal(count, ARRAY_LEN(expected));
        expect_next(&splitter, true, &count);
        h264_splitter_release(&splitter);
    }
}

static void text_in_front_of_the_video_is_dropped(void **state)
{
    static const char noisy[] = "WARNING: linker\n" SPS PPS;
    struct h264_splitter splitter;
    struct video_packet packet;
    struct err err = ERR_INIT;

    (void)state;
    h264_splitter_init(&splitter);
    assert_true(h264_splitter_add(&splitter, (const uint8_t *)noisy,
                                  sizeof(noisy) - 1, &err));
    assert_true(h264_splitter_next(&splitter, true, &packet));
    assert_int_equal(packet.kind, VIDEO_CONFIG);
    assert_int_equal(packet.length, sizeof(SPS PPS) - 1);
    assert_memory_equal(packet.data, SPS PPS, packet.length);
    h264_splitter_release(&splitter);
}

static void a_frame_without_an_end_is_limited(void **state)
{
    static uint8_t piece[1 << 20] = {0, 0, 1, 0x65, 0x88};
    struct h264_splitter splitter;
    struct video_packet packet;
    struct err err = ERR_INIT;
    size_t added = 0;

    (void)state;
    memset(piece + 5, 0x55, sizeof(piece) - 5);
    h264_splitter_init(&splitter);
    while (h264_splitter_add(&splitter, piece, sizeof(piece), &err)) {
        added += sizeof(piece);
        memset(piece, 0x55, 5);
        assert_false(h264_splitter_next(&splitter, false, &packet));
    }
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(added, VIDEO_PACKET_MAX);
    h264_splitter_release(&splitter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_is_read_from_the_configuration),
        cmocka_unit_test(damaged_configurations_are_refused),
        cmocka_unit_test(packets_end_where_the_next_begins),
        cmocka_unit_test(text_in_front_of_the_video_is_dropped),
        cmocka_unit_test(a_frame_without_an_end_is_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
