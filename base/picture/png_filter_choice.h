/*
 * Chooses which rows of a picture are filtered (PNG specification, section 9).
 * Filtering does not help for rows of user interface, but makes rows of photos
 * smaller by a third or more; most screens with photos have both.
 */
#ifndef BASE_PICTURE_PNG_FILTER_CHOICE_H
#define BASE_PICTURE_PNG_FILTER_CHOICE_H

#include <stddef.h>
#include <stdint.h>

/* Rows for a PNG: each is a 0 byte followed by its samples. */
struct png_rows {
    uint8_t *bytes;
    size_t stored; /* size of a row, including that byte */
    uint32_t count;
    size_t samples; /* per pixel */
};

/*
 * Filter the rows for which it is worthwhile, and set the byte in front of
 * each. Without enough memory to find out, no row is filtered.
 */
void png_filter_choice(const struct png_rows *rows);

#endif
