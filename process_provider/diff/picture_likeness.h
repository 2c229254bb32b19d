/*
 * How alike two pictures are, in all of them or in a part: the foreground and
 * the background of an edited photo apart, for example.
 */
#ifndef PROCESS_PROVIDER_DIFF_PICTURE_LIKENESS_H
#define PROCESS_PROVIDER_DIFF_PICTURE_LIKENESS_H

#include <stdbool.h>

#include "base/picture/picture.h"

struct picture_likeness {
    double ssim; /* 1: equal; NaN: too small to tell */
    double psnr; /* dB, of red, green and blue; infinite: equal */
};

/*
 * Compare two pictures of one size. With a mask, also of that size, only pixels
 * count where its red is at least 128; with outside, only the others.
 */
struct picture_likeness picture_likeness_find(const struct picture *before,
                                              const struct picture *after,
                                              const struct picture *mask,
                                              bool outside);

#endif
