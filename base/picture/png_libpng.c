#include "base/picture/png_libpng.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

/* The memory limit for other chunks than the image. */
#define CHUNK_MAX ((png_alloc_size_t)8 << 20)

/* The state of libpng and of the callbacks for one picture. */
struct png_reader {
    png_structp png;
    png_infop info;
    struct picture *picture;
    const uint8_t *bytes; /* to be read */
    size_t left;
    char why[128]; /* it failed */
};

static void on_error(png_structp png, png_const_charp message)
{
    struct png_reader *reader = png_get_error_ptr(png);

    snprintf(reader->why, sizeof(reader->why), "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/*
 * Do one step; false, with the reason in reader, when libpng fails. The target
 * of longjmp, so no local variable of ours is used after it.
 */
static bool attempt(struct png_reader *reader,
                    void (*step)(struct png_reader *))
{
    if (setjmp(png_jmpbuf(reader->png)))
        return false;
    step(reader);
    return true;
}

static void read_bytes(png_structp png, png_bytep to, size_t length)
{
    struct png_reader *reader = png_get_io_ptr(png);

    if (length > reader->left)
        png_error(png, "is truncated");
    memcpy(to, reader->bytes, length);
    reader->bytes += length;
    reader->left -= length;
}

/* Everything before the pixels, which are requested as RGBA. */
static void read_header(struct png_reader *reader)
{
    png_structp png = reader->png;

    reader->info = png_create_info_struct(png);
    if (!reader->info)
        png_error(png, "no memory");
    png_set_read_fn(png, reader, read_bytes);
    /* The size is checked by us, once it is known. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, CHUNK_MAX);
    /* Texts, times and color profiles are skipped. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, reader->info);
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
}

static void read_pixels(struct png_reader *reader)
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

static bool decode(struct png_reader *reader, struct err *err)
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

bool png_libpng_decode(const void *bytes, size_t length,
                       struct picture *picture, struct err *err)
{
    struct png_reader reader = {
        .picture = picture, .bytes = bytes, .left = length};
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
