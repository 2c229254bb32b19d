#include "tools/phone/graphics/vector_path.h"

#include FT_OUTLINE_H
#include FT_STROKER_H
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define POINTS_MAX 512
#define CONTOURS_MAX 64

/* Distance of the handles from the ends of a curve that is a quarter circle. */
#define QUARTER 0.5522847F

struct sketch {
    FT_Vector points[POINTS_MAX];
    char tags[POINTS_MAX];
    short ends[CONTOURS_MAX];
    int point_count;
    int contour_count;
    float scale; /* 1/64 pixels per unit */
};

static void add_point(struct sketch *sketch, float x, float y, int tag)
{
    int at = sketch->point_count++;

    assert(at < POINTS_MAX);
    sketch->points[at] =
        (FT_Vector){(FT_Pos)(x * sketch->scale),
                    (FT_Pos)((VECTOR_PATH_UNITS - y) * sketch->scale)};
    sketch->tags[at] = (char)tag;
}

static void add_line(struct sketch *sketch, float x, float y)
{
    add_point(sketch, x, y, FT_CURVE_TAG_ON);
}

static void add_curve(struct sketch *sketch, const float at[6])
{
    add_point(sketch, at[0], at[1], FT_CURVE_TAG_CUBIC);
    add_point(sketch, at[2], at[3], FT_CURVE_TAG_CUBIC);
    add_point(sketch, at[4], at[5], FT_CURVE_TAG_ON);
}

static void end_contour(struct sketch *sketch)
{
    int count = sketch->contour_count;
    int before = count ? sketch->ends[count - 1] + 1 : 0;

    if (sketch->point_count == before)
        return;
    assert(count < CONTOURS_MAX);
    sketch->ends[count] = (short)(sketch->point_count - 1);
    sketch->contour_count++;
}

/* Four sides and four quarter circles; each may have length 0. */
static void add_round(struct sketch *sketch, float x, float y, float w, float h,
                      float r)
{
    float k = r * (1 - QUARTER);
    float right = x + w;
    float bottom = y + h;

    end_contour(sketch);
    add_line(sketch, x + r, y);
    add_line(sketch, right - r, y);
    add_curve(sketch, (float[]){right - k, y, right, y + k, right, y + r});
    add_line(sketch, right, bottom - r);
    add_curve(sketch, (float[]){right, bottom - k, right - k, bottom, right - r,
                                bottom});
    add_line(sketch, x + r, bottom);
    add_curve(sketch, (float[]){x + k, bottom, x, bottom - k, x, bottom - r});
    add_line(sketch, x, y + r);
    add_curve(sketch, (float[]){x, y + k, x + k, y, x + r, y});
    end_contour(sketch);
}

static int numbers_of(char command)
{
    switch (command) {
    case 'M':
    case 'L':
        return 2;
    case 'O':
        return 3;
    case 'R':
        return 5;
    case 'C':
        return 6;
    default:
        return 0;
    }
}

static void add_command(struct sketch *sketch, char command, const float n[6])
{
    switch (command) {
    case 'M':
        end_contour(sketch);
        add_line(sketch, n[0], n[1]);
        break;
    case 'L':
        add_line(sketch, n[0], n[1]);
        break;
    case 'C':
        add_curve(sketch, n);
        break;
    case 'O':
        add_round(sketch, n[0] - n[2], n[1] - n[2], 2 * n[2], 2 * n[2], n[2]);
        break;
    case 'R':
        add_round(sketch, n[0], n[1], n[2], n[3], n[4]);
        break;
    case 'Z':
        end_contour(sketch);
        break;
    default:
        assert(false && "a command of shapes");
    }
}

static void add_text(struct sketch *sketch, const char *shape)
{
    while (*shape) {
        char command = *shape++;
        float numbers[6] = {0};

        for (int i = 0; i < numbers_of(command); i++) {
            char *end;

            numbers[i] = strtof(shape, &end);
            assert(end != shape);
            shape = end;
        }
        shape += strspn(shape, " ");
        add_command(sketch, command, numbers);
    }
    end_contour(sketch);
}

static FT_Outline outline_of(struct sketch *sketch)
{
    return (FT_Outline){
        .n_contours = (short)sketch->contour_count,
        .n_points = (short)sketch->point_count,
        .points = sketch->points,
        .tags = sketch->tags,
        .contours = sketch->ends,
        .flags = FT_OUTLINE_EVEN_ODD_FILL,
    };
}

static void fill(FT_Library library, FT_Outline *outline, struct glyph *glyph)
{
    FT_Bitmap bitmap = {
        .rows = (unsigned)glyph->height,
        .width = (unsigned)glyph->width,
        .pitch = glyph->width,
        .buffer = glyph->pixels,
        .num_grays = 256,
        .pixel_mode = FT_PIXEL_MODE_GRAY,
    };

    if (FT_Outline_Get_Bitmap(library, outline, &bitmap))
        mem_out();
}

/* The pen follows open contours in both directions. */
static void stroke(FT_Library library, FT_Outline *outline, float pen,
                   struct glyph *glyph)
{
    FT_Stroker stroker;
    FT_Outline line;
    FT_UInt points, contours;

    if (FT_Stroker_New(library, &stroker))
        mem_out();
    FT_Stroker_Set(stroker, (FT_Fixed)(pen / 2), FT_STROKER_LINECAP_ROUND,
                   FT_STROKER_LINEJOIN_ROUND, 0);
    if (FT_Stroker_ParseOutline(stroker, outline, 1) ||
        FT_Stroker_GetCounts(stroker, &points, &contours) ||
        FT_Outline_New(library, points, (FT_Int)contours, &line))
        mem_out();
    line.n_points = 0;
    line.n_contours = 0;
    FT_Stroker_Export(stroker, &line);
    fill(library, &line, glyph);
    FT_Outline_Done(library, &line);
    FT_Stroker_Done(stroker);
}

struct glyph *vector_path_draw(FT_Library library, const char *shape, float pen,
                               int size)
{
    struct sketch sketch = {.scale = (float)size * 64 / VECTOR_PATH_UNITS};
    struct glyph *glyph = glyph_new(size, size, false);
    FT_Outline outline;

    add_text(&sketch, shape);
    outline = outline_of(&sketch);
    glyph->top = size;
    if (pen > 0)
        stroke(library, &outline, pen * sketch.scale, glyph);
    else
        fill(library, &outline, glyph);
    return glyph_crop(glyph);
}
