#include "tools/phone/pictures/scene.h"

#include <math.h>
#include <string.h>

#include "base/macros.h"
#include "base/picture/canvas.h"

#define CORNERS_MAX 8
#define SUBSAMPLES 4 /* rows of a polygon per row of pixels */
#define HORIZON 0.62F
#define WHITE 0xffffffff

/* ---- chance ---- */

static uint32_t mixed(uint32_t a, uint32_t b)
{
    uint32_t x = (a * 2654435761U) ^ (b * 2246822519U + 0x9e3779b9U);

    x = (x ^ (x >> 15U)) * 2246822519U;
    x = (x ^ (x >> 13U)) * 3266489917U;
    return x ^ (x >> 16U);
}

/* From 0 to 1. */
static float part(uint32_t seed, uint32_t number)
{
    return (float)(mixed(seed, number) >> 8U) / (float)0xffffff;
}

static float between(uint32_t seed, uint32_t number, float low, float high)
{
    return low + part(seed, number) * (high - low);
}

/* ---- what is drawn ---- */

struct light {
    uint32_t sky_top, sky_low, sun, far, near, ground;
};

static const struct light lights[] = {
    {0xff4a8fd9, 0xffcfe6f7, 0xfffff6d8, 0xff8fb0cc, 0xff5f8f5a, 0xff7fae5e},
    {0xff5a4b8c, 0xfff7a86b, 0xffffd98a, 0xff8a6a8c, 0xff6b4a5a, 0xff8a5f4f},
    {0xff8ea3b5, 0xffdfe6ea, 0xfff4f4f0, 0xff9fb0b8, 0xff6f8a7c, 0xff93a88a},
    {0xff2f6fa8, 0xfff3d9b8, 0xffffe9b0, 0xff7c93ab, 0xff8a8f4a, 0xffc2a860},
    {0xff3b5f9e, 0xfff0b8c4, 0xffffe0d0, 0xff8a88b0, 0xff4f6f72, 0xff6f9488},
};

static const uint32_t paints[] = {0xffc8473a, 0xff2f7f9e, 0xffd99a2b,
                                  0xff7a5aa8, 0xff3f8a5a, 0xffb8507f};

/* A subject is drawn in a square of 100 units around its foot. */
struct brush {
    struct canvas *canvas;
    float x, y; /* of the foot, in pixels */
    float unit;
    uint32_t paint, second;
    bool white; /* draw where the subject is */
};

struct photo_scene {
    const char *name;
    bool afloat; /* above the horizon */
    void (*draw)(const struct brush *brush);
};

static uint32_t color_of(const struct brush *brush, uint32_t color)
{
    return brush->white ? WHITE : color;
}

static struct box box_of(const struct brush *brush, float left, float top,
                         float right, float bottom)
{
    return (struct box){(int)lroundf(brush->x + left * brush->unit),
                        (int)lroundf(brush->y + top * brush->unit),
                        (int)lroundf(brush->x + right * brush->unit),
                        (int)lroundf(brush->y + bottom * brush->unit)};
}

static void block(const struct brush *brush, const float sides[4], float radius,
                  uint32_t color)
{
    canvas_round(brush->canvas,
                 box_of(brush, sides[0], sides[1], sides[2], sides[3]),
                 radius * brush->unit, color_of(brush, color));
}
#define BLOCK(left, top, right, bottom, radius, color)                         \
    block(brush, (const float[]){left, top, right, bottom}, radius, color)

static void line(const struct brush *brush, const float ends[4], float width,
                 uint32_t color)
{
    const struct canvas_line drawn = {
        .x0 = brush->x + ends[0] * brush->unit,
        .y0 = brush->y + ends[1] * brush->unit,
        .x1 = brush->x + ends[2] * brush->unit,
        .y1 = brush->y + ends[3] * brush->unit,
        .width = width * brush->unit,
    };

    canvas_line(brush->canvas, drawn, color_of(brush, color));
}
#define LINE(x0, y0, x1, y1, width, color)                                     \
    line(brush, (const float[]){x0, y0, x1, y1}, width, color)

/* ---- polygons ---- */

