#include "runner/parse/coords.h"

#include <math.h>

#include "base/macros.h"
#include "base/name_table.h"

/* As the processors of Qwen2.5-VL, UI-TARS and Qwen3-VL have them. */
#define SMART_FACTOR 28
#define SMART3_FACTOR 32
#define SMART_PIXELS_MIN 3136
#define SMART_PIXELS_MAX 12845056

static const char *const names[COORDS_KINDS] = {
    [COORDS_PX] = "px",       [COORDS_UNIT] = "unit",
    [COORDS_999] = "999",     [COORDS_1000] = "1000",
    [COORDS_SMART] = "smart", [COORDS_SMART3] = "smart3",
};

const char *coords_name(enum coords coords)
{
    return names[coords];
}

bool coords_find(const char *name, enum coords *coords)
{
    size_t found = name_table_find(names, COORDS_KINDS, name);

    if (found < COORDS_KINDS)
        *coords = (enum coords)found;
    return found < COORDS_KINDS;
}

/* A multiple of factor. nearbyint rounds halves to even, as Python does. */
static int multiple(double side, int factor, double (*towards)(double))
{
    int steps = (int)towards(side / factor);

    return (steps > 0 ? steps : 1) * factor;
}

struct extent coords_smart_resize(struct extent picture, int factor)
{
    double width = picture.width;
    double height = picture.height;
    struct extent resized = {multiple(width, factor, nearbyint),
                             multiple(height, factor, nearbyint)};
    double pixels = (double)resized.width * resized.height;

    if (pixels > SMART_PIXELS_MAX) {
        double shrink = sqrt(width * height / SMART_PIXELS_MAX);

        resized = (struct extent){multiple(width / shrink, factor, floor),
                                  multiple(height / shrink, factor, floor)};
    } else if (pixels < SMART_PIXELS_MIN) {
        double grow = sqrt(SMART_PIXELS_MIN / (width * height));

        resized = (struct extent){multiple(width * grow, factor, ceil),
                                  multiple(height * grow, factor, ceil)};
    }
    return resized;
}

void coords_edges(enum coords coords, struct extent picture, double *right,
                  double *bottom)
{
    switch (coords) {
    case COORDS_UNIT:
        *right = *bottom = 1;
        return;
    case COORDS_999:
        *right = *bottom = 999;
        return;
    case COORDS_1000:
        *right = *bottom = 1000;
        return;
    case COORDS_SMART:
        picture = coords_smart_resize(picture, SMART_FACTOR);
        break;
    case COORDS_SMART3:
        picture = coords_smart_resize(picture, SMART3_FACTOR);
        break;
    case COORDS_PX:
    case COORDS_KINDS:
        break;
    }
    *right = picture.width;
    *bottom = picture.height;
}

static bool counts_pixels(enum coords coords)
{
    return coords == COORDS_PX || coords == COORDS_SMART ||
           coords == COORDS_SMART3;
}

/* The far edge itself is the last pixel; pixels end before it. */
static bool outside(double value, double edge, enum coords coords)
{
    return !(value >= 0) ||
           (counts_pixels(coords) ? value >= edge : value > edge);
}

static int scale(double value, double edge, int side)
{
    int pixel = (int)floor(value * side / edge + 0.5);

    return pixel < side ? pixel : side - 1;
}

bool coords_to_device(enum coords coords, struct extent picture,
                      struct extent screen, double x, double y,
                      struct action_point *point, struct err *err)
{
    double right;
    double bottom;

    coords_edges(coords, picture, &right, &bottom);
    if (outside(x, right, coords) || outside(y, bottom, coords))
        return err_set(err, ERR_INVALID,
                       "the point %g, %g lies outside of the picture, which "
                       "ends at %g, %g",
                       x, y, right, bottom);
    *point = (struct action_point){scale(x, right, screen.width),
                                   scale(y, bottom, screen.height)};
    return true;
}
