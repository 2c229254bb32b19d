/*
 * One row of a tile in two screens: which of its 16 pixels differ, one bit
 * each, and by how much. There are three implementations: AVX2, SSE2, and plain
 * C, which defines the result of the other two.
 */
#ifndef PROCESS_PROVIDER_DIFF_PIXEL_TILE_H
#define PROCESS_PROVIDER_DIFF_PIXEL_TILE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/picture/luma.h"
#include "base/picture/picture.h"
#include "process_provider/diff/pixel_kernels.h"

/* ---- plain C, for up to 16 pixels ---- */

/* Which pixels are not the same. */
ALWAYS_INLINE uint32_t part_differing(const uint8_t *a, const uint8_t *b,
                                      int count)
{
    uint32_t bits = 0;

    for (int i = 0; i < count; i++, a += PICTURE_PIXEL, b += PICTURE_PIXEL)
        bits |= (uint32_t)(memcmp(a, b, PICTURE_PIXEL) != 0) << i;
    return bits;
}

/* Brightness, less SSIM_MIDDLE. */
ALWAYS_INLINE void part_luma(const uint8_t *pixels, int count, float *to)
{
    for (int i = 0; i < count; i++)
        to[i] = (float)luma(pixels + (size_t)i * PICTURE_PIXEL) - SSIM_MIDDLE;
}

/* Which differ in brightness by more than tolerance. */
ALWAYS_INLINE uint32_t part_beyond(const uint8_t *a, const uint8_t *b,
                                   int count, int tolerance)
{
    uint32_t bits = 0;

    for (int i = 0; i < count; i++, a += PICTURE_PIXEL, b += PICTURE_PIXEL)
        bits |= (uint32_t)(abs(luma(a) - luma(b)) > tolerance) << i;
    return bits;
}

/* The sum of the squared differences of R, G and B. */
ALWAYS_INLINE uint32_t part_squares(const uint8_t *a, const uint8_t *b,
                                    int count)
{
    uint32_t sum = 0;

    for (int i = 0; i < count; i++, a += PICTURE_PIXEL, b += PICTURE_PIXEL) {
        int red = a[0] - b[0];
        int green = a[1] - b[1];
        int blue = a[2] - b[2];

        sum += (uint32_t)(red * red + green * green + blue * blue);
    }
    return sum;
}

#if defined(__AVX2__)

#include <immintrin.h>

/* Some pixels; the two ways differ in how many, and in the names. */
typedef __m256i lanes;
#define LANES_OF_TILE 2
#define LANES(name_) _mm256_##name_
#define LANES_WORDS(value_) _mm256_set1_epi32(value_)
#define LANES_ZERO() _mm256_setzero_si256()
#define LANES_AND(a_, b_) _mm256_and_si256(a_, b_)
#define LANES_OR(a_, b_) _mm256_or_si256(a_, b_)

ALWAYS_INLINE lanes lanes_load(const uint8_t *from, int index)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from + index);
}

/* All words of a tile, each all ones or all zeros, as 16 bits. */
ALWAYS_INLINE uint32_t lanes_bits(const lanes words[LANES_OF_TILE])
{
    uint32_t low = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(words[0]));
    uint32_t high = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(words[1]));

    return low | high << 8;
}

ALWAYS_INLINE void lanes_store_luma(lanes words, float *to)
{
    _mm256_storeu_ps(to, _mm256_cvtepi32_ps(words) - SSIM_MIDDLE);
}

#elif defined(__SSE2__)

#include <emmintrin.h>

typedef __m128i lanes;
#define LANES_OF_TILE 4
#define LANES(name_) _mm_##name_
#define LANES_WORDS(value_) _mm_set1_epi32(value_)
#define LANES_ZERO() _mm_setzero_si128()
#define LANES_AND(a_, b_) _mm_and_si128(a_, b_)
#define LANES_OR(a_, b_) _mm_or_si128(a_, b_)

ALWAYS_INLINE lanes lanes_load(const uint8_t *from, int index)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from + index);
}

