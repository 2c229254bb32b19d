#include "base/picture/png.h"

#include <png.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/png_fast.h"
#include "base/picture/png_libpng.h"

#define WIDTH 13
#define HEIGHT 11

/* One kind of PNG, written by libpng itself. */
struct kind {
    int type;
    int depth;
    int interlace;
    bool transparent; /* with a tRNS chunk: sample 1 is transparent */
};

static int channels_of(int type)
{
    return (type & PNG_COLOR_MASK_ALPHA ? 1 : 0) +
           (type & PNG_COLOR_MASK_COLOR && type != PNG_COLOR_TYPE_PALETTE ? 3
                                                                          : 1);
}

/* The sample of a channel at a position, with at most 8 bits. */
static unsigned sample_at(const struct kind *kind, int x, int y, int channel)
{
    int depth = kind->depth < 8 ? kind->depth : 8;

    return (unsigned)(x + 17 * y + 41 * channel) % (1U << depth);
}

static void write_to_buf(png_structp png, png_bytep bytes, size_t length)
{
    buf_append(png_get_io_ptr(png), bytes, length);
}

static void set_colours(png_structp png, png_infop info,
                        const struct kind *kind)
{
    png_color palette[256];
    png_byte alpha[2] = {255, 0};
    png_color_16 clear = {.red = 1, .green = 42, .blue = 83, .gray = 1};

    for (int i = 0; i < 256; i++)
        palette[i] =
            (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i ^ 0x55)};
    if (kind->type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 1 << kind->depth);
    if (kind->transparent)
        png_set_tRNS(png, info, alpha, 2, &clear);
}

/* Rows for libpng: one byte per sample, two for 16 bits. */
static void write_rows(png_structp png, const struct kind *kind)
{
    int channels = channels_of(kind->type);
    size_t bytes = kind->depth == 16 ? 2 : 1;
    png_bytep rows[HEIGHT];

    for (int y = 0; y < HEIGHT; y++) {
        png_bytep to = rows[y] = mem_new(WIDTH * 8, 1);

        for (int i = 0; i < WIDTH * channels; i++) {
            memset(to, (int)sample_at(kind, i / channels, y, i % channels),
                   bytes);
            to += bytes;
        }
    }
    png_write_image(png, rows);
    for (int y = 0; y < HEIGHT; y++)
        free(rows[y]);
}

static void make_png(const struct kind *kind, struct buf *output)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    png_set_write_fn(png, output, write_to_buf, NULL);
    png_set_IHDR(png, info, WIDTH, HEIGHT, kind->depth, kind->type,
                 kind->interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    set_colours(png, info, kind);
    png_write_info(png, info);
    png_set_packing(png);
    write_rows(png, kind);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static void expected_pixel(const struct kind *kind, int x, int y,
                           uint8_t rgba[4])
{
    unsigned first = sample_at(kind, x, y, 0);
    unsigned most = kind->depth < 8 ? (1U << kind->depth) - 1 : 255;
    bool coloured = kind->type & PNG_COLOR_MASK_COLOR;
    int channels = channels_of(kind->type);

    for (int i = 0; i < 3; i++)
        rgba[i] =
            (uint8_t)(coloured ? sample_at(kind, x, y, i) : first * 255 / most);
    if (kind->type == PNG_COLOR_TYPE_PALETTE) {
        rgba[0] = (uint8_t)first;
        rgba[1] = (uint8_t)(255 - first);
        rgba[2] = (uint8_t)(first ^ 0x55);
    }
    rgba[3] = kind->transparent && first == 1 ? 0 : 255;
    if (kind->type & PNG_COLOR_MASK_ALPHA)
        rgba[3] = (uint8_t)sample_at(kind, x, y, channels - 1);
}

static void assert_decodes(const struct kind *kind)
{
    struct buf bytes = BUF_INIT(1 << 16);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    make_png(kind, &bytes);
    if (!png_decode(bytes.data, bytes.length, &picture, &err))
        fail_msg("type %d, depth %d: %s", kind->type, kind->depth, err.text);
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            uint8_t expected[4];

            expected_pixel(kind, x, y, expected);
            assert_memory_equal(picture_row(&picture, (uint32_t)y) + 4 * x,
                                expected, 4);
        }
    }
    picture_release(&picture);
    buf_release(&bytes);
}

