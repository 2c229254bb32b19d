/*
 * Which rows of a picture become smaller when they are filtered (PNG
 * specification, section 9). Rows of a screen do not, those of a photo do, by a
 * third and more; most screens with photos have both.
 */
#ifndef BASE_PNG_CHOOSE_H
#define BASE_PNG_CHOOSE_H

#include <stddef.h>
#include <stdint.h>

/* Rows on their way into a PNG: a 0 in front of each, and then its samples. */
struct png_rows {
    uint8_t *bytes;
    size_t stored; /* of a row, with what stands in front */
    uint32_t count;
    size_t samples; /* of a pixel */
};

/*
 * Filter the rows where that is worth it, and say so in front of each. Without
 * the memory to find out, all stay as they are.
 */
void png_choose_filters(const struct png_rows *rows);

#endif
