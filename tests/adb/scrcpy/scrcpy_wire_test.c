#include "adb/scrcpy/scrcpy_wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adb/scrcpy/video_packet.h"
#include "base/bytes.h"

/* ---- versions ---- */

static void versions_choose_the_layout(void **state)
{
    static const struct {
        const char *text;
        enum scrcpy_layout layout;
        float scroll_max;
    } good[] = {
        {"2.1", SCRCPY_LAYOUT_2, 1},     {"2.1.1", SCRCPY_LAYOUT_2, 1},
        {"2.10", SCRCPY_LAYOUT_2, 1},    {"3.3", SCRCPY_LAYOUT_2, 1},
        {"3.3.1", SCRCPY_LAYOUT_2, 16},  {"3.3.4", SCRCPY_LAYOUT_2, 16},
        {"4.0", SCRCPY_LAYOUT_4, 16},    {"4.1", SCRCPY_LAYOUT_4, 16},
        {"12.3.4", SCRCPY_LAYOUT_4, 16},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct scrcpy_version version;
        struct err err = ERR_INIT;

        if (!scrcpy_version_parse(good[i].text, &version, &err))
            fail_msg("%s: %s", good[i].text, err.text);
        assert_int_equal(scrcpy_version_layout(&version), good[i].layout);
        assert_true(scrcpy_version_scroll_max(&version) == good[i].scroll_max);
    }
}

static void texts_that_are_no_version_are_refused(void **state)
{
    static const struct {
        const char *text;
        enum err_code code;
    } bad[] = {
        {"", ERR_INVALID},         {"3", ERR_INVALID},
        {"3.", ERR_INVALID},       {"3.3.", ERR_INVALID},
        {".3", ERR_INVALID},       {"3.3.3.3", ERR_INVALID},
        {"3.3-beta", ERR_INVALID}, {"bogus", ERR_INVALID},
        {"1000.1", ERR_INVALID},   {"3.99999999999999999999", ERR_INVALID},
        {"2.0", ERR_UNSUPPORTED},  {"1.25", ERR_UNSUPPORTED},
        {"0.0", ERR_UNSUPPORTED},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct scrcpy_version version;
        struct err err = ERR_INIT;

        assert_false(scrcpy_version_parse(bad[i].text, &version, &err));
        if (err.code != bad[i].code)
            fail_msg("%s: %s", bad[i].text, err.text);
    }
}

/* ---- video ---- */

static void video_headers_of_both_layouts_are_as_in_scrcpy(void **state)
{
    static const struct scrcpy_video_header header = {SCRCPY_CODEC_H264,
                                                      {1080, 2400}};
    static const uint8_t expected[] = {'h', '2', '6', '4', 0, 0,
                                       4,   56,  0,   0,   9, 96};
    struct scrcpy_video_header parsed;
    struct buf out = BUF_INIT(64);
    struct err err = ERR_INIT;

    (void)state;
    scrcpy_video_header_write(SCRCPY_LAYOUT_2, &header, &out);
    assert_int_equal(out.length, 12);
    assert_memory_equal(out.data, expected, 12);
    assert_true(
        scrcpy_video_header_parse(SCRCPY_LAYOUT_2, expected, &parsed, &err));
    assert_int_equal(parsed.size.width, 1080);
    assert_int_equal(parsed.size.height, 2400);

    buf_clear(&out);
    scrcpy_video_header_write(SCRCPY_LAYOUT_4, &header, &out);
    assert_int_equal(out.length, 4);
    assert_memory_equal(out.data, expected, 4);
    assert_true(
        scrcpy_video_header_parse(SCRCPY_LAYOUT_4, expected, &parsed, &err));
    assert_int_equal(parsed.size.width, 0);
    buf_release(&out);
}

