/* Two screens side by side in one picture: before | after. */
#ifndef PROCESS_PROVIDER_PICTURES_STITCH_SCREENS_H
#define PROCESS_PROVIDER_PICTURES_STITCH_SCREENS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture/picture.h"
#include "tasks/task/action.h"

/*
 * Draw before on the left, a red line, after on the right, and a mark where the
 * action was done. The screens may differ in size; they are aligned at the top.
 * action may be NULL.
 *
 * Fails as picture_resize; stitched is then unchanged.
 */
MUST_USE bool stitch_screens(const struct picture *before,
                             const struct picture *after,
                             const struct action *action,
                             struct picture *stitched, struct err *err);

#endif
