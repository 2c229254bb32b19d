#include "base/picture/screencap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

/* A capture of length bytes in memory of exactly that size. */
static uint8_t *capture(uint32_t width, uint32_t height, uint32_t format,
                        size_t length)
{
    struct buf header = BUF_INIT(16);
    uint8_t *bytes = calloc(length ? length : 1, 1);

    assert_non_null(bytes);
    buf_u32le(&header, width);
    buf_u32le(&header, height);
    buf_u32le(&header, format);
    memcpy(bytes, header.data, length < 12 ? length : 12);
    buf_release(&header);
    return bytes;
}

static void old_and_new_headers_are_distinguished(void **state)
{
    static const size_t headers[] = {12, 16};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
        size_t length = headers[i] + 24;
        uint8_t *bytes = capture(2, 3, PIXEL_RGBA_8888, length);
        struct picture picture = PICTURE_INIT;
        struct screencap head;
        struct err err = ERR_INIT;

        for (size_t j = 0; j < 24; j++)
            bytes[headers[i] + j] = (uint8_t)(j + 1);
        assert_true(screencap_parse(bytes, length, &head, &err));
        assert_int_equal(head.header, headers[i]);
        assert_int_equal(head.pixels, 24);
        assert_true(screencap_decode(bytes, length, &picture, &err));
        assert_int_equal(picture.width, 2);
        assert_int_equal(picture.height, 3);
        assert_memory_equal(picture.pixels, bytes + headers[i], 24);
        picture_release(&picture);
        free(bytes);
    }
}

static void wrong_lengths_are_refused(void **state)
{
    (void)state;
    for (size_t length = 0; length < 64; length++) {
        uint8_t *bytes = capture(3, 2, PIXEL_RGB_888, length);
        struct picture picture = PICTURE_INIT;
        struct err err = ERR_INIT;
        bool good = screencap_decode(bytes, length, &picture, &err);

        assert_int_equal(good, length == 12 + 18 || length == 16 + 18);
        if (!good)
            assert_int_equal(err.code, ERR_INVALID);
        picture_release(&picture);
        free(bytes);
    }
}

static void invalid_headers_are_refused(void **state)
{
    static const struct {
        uint32_t width, height, format;
        enum err_code code;
        const char *why;
    } rows[] = {
        {0x80000001, 0x80000001, 1, ERR_LIMIT,
         "screencap: a picture of 2147483649x2147483649 pixels is too large"},
        {UINT32_MAX, 1, 4, ERR_LIMIT,
         "screencap: a picture of 4294967295x1 pixels is too large"},
        {0, 0, 1, ERR_INVALID, "screencap: a picture of 0x0 pixels"},
        {1, 1, 43, ERR_UNSUPPORTED, "screencap: pixel format 43"},
        {1, 1, 0, ERR_UNSUPPORTED, "screencap: pixel format 0"},
        {1080, 2400, 1, ERR_INVALID,
         "screencap: 16 bytes do not make 1080x2400 pixels"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        uint8_t *bytes =
            capture(rows[i].width, rows[i].height, rows[i].format, 16);
        struct screencap head;
        struct err err = ERR_INIT;

        assert_false(screencap_parse(bytes, 16, &head, &err));
        assert_int_equal(err.code, rows[i].code);
        assert_string_equal(err.text, rows[i].why);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_and_new_headers_are_distinguished),
        cmocka_unit_test(wrong_lengths_are_refused),
        cmocka_unit_test(invalid_headers_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