static void video_without_h264_or_size_is_refused(void **state)
{
    static const struct {
        uint32_t numbers[3];
        enum err_code code;
    } bad[] = {
        {{SCRCPY_CODEC_DISABLED, 1, 1}, ERR_REMOTE},
        {{SCRCPY_CODEC_FAILED, 1, 1}, ERR_REMOTE},
        {{0x68323635, 1, 1}, ERR_UNSUPPORTED},
        {{SCRCPY_CODEC_H264, 0, 1}, ERR_PROTOCOL},
        {{SCRCPY_CODEC_H264, 1, 0}, ERR_PROTOCOL},
        {{SCRCPY_CODEC_H264, SCRCPY_SIDE_MAX + 1, 1}, ERR_PROTOCOL},
        {{SCRCPY_CODEC_H264, 1, UINT32_MAX}, ERR_PROTOCOL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct scrcpy_video_header parsed;
        struct err err = ERR_INIT;
        uint8_t bytes[12];

        for (size_t j = 0; j < 3; j++)
            put_u32be(bytes + 4 * j, bad[i].numbers[j]);
        assert_false(
            scrcpy_video_header_parse(SCRCPY_LAYOUT_2, bytes, &parsed, &err));
        assert_int_equal(err.code, bad[i].code);
    }
}

struct packet_sample {
    enum scrcpy_layout layout;
    struct scrcpy_packet_header header;
    uint8_t bytes[SCRCPY_PACKET_HEADER_SIZE];
};

static const struct packet_sample packets[] = {
    {SCRCPY_LAYOUT_2,
     {.kind = SCRCPY_PACKET_CONFIG, .length = 30},
     {0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30}},
    {SCRCPY_LAYOUT_2,
     {.kind = SCRCPY_PACKET_KEY, .pts_us = 0x0102, .length = 0x10000},
     {0x40, 0, 0, 0, 0, 0, 1, 2, 0, 1, 0, 0}},
    {SCRCPY_LAYOUT_2,
     {.kind = SCRCPY_PACKET_DELTA, .pts_us = 0x0102, .length = 1},
     {0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 1}},
    {SCRCPY_LAYOUT_4,
     {.kind = SCRCPY_PACKET_SESSION, .size = {1080, 2400}},
     {0x80, 0, 0, 0, 0, 0, 4, 56, 0, 0, 9, 96}},
    {SCRCPY_LAYOUT_4,
     {.kind = SCRCPY_PACKET_CONFIG, .length = 30},
     {0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30}},
    {SCRCPY_LAYOUT_4,
     {.kind = SCRCPY_PACKET_KEY, .pts_us = 0x0102, .length = 0x10000},
     {0x20, 0, 0, 0, 0, 0, 1, 2, 0, 1, 0, 0}},
    {SCRCPY_LAYOUT_4,
     {.kind = SCRCPY_PACKET_DELTA, .pts_us = 0x0102, .length = 1},
     {0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 1}},
};

static void packet_headers_of_both_layouts_are_as_in_scrcpy(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(packets); i++) {
        const struct packet_sample *sample = &packets[i];
        struct scrcpy_packet_header parsed;
        struct buf out = BUF_INIT(64);
        struct err err = ERR_INIT;

        scrcpy_packet_header_write(sample->layout, &sample->header, &out);
        assert_int_equal(out.length, sizeof(sample->bytes));
        assert_memory_equal(out.data, sample->bytes, out.length);
        assert_true(scrcpy_packet_header_parse(sample->layout, sample->bytes,
                                               &parsed, &err));
        assert_int_equal(parsed.kind, sample->header.kind);
        assert_int_equal(parsed.pts_us, sample->header.pts_us);
        assert_int_equal(parsed.length, sample->header.length);
        assert_int_equal(parsed.size.width, sample->header.size.width);
        assert_int_equal(parsed.size.height, sample->header.size.height);
        buf_release(&out);
    }
}