struct corners {
    float x[CORNERS_MAX], y[CORNERS_MAX];
    size_t count;
};

/* Add the coverage of one row between two edges to a row of the mask. */
static void add_span(uint8_t *row, float from, float to)
{
    from = fmaxf(from, 0);
    to = fminf(to, SCENE_WIDTH);
    for (int x = (int)from; x < SCENE_WIDTH && (float)x < to; x++) {
        float left = fmaxf(from, (float)x);
        float right = fminf(to, (float)x + 1);
        int more = row[x] + (int)lroundf((right - left) * 255 / SUBSAMPLES);

        row[x] = (uint8_t)(more > 255 ? 255 : more);
    }
}

/* The convex polygon's edges at that height; false where it is not. */
static bool cross(const struct corners *corners, float y, float *from,
                  float *to)
{
    *from = SCENE_WIDTH;
    *to = 0;
    for (size_t i = 0; i < corners->count; i++) {
        size_t j = (i + 1) % corners->count;
        float y0 = corners->y[i];
        float y1 = corners->y[j];
        float x;

        if ((y0 <= y) == (y1 <= y))
            continue;
        x = corners->x[i] +
            (corners->x[j] - corners->x[i]) * (y - y0) / (y1 - y0);
        *from = fminf(*from, x);
        *to = fmaxf(*to, x);
    }
    return *to > *from;
}

static void fill_polygon(struct canvas *canvas, const struct corners *corners,
                         uint32_t color)
{
    uint8_t row[SCENE_WIDTH];

    for (int y = 0; y < SCENE_HEIGHT; y++) {
        float from, to;
        bool any = false;

        memset(row, 0, sizeof(row));
        for (int i = 0; i < SUBSAMPLES; i++) {
            float at = (float)y + ((float)i + 0.5F) / SUBSAMPLES;

            if (!cross(corners, at, &from, &to))
                continue;
            add_span(row, from, to);
            any = true;
        }
        if (any)
            canvas_mask(canvas, (struct box){0, y, SCENE_WIDTH, y + 1}, row,
                        color);
    }
}

static void polygon(const struct brush *brush, const float *points,
                    size_t count, uint32_t color)
{
    struct corners corners = {.count = count};

    for (size_t i = 0; i < count; i++) {
        corners.x[i] = brush->x + points[2 * i] * brush->unit;
        corners.y[i] = brush->y + points[2 * i + 1] * brush->unit;
    }
    fill_polygon(brush->canvas, &corners, color_of(brush, color));
}
#define POLYGON(color, ...)                                                    \
    polygon(brush, (const float[]){__VA_ARGS__},                               \
            sizeof((const float[]){__VA_ARGS__}) / (2 * sizeof(float)), color)

/* ---- subjects ---- */

static void draw_balloon(const struct brush *brush)
{
    LINE(-16, -48, -8, -14, 1.2F, 0xff5a4632);
    LINE(16, -48, 8, -14, 1.2F, 0xff5a4632);
    POLYGON(brush->paint, -34, -62, 34, -62, 10, -34, -10, -34);
    BLOCK(-38, -112, 38, -40, 38, brush->paint);
    BLOCK(-21, -112, 21, -40, 21, brush->second);
    BLOCK(-8, -112, 8, -40, 8, brush->paint);
    POLYGON(brush->second, -17, -60, 17, -60, 7, -34, -7, -34);
    BLOCK(-10, -16, 10, 0, 3, 0xff8a5f34);
    BLOCK(-11, -17, 11, -13, 1.5F, 0xff6b4626);
}

static void draw_lighthouse(const struct brush *brush)
{
    POLYGON(0xff5f5a55, -46, 4, -30, -8, 30, -8, 46, 4);
    POLYGON(0xfff4f1ea, -16, -6, -10, -84, 10, -84, 16, -6);
    POLYGON(brush->paint, -14.6F, -24, -13.1F, -42, 13.1F, -42, 14.6F, -24);
    POLYGON(brush->paint, -11.7F, -60, -10.4F, -78, 10.4F, -78, 11.7F, -60);
    BLOCK(-14, -88, 14, -83, 1, 0xff3a3f45);
    BLOCK(-8, -101, 8, -88, 1, 0xffffe28a);
    POLYGON(brush->paint, -11, -100, 0, -112, 11, -100);
    BLOCK(-4, -18, 4, -6, 2, 0xff3a3f45);
}

