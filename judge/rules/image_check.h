/*
 * Compares a picture at the end of an episode with a reference: the last
 * screen, or a file that the runner pulled from the phone.
 */
#ifndef JUDGE_RULES_IMAGE_CHECK_H
#define JUDGE_RULES_IMAGE_CHECK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture/picture.h"
#include "judge/evidence/episode_evidence.h"
#include "judge/verdict/verdict.h"
#include "tasks/task/task.h"

/* The similarity of two pictures. */
struct likeness {
    double ssim; /* 1: equal; NaN: too small to tell */
    double psnr; /* dB; infinite: equal */
};

/*
 * Compare a picture with its reference, after applying the transform ("rotate
 * 90"; NULL: none) to the reference. If their sizes still differ, the reference
 * is resized to the picture.
 *
 * Fails with ERR_INVALID for an unknown transform, and as picture_resize.
 */
MUST_USE bool image_compare(const struct picture *picture,
                            const struct picture *reference,
                            const char *transform, struct likeness *likeness,
                            struct err *err);

/* Is the similarity sufficient for the task? */
bool image_is_alike(const struct task_image *image,
                    const struct likeness *likeness);

/*
 * Add a need for each picture of the task to the verdict. If a picture or a
 * reference cannot be read, its need is undecided.
 */
void image_check(const struct episode_evidence *evidence,
                 struct verdict *verdict);

#endif