static void packets_that_are_too_large_are_refused(void **state)
{
    uint8_t bytes[SCRCPY_PACKET_HEADER_SIZE] = {0};
    struct scrcpy_packet_header parsed;
    struct err err = ERR_INIT;

    (void)state;
    put_u32be(bytes + 8, VIDEO_PACKET_MAX + 1);
    assert_false(
        scrcpy_packet_header_parse(SCRCPY_LAYOUT_2, bytes, &parsed, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    put_u32be(bytes + 8, VIDEO_PACKET_MAX);
    assert_true(
        scrcpy_packet_header_parse(SCRCPY_LAYOUT_2, bytes, &parsed, &err));
}

/* ---- control ---- */

#define BYTES(text) (text), sizeof(text) - 1

struct control_sample {
    struct scrcpy_control control;
    const char *bytes;
    size_t length;
};

static const struct control_sample controls[] = {
    {{.type = SCRCPY_KEY,
      .action = SCRCPY_UP,
      .code = 66,
      .repeat = 5,
      .meta = SCRCPY_META_SHIFT | SCRCPY_META_CTRL},
     BYTES("\0\1\0\0\0\x42\0\0\0\5\0\0\x10\1")},
    {{.type = SCRCPY_TEXT, .text = "hello, world!", .text_length = 13},
     BYTES("\1\0\0\0\x0dhello, world!")},
    {{.type = SCRCPY_TOUCH,
      .action = SCRCPY_DOWN,
      .pointer = UINT64_C(0x1234567887654321),
      .position = {100, -200, 1080, 1920},
      .pressure = 0xffff,
      .action_button = 1,
      .buttons = 1},
     BYTES("\2\0\x12\x34\x56\x78\x87\x65\x43\x21\0\0\0\x64\xff\xff\xff\x38"
           "\4\x38\7\x80\xff\xff\0\0\0\1\0\0\0\1")},
    {{.type = SCRCPY_SCROLL,
      .position = {260, 1026, 1080, 1920},
      .scroll_x = 0x0800,
      .scroll_y = -0x0800,
      .buttons = 1},
     BYTES("\3\0\0\1\4\0\0\4\2\4\x38\7\x80\x08\0\xf8\0\0\0\0\1")},
    {{.type = SCRCPY_BACK_OR_SCREEN_ON, .action = SCRCPY_UP}, BYTES("\4\1")},
    {{.type = SCRCPY_EXPAND_NOTIFICATIONS}, BYTES("\5")},
    {{.type = SCRCPY_EXPAND_SETTINGS}, BYTES("\6")},
    {{.type = SCRCPY_COLLAPSE_PANELS}, BYTES("\7")},
    {{.type = SCRCPY_GET_CLIPBOARD, .copy_key = 1}, BYTES("\x08\1")},
    {{.type = SCRCPY_SET_CLIPBOARD,
      .sequence = UINT64_C(0x0102030405060708),
      .flag = true,
      .text = "\xe4\xbd\xa0",
      .text_length = 3},
     BYTES("\x09\1\2\3\4\5\6\7\x08\1\0\0\0\3\xe4\xbd\xa0")},
    {{.type = SCRCPY_DISPLAY_POWER, .flag = true}, BYTES("\x0a\1")},
    {{.type = SCRCPY_ROTATE}, BYTES("\x0b")},
    {{.type = SCRCPY_START_APP, .text = "firefox", .text_length = 7},
     BYTES("\x10\7"
           "firefox")},
    {{.type = SCRCPY_RESET_VIDEO}, BYTES("\x11")},
    {{.type = SCRCPY_RESIZE_DISPLAY, .position = {0, 0, 1920, 1080}},
     BYTES("\x15\7\x80\4\x38")},
};

static void expect_control(const struct scrcpy_control *parsed,
                           const struct scrcpy_control *expected)
{
    assert_int_equal(parsed->type, expected->type);
    assert_int_equal(parsed->action, expected->action);
    assert_int_equal(parsed->code, expected->code);
    assert_int_equal(parsed->repeat, expected->repeat);
    assert_int_equal(parsed->meta, expected->meta);
    assert_true(parsed->pointer == expected->pointer);
    assert_memory_equal(&parsed->position, &expected->position,
                        sizeof(parsed->position));
    assert_int_equal(parsed->pressure, expected->pressure);
    assert_int_equal(parsed->scroll_x, expected->scroll_x);
    assert_int_equal(parsed->scroll_y, expected->scroll_y);
    assert_int_equal(parsed->action_button, expected->action_button);
    assert_int_equal(parsed->buttons, expected->buttons);
    assert_int_equal(parsed->copy_key, expected->copy_key);
    assert_true(parsed->sequence == expected->sequence);
    assert_int_equal(parsed->flag, expected->flag);
    assert_int_equal(parsed->text_length, expected->text_length);
    if (expected->text)
        assert_memory_equal(parsed->text, expected->text,
                            expected->text_length);
}

static void control_messages_are_as_in_scrcpy(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(controls); i++) {
        const struct control_sample *sample = &controls[i];
        struct scrcpy_control parsed;
        struct buf out = BUF_INIT(SCRCPY_CONTROL_MAX);
        struct err err = ERR_INIT;
        size_t used;

        assert_true(scrcpy_control_write(&sample->control, &out, &err));
        assert_int_equal(out.length, sample->length);
        assert_memory_equal(out.data, sample->bytes, sample->length);
        buf_text(&out, "behind");
        assert_true(scrcpy_control_parse((uint8_t *)out.data, out.length, &used,
                                         &parsed, &err));
        assert_int_equal(used, sample->length);
        expect_control(&parsed, &sample->control);
        buf_release(&out);
    }
}

static void control_messages_are_complete_at_their_last_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(controls); i++) {
        const uint8_t *bytes = (const uint8_t *)controls[i].bytes;

        for (size_t length = 0; length < controls[i].length; length++) {
            struct scrcpy_control parsed;
            struct err err = ERR_INIT;
            size_t used = 99;

            assert_true(
                scrcpy_control_parse(bytes, length, &used, &parsed, &err));
            assert_int_equal(used, 0);
        }
    }
}

static void unknown_control_messages_are_refused(void **state)
{
    static const uint8_t types[] = {12, 13, 14, 23, 255};

    (void)state;
    for (size_t i = 0; i < sizeof(types); i++) {
        struct scrcpy_control parsed;
        struct err err = ERR_INIT;
        size_t used;

        assert_false(scrcpy_control_parse(&types[i], 1, &used, &parsed, &err));
        assert_int_equal(err.code, ERR_PROTOCOL);
    }
}

