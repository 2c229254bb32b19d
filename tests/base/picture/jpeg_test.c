#include "base/picture/jpeg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jpeglib.h>

#include "base/mem.h"

#define WIDTH 40U
#define HEIGHT 33U

/* A smooth gradient, which JPEG hardly changes. */
static void fill(struct picture *picture)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, WIDTH, HEIGHT, &err));
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            uint8_t *pixel = picture_row(picture, y) + (size_t)4 * x;

            pixel[0] = (uint8_t)(40 + 2 * x);
            pixel[1] = (uint8_t)(50 + 2 * y);
            pixel[2] = 90;
            pixel[3] = 0xff;
        }
    }
}

static struct buf small_jpeg(void)
{
    struct buf jpeg = BUF_INIT(1 << 20);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    fill(&picture);
    assert_true(jpeg_encode(&picture, 95, &jpeg, &err));
    picture_release(&picture);
    return jpeg;
}

/* JPEG variants that only libjpeg itself writes. */
struct kind {
    J_COLOR_SPACE colours;
    int components;
    bool progressive;
    JDIMENSION side;
};

/* Two scans; the second may be repeated. */
static const jpeg_scan_info scans[] = {
    {.comps_in_scan = 1},
    {.comps_in_scan = 1, .Ss = 1, .Se = 63},
};

static struct buf make(const struct kind *kind)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    struct buf made = BUF_INIT(1 << 20);
    JSAMPROW row = mem_new(kind->side, (size_t)kind->components);

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &length);
    jpeg.image_width = kind->side;
    jpeg.image_height = kind->side;
    jpeg.input_components = kind->components;
    jpeg.in_color_space = kind->colours;
    jpeg_set_defaults(&jpeg);
    if (kind->progressive && kind->components > 1)
        jpeg_simple_progression(&jpeg);
    if (kind->progressive && kind->components == 1) {
        jpeg.scan_info = scans;
        jpeg.num_scans = ARRAY_LEN(scans);
    }
    memset(row, 0x60, kind->side * (size_t)kind->components);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height)
        jpeg_write_scanlines(&jpeg, &row, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    buf_append(&made, bytes, length);
    free(bytes);
    free(row);
    return made;
}

static void encoded_picture_decodes_to_nearly_the_same(void **state)
{
    struct buf jpeg = small_jpeg();
    struct picture before = PICTURE_INIT;
    struct picture after = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fill(&before);
    assert_true(jpeg_decode(jpeg.data, jpeg.length, &after, &err));
    assert_int_equal(after.width, WIDTH);
    assert_int_equal(after.height, HEIGHT);
    for (size_t i = 0; i < before.stride * HEIGHT; i++)
        assert_in_range(after.pixels[i] + 8 - before.pixels[i], 0, 16);
    picture_release(&before);
    picture_release(&after);
    buf_release(&jpeg);
}

static void grey_and_progressive_jpegs_become_rgba(void **state)
{
    static const struct kind kinds[] = {
        {JCS_GRAYSCALE, 1, false, 20},
        {JCS_RGB, 3, true, 20},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct buf jpeg = make(&kinds[i]);
        struct picture picture = PICTURE_INIT;
        struct err err = ERR_INIT;

        assert_true(jpeg_decode(jpeg.data, jpeg.length, &picture, &err));
        assert_memory_equal(picture.pixels, "\x60\x60\x60\xff", 4);
        picture_release(&picture);
        buf_release(&jpeg);
    }
}

static void assert_refused(const struct buf *jpeg, enum err_code code,
                           const char *why)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_false(jpeg_decode(jpeg->data, jpeg->length, &picture, &err));
    assert_int_equal(err.code, code);
    assert_string_equal(err.text, why);
    assert_int_equal(picture.width, 0);
    picture_release(&picture);
}

static void cmyk_jpeg_is_refused(void **state)
{
    const struct kind kind = {JCS_CMYK, 4, false, 20};
    struct buf jpeg = make(&kind);

    (void)state;
    assert_refused(&jpeg, ERR_UNSUPPORTED,
                   "JPEG: is CMYK, which is not supported");
    buf_release(&jpeg);
}

static void too_large_jpeg_is_refused_before_decoding(void **state)
{
    const struct kind kind = {JCS_GRAYSCALE, 1, false, 16};
    struct buf jpeg = make(&kind);
    /* SOF0: its length, the depth, then the two sides. */
    char *frame = memmem(jpeg.data, jpeg.length, "\xff\xc0\0\x0b\x08", 5);

    (void)state;
    assert_non_null(frame);
    memcpy(frame + 5, "\x7f\xff\x7f\xff", 4);
    assert_refused(&jpeg, ERR_LIMIT,
                   "JPEG: a picture of 32767x32767 pixels is too large");
    buf_release(&jpeg);
}

static void too_many_scans_are_refused(void **state)
{
    const struct kind kind = {JCS_GRAYSCALE, 1, true, 16};
    struct buf jpeg = make(&kind);
    struct buf longer = BUF_INIT(1 << 20);
    char *last = memrchr(jpeg.data, '\xda', jpeg.length);
    size_t before = (size_t)(last - 1 - jpeg.data);

    (void)state;
    buf_append(&longer, jpeg.data, before);
    for (int i = 0; i < 100; i++)
        buf_append(&longer, last - 1, jpeg.length - before - 2);
    buf_text(&longer, "\xff\xd9");
    assert_refused(&longer, ERR_LIMIT, "JPEG: has too many scans");
    buf_release(&longer);
    buf_release(&jpeg);
}

static void a_jpeg_cut_anywhere_is_refused(void **state)
{
    struct buf jpeg = small_jpeg();
    struct picture picture = PICTURE_INIT;

    (void)state;
    for (size_t length = 0; length < jpeg.length; length++) {
        char *cut = mem_dup_n(jpeg.data, length);
        struct err err = ERR_INIT;

        assert_false(jpeg_decode(cut, length, &picture, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_int_equal(picture.width, 0);
        free(cut);
    }
    picture_release(&picture);
    buf_release(&jpeg);
}

static void a_jpeg_beyond_the_limit_leaves_the_buffer_alone(void **state)
{
    struct buf jpeg = BUF_INIT(100);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fill(&picture);
    buf_text(&jpeg, "before");
    assert_false(jpeg_encode(&picture, 80, &jpeg, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(err.text, "JPEG: larger than its limit");
    assert_string_equal(buf_cstr(&jpeg), "before");
    assert_false(jpeg.overflow);
    picture_release(&picture);
    buf_release(&jpeg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoded_picture_decodes_to_nearly_the_same),
        cmocka_unit_test(grey_and_progressive_jpegs_become_rgba),
        cmocka_unit_test(cmyk_jpeg_is_refused),
        cmocka_unit_test(too_large_jpeg_is_refused_before_decoding),
        cmocka_unit_test(too_many_scans_are_refused),
        cmocka_unit_test(a_jpeg_cut_anywhere_is_refused),
        cmocka_unit_test(a_jpeg_beyond_the_limit_leaves_the_buffer_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
