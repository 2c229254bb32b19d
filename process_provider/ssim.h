/*
 * Structural similarity (Wang, Bovik, Sheikh and Simoncelli, 2004) of the
 * brightness of two pictures: a window of 11 x 11 pixels weighted by a
 * Gaussian of sigma 1.5, the mean over all places where it fits.
 */
#ifndef PROCESS_PROVIDER_SSIM_H
#define PROCESS_PROVIDER_SSIM_H

#include "base/picture.h"
#include "process_provider/areas.h"

/*
 * How alike two pictures of the same size are: 1 is equal. Only windows whose
 * middle is in areas count, and what is outside of areas counts as equal.
 * NaN when no window does, as in pictures with a side below 11 pixels.
 */
double ssim(const struct picture *before, const struct picture *after,
            const struct areas *areas);

#endif
