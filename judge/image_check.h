/*
 * Does a picture at the end of an episode look like another? Of the last
 * screen, or of a file that the runner took off the phone.
 */
#ifndef JUDGE_IMAGE_CHECK_H
#define JUDGE_IMAGE_CHECK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture.h"
#include "judge/dossier.h"
#include "judge/verdict.h"
#include "tasks/task.h"

/* How alike two pictures are. */
struct likeness {
    double ssim; /* 1: equal; NaN: too small to tell */
    double psnr; /* dB; infinite: equal */
};

/*
 * Compare a picture with its reference, to which the transform ("rotate 90";
 * NULL: none) is done first. If their sizes still differ, the reference is
 * made the size of the picture.
 *
 * Fails with ERR_INVALID for a transform that is none, and as picture_resize.
 */
MUST_USE bool image_compare(const struct picture *picture,
                            const struct picture *reference,
                            const char *transform, struct likeness *likeness,
                            struct err *err);

/* Is that enough for what the task wants? */
bool image_is_alike(const struct task_image *image,
                    const struct likeness *likeness);

/*
 * Add a need for each picture of the task to the verdict. A picture or a
 * reference that cannot be read leaves its need unknown.
 */
void image_check(const struct dossier *dossier, struct verdict *verdict);

#endif
