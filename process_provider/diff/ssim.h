/*
 * Structural similarity (Wang, Bovik, Sheikh and Simoncelli, 2004) of the
 * brightness of two pictures: a window of 11 x 11 pixels weighted by a
 * Gaussian of sigma 1.5, the mean over all places where it fits.
 */
#ifndef PROCESS_PROVIDER_DIFF_SSIM_H
#define PROCESS_PROVIDER_DIFF_SSIM_H

#include "base/picture/picture.h"
#include "process_provider/diff/unmasked_area.h"

/*
 * The similarity of two pictures of the same size: 1 is equal. Only windows
 * whose middle is in areas count, and pixels outside of areas count as equal.
 * NaN when no window counts, as in pictures with a side below 11 pixels.
 */
double ssim(const struct picture *before, const struct picture *after,
            const struct unmasked_area *areas);

#endif
