/*
 * What is written on a screen, without what it is written on.
 *
 * Screens show light text on dark, grey on grey, and text on keys, buttons
 * and bubbles of any colour. Programs that read expect black on white.
 */
#ifndef PROCESS_PROVIDER_INK_H
#define PROCESS_PROVIDER_INK_H

#include <stdbool.h>

#include "base/box.h"
#include "base/err.h"
#include "base/picture.h"

/*
 * Make of a part of a picture, which must be inside of it and not empty, one
 * in greys of the same size: what differs from the even surface that it stands
 * on is dark, the more the darker, and all the rest is white. So is what is
 * larger than letters are, and frames around them.
 *
 * Fails with ERR_LIMIT for a part that is too large; to, which must be another
 * picture, is then as it was.
 */
MUST_USE bool ink_take(const struct picture *picture, struct box part,
                       struct picture *to, struct err *err);

#endif