static void draw_boat(const struct brush *brush)
{
    LINE(0, -14, 0, -104, 2.4F, 0xff6b4a2f);
    POLYGON(0xfff6f2e8, 3, -100, 42, -24, 3, -24);
    POLYGON(brush->paint, -3, -88, -34, -24, -3, -24);
    POLYGON(brush->second, -46, -18, 50, -18, 34, 2, -32, 2);
    POLYGON(0xfff6f2e8, -46, -18, 50, -18, 47, -14, -43, -14);
}

static void draw_cottage(const struct brush *brush)
{
    BLOCK(18, -84, 30, -50, 1, 0xff8a5a4a);
    BLOCK(-40, -46, 40, 2, 1, 0xfff1e4cc);
    POLYGON(brush->paint, -50, -44, 0, -88, 50, -44);
    BLOCK(-8, -30, 10, 2, 1.5F, 0xff6b4a2f);
    BLOCK(-32, -34, -16, -18, 1, brush->second);
    BLOCK(19, -34, 34, -18, 1, brush->second);
    BLOCK(-8, -66, 8, -52, 8, 0xfff6f2e8);
}

static void draw_tree(const struct brush *brush)
{
    POLYGON(0xff6b4a2f, -7, 2, -4, -50, 4, -50, 7, 2);
    BLOCK(-44, -76, 6, -30, 24, 0xff3f7a45);
    BLOCK(-8, -78, 44, -32, 24, 0xff4f8f4c);
    BLOCK(-30, -108, 28, -54, 27, 0xff5fa054);
    BLOCK(-20, -70, -12, -62, 4, brush->paint);
    BLOCK(8, -92, 16, -84, 4, brush->paint);
    BLOCK(20, -58, 28, -50, 4, brush->paint);
    BLOCK(-14, -96, -6, -88, 4, brush->paint);
}

static void draw_windmill(const struct brush *brush)
{
    POLYGON(0xffefe6d6, -24, 2, -14, -66, 14, -66, 24, 2);
    POLYGON(brush->paint, -17, -64, 0, -84, 17, -64);
    BLOCK(-6, -20, 6, 2, 2, 0xff5f4632);
    BLOCK(-4, -48, 4, -38, 1, brush->second);
    LINE(0, -66, 38, -96, 2.4F, 0xff5f4632);
    LINE(0, -66, -38, -36, 2.4F, 0xff5f4632);
    LINE(0, -66, 30, -28, 2.4F, 0xff5f4632);
    LINE(0, -66, -30, -104, 2.4F, 0xff5f4632);
    POLYGON(0xfff6f2e8, 8, -78, 34, -99, 40, -92, 14, -71);
    POLYGON(0xfff6f2e8, -8, -54, -34, -33, -40, -40, -14, -61);
    POLYGON(0xfff6f2e8, 11, -58, 32, -32, 25, -26, 4, -52);
    POLYGON(0xfff6f2e8, -11, -74, -32, -100, -25, -106, -4, -80);
}

static void draw_cactus(const struct brush *brush)
{
    LINE(-30, -62, -30, -46, 11, 0xff3f8a52);
    LINE(-30, -44, -4, -38, 11, 0xff3f8a52);
    LINE(28, -82, 28, -62, 11, 0xff3f8a52);
    LINE(28, -60, 4, -52, 11, 0xff3f8a52);
    BLOCK(-11, -106, 11, 3, 11, 0xff4f9e5e);
    LINE(-3, -96, -3, -4, 1.4F, 0xff3a7a48);
    LINE(4, -96, 4, -4, 1.4F, 0xff3a7a48);
    BLOCK(-7, -113, 7, -101, 6, brush->paint);
    BLOCK(24, -91, 33, -82, 4.5F, brush->paint);
}

