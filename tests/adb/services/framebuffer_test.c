#include "adb/services/framebuffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "tests/support/adb/loopback_device.h"

#define SOON deadline_in_ms(60000)

/* The fields of a header. */
struct fields {
    size_t count;
    uint32_t values[14];
};

#define RGBA 0, 8, 16, 8, 8, 8, 24, 8
#define BGRA 16, 8, 0, 8, 8, 8, 24, 8
#define RGBX 0, 8, 16, 8, 8, 8, 24, 0
#define RGB565 11, 5, 0, 5, 5, 6, 0, 0

static size_t put_fields(const struct fields *fields, uint8_t *bytes)
{
    for (size_t i = 0; i < fields->count; i++)
        put_u32le(bytes + 4 * i, fields->values[i]);
    return 4 * fields->count;
}

static bool parse(const struct fields *fields, struct framebuffer *frame,
                  struct err *err)
{
    uint8_t bytes[FRAMEBUFFER_HEADER_MAX];

    return framebuffer_parse(bytes, put_fields(fields, bytes), frame, err);
}

static void every_known_layout_is_recognized(void **state)
{
    static const struct {
        struct fields fields;
        enum pixel_format format;
    } cases[] = {
        {{14, {2, 32, 0, 24, 2, 3, RGBA}}, PIXEL_RGBA_8888},
        {{14, {2, 32, 0, 24, 2, 3, BGRA}}, PIXEL_BGRA_8888},
        {{14, {2, 32, 0, 24, 2, 3, RGBX}}, PIXEL_RGBX_8888},
        {{14, {2, 24, 0, 18, 2, 3, RGBX}}, PIXEL_RGB_888},
        {{14, {2, 16, 0, 12, 2, 3, RGB565}}, PIXEL_RGB_565},
        {{13, {1, 32, 24, 2, 3, RGBA}}, PIXEL_RGBA_8888},
        {{13, {1, 16, 12, 2, 3, RGB565}}, PIXEL_RGB_565},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct framebuffer frame;
        struct err err = ERR_INIT;

        if (!parse(&cases[i].fields, &frame, &err))
            fail_msg("%s", err.text);
        assert_int_equal(frame.format, cases[i].format);
        assert_int_equal(frame.width, 2);
        assert_int_equal(frame.height, 3);
        assert_int_equal(frame.size, 6 * pixel_size(cases[i].format));
    }
}

static void invalid_headers_are_refused(void **state)
{
    static const struct {
        struct fields fields;
        enum err_code code;
    } cases[] = {
        {{0, {0}}, ERR_UNSUPPORTED},
        {{14, {3, 32, 0, 24, 2, 3, RGBA}}, ERR_UNSUPPORTED},
        {{13, {2, 32, 0, 24, 2, 3, RGBA}}, ERR_PROTOCOL},
        {{14, {2, 32, 0, 25, 2, 3, RGBA}}, ERR_PROTOCOL},
        {{14, {2, 32, 0, 0, 2, 3, RGBA}}, ERR_PROTOCOL},
        {{14, {2, 24, 0, 18, 2, 3, RGBA}}, ERR_UNSUPPORTED},
        {{14, {2, 32, 0, 24, 2, 3, 1, 8, 16, 8, 8, 8, 24, 8}}, ERR_UNSUPPORTED},
        {{14, {2, 32, 0, 0, 0, 3, RGBA}}, ERR_INVALID},
        {{14, {2, 32, 0, 4, 0x10001, 0x10000, RGBA}}, ERR_LIMIT},
        {{14, {2, 32, 0, 4, UINT32_MAX, UINT32_MAX, RGBA}}, ERR_LIMIT},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct framebuffer frame;
        struct err err = ERR_INIT;

        assert_false(parse(&cases[i].fields, &frame, &err));
        assert_int_equal(err.code, cases[i].code);
    }
}

/* A device whose framebuffer: sends bytes. */
static bool read_from(const uint8_t *bytes, size_t length,
                      struct picture *picture, struct err *err)
{
    const struct loopback_answer answer = {.service = "framebuffer:",
                                           .bytes = (const char *)bytes,
                                           .length = length};
    const struct loopback_device_options options = {
        .features = conn_host_features, .answers = &answer, .answer_count = 1};
    struct buf scratch = BUF_INIT(PICTURE_BYTES_MAX);
    struct loopback_device *loop;
    struct device *device = loopback_device_phone(&options, &loop);
    bool done = framebuffer_read(device, SOON, &scratch, picture, err);

    buf_release(&scratch);
    device_close(device);
    loopback_device_stop(loop);
    return done;
}

static void pixels_become_a_picture(void **state)
{
    static const struct fields header = {14, {2, 32, 0, 8, 2, 1, BGRA}};
    struct picture picture = PICTURE_INIT;
    uint8_t bytes[FRAMEBUFFER_HEADER_MAX + 8];
    struct err err = ERR_INIT;
    size_t length = put_fields(&header, bytes);

    (void)state;
    memcpy(bytes + length, "\x03\x02\x01\xff\x30\x20\x10\xff", 8);
    if (!read_from(bytes, length + 8, &picture, &err))
        fail_msg("%s", err.text);
    assert_int_equal(picture.width, 2);
    assert_int_equal(picture.height, 1);
    assert_memory_equal(picture.pixels, "\x01\x02\x03\xff\x10\x20\x30\xff", 8);
    picture_release(&picture);
}

static void truncated_frame_is_closed(void **state)
{
    static const struct fields header = {14, {2, 32, 0, 8, 2, 1, RGBA}};
    uint8_t bytes[FRAMEBUFFER_HEADER_MAX + 8] = {0};
    size_t whole = put_fields(&header, bytes) + 8;

    (void)state;
    for (size_t length = 0; length < whole; length += 3) {
        struct picture picture = PICTURE_INIT;
        struct err err = ERR_INIT;

        assert_false(read_from(bytes, length, &picture, &err));
        assert_int_equal(err.code, ERR_CLOSED);
        assert_null(picture.pixels);
    }
}

static void unknown_version_is_reported_at_once(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(read_from((const uint8_t *)"\x10\0\0\0", 4, &picture, &err));
    assert_int_equal(err.code, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "version 16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_layout_is_recognized),
        cmocka_unit_test(invalid_headers_are_refused),
        cmocka_unit_test(pixels_become_a_picture),
        cmocka_unit_test(truncated_frame_is_closed),
        cmocka_unit_test(unknown_version_is_reported_at_once),
    };

    return cmocka_run_group_tests_name("framebuffer", tests, NULL, NULL);
}