static void texts_that_are_too_long_are_refused_both_ways(void **state)
{
    static const uint8_t front[14] = {SCRCPY_SET_CLIPBOARD, [11] = 4};
    char *text = calloc(1, SCRCPY_CLIPBOARD_MAX + 1);
    struct scrcpy_control control = {.type = SCRCPY_SET_CLIPBOARD,
                                     .text = text,
                                     .text_length = SCRCPY_CLIPBOARD_MAX};
    struct buf out = BUF_INIT(SCRCPY_CONTROL_MAX);
    struct err err = ERR_INIT;
    size_t used;

    (void)state;
    assert_non_null(text);
    assert_true(scrcpy_control_write(&control, &out, &err));
    assert_int_equal(out.length, SCRCPY_CONTROL_MAX);
    buf_clear(&out);
    control.text_length++;
    assert_false(scrcpy_control_write(&control, &out, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(out.length, 0);
    err.code = ERR_NONE;
    assert_false(
        scrcpy_control_parse(front, sizeof(front), &used, &control, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    free(text);
    buf_release(&out);
}

static void scroll_distances_keep_their_size_and_sign(void **state)
{
    (void)state;
    assert_int_equal(scrcpy_scroll_encode(1, 16), 0x0800);
    assert_int_equal(scrcpy_scroll_encode(-1, 16), -0x0800);
    assert_int_equal(scrcpy_scroll_encode(1, 1), 0x7fff);
    assert_int_equal(scrcpy_scroll_encode(-5, 1), -0x8000);
    assert_int_equal(scrcpy_scroll_encode(100, 16), 0x7fff);
    assert_true(scrcpy_scroll_decode(0x0800, 16) == 1.0F);
    assert_true(scrcpy_scroll_decode(-0x8000, 16) == -16.0F);
    assert_true(scrcpy_scroll_decode(0x7fff, 1) == 1.0F);
}

/* ---- replies ---- */

static void replies_are_as_in_scrcpy(void **state)
{
    static const struct {
        struct scrcpy_reply reply;
        const char *bytes;
        size_t length;
    } samples[] = {
        {{.type = SCRCPY_REPLY_CLIPBOARD, .text = "ABC", .text_length = 3},
         BYTES("\0\0\0\0\3"
               "ABC")},
        {{.type = SCRCPY_REPLY_CLIPBOARD_SET,
          .sequence = UINT64_C(0x0102030405060708)},
         BYTES("\1\1\2\3\4\5\6\7\x08")},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
        struct scrcpy_reply parsed;
        struct buf out = BUF_INIT(64);
        struct err err = ERR_INIT;
        size_t used;

        assert_true(scrcpy_reply_write(&samples[i].reply, &out, &err));
        assert_int_equal(out.length, samples[i].length);
        assert_memory_equal(out.data, samples[i].bytes, out.length);
        assert_true(scrcpy_reply_parse((uint8_t *)out.data, out.length - 1,
                                       &used, &parsed, &err));
        assert_int_equal(used, 0);
        assert_true(scrcpy_reply_parse((uint8_t *)out.data, out.length, &used,
                                       &parsed, &err));
        assert_int_equal(used, samples[i].length);
        assert_int_equal(parsed.type, samples[i].reply.type);
        assert_true(parsed.sequence == samples[i].reply.sequence);
        assert_int_equal(parsed.text_length, samples[i].reply.text_length);
        buf_release(&out);
    }
}

static void the_output_of_a_keyboard_is_skipped(void **state)
{
    static const uint8_t bytes[] = {2, 0, 42, 0, 2, 1, 2, 99};
    struct scrcpy_reply parsed;
    struct err err = ERR_INIT;
    size_t used;

    (void)state;
    assert_true(scrcpy_reply_parse(bytes, sizeof(bytes), &used, &parsed, &err));
    assert_int_equal(used, 7);
    assert_int_equal(parsed.type, SCRCPY_REPLY_HID_OUTPUT);
    assert_false(scrcpy_reply_parse(bytes + 7, 1, &used, &parsed, &err));
    assert_int_equal(err.code, ERR_PROTOCOL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_choose_the_layout),
        cmocka_unit_test(texts_that_are_no_version_are_refused),
        cmocka_unit_test(video_headers_of_both_layouts_are_as_in_scrcpy),
        cmocka_unit_test(video_without_h264_or_size_is_refused),
        cmocka_unit_test(packet_headers_of_both_layouts_are_as_in_scrcpy),
        cmocka_unit_test(packets_that_are_too_large_are_refused),
        cmocka_unit_test(control_messages_are_as_in_scrcpy),
        cmocka_unit_test(control_messages_are_complete_at_their_last_byte),
        cmocka_unit_test(unknown_control_messages_are_refused),
        cmocka_unit_test(texts_that_are_too_long_are_refused_both_ways),
        cmocka_unit_test(scroll_distances_keep_their_size_and_sign),
        cmocka_unit_test(replies_are_as_in_scrcpy),
        cmocka_unit_test(the_output_of_a_keyboard_is_skipped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
