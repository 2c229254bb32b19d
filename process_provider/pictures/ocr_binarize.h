/*
 * Prepare a part of a screenshot for OCR: dark text on white.
 *
 * Screens show light text on dark, grey on grey, and text on keys, buttons and
 * bubbles of any colour; OCR expects black on white.
 */
#ifndef PROCESS_PROVIDER_PICTURES_OCR_BINARIZE_H
#define PROCESS_PROVIDER_PICTURES_OCR_BINARIZE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture/box.h"
#include "base/picture/picture.h"

/*
 * Convert a part of a picture, which must lie inside of it and not be empty,
 * into a grey picture of the same size: pixels that differ from the even
 * background around them become dark, the others white. Shapes larger than
 * letters, and frames around text, become white as well.
 *
 * Fails with ERR_LIMIT for a part that is too large; to, which must be another
 * picture, is then unchanged.
 */
MUST_USE bool ocr_binarize(const struct picture *picture, struct box part,
                           struct picture *to, struct err *err);

#endif
