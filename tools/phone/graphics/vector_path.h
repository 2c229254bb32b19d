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
#ifndef TOOLS_PHONE_GRAPHICS_VECTOR_PATH_H
#define TOOLS_PHONE_GRAPHICS_VECTOR_PATH_H

#include <ft2build.h>
#include FT_FREETYPE_H

#include "tools/phone/graphics/glyph_cache.h"

#define VECTOR_PATH_UNITS 24

/*
 * Draw a trusted shape into a square of size pixels: stroked with a pen of that
 * many units, or filled if pen is 0.
 */
struct glyph *vector_path_draw(FT_Library library, const char *shape, float pen,
                               int size);

#endif
