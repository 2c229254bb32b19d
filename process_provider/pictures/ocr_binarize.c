#include "process_provider/pictures/ocr_binarize.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/picture/luma.h"

#define PIXELS_MAX ((size_t)16 << 20)

/*
 * Lengths, as parts of the shorter side of the picture: half of the square
 * that surfaces have room for and strokes of letters do not, how far around a
 * letter its surface is looked for, and around what its contrast is measured.
 */
#define REACH_FLAT 144
#define REACH_SURFACE 8
#define REACH_CONTRAST 48

#define EVEN 8          /* how much a surface's brightness varies on a spot */
#define BLENDED 12      /* smaller differences belong to the surface */
#define CONTRAST_MIN 40 /* lower contrast is noise, and not stretched */

/* The largest letter, and the smallest frame, in pixels. */
#define LETTER_MAX 10
#define FRAME_WIDTH 12
#define FRAME_HEIGHT 24
#define FRAME_SHARE 8 /* of their box, frames fill less than this part */

#define WHITE 255
#define PALE 224 /* brighter pixels are background */

#define NO_SURFACE (-1)
#define IN_BLOB (-2)

struct ink {
    int width;
    int height;
    size_t count;
    int side;        /* of the whole picture, the shorter */
    uint8_t *light;  /* owned, as all that follow; how bright a pixel is */
    int16_t *ground; /* how bright the surface is; NO_SURFACE off them */
    uint8_t *low;    /* of the surfaces around a pixel, the darkest */
    uint8_t *high;   /* and the brightest; below low when there is none */
    uint8_t *spare;
};

static void ink_init(struct ink *ink, const struct picture *picture,
                     struct box part)
{
    uint8_t *to;

    *ink = (struct ink){
        .width = box_width(part),
        .height = box_height(part),
        .side = (int)(picture->width < picture->height ? picture->width
                                                       : picture->height),
    };
    ink->count = (size_t)ink->width * (size_t)ink->height;
    to = ink->light = mem_new(ink->count, 1);
    ink->ground = mem_new(ink->count, sizeof(*ink->ground));
    ink->low = mem_new(ink->count, 1);
    ink->high = mem_new(ink->count, 1);
    ink->spare = mem_new(ink->count, 1);
    for (int y = part.top; y < part.bottom; y++) {
        const uint8_t *row = picture_row(picture, (uint32_t)y);

        for (int x = part.left; x < part.right; x++)
            *to++ = luma(row + (size_t)x * PICTURE_PIXEL);
    }
}

static void ink_release(struct ink *ink)
{
    free(ink->light);
    free(ink->ground);
    free(ink->low);
    free(ink->high);
    free(ink->spare);
}

/* ---- lines of pixels, across or down ---- */

struct pixel_line {
    size_t first;
    size_t step;
    int length;
};

/* How many there are. */
static int lines_of(const struct ink *ink, bool across)
{
    return across ? ink->height : ink->width;
}

static struct pixel_line line_of(const struct ink *ink, bool across, int number)
{
    size_t width = (size_t)ink->width;

    return across ? (struct pixel_line){(size_t)number * width, 1, ink->width}
                  : (struct pixel_line){(size_t)number, width, ink->height};
}

static size_t pixel_of(struct pixel_line line, int i)
{
    return line.first + (size_t)i * line.step;
}

/* Each pixel of a line becomes the largest of those within reach. */
static void spread_line(const uint8_t *from, struct pixel_line line, int reach,
                        uint8_t *to)
{
    for (int i = 0; i < line.length; i++) {
        int first = i > reach ? i - reach : 0;
        int last = i + reach < line.length ? i + reach : line.length - 1;
        uint8_t most = 0;

        for (int k = first; k <= last; k++) {
            if (from[pixel_of(line, k)] > most)
                most = from[pixel_of(line, k)];
        }
        to[pixel_of(line, i)] = most;
    }
}

/* Each value becomes the largest in a square around it. */
static void spread(struct ink *ink, uint8_t *values, int reach)
{
    for (int i = 0; i < ink->height; i++)
        spread_line(values, line_of(ink, true, i), reach, ink->spare);
    for (int i = 0; i < ink->width; i++)
        spread_line(ink->spare, line_of(ink, false, i), reach, values);
}

