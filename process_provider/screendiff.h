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
#ifndef PROCESS_PROVIDER_SCREENDIFF_H
#define PROCESS_PROVIDER_SCREENDIFF_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/picture.h"
#include "process_provider/movement.h"
#include "process_provider/regions.h"

struct screendiff_options {
    const struct box *masks; /* not looked at: a clock, a caret */
    size_t mask_count;
    /* Pixels whose brightness differs by no more are equal; 0: by nothing. */
    uint8_t tolerance;
    bool likeness; /* PSNR and SSIM are wanted: they take much longer */
};

struct screendiff {
    uint32_t width, height;  /* of the screen after */
    bool same_size;          /* if not, all is said to have changed */
    uint64_t pixels;         /* that were looked at */
    uint64_t pixels_changed; /* of them */
    double share;            /* of those, from 0 to 1 */
    double psnr;             /* dB; infinite when equal, NaN: no answer */
    double ssim;             /* 1 when equal; NaN: no answer */
    struct regions regions;  /* what changed */
    bool moved;              /* something moved: */
    struct movement movement;
};

void screendiff_find(struct screendiff *diff, const struct picture *before,
                     const struct picture *after,
                     const struct screendiff_options *options);

/* Draw onto after what changed: boxes, and an arrow along what moved. */
void screendiff_mark(const struct screendiff *diff, struct picture *after);

/* As an object; docs/format.md names its members. The caller deletes it. */
struct cJSON *screendiff_to_json(const struct screendiff *diff);

#endif
