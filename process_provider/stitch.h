/* Two screens in one picture: before | after, for who looks at only one. */
#ifndef PROCESS_PROVIDER_STITCH_H
#define PROCESS_PROVIDER_STITCH_H

#include <stdbool.h>

#include "base/err.h"
#include "base/picture.h"
#include "tasks/action.h"

/*
 * Make stitched: before on the left, a red line, after on the right, and the
 * action marked where it was done. The screens may differ in size; they are
 * aligned at the top. action may be NULL.
 *
 * Fails as picture_resize; stitched is then as it was.
 */
MUST_USE bool stitch(const struct picture *before, const struct picture *after,
                     const struct action *action, struct picture *stitched,
                     struct err *err);

#endif