static void every_colour_type_and_depth_becomes_rgba(void **state)
{
    static const struct kind kinds[] = {
        {PNG_COLOR_TYPE_GRAY, 1, 0, false},
        {PNG_COLOR_TYPE_GRAY, 2, 0, true},
        {PNG_COLOR_TYPE_GRAY, 4, 0, false},
        {PNG_COLOR_TYPE_GRAY, 8, 0, true},
        {PNG_COLOR_TYPE_GRAY, 16, 0, false},
        {PNG_COLOR_TYPE_PALETTE, 1, 0, true},
        {PNG_COLOR_TYPE_PALETTE, 2, 0, false},
        {PNG_COLOR_TYPE_PALETTE, 4, 0, true},
        {PNG_COLOR_TYPE_PALETTE, 8, 0, false},
        {PNG_COLOR_TYPE_RGB, 8, 0, true},
        {PNG_COLOR_TYPE_RGB, 16, 0, false},
        {PNG_COLOR_TYPE_GRAY_ALPHA, 8, 0, false},
        {PNG_COLOR_TYPE_GRAY_ALPHA, 16, 0, false},
        {PNG_COLOR_TYPE_RGBA, 8, 0, false},
        {PNG_COLOR_TYPE_RGBA, 16, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        struct kind kind = kinds[i];

        assert_decodes(&kind);
        kind.interlace = PNG_INTERLACE_ADAM7;
        assert_decodes(&kind);
    }
}

/* A small picture with many different colours. */
static void fill(struct picture *picture, uint32_t width, uint32_t height)
{
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, width, height, &err));
    for (size_t i = 0; i < picture->stride * height; i++)
        picture->pixels[i] = (uint8_t)(i * i >> 3);
}

static void make_opaque(struct picture *picture)
{
    for (size_t i = 3; i < picture->stride * picture->height; i += 4)
        picture->pixels[i] = 0xff;
}

static void assert_same(const struct picture *a, const struct picture *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_memory_equal(a->pixels, b->pixels, a->stride * a->height);
}

static void assert_survives(const struct picture *before,
                            enum png_effort effort)
{
    struct buf png = BUF_INIT(1 << 20);
    struct picture after = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_true(png_encode(before, effort, &png, &err));
    assert_true(png_libpng_decode(png.data, png.length, &after, &err));
    assert_same(before, &after);
    assert_true(png_fast_decode(png.data, png.length, &after));
    assert_same(before, &after);
    picture_release(&after);
    buf_release(&png);
}

/* The upper half like a photo, the lower half of one colour. */
static void fill_mixed(struct picture *picture)
{
    uint32_t noise = 1;
    struct err err = ERR_INIT;

    assert_true(picture_resize(picture, 400, 512, &err));
    for (uint32_t y = 0; y < 512; y++) {
        uint8_t *row = picture_row(picture, y);

        for (uint32_t i = 0; i < 400 * PICTURE_PIXEL; i++) {
            noise = noise * 1664525 + 1013904223;
            row[i] = y < 256 ? (uint8_t)(y / 2 + i / 16 + (noise >> 29)) : 200;
        }
    }
}

static size_t size_of(const struct picture *picture, enum png_effort effort)
{
    struct buf png = BUF_INIT(1 << 20);
    struct err err = ERR_INIT;
    size_t size;

    assert_true(png_encode(picture, effort, &png, &err));
    size = png.length;
    buf_release(&png);
    return size;
}

static void photos_are_filtered_and_decode_to_the_same(void **state)
{
    struct picture picture = PICTURE_INIT;

    (void)state;
    fill_mixed(&picture);
    assert_survives(&picture, PNG_COMPACT); /* with an alpha */
    make_opaque(&picture);
    assert_survives(&picture, PNG_COMPACT);
    assert_true(size_of(&picture, PNG_COMPACT) <
                size_of(&picture, PNG_FAST) * 3 / 4);
    picture_release(&picture);
}

