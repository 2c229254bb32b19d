/* Running Tesseract: shared by the files of OCR. */
#ifndef PROCESS_PROVIDER_PICTURES_OCR_PRIVATE_H
#define PROCESS_PROVIDER_PICTURES_OCR_PRIVATE_H

#include "process_provider/pictures/ocr.h"

/* Page segmentation modes of Tesseract: the values of its option --psm. */
#define OCR_LAYOUT_WORD "8"    /* the picture is one word */
#define OCR_LAYOUT_SPARSE "11" /* sparse text anywhere */

/* How much a part of this picture is enlarged to be read well. */
double ocr_scale(const struct picture *picture);

/*
 * Read a binarized part of a picture, enlarged by scale. Fails as ocr_read.
 */
MUST_USE bool ocr_read_binarized(const struct picture *ink, struct box part,
                                 double scale, const char *layout,
                                 const struct ocr_cache *cache,
                                 struct deadline by,
                                 const struct cancel *cancel,
                                 struct ocr_text *text, struct err *err);

#endif
