/*
 * Shapes: outlines written as text, on a square of 24 units from the top left.
 *
 *     M x y               begin at a point
 *     L x y               a line
 *     C x y x y x y       a cubic curve: two handles, then its end
 *     Z                   close
 *     O x y r             a circle
 *     R x y w h r         a box with round corners
 *
 * A shape is filled by the even-odd rule, or drawn with a round pen.
 */
#ifndef PHONE_SHAPE_H
#define PHONE_SHAPE_H

#include <ft2build.h>
#include FT_FREETYPE_H

#include "tools/phone/glyph.h"

#define SHAPE_UNITS 24

/*
 * Draw a shape of ours, whose text is trusted, into a square of size pixels:
 * with a pen that many units wide, or filled when pen is 0.
 */
struct glyph *shape_draw(FT_Library library, const char *shape, float pen,
                         int size);

#endif