/* Memory that the caller lent must not be resized. */
static void row_buffer_has_the_documented_size(void **state)
{
    static const enum png_effort efforts[] = {PNG_FAST, PNG_COMPACT};
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    struct buf rows;

    (void)state;
    fill_mixed(&picture);
    rows = (struct buf)BUF_INIT(png_rows_size(&picture));
    for (size_t i = 0; i < ARRAY_LEN(efforts); i++) {
        struct buf own = BUF_INIT(1 << 20);
        struct buf lent = BUF_INIT(1 << 20);

        assert_true(png_encode(&picture, efforts[i], &own, &err));
        assert_true(png_encode_by(&picture, efforts[i], &rows, &lent, &err));
        assert_int_equal(lent.length, own.length);
        assert_memory_equal(lent.data, own.data, own.length);
        buf_release(&own);
        buf_release(&lent);
    }
    buf_release(&rows);
    picture_release(&picture);
}

static void encoded_picture_decodes_to_the_same(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1}, {3, 7}, {257, 65}};
    struct picture before = PICTURE_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        fill(&before, sizes[i][0], sizes[i][1]);
        assert_survives(&before, PNG_FAST);
        assert_survives(&before, PNG_COMPACT);
        make_opaque(&before);
        assert_survives(&before, PNG_COMPACT);
    }
    picture_release(&before);
}

/* Written by libpng, with one filter for all rows and a divided stream. */
static void make_filtered(const struct picture *picture, int type, int filters,
                          struct buf *output)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    png_set_write_fn(png, output, write_to_buf, NULL);
    png_set_IHDR(png, info, picture->width, picture->height, 8, type,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, filters);
    png_set_compression_buffer_size(png, 100);
    png_write_info(png, info);
    if (type == PNG_COLOR_TYPE_RGB)
        png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(png, picture_row(picture, y));
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

static void assert_quick_agrees(const struct buf *png)
{
    struct picture quick = PICTURE_INIT;
    struct picture reference = PICTURE_INIT;
    struct err err = ERR_INIT;

    assert_true(png_libpng_decode(png->data, png->length, &reference, &err));
    assert_true(png_fast_decode(png->data, png->length, &quick));
    assert_same(&quick, &reference);
    picture_release(&quick);
    picture_release(&reference);
}

static void fast_decoder_handles_each_filter_like_libpng(void **state)
{
    static const int filters[] = {PNG_FILTER_NONE,  PNG_FILTER_SUB,
                                  PNG_FILTER_UP,    PNG_FILTER_AVG,
                                  PNG_FILTER_PAETH, PNG_ALL_FILTERS};
    static const uint32_t widths[] = {1, 3, 4, 5, 64, 201};
    struct picture picture = PICTURE_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(filters) * ARRAY_LEN(widths); i++) {
        int filter = filters[i % ARRAY_LEN(filters)];
        struct buf png = BUF_INIT(1 << 20);

        fill(&picture, widths[i / ARRAY_LEN(filters)], 9);
        make_filtered(&picture, PNG_COLOR_TYPE_RGBA, filter, &png);
        assert_quick_agrees(&png);
        buf_clear(&png);
        make_filtered(&picture, PNG_COLOR_TYPE_RGB, filter, &png);
        assert_quick_agrees(&png);
        buf_release(&png);
    }
    picture_release(&picture);
}

/* The PNG of a small picture; the caller releases it. */
static struct buf small_png(void)
{
    struct buf png = BUF_INIT(4096);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    fill(&picture, 5, 6);
    assert_true(png_encode(&picture, PNG_FAST, &png, &err));
    picture_release(&picture);
    return png;
}

static void a_png_cut_anywhere_is_refused(void **state)
{
    struct buf png = small_png();
    struct picture picture = PICTURE_INIT;

    (void)state;
    for (size_t length = 0; length < png.length; length++) {
        char *cut = mem_dup_n(png.data, length);
        struct err err = ERR_INIT;

        assert_false(png_decode(cut, length, &picture, &err));
        assert_int_equal(err.code, ERR_INVALID);
        assert_memory_equal(err.text, "PNG: ", 5);
        assert_int_equal(picture.width, 0);
        free(cut);
    }
    picture_release(&picture);
    buf_release(&png);
}

static void changed_byte_is_detected_anywhere(void **state)
{
    struct buf png = small_png();
    struct picture picture = PICTURE_INIT;

    (void)state;
    for (size_t i = 0; i < png.length; i++) {
        struct err err = ERR_INIT;

        png.data[i] ^= 0x20;
        assert_false(png_decode(png.data, png.length, &picture, &err));
        png.data[i] ^= 0x20;
    }
    picture_release(&picture);
    buf_release(&png);
}