/* ---- surfaces ---- */

/* A square of similar pixels is on a surface. */
static void find_surfaces(struct ink *ink)
{
    int reach = ink->side / REACH_FLAT + 1;
    uint8_t *darkest = ink->low; /* upside down, as spread looks for the most */
    uint8_t *flat = ink->high;

    for (size_t i = 0; i < ink->count; i++)
        darkest[i] = (uint8_t)(255 - ink->light[i]);
    memcpy(flat, ink->light, ink->count);
    spread(ink, darkest, reach);
    spread(ink, flat, reach);
    for (size_t i = 0; i < ink->count; i++)
        flat[i] = flat[i] - (255 - darkest[i]) <= EVEN;
    spread(ink, flat, reach);
    for (size_t i = 0; i < ink->count; i++)
        ink->ground[i] = flat[i] ? ink->light[i] : (int16_t)NO_SURFACE;
}

/* A pixel next to a surface, and nearly like it, is on it, too. */
static size_t grow_into(struct ink *ink, size_t from, size_t pixel,
                        uint32_t *added)
{
    int16_t ground = ink->ground[from];

    if (ink->ground[pixel] != NO_SURFACE ||
        abs(ink->light[pixel] - ground) > BLENDED)
        return 0;
    ink->ground[pixel] = ground;
    *added = (uint32_t)pixel;
    return 1;
}

/* Up to letters and edges, and into the corners. */
static void grow_surfaces(struct ink *ink)
{
    uint32_t *queue = mem_new(ink->count, sizeof(*queue));
    size_t width = (size_t)ink->width;
    size_t end = 0;

    for (size_t i = 0; i < ink->count; i++) {
        if (ink->ground[i] != NO_SURFACE)
            queue[end++] = (uint32_t)i;
    }
    for (size_t next = 0; next < end; next++) {
        size_t at = queue[next];
        size_t x = at % width;

        if (x > 0)
            end += grow_into(ink, at, at - 1, &queue[end]);
        if (x + 1 < width)
            end += grow_into(ink, at, at + 1, &queue[end]);
        if (at >= width)
            end += grow_into(ink, at, at - width, &queue[end]);
        if (at + width < ink->count)
            end += grow_into(ink, at, at + width, &queue[end]);
    }
    free(queue);
}

/* ---- what is on them ---- */

/* Note the surface that was last met, for those pixels that are on none. */
static void look_back(struct ink *ink, struct pixel_line line, bool backwards)
{
    int reach = ink->side / REACH_SURFACE;
    int16_t ground = NO_SURFACE;
    int since = 0;

    for (int i = 0; i < line.length; i++) {
        size_t at = pixel_of(line, backwards ? line.length - 1 - i : i);

        if (ink->ground[at] != NO_SURFACE) {
            ground = ink->ground[at];
            since = 0;
        } else if (ground != NO_SURFACE && since++ < reach) {
            if (ground < ink->low[at])
                ink->low[at] = (uint8_t)ground;
            if (ground > ink->high[at])
                ink->high[at] = (uint8_t)ground;
        }
    }
}

static void look_around(struct ink *ink)
{
    memset(ink->low, 255, ink->count);
    memset(ink->high, 0, ink->count);
    for (int across = 0; across < 2; across++) {
        for (int i = 0; i < lines_of(ink, across); i++) {
            look_back(ink, line_of(ink, across, i), false);
            look_back(ink, line_of(ink, across, i), true);
        }
    }
}

/*
 * How much a pixel differs from the surfaces around it. What is between two
 * of them is the edge of one, and no ink.
 */
static uint8_t difference(const struct ink *ink, size_t at)
{
    uint8_t light = ink->light[at];

    if (ink->ground[at] != NO_SURFACE || ink->low[at] > ink->high[at])
        return 0;
    if (light < ink->low[at])
        return (uint8_t)(ink->low[at] - light);
    return light > ink->high[at] ? (uint8_t)(light - ink->high[at]) : 0;
}

