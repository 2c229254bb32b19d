/* A little picture of a thing, looked for in the picture of a screen. */
#ifndef RUNNER_CROP_H
#define RUNNER_CROP_H

#include <stdbool.h>

#include "base/box.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/picture.h"
#include "tasks/action.h"

/* From which likeness on it is taken for the same, from 0 to 1. */
#define CROP_ALIKE 0.9

struct crop_match {
    struct box box;  /* where on the screen */
    double likeness; /* 1 is the same in every pixel */
};

/*
 * Look for the picture in the file `name`, in folder, on the screen png: around
 * where it was, if that is known, then everywhere. Names do not leave the
 * folder. Fails with ERR_NOT_FOUND when nothing looks like it, with ERR_INVALID
 * for a bad name, and as image_load.
 */
MUST_USE bool crop_find(const char *folder, const char *name,
                        const struct buf *png, const struct action_point *was,
                        struct crop_match *match, struct err *err);

/* The same for pictures; match is the best place, however unlike. */
void crop_search(const struct picture *screen, const struct picture *crop,
                 const struct action_point *was, struct crop_match *match);

/* Save the part of a screen as a PNG. Fails as png_encode and file_save. */
MUST_USE bool crop_save(const struct picture *screen, struct box box,
                        const char *path, struct err *err);

#endif
