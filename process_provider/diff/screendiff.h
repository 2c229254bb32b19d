/*
 * What changed between two screens: how much, where, and whether it is only
 * what was there before, moved.
 *
 *     struct screendiff diff;
 *
 *     screendiff_find(&diff, &before, &after, &(struct screendiff_options){0});
 *     if (!diff.pixels_changed)
 *         puts("nothing changed");
 */
#ifndef PROCESS_PROVIDER_DIFF_SCREENDIFF_H
#define PROCESS_PROVIDER_DIFF_SCREENDIFF_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/picture/box.h"
#include "base/picture/picture.h"
#include "process_provider/diff/changed_regions.h"
#include "process_provider/diff/content_movement.h"

struct screendiff_options {
    const struct box *masks; /* not looked at: a clock, a caret */
    size_t mask_count;
    /*
     * Pixels whose brightness differs by at most this are equal; 0: exactly
     * equal.
     */
    uint8_t tolerance;
    bool likeness; /* PSNR and SSIM are wanted: they take much longer */
};

struct screendiff {
    uint32_t width, height;  /* of the screen after */
    bool same_size;          /* if not, everything counts as changed */
    uint64_t pixels;         /* that were looked at */
    uint64_t pixels_changed; /* of them */
    double share;            /* of those, from 0 to 1 */
    double psnr;             /* dB; infinite when equal, NaN: no answer */
    double ssim;             /* 1 when equal; NaN: no answer */
    struct changed_regions regions; /* the changed areas */
    bool moved;                     /* something moved: */
    struct content_movement movement;
};

void screendiff_find(struct screendiff *diff, const struct picture *before,
                     const struct picture *after,
                     const struct screendiff_options *options);

/* Draw the changes onto after: boxes, and an arrow along the movement. */
void screendiff_mark(const struct screendiff *diff, struct picture *after);

/* As an object; docs/format.md names its members. The caller deletes it. */
struct cJSON *screendiff_to_json(const struct screendiff *diff);

#endif