static void bytes_after_the_end_are_ignored(void **state)
{
    struct buf png = small_png();
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    buf_text(&png, "noise");
    assert_true(png_decode(png.data, png.length, &picture, &err));
    picture_release(&picture);
    buf_release(&png);
}

static void texts_are_skipped_even_when_damaged(void **state)
{
    static const char text[] = "\0\0\0\3tEXta\0b....";
    struct buf png = small_png();
    struct buf longer = BUF_INIT(4096);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    buf_append(&longer, png.data, 33); /* signature and IHDR */
    buf_append(&longer, text, sizeof(text) - 1);
    buf_append(&longer, png.data + 33, png.length - 33);
    assert_true(png_decode(longer.data, longer.length, &picture, &err));
    picture_release(&picture);
    buf_release(&longer);
    buf_release(&png);
}

/* A PNG that ends after announcing its size. */
static void announce(uint32_t width, uint32_t height, struct buf *output)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    png_set_write_fn(png, output, write_to_buf, NULL);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    buf_append(output, "\0\0\0\0IDAT\x35\xaf\x06\x1e", 12);
    png_destroy_write_struct(&png, &info);
}

static void a_picture_too_large_is_refused_before_it_is_decoded(void **state)
{
    static const uint32_t sizes[][2] = {
        {16384, 16384}, {16385, 1}, {1, 16385}, {1000000, 1000000}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct buf png = BUF_INIT(4096);
        struct picture picture = PICTURE_INIT;
        struct err err = ERR_INIT;

        announce(sizes[i][0], sizes[i][1], &png);
        assert_false(png_decode(png.data, png.length, &picture, &err));
        assert_int_equal(err.code, ERR_LIMIT);
        assert_null(picture.pixels);
        buf_release(&png);
    }
}

static void a_failed_decode_keeps_the_memory_for_the_next(void **state)
{
    struct buf png = small_png();
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    uint8_t *pixels;

    (void)state;
    assert_true(png_decode(png.data, png.length, &picture, &err));
    pixels = picture.pixels;
    assert_false(png_decode(png.data, png.length - 1, &picture, &err));
    assert_string_equal(err.text, "PNG: is truncated");
    assert_true(png_decode(png.data, png.length, &picture, &err));
    assert_ptr_equal(picture.pixels, pixels);
    picture_release(&picture);
    buf_release(&png);
}

static void other_bytes_are_reported_as_no_png(void **state)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    assert_false(png_decode("\xff\xd8\xff\xe0 a JPEG", 11, &picture, &err));
    assert_string_equal(err.text, "PNG: Not a PNG file");
}

static void a_png_beyond_the_limit_leaves_the_buffer_alone(void **state)
{
    struct buf png = BUF_INIT(60);
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    fill(&picture, 5, 6);
    buf_text(&png, "before");
    assert_false(png_encode(&picture, PNG_FAST, &png, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_string_equal(err.text, "PNG: larger than its limit");
    assert_string_equal(buf_cstr(&png), "before");
    assert_false(png.overflow);
    picture_release(&picture);
    buf_release(&png);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_colour_type_and_depth_becomes_rgba),
        cmocka_unit_test(encoded_picture_decodes_to_the_same),
        cmocka_unit_test(photos_are_filtered_and_decode_to_the_same),
        cmocka_unit_test(row_buffer_has_the_documented_size),
        cmocka_unit_test(fast_decoder_handles_each_filter_like_libpng),
        cmocka_unit_test(a_png_cut_anywhere_is_refused),
        cmocka_unit_test(changed_byte_is_detected_anywhere),
        cmocka_unit_test(bytes_after_the_end_are_ignored),
        cmocka_unit_test(texts_are_skipped_even_when_damaged),
        cmocka_unit_test(a_picture_too_large_is_refused_before_it_is_decoded),
        cmocka_unit_test(a_failed_decode_keeps_the_memory_for_the_next),
        cmocka_unit_test(other_bytes_are_reported_as_no_png),
        cmocka_unit_test(a_png_beyond_the_limit_leaves_the_buffer_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
