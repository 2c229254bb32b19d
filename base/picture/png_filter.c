#include "base/picture/png_filter.h"

#include <string.h>

#include "base/bytes.h"
#include "base/picture/picture.h"

/*
 * Pixels are processed as vectors, which the compiler maps to the machine's
 * instructions: one pixel in the first four lanes, or four pixels at once.
 */
typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef int16_t shorts8 __attribute__((vector_size(16)));

#define BLOCK sizeof(bytes16)

ALWAYS_INLINE bytes8 load_pixel(const uint8_t *from)
{
    bytes8 bytes = {0};

    memcpy(&bytes, from, PICTURE_PIXEL);
    return bytes;
}

/*
 * A pixel of a PNG, with alpha 0 if it has none. There is a byte before every
 * pixel, so that three bytes can be loaded as four.
 */
ALWAYS_INLINE bytes8 load(const uint8_t *from, int samples)
{
    uint8_t pixel[PICTURE_PIXEL];

    if (samples == PICTURE_PIXEL)
        return load_pixel(from);
    put_u32le(pixel, get_u32le(from - 1) >> 8);
    return load_pixel(pixel);
}

/* Pixels without alpha become opaque. Returns the stored pixel. */
ALWAYS_INLINE bytes8 store(uint8_t *to, bytes8 pixel, int samples)
{
    if (samples < PICTURE_PIXEL)
        pixel |= (bytes8){0, 0, 0, 0xff};
    memcpy(to, &pixel, PICTURE_PIXEL);
    return pixel;
}

ALWAYS_INLINE shorts8 widen(bytes8 bytes)
{
    return __builtin_convertvector(bytes, shorts8);
}

ALWAYS_INLINE bytes8 narrow(shorts8 shorts)
{
    return __builtin_convertvector(shorts, bytes8);
}

ALWAYS_INLINE void undo_none(struct png_row row, int samples)
{
    const uint8_t *from = row.from + 1;

    if (samples == PICTURE_PIXEL) {
        memmove(row.to, from, row.width * PICTURE_PIXEL);
        return;
    }
    for (size_t x = 0; x < row.width; x++)
        store(row.to + x * PICTURE_PIXEL,
              load(from + x * (size_t)samples, samples), samples);
}

ALWAYS_INLINE void undo_sub(struct png_row row, int samples)
{
    const uint8_t *from = row.from + 1;
    bytes8 left = {0};

    for (size_t x = 0; x < row.width; x++)
        left = store(row.to + x * PICTURE_PIXEL,
                     left + load(from + x * (size_t)samples, samples), samples);
}

ALWAYS_INLINE void undo_up(struct png_row row, int samples)
{
    const uint8_t *from = row.from + 1;
    size_t pixels = BLOCK / PICTURE_PIXEL;
    size_t x = 0;

    for (; samples == PICTURE_PIXEL && x + pixels <= row.width; x += pixels) {
        bytes16 change;
        bytes16 above;

        memcpy(&change, from + x * PICTURE_PIXEL, BLOCK);
        memcpy(&above, row.above + x * PICTURE_PIXEL, BLOCK);
        above += change;
        memcpy(row.to + x * PICTURE_PIXEL, &above, BLOCK);
    }
    for (; x < row.width; x++)
        store(row.to + x * PICTURE_PIXEL,
              load_pixel(row.above + x * PICTURE_PIXEL) +
                  load(from + x * (size_t)samples, samples),
              samples);
}

ALWAYS_INLINE void undo_average(struct png_row row, int samples)
{
    const uint8_t *from = row.from + 1;
    bytes8 left = {0};

    for (size_t x = 0; x < row.width; x++) {
        bytes8 up = load_pixel(row.above + x * PICTURE_PIXEL);
        /* Half of a sum that does not fit into a byte. */
        bytes8 average = (left & up) + ((left ^ up) >> 1);

        left =
            store(row.to + x * PICTURE_PIXEL,
                  average + load(from + x * (size_t)samples, samples), samples);
    }
}

ALWAYS_INLINE shorts8 magnitude(shorts8 value)
{
    shorts8 sign = value >> 15;

    return (value ^ sign) - sign;
}

/* The one of left, up and corner that is nearest to left + up - corner. */
ALWAYS_INLINE shorts8 predict(shorts8 left, shorts8 up, shorts8 corner)
{
    shorts8 to_left = up - corner;
    shorts8 to_up = left - corner;
    shorts8 to_corner = magnitude(to_left + to_up);
    shorts8 not_left, not_up;

    to_left = magnitude(to_left);
    to_up = magnitude(to_up);
    not_left = (to_left > to_up) | (to_left > to_corner);
    not_up = to_up > to_corner;
    up = (up & ~not_up) | (corner & not_up);
    return (left & ~not_left) | (up & not_left);
}

ALWAYS_INLINE void undo_paeth(struct png_row row, int samples)
{
    const uint8_t *from = row.from + 1;
    shorts8 corner = {0};
    shorts8 left = {0};

    for (size_t x = 0; x < row.width; x++) {
        shorts8 up = widen(load_pixel(row.above + x * PICTURE_PIXEL));
        bytes8 pixel = narrow(predict(left, up, corner)) +
                       load(from + x * (size_t)samples, samples);

        left = widen(store(row.to + x * PICTURE_PIXEL, pixel, samples));
        corner = up;
    }
}

/* Above the first row all is 0, which makes the filters simpler. */
static enum png_filter as_first(enum png_filter filter)
{
    return filter == PNG_FILTER_UP      ? PNG_FILTER_NONE
           : filter == PNG_FILTER_PAETH ? PNG_FILTER_SUB
                                        : filter;
}

/* Half of the left neighbor. */
ALWAYS_INLINE void undo_first_average(struct png_row row, int samples)
{
    const uint8_t *from = row.from + 1;
    bytes8 left = {0};

    for (size_t x = 0; x < row.width; x++)
        left = store(row.to + x * PICTURE_PIXEL,
                     (left >> 1) + load(from + x * (size_t)samples, samples),
                     samples);
}

ALWAYS_INLINE bool undo(struct png_row row, int samples)
{
    enum png_filter filter = row.from[0];

    switch (row.above ? filter : as_first(filter)) {
    case PNG_FILTER_NONE:
        undo_none(row, samples);
        return true;
    case PNG_FILTER_SUB:
        undo_sub(row, samples);
        return true;
    case PNG_FILTER_UP:
        undo_up(row, samples);
        return true;
    case PNG_FILTER_AVERAGE:
        if (row.above)
            undo_average(row, samples);
        else
            undo_first_average(row, samples);
        return true;
    case PNG_FILTER_PAETH:
        undo_paeth(row, samples);
        return true;
    }
    return false;
}

/* Two copies of undo, each compiled for its number of samples. */
bool png_filter_undo(const struct png_row *row, int samples)
{
    return samples == 3 ? undo(*row, 3) : undo(*row, PICTURE_PIXEL);
}