static void draw_snowman(const struct brush *brush)
{
    LINE(-22, -50, -46, -66, 2.6F, 0xff5f4632);
    LINE(22, -50, 46, -70, 2.6F, 0xff5f4632);
    BLOCK(-30, -50, 30, 6, 29, 0xffeef3f7);
    BLOCK(-22, -78, 22, -38, 21, 0xfff6f9fb);
    BLOCK(-15, -100, 15, -70, 15, WHITE);
    BLOCK(-17, -76, 17, -68, 4, brush->paint);
    BLOCK(6, -74, 14, -52, 3, brush->paint);
    BLOCK(-20, -100, 20, -95, 2, 0xff2f3338);
    BLOCK(-12, -116, 12, -96, 2, 0xff2f3338);
    BLOCK(-7, -90, -3, -86, 2, 0xff2f3338);
    BLOCK(3, -90, 7, -86, 2, 0xff2f3338);
    POLYGON(0xffe8843a, 0, -86, 14, -82, 0, -79);
}

static const struct photo_scene scenes[] = {
    {"balloon", true, draw_balloon}, {"lighthouse", false, draw_lighthouse},
    {"boat", false, draw_boat},      {"cottage", false, draw_cottage},
    {"tree", false, draw_tree},      {"windmill", false, draw_windmill},
    {"cactus", false, draw_cactus},  {"snowman", false, draw_snowman},
};

const struct photo_scene *scene_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(scenes); i++) {
        if (!strcmp(scenes[i].name, name))
            return &scenes[i];
    }
    return NULL;
}

const char *scene_name(size_t number)
{
    return number < ARRAY_LEN(scenes) ? scenes[number].name : NULL;
}

static void draw_scene_subject(const struct photo_scene *scene, uint32_t seed,
                               struct canvas *canvas, bool white)
{
    struct brush brush = {
        .canvas = canvas,
        .x = between(seed, 11, 0.32F, 0.68F) * SCENE_WIDTH,
        .y = (scene->afloat ? between(seed, 12, 0.60F, 0.68F)
                            : between(seed, 12, 0.80F, 0.88F)) *
             SCENE_HEIGHT,
        .unit = between(seed, 13, 1.15F, 1.4F),
        .white = white,
    };
    size_t paint = mixed(seed, 14) % ARRAY_LEN(paints);

    brush.paint = paints[paint];
    brush.second =
        paints[(paint + 1 + mixed(seed, 15) % (ARRAY_LEN(paints) - 1)) %
               ARRAY_LEN(paints)];
    scene->draw(&brush);
}

bool scene_subject(const struct photo_scene *scene, uint32_t seed,
                   struct picture *mask, struct err *err)
{
    struct canvas canvas;

    if (!picture_resize(mask, SCENE_WIDTH, SCENE_HEIGHT, err))
        return false;
    canvas_init(&canvas, mask);
    canvas_fill(&canvas, canvas.clip, 0xff000000);
    draw_scene_subject(scene, seed, &canvas, true);
    return true;
}

/* ---- the landscape ---- */

/* The height of a ridge: waves of three lengths. */
static float ridge(uint32_t seed, uint32_t number, float x, float height)
{
    float sum = 0;

    for (uint32_t i = 0; i < 3; i++) {
        float length =
            between(seed, number + 2 * i, 0.7F, 1.3F) * (float)(1U << i) * 2;

        sum += sinf(x * length * 3 + part(seed, number + 2 * i + 1) * 6.28F) /
               (float)(1U << i);
    }
    return sum * height;
}

static void draw_ridge(struct canvas *canvas, uint32_t seed, uint32_t number,
                       float base, float height, uint32_t color)
{
    for (int x = 0; x < SCENE_WIDTH; x++) {
        float top =
            (base - ridge(seed, number, (float)x / SCENE_WIDTH, height)) *
            SCENE_HEIGHT;
        int whole = (int)top;
        uint8_t edge = (uint8_t)((1 - (top - (float)whole)) * 255);

        canvas_mask(canvas, (struct box){x, whole, x + 1, whole + 1}, &edge,
                    color);
        canvas_fill(canvas, (struct box){x, whole + 1, x + 1, SCENE_HEIGHT},
                    color);
    }
}

