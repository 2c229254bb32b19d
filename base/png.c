#include "base/png.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* No chunk but the image's own needs more than this. */
#define CHUNK_MAX ((png_alloc_size_t)8 << 20)

/* libpng at work, on one picture; what its callbacks need. */
struct codec {
    png_structp png;
    png_infop info;
    struct picture *picture;
    const uint8_t *bytes; /* to be read */
    size_t left;
    struct buf *output; /* to be written */
    char why[128];      /* it failed */
};

static void on_error(png_structp png, png_const_charp message)
{
    struct codec *codec = png_get_error_ptr(png);

    snprintf(codec->why, sizeof(codec->why), "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/*
 * Take one step; false, with the reason in codec, when libpng gives up in it.
 * This is where it jumps to, and nothing of ours lives in this frame.
 */
static bool attempt(struct codec *codec, void (*step)(struct codec *))
{
    if (setjmp(png_jmpbuf(codec->png)))
        return false;
    step(codec);
    return true;
}

static void read_bytes(png_structp png, png_bytep to, size_t length)
{
    struct codec *codec = png_get_io_ptr(png);

    if (length > codec->left)
        png_error(png, "ends too early");
    memcpy(to, codec->bytes, length);
    codec->bytes += length;
    codec->left -= length;
}

/* Everything up to the pixels, which shall come as RGBA. */
static void read_header(struct codec *codec)
{
    png_structp png = codec->png;

    codec->info = png_create_info_struct(png);
    if (!codec->info)
        png_error(png, "no memory");
    png_set_read_fn(png, codec, read_bytes);
    /* The size is ours to judge, once it is known. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, CHUNK_MAX);
    /* Texts, times and colour profiles are skipped unread. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, codec->info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

static void read_pixels(struct codec *codec)
{
    struct picture *picture = codec->picture;
    int passes = png_set_interlace_handling(codec->png);

    png_read_update_info(codec->png, codec->info);
    if (png_get_rowbytes(codec->png, codec->info) != picture->stride)
        png_error(codec->png, "rows of an unexpected length");
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < picture->height; y++)
            png_read_row(codec->png, picture_row(picture, y), NULL);
    }
    png_read_end(codec->png, NULL);
}

static bool decode(struct codec *codec, struct err *err)
{
    if (!attempt(codec, read_header))
        return err_set(err, ERR_INVALID, "%s", codec->why);
    if (!picture_resize(codec->picture,
                        png_get_image_width(codec->png, codec->info),
                        png_get_image_height(codec->png, codec->info), err))
        return false;
    if (!attempt(codec, read_pixels))
        return err_set(err, ERR_INVALID, "%s", codec->why);
    return true;
}

bool png_decode(const void *bytes, size_t length, struct picture *picture,
                struct err *err)
{
    struct codec codec = {.picture = picture, .bytes = bytes, .left = length};
    bool done;

    codec.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &codec, on_error,
                                       on_warning);
    done =
        codec.png ? decode(&codec, err) : err_set(err, ERR_LIMIT, "no memory");
    png_destroy_read_struct(&codec.png, &codec.info, NULL);
    if (done)
        return true;
    picture->width = 0;
    picture->height = 0;
    return err_wrap(err, "PNG");
}

static void write_bytes(png_structp png, png_bytep from, size_t length)
{
    struct codec *codec = png_get_io_ptr(png);

    buf_append(codec->output, from, length);
    if (codec->output->overflow)
        png_error(png, "larger than its limit");
}

static void write_all(struct codec *codec)
{
    const struct picture *picture = codec->picture;
    png_structp png = codec->png;

    codec->info = png_create_info_struct(png);
    if (!codec->info)
        png_error(png, "no memory");
    png_set_write_fn(png, codec, write_bytes, NULL);
    /* Of screens, unfiltered rows become the smaller and quicker files. */
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, 3);
    png_set_IHDR(png, codec->info, picture->width, picture->height, 8,
                 PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, codec->info);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(png, picture_row(picture, y));
    png_write_end(png, NULL);
}

bool png_encode(const struct picture *picture, struct buf *png, struct err *err)
{
    struct picture source = *picture;
    struct codec codec = {.picture = &source, .output = png};
    size_t before = png->length;
    bool done;

    assert(picture->width && picture->height);
    codec.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &codec, on_error,
                                        on_warning);
    done = codec.png && attempt(&codec, write_all);
    png_destroy_write_struct(&codec.png, &codec.info);
    if (done)
        return true;
    buf_truncate(png, before);
    return err_set(err, ERR_LIMIT, "PNG: %s",
                   codec.why[0] ? codec.why : "no memory");
}
