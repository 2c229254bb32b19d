#include "base/png_reference.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* No chunk but the image's own needs more than this. */
#define CHUNK_MAX ((png_alloc_size_t)8 << 20)

/* libpng at work, on one picture; what its callbacks need. */
struct reader {
    png_structp png;
    png_infop info;
    struct picture *picture;
    const uint8_t *bytes; /* to be read */
    size_t left;
    char why[128]; /* it failed */
};

static void on_error(png_structp png, png_const_charp message)
{
    struct reader *reader = png_get_error_ptr(png);

    snprintf(reader->why, sizeof(reader->why), "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/*
 * Take one step; false, with the reason in reader, when libpng gives up in it.
 * This is where it jumps to, and nothing of ours lives in this frame.
 */
static bool attempt(struct reader *reader, void (*step)(struct reader *))
{
    if (setjmp(png_jmpbuf(reader->png)))
        return false;
    step(reader);
    return true;
}

static void read_bytes(png_structp png, png_bytep to, size_t length)
{
    struct reader *reader = png_get_io_ptr(png);

    if (length > reader->left)
        png_error(png, "ends too early");
    memcpy(to, reader->bytes, length);
    reader->bytes += length;
    reader->left -= length;
}

/* Everything up to the pixels, which shall come as RGBA. */
static void read_header(struct reader *reader)
{
    png_structp png = reader->png;

    reader->info = png_create_info_struct(png);
    if (!reader->info)
        png_error(png, "no memory");
    png_set_read_fn(png, reader, read_bytes);
    /* The size is ours to judge, once it is known. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, CHUNK_MAX);
    /* Texts, times and colour profiles are skipped unread. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, reader->info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

static void read_pixels(struct reader *reader)
{
    struct picture *picture = reader->picture;
    int passes = png_set_interlace_handling(reader->png);

    png_read_update_info(reader->png, reader->info);
    if (png_get_rowbytes(reader->png, reader->info) != picture->stride)
        png_error(reader->png, "rows of an unexpected length");
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < picture->height; y++)
            png_read_row(reader->png, picture_row(picture, y), NULL);
    }
    png_read_end(reader->png, NULL);
}

static bool decode(struct reader *reader, struct err *err)
{
    if (!attempt(reader, read_header))
        return err_set(err, ERR_INVALID, "%s", reader->why);
    if (!picture_resize(reader->picture,
                        png_get_image_width(reader->png, reader->info),
                        png_get_image_height(reader->png, reader->info), err))
        return false;
    if (!attempt(reader, read_pixels))
        return err_set(err, ERR_INVALID, "%s", reader->why);
    return true;
}

bool png_reference_decode(const void *bytes, size_t length,
                          struct picture *picture, struct err *err)
{
    struct reader reader = {.picture = picture, .bytes = bytes, .left = length};
    bool done;

    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader,
                                        on_error, on_warning);
    done = reader.png ? decode(&reader, err)
                      : err_set(err, ERR_LIMIT, "no memory");
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    if (done)
        return true;
    picture->width = 0;
    picture->height = 0;
    return err_wrap(err, "PNG");
}