/* Dark on white, and the darkest of each place is black: in light. */
static void develop(struct ink *ink)
{
    uint8_t *most = ink->low;

    for (size_t i = 0; i < ink->count; i++)
        ink->light[i] = difference(ink, i);
    memcpy(most, ink->light, ink->count);
    spread(ink, most, ink->side / REACH_CONTRAST);
    for (size_t i = 0; i < ink->count; i++) {
        int whole = most[i] > CONTRAST_MIN ? most[i] : CONTRAST_MIN;

        ink->light[i] = (uint8_t)(WHITE - ink->light[i] * WHITE / whole);
    }
}

/* ---- frames ---- */

/* Pixels of ink that hang together, and the box around them. */
struct ink_blob {
    uint32_t *pixels; /* owned; room for all there are */
    size_t count;
    struct box box;
};

/* Take a pixel of ink that is in no blob yet. */
static void blob_take(struct ink *ink, size_t x, size_t y,
                      struct ink_blob *blob)
{
    const struct box box = {(int)x, (int)y, (int)x + 1, (int)y + 1};
    size_t at = y * (size_t)ink->width + x;

    if (ink->light[at] >= PALE || ink->ground[at] == IN_BLOB)
        return;
    ink->ground[at] = IN_BLOB;
    blob->box = blob->count ? box_join(blob->box, box) : box;
    blob->pixels[blob->count++] = (uint32_t)at;
}

/* Take all that hangs together with its first pixel. */
static void blob_fill(struct ink *ink, struct ink_blob *blob)
{
    for (size_t next = 0; next < blob->count; next++) {
        size_t x = blob->pixels[next] % (size_t)ink->width;
        size_t y = blob->pixels[next] / (size_t)ink->width;
        size_t right = x + 1 < (size_t)ink->width ? x + 1 : x;
        size_t below = y + 1 < (size_t)ink->height ? y + 1 : y;

        for (size_t v = y ? y - 1 : 0; v <= below; v++) {
            for (size_t u = x ? x - 1 : 0; u <= right; u++)
                blob_take(ink, u, v, blob);
        }
    }
}

/* Larger than letters, or only a frame around something. */
static bool is_frame(const struct ink *ink, const struct ink_blob *blob)
{
    int width = box_width(blob->box);
    int height = box_height(blob->box);

    return height > ink->side / LETTER_MAX ||
           (width > ink->side / FRAME_WIDTH &&
            height > ink->side / FRAME_HEIGHT &&
            blob->count * FRAME_SHARE < (size_t)width * (size_t)height);
}

/* OCR treats the content of a frame as a picture, and skips it. */
static void erase_frames(struct ink *ink)
{
    struct ink_blob blob = {.pixels =
                                mem_new(ink->count, sizeof(*blob.pixels))};

    for (size_t y = 0; y < (size_t)ink->height; y++) {
        for (size_t x = 0; x < (size_t)ink->width; x++) {
            blob.count = 0;
            blob_take(ink, x, y, &blob);
            blob_fill(ink, &blob);
            if (!blob.count || !is_frame(ink, &blob))
                continue;
            for (size_t i = 0; i < blob.count; i++)
                ink->light[blob.pixels[i]] = WHITE;
        }
    }
    free(blob.pixels);
}

static void write_ink(const struct ink *ink, struct picture *to)
{
    uint8_t *pixel = to->pixels;

    for (size_t i = 0; i < ink->count; i++) {
        memset(pixel, ink->light[i], 3);
        pixel[3] = 255;
        pixel += PICTURE_PIXEL;
    }
}

bool ocr_binarize(const struct picture *picture, struct box part,
                  struct picture *to, struct err *err)
{
    struct ink ink;

    if ((size_t)box_width(part) * (size_t)box_height(part) > PIXELS_MAX)
        return err_set(err, ERR_LIMIT, "the part to read is too large");
    if (!picture_resize(to, (uint32_t)box_width(part),
                        (uint32_t)box_height(part), err))
        return false;
    ink_init(&ink, picture, part);
    find_surfaces(&ink);
    grow_surfaces(&ink);
    look_around(&ink);
    develop(&ink);
    erase_frames(&ink);
    write_ink(&ink, to);
    ink_release(&ink);
    return true;
}
