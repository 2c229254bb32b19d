#include "process_provider/diff/picture_likeness.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "process_provider/diff/ssim.h"
#include "process_provider/diff/unmasked_area.h"

#define INSIDE 128

static bool counts(const struct picture *mask, bool outside, uint32_t x,
                   uint32_t y)
{
    return !mask || (picture_row(mask, y)[(size_t)x * PICTURE_PIXEL] >=
                     INSIDE) != outside;
}

/* Add the boxes of one row: each is a run of pixels. */
static void add_row(const struct picture *mask, bool outside, uint32_t y,
                    struct unmasked_area *area)
{
    uint32_t x = 0;

    while (x < mask->width) {
        uint32_t from = x;

        while (x < mask->width && counts(mask, outside, x, y))
            x++;
        if (x > from) {
            area->boxes[area->count++] =
                (struct box){(int)from, (int)y, (int)x, (int)y + 1};
            area->pixels += x - from;
        }
        while (x < mask->width && !counts(mask, outside, x, y))
            x++;
    }
}

static void area_of(const struct picture *mask, bool outside,
                    struct unmasked_area *area)
{
    size_t most = (size_t)mask->height * (mask->width / 2 + 1);

    *area =
        (struct unmasked_area){.boxes = mem_new(most, sizeof(*area->boxes))};
    for (uint32_t y = 0; y < mask->height; y++)
        add_row(mask, outside, y, area);
}

static double psnr_of(const struct picture *before, const struct picture *after,
                      const struct picture *mask, bool outside)
{
    uint64_t squares = 0;
    uint64_t samples = 0;

    for (uint32_t y = 0; y < after->height; y++) {
        const uint8_t *a = picture_row(before, y);
        const uint8_t *b = picture_row(after, y);

        for (uint32_t x = 0; x < after->width; x++) {
            if (counts(mask, outside, x, y)) {
                for (int i = 0; i < 3; i++)
                    squares += (uint64_t)((a[i] - b[i]) * (a[i] - b[i]));
                samples += 3;
            }
            a += PICTURE_PIXEL;
            b += PICTURE_PIXEL;
        }
    }
    if (!samples)
        return NAN;
    return 10 * log10(255.0 * 255.0 * (double)samples / (double)squares);
}

struct picture_likeness picture_likeness_find(const struct picture *before,
                                              const struct picture *after,
                                              const struct picture *mask,
                                              bool outside)
{
    struct picture_likeness likeness = {
        .psnr = psnr_of(before, after, mask, outside)};
    struct unmasked_area area;

    if (mask)
        area_of(mask, outside, &area);
    else
        unmasked_area_init(&area, after->width, after->height, NULL, 0);
    likeness.ssim = isinf(likeness.psnr) ? 1 : ssim(before, after, &area);
    unmasked_area_release(&area);
    return likeness;
}