static void draw_landscape(uint32_t seed, struct canvas *canvas)
{
    const struct light *light = &lights[mixed(seed, 1) % ARRAY_LEN(lights)];
    int ground = (int)(HORIZON * SCENE_HEIGHT) + SCENE_HEIGHT / 12;
    int sun_x = (int)(between(seed, 2, 0.08F, 0.92F) * SCENE_WIDTH);
    int sun_y = (int)(between(seed, 3, 0.12F, 0.3F) * SCENE_HEIGHT);
    int size = (int)between(seed, 4, 14, 22);

    canvas_gradient(canvas, (struct box){0, 0, SCENE_WIDTH, ground},
                    light->sky_top, light->sky_low);
    for (int i = 4; i > 0; i--) {
        int radius = size * (2 + i) / 2;

        canvas_round(canvas,
                     (struct box){sun_x - radius, sun_y - radius,
                                  sun_x + radius, sun_y + radius},
                     (float)radius, color_fade(light->sun, i == 1 ? 255 : 26));
    }
    draw_ridge(canvas, seed, 20, HORIZON - 0.06F, 0.05F, light->far);
    draw_ridge(canvas, seed, 30, HORIZON + 0.02F, 0.03F, light->near);
    canvas_gradient(canvas, (struct box){0, ground, SCENE_WIDTH, SCENE_HEIGHT},
                    light->ground,
                    color_between(light->ground, 0xff202020, 60));
}

/* ---- dust, grain and corners, as of a camera ---- */

void scene_spots(uint32_t seed, size_t count, struct scene_spot *spots)
{
    for (size_t i = 0; i < count && i < SCENE_SPOTS_MAX; i++) {
        uint32_t number = 50 + 4 * (uint32_t)i;
        float left = (float)i / (float)count;

        spots[i] = (struct scene_spot){
            .x = (int)((left +
                        between(seed, number, 0.15F, 0.85F) / (float)count) *
                       SCENE_WIDTH),
            .y = (int)(between(seed, number + 1, 0.08F, 0.2F) * SCENE_HEIGHT),
            .radius = (int)between(seed, number + 2, 7, 10),
        };
    }
}

static void draw_spots(uint32_t seed, size_t count, struct canvas *canvas)
{
    struct scene_spot spots[SCENE_SPOTS_MAX];

    scene_spots(seed, count, spots);
    for (size_t i = 0; i < count && i < SCENE_SPOTS_MAX; i++) {
        const struct scene_spot *spot = &spots[i];

        canvas_round(
            canvas,
            (struct box){spot->x - spot->radius, spot->y - spot->radius,
                         spot->x + spot->radius, spot->y + spot->radius},
            (float)spot->radius, 0xd0302a26);
    }
}

static uint8_t clamped(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void add_grain(uint32_t seed, struct picture *picture)
{
    for (int y = 0; y < SCENE_HEIGHT; y++) {
        uint8_t *pixel = picture_row(picture, (uint32_t)y);

        for (int x = 0; x < SCENE_WIDTH; x++, pixel += PICTURE_PIXEL) {
            int grain =
                (int)(mixed(seed, (uint32_t)(y * SCENE_WIDTH + x)) % 11) - 5;
            int dx = x - SCENE_WIDTH / 2;
            int dy = y - SCENE_HEIGHT / 2;
            int dark = 256 - (dx * dx + dy * dy) / 1400;

            for (int i = 0; i < 3; i++)
                pixel[i] = clamped((pixel[i] + grain) * dark / 256);
        }
    }
}

bool scene_draw(const struct photo_scene *scene, uint32_t seed, size_t spots,
                struct picture *picture, struct err *err)
{
    struct canvas canvas;

    if (!picture_resize(picture, SCENE_WIDTH, SCENE_HEIGHT, err))
        return false;
    canvas_init(&canvas, picture);
    draw_landscape(seed, &canvas);
    draw_spots(seed, spots, &canvas);
    draw_scene_subject(scene, seed, &canvas, false);
    add_grain(seed, picture);
    return true;
}
