/* The brightness of a pixel: ITU-R BT.601, rounded to eight bits. */
#ifndef BASE_PICTURE_LUMA_H
#define BASE_PICTURE_LUMA_H

#include <stdint.h>

/* Weights of red, green and blue, of 65536. */
#define LUMA_RED 19595U
#define LUMA_GREEN 38470U
#define LUMA_BLUE 7471U

static inline uint8_t luma(const uint8_t *pixel)
{
    return (uint8_t)((pixel[0] * LUMA_RED + pixel[1] * LUMA_GREEN +
                      pixel[2] * LUMA_BLUE + 0x8000U) >>
                     16);
}

#endif
