/*
 * Pictures that truths ask about: how alike a file of the phone and a document
 * of the picture editor are, and the references that a task's checks compare
 * with.
 */
#ifndef TOOLS_PHONE_TRUTHS_TRUTH_PICTURES_H
#define TOOLS_PHONE_TRUTHS_TRUTH_PICTURES_H

#include "base/buf.h"
#include "base/err.h"
#include "tools/phone/files/files.h"

/* A comparison of pictures. All of it is borrowed. */
struct truth_likeness {
    const char *path;       /* of a PNG on the phone */
    const struct buf *json; /* of the document that it should look like */
    const struct buf *mask; /* of one whose mask_of says where; NULL: all */
    bool outside;           /* only where that mask is not */
};

/*
 * The similarity of the two: ssim and psnr, at most 100 dB, are 0 for a file
 * that is missing, no PNG, or of another size. Fails with ERR_INVALID for a
 * wrong document.
 */
MUST_USE bool truth_likeness_find(const struct truth_likeness *likeness,
                                  struct phone_files *files, double *ssim,
                                  double *psnr, struct err *err);

/*
 * Append the PNG of a document; with a member "mask_of", the mask of the layer
 * of this number, from 1. Fails with ERR_INVALID for a wrong document.
 */
MUST_USE bool truth_picture_encode(const struct buf *json, struct buf *png,
                                   struct err *err);

#endif
