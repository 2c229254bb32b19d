/* Finds a small picture of an element (a crop) on a screenshot. */
#ifndef RUNNER_OBSERVE_CROP_MATCH_H
#define RUNNER_OBSERVE_CROP_MATCH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/picture/box.h"
#include "base/picture/picture.h"
#include "tasks/task/action.h"

/* Crops that are at least this similar match; from 0 to 1. */
#define CROP_MATCH_MIN_LIKENESS 0.9

struct crop_match {
    struct box box;  /* its place on the screen */
    double likeness; /* 1: every pixel is equal */
};

/*
 * Find the crop in the file `name`, in folder, on the screenshot png: first
 * around the point where it was, if that is known, then everywhere. A name
 * cannot lead out of the folder. Fails with ERR_NOT_FOUND when nothing is
 * similar enough, ERR_INVALID for a bad name, and as picture_file_load.
 */
MUST_USE bool crop_match_find(const char *folder, const char *name,
                              const struct buf *png,
                              const struct action_point *was,
                              struct crop_match *match, struct err *err);

/*
 * The same for decoded pictures; match is the best place, however low its
 * similarity.
 */
void crop_match_search(const struct picture *screen, const struct picture *crop,
                       const struct action_point *was,
                       struct crop_match *match);

/*
 * Copy a part of a screenshot; *box is cut to the screen. Fails with
 * ERR_INVALID when nothing is left.
 */
MUST_USE bool crop_match_cut(const struct picture *screen, struct box *box,
                             struct picture *part, struct err *err);

/*
 * Save a part of a screenshot as a PNG file. Fails as crop_match_cut,
 * png_encode and file_save.
 */
MUST_USE bool crop_match_save(const struct picture *screen, struct box box,
                              const char *path, struct err *err);

#endif
