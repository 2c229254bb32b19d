#include "base/picture/picture.h"

#include <stdlib.h>
#include <string.h>

size_t pixel_size(uint32_t format)
{
    switch (format) {
    case PIXEL_RGBA_8888:
    case PIXEL_RGBX_8888:
    case PIXEL_BGRA_8888:
        return 4;
    case PIXEL_RGB_888:
        return 3;
    case PIXEL_RGB_565:
        return 2;
    default:
        return 0;
    }
}

void picture_release(struct picture *picture)
{
    free(picture->pixels);
    *picture = (struct picture)PICTURE_INIT;
}

bool picture_check(uint32_t width, uint32_t height, struct err *err)
{
    if (!width || !height)
        return err_set(err, ERR_INVALID, "a picture of %ux%u pixels", width,
                       height);
    if (width > PICTURE_SIDE_MAX || height > PICTURE_SIDE_MAX ||
        (size_t)width * height > PICTURE_BYTES_MAX / PICTURE_PIXEL)
        return err_set(err, ERR_LIMIT, "a picture of %ux%u pixels is too large",
                       width, height);
    return true;
}

bool picture_resize(struct picture *picture, uint32_t width, uint32_t height,
                    struct err *err)
{
    return picture_reserve(picture, width, height, 0, err);
}

bool picture_reserve(struct picture *picture, uint32_t width, uint32_t height,
                     size_t bytes, struct err *err)
{
    size_t stride = (size_t)width * PICTURE_PIXEL;

    if (!picture_check(width, height, err))
        return false;
    if (bytes < stride * height)
        bytes = stride * height;
    if (bytes > picture->capacity) {
        uint8_t *pixels = malloc(bytes);

        if (!pixels)
            return err_set(err, ERR_LIMIT, "no memory for %ux%u pixels", width,
                           height);
        free(picture->pixels);
        picture->pixels = pixels;
        picture->capacity = bytes;
    }
    picture->width = width;
    picture->height = height;
    picture->stride = stride;
    return true;
}

/* Conversions of count pixels; rows have no gaps. */

static void copy_rgbx(uint8_t *to, const uint8_t *from, size_t count)
{
    for (; count; count--, to += 4, from += 4) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        to[3] = 0xff;
    }
}

static void copy_rgb(uint8_t *to, const uint8_t *from, size_t count)
{
    for (; count; count--, to += 4, from += 3) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        to[3] = 0xff;
    }
}

/* The high bits are repeated in the low ones, so that the maximum stays 255. */
static void copy_rgb_565(uint8_t *to, const uint8_t *from, size_t count)
{
    for (; count; count--, to += 4, from += 2) {
        unsigned pixel = from[0] | (unsigned)from[1] << 8;
        unsigned red = pixel >> 11;
        unsigned green = pixel >> 5 & 0x3f;
        unsigned blue = pixel & 0x1f;

        to[0] = (uint8_t)(red << 3 | red >> 2);
        to[1] = (uint8_t)(green << 2 | green >> 4);
        to[2] = (uint8_t)(blue << 3 | blue >> 2);
        to[3] = 0xff;
    }
}

static void copy_bgra(uint8_t *to, const uint8_t *from, size_t count)
{
    for (; count; count--, to += 4, from += 4) {
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        to[3] = from[3];
    }
}

static void copy_pixels(uint32_t format, uint8_t *to, const uint8_t *from,
                        size_t count)
{
    switch (format) {
    case PIXEL_RGBA_8888:
        memcpy(to, from, count * PICTURE_PIXEL);
        break;
    case PIXEL_RGBX_8888:
        copy_rgbx(to, from, count);
        break;
    case PIXEL_RGB_888:
        copy_rgb(to, from, count);
        break;
    case PIXEL_RGB_565:
        copy_rgb_565(to, from, count);
        break;
    case PIXEL_BGRA_8888:
        copy_bgra(to, from, count);
        break;
    }
}

bool picture_set(struct picture *picture, uint32_t format, uint32_t width,
                 uint32_t height, const void *bytes, size_t length,
                 struct err *err)
{
    size_t count = (size_t)width * height;
    size_t size = pixel_size(format);

    if (!size)
        return err_set(err, ERR_UNSUPPORTED, "unknown pixel format %u", format);
    if (!picture_check(width, height, err))
        return false;
    if (length != count * size)
        return err_set(err, ERR_INVALID,
                       "%zu bytes for %ux%u pixels, expected %zu", length,
                       width, height, count * size);
    if (!picture_resize(picture, width, height, err))
        return false;
    copy_pixels(format, picture->pixels, bytes, count);
    return true;
}
