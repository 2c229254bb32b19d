#include "runner/observe/crop_match.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/picture/luma.h"
#include "base/picture/picture_file.h"
#include "base/picture/png.h"

#define PATH_SIZE 4096

/* Search on a coarse picture first, then around the best place. */
#define COARSE 4

/* Distance around the old place to search first, as a part of the width. */
#define NEAR_PART 6

/* Brightness, sampled in steps of this many pixels. */
struct grey {
    uint8_t *pixels; /* owned */
    int width;
    int height;
};

/* The mean of a square, which is robust against small shifts. */
static uint8_t mean_of(const struct picture *picture, int left, int top,
                       int step)
{
    unsigned sum = 0;

    for (int y = top; y < top + step; y++) {
        const uint8_t *at =
            picture_row(picture, (uint32_t)y) + (size_t)left * PICTURE_PIXEL;

        for (int x = 0; x < step; x++)
            sum += luma(at + (size_t)x * PICTURE_PIXEL);
    }
    return (uint8_t)(sum / (unsigned)(step * step));
}

static struct grey make_grey(const struct picture *picture, int step)
{
    struct grey grey = {.width = (int)picture->width / step,
                        .height = (int)picture->height / step};
    uint8_t *at;

    grey.pixels = mem_new((size_t)grey.width * (size_t)grey.height + 1, 1);
    at = grey.pixels;
    for (int y = 0; y < grey.height; y++) {
        for (int x = 0; x < grey.width; x++)
            *at++ = mean_of(picture, x * step, y * step, step);
    }
    return grey;
}

/* The sum of differences at a position; stops above limit. */
static uint64_t compare_at(const struct grey *screen, const struct grey *crop,
                           int left, int top, uint64_t limit)
{
    uint64_t sum = 0;

    for (int y = 0; y < crop->height && sum <= limit; y++) {
        const uint8_t *a = screen->pixels +
                           (size_t)(top + y) * (size_t)screen->width +
                           (size_t)left;
        const uint8_t *b = crop->pixels + (size_t)y * (size_t)crop->width;
        unsigned row = 0;

        for (int x = 0; x < crop->width; x++)
            row += (unsigned)abs(a[x] - b[x]);
        sum += row;
    }
    return sum;
}

struct best {
    uint64_t sum;
    int left;
    int top;
};

/* The best position of the crop within a box. */
static void search_in(const struct grey *screen, const struct grey *crop,
                      struct box box, struct best *best)
{
    int right = screen->width - crop->width;
    int bottom = screen->height - crop->height;

    box = box_meet(box, (struct box){0, 0, right + 1, bottom + 1});
    for (int y = box.top; y < box.bottom; y++) {
        for (int x = box.left; x < box.right; x++) {
            uint64_t sum = compare_at(screen, crop, x, y, best->sum);

            if (sum < best->sum)
                *best = (struct best){sum, x, y};
        }
    }
}

static double likeness_of(const struct best *best, const struct grey *crop)
{
    double pixels = (double)crop->width * crop->height;

    return best->sum == UINT64_MAX || pixels <= 0
               ? 0
               : 1 - (double)best->sum / pixels / 255;
}

static void search(const struct grey *screen, const struct grey *crop,
                   const struct action_point *was, int step, struct best *best)
{
    int reach = screen->width / NEAR_PART;

    if (was) {
        int x = was->x / step - crop->width / 2;
        int y = was->y / step - crop->height / 2;

        search_in(screen, crop,
                  (struct box){x - reach, y - reach, x + reach, y + reach},
                  best);
        if (likeness_of(best, crop) >= CROP_MATCH_MIN_LIKENESS)
            return;
    }
    search_in(screen, crop, (struct box){0, 0, screen->width, screen->height},
              best);
}

void crop_match_search(const struct picture *screen, const struct picture *crop,
                       const struct action_point *was, struct crop_match *match)
{
    int width = (int)crop->width, height = (int)crop->height;
    int step = width >= 2 * COARSE && height >= 2 * COARSE ? COARSE : 1;
    struct grey coarse = make_grey(screen, step);
    struct grey coarse_crop = make_grey(crop, step);
    struct best best = {UINT64_MAX, 0, 0};
    struct grey fine = make_grey(screen, 1);
    struct grey fine_crop = make_grey(crop, 1);
    struct box around;

    search(&coarse, &coarse_crop, was, step, &best);
    around =
        (struct box){best.left * step - step, best.top * step - step,
                     best.left * step + 2 * step, best.top * step + 2 * step};
    best = (struct best){UINT64_MAX, 0, 0};
    search_in(&fine, &fine_crop, around, &best);
    match->likeness = likeness_of(&best, &fine_crop);
    match->box =
        (struct box){best.left, best.top, best.left + width, best.top + height};
    free(coarse.pixels);
    free(coarse_crop.pixels);
    free(fine.pixels);
    free(fine_crop.pixels);
}

/* An untrusted name must not lead out of the folder. */
static bool is_tame(const char *name)
{
    return *name && *name != '/' && !strstr(name, "..");
}

static bool load_crop(const char *folder, const char *name,
                      struct picture *crop, struct err *err)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof(path), "%s/%s", folder, name);

    if (!is_tame(name) || length < 0 || length >= PATH_SIZE)
        return err_set(err, ERR_INVALID, "not a valid name of a crop: %.100s",
                       name);
    return picture_file_load(path, crop, err);
}

bool crop_match_find(const char *folder, const char *name,
                     const struct buf *png, const struct action_point *was,
                     struct crop_match *match, struct err *err)
{
    struct picture crop = PICTURE_INIT;
    struct picture screen = PICTURE_INIT;
    bool done = load_crop(folder, name, &crop, err) &&
                png_decode(png->data, png->length, &screen, err);

    if (done && (crop.width > screen.width || crop.height > screen.height))
        done = err_set(err, ERR_NOT_FOUND, "%.100s is larger than the screen",
                       name);
    if (done) {
        crop_match_search(&screen, &crop, was, match);
        if (match->likeness < CROP_MATCH_MIN_LIKENESS)
            done = err_set(err, ERR_NOT_FOUND,
                           "nothing on the screen looks like %.100s", name);
    }
    picture_release(&crop);
    picture_release(&screen);
    return done;
}

bool crop_match_cut(const struct picture *screen, struct box *box,
                    struct picture *part, struct err *err)
{
    *box = box_meet(
        *box, (struct box){0, 0, (int)screen->width, (int)screen->height});
    if (box_is_empty(*box))
        return err_set(err, ERR_INVALID, "the crop is empty");
    if (!picture_resize(part, (uint32_t)box_width(*box),
                        (uint32_t)box_height(*box), err))
        return false;
    for (uint32_t y = 0; y < part->height; y++)
        memcpy(picture_row(part, y),
               picture_row(screen, (uint32_t)box->top + y) +
                   (size_t)box->left * PICTURE_PIXEL,
               (size_t)part->width * PICTURE_PIXEL);
    return true;
}

bool crop_match_save(const struct picture *screen, struct box box,
                     const char *path, struct err *err)
{
    struct picture part = PICTURE_INIT;
    bool done = crop_match_cut(screen, &box, &part, err) &&
                picture_file_save(path, &part, err);

    picture_release(&part);
    return done;
}
