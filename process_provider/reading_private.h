/* Running the program that reads: shared by what asks it. */
#ifndef PROCESS_PROVIDER_READING_PRIVATE_H
#define PROCESS_PROVIDER_READING_PRIVATE_H

#include "process_provider/reading.h"

/* How Tesseract looks for text: the numbers of its option --psm. */
#define LAYOUT_WORD "8"    /* the picture is one word */
#define LAYOUT_SPARSE "11" /* words are anywhere */

/* How much a part of this picture is enlarged to be read well. */
double reading_scale(const struct picture *picture);

/*
 * Read the ink that was taken of a part of a picture, enlarged by scale.
 * Fails as reading_make.
 */
MUST_USE bool reading_of_ink(const struct picture *ink, struct box part,
                             double scale, const char *layout,
                             struct reading *reading, struct err *err);

#endif