ALWAYS_INLINE uint32_t lanes_bits(const lanes words[LANES_OF_TILE])
{
    __m128i low = _mm_packs_epi32(words[0], words[1]);
    __m128i high = _mm_packs_epi32(words[2], words[3]);

    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

ALWAYS_INLINE void lanes_store_luma(lanes words, float *to)
{
    _mm_storeu_ps(to, _mm_cvtepi32_ps(words) - SSIM_MIDDLE);
}

#endif

#ifdef LANES

/* ---- whole tiles, by lanes ---- */

typedef lanes tile_sums;

ALWAYS_INLINE uint32_t tile_differing(const uint8_t *a, const uint8_t *b)
{
    lanes same[LANES_OF_TILE];

    for (int i = 0; i < LANES_OF_TILE; i++)
        same[i] = LANES(cmpeq_epi32)(lanes_load(a, i), lanes_load(b, i));
    return ~lanes_bits(same) & 0xffff;
}

/*
 * The brightness of each pixel, in a word. Green's part is too large for a
 * signed lane, so that green is there twice, with half of it each.
 */
ALWAYS_INLINE lanes lanes_luma(lanes pixels)
{
    const uint32_t half = LUMA_GREEN / 2;
    const lanes outer = LANES_WORDS((int)(LUMA_RED | LUMA_BLUE << 16));
    const lanes inner = LANES_WORDS((int)(half | (LUMA_GREEN - half) << 16));
    lanes red_blue = LANES_AND(pixels, LANES_WORDS(0x00ff00ff));
    lanes green = LANES_AND(LANES(srli_epi32)(pixels, 8), LANES_WORDS(0xff));
    lanes sums;

    green = LANES_OR(green, LANES(slli_epi32)(green, 16));
    sums = LANES(add_epi32)(LANES(madd_epi16)(red_blue, outer),
                            LANES(madd_epi16)(green, inner));
    return LANES(srli_epi32)(LANES(add_epi32)(sums, LANES_WORDS(0x8000)), 16);
}

ALWAYS_INLINE void tile_luma(const uint8_t *pixels, float *to)
{
    for (int i = 0; i < LANES_OF_TILE; i++)
        lanes_store_luma(lanes_luma(lanes_load(pixels, i)),
                         to + i * (TILE / LANES_OF_TILE));
}

ALWAYS_INLINE uint32_t tile_beyond(const uint8_t *a, const uint8_t *b,
                                   int tolerance)
{
    lanes beyond[LANES_OF_TILE];

    for (int i = 0; i < LANES_OF_TILE; i++) {
        lanes from = lanes_luma(lanes_load(a, i));
        lanes to = lanes_luma(lanes_load(b, i));
        lanes change = LANES(sub_epi32)(from, to);

        beyond[i] =
            LANES_OR(LANES(cmpgt_epi32)(change, LANES_WORDS(tolerance)),
                     LANES(cmpgt_epi32)(LANES_WORDS(-tolerance), change));
    }
    return lanes_bits(beyond);
}

ALWAYS_INLINE tile_sums tile_no_sums(void)
{
    return LANES_ZERO();
}

/* A lane has room for the squares of the longest row there is. */
ALWAYS_INLINE tile_sums tile_add_squares(tile_sums sums, const uint8_t *a,
                                         const uint8_t *b)
{
    const lanes colours = LANES_WORDS(0x00ffffff);

    for (int i = 0; i < LANES_OF_TILE; i++) {
        lanes from = lanes_load(a, i);
        lanes to = lanes_load(b, i);
        lanes change =
            LANES_OR(LANES(subs_epu8)(from, to), LANES(subs_epu8)(to, from));
        lanes low, high;

        change = LANES_AND(change, colours);
        low = LANES(unpacklo_epi8)(change, LANES_ZERO());
        high = LANES(unpackhi_epi8)(change, LANES_ZERO());
        sums = LANES(add_epi32)(sums, LANES(madd_epi16)(low, low));
        sums = LANES(add_epi32)(sums, LANES(madd_epi16)(high, high));
    }
    return sums;
}

ALWAYS_INLINE uint64_t tile_total(tile_sums sums)
{
    uint32_t words[sizeof(sums) / sizeof(uint32_t)];
    uint64_t total = 0;

    memcpy(words, &sums, sizeof(sums));
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        total += words[i];
    return total;
}

#else

/* ---- whole tiles, in plain C ---- */

typedef uint64_t tile_sums;

ALWAYS_INLINE void tile_luma(const uint8_t *pixels, float *to)
{
    part_luma(pixels, TILE, to);
}

ALWAYS_INLINE uint32_t tile_differing(const uint8_t *a, const uint8_t *b)
{
    return part_differing(a, b, TILE);
}

ALWAYS_INLINE uint32_t tile_beyond(const uint8_t *a, const uint8_t *b,
                                   int tolerance)
{
    return part_beyond(a, b, TILE, tolerance);
}

ALWAYS_INLINE tile_sums tile_no_sums(void)
{
    return 0;
}

ALWAYS_INLINE tile_sums tile_add_squares(tile_sums sums, const uint8_t *a,
                                         const uint8_t *b)
{
    return sums + part_squares(a, b, TILE);
}

ALWAYS_INLINE uint64_t tile_total(tile_sums sums)
{
    return sums;
}

#endif

#endif
