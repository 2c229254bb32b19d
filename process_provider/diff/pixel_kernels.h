/*
 * The loops over all pixels, compiled once for any processor and once for AVX2;
 * the choice is made at run time.
 */
#ifndef PROCESS_PROVIDER_DIFF_PIXEL_KERNELS_H
#define PROCESS_PROVIDER_DIFF_PIXEL_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#define TILE 16 /* pixels, each way */

/* A bit for each of the columns and rows in which something changed. */
struct tile {
    uint16_t columns;
    uint16_t rows;
};

/* Two rows of pixels to be compared, from pixel left up to right. */
struct row_pair {
    const uint8_t *a;
    const uint8_t *b;
    int left;
    int right;
    int y; /* within the tiles */
    int tolerance;
    bool squares; /* are wanted */
};

struct row_sums {
    uint64_t pixels;  /* that changed */
    uint64_t squares; /* of the differences of R, G and B */
};

/* The window of SSIM; its weights are given from the middle outwards. */
#define SSIM_SIDE 11
#define SSIM_REACH (SSIM_SIDE / 2)

/* What SSIM averages of two pixels a and b; see ssim.c. */
enum ssim_plane {
    SSIM_A,
    SSIM_B,
    SSIM_SQUARES, /* a * a + b * b */
    SSIM_PRODUCT, /* a * b */
    SSIM_PLANES,
};

struct ssim_row {
    float *planes[SSIM_PLANES];
};

/* Small numbers have small errors, and SSIM only asks for differences. */
#define SSIM_MIDDLE 128

/* How many floats are worked on at once: rows are as long as a multiple. */
#define SSIM_LANES 8

struct pixel_kernels {
    /* Compare; mark the changes in tiles, and add to sums. */
    void (*compare_row)(const struct row_pair *pair, struct tile *tiles,
                        struct row_sums *sums);

    /* The brightness of count pixels, less SSIM_MIDDLE. */
    void (*luma_row)(const uint8_t *pixels, int count, float *to);

    /*
     * Average sideways: x of to is that of x to x + SSIM_SIDE - 1 of from,
     * whose planes A and B are given; the other two are filled here. count is
     * a multiple of SSIM_LANES.
     */
    void (*ssim_across)(const struct ssim_row *from, const float *weights,
                        int count, const struct ssim_row *to);

    /*
     * Average rows downwards, and compute the similarity: the first SSIM_SIDE
     * rows for the upper windows, those from the second on for the lower.
     */
    void (*ssim_down)(const struct ssim_row *const *rows, const float *weights,
                      int count, float *upper, float *lower);

    double (*sum_row)(const float *values, int count);
};

/* For any machine. */
extern const struct pixel_kernels pixel_kernels_plain;

/* The best for this machine. */
const struct pixel_kernels *pixel_kernels_best(void);

#endif
