#include "tools/web/thumbs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/image.h"
#include "base/jpeg.h"
#include "base/mem.h"
#include "base/scale.h"

#define QUALITY 72
#define SLOTS_FIRST 1024 /* a power of two, as all that follow */

void thumbs_init(struct thumbs *thumbs)
{
    *thumbs = (struct thumbs){.slot_count = SLOTS_FIRST};
    thumbs->slots = mem_new(SLOTS_FIRST, sizeof(*thumbs->slots));
}

void thumbs_release(struct thumbs *thumbs)
{
    for (size_t i = 0; i < thumbs->count; i++)
        buf_release(&thumbs->items[i].jpeg);
    free(thumbs->items);
    free(thumbs->slots);
    *thumbs = (struct thumbs){.items = NULL};
}

/* Names are hashes already: a part of one is as good as any. */
static size_t slot_of(const struct thumbs *thumbs, const char *sha256)
{
    char digits[9];
    size_t slot;

    memcpy(digits, sha256, sizeof(digits) - 1);
    digits[sizeof(digits) - 1] = '\0';
    slot = strtoul(digits, NULL, 16) & (thumbs->slot_count - 1);
    while (thumbs->slots[slot] &&
           strcmp(thumbs->items[thumbs->slots[slot] - 1].sha256, sha256) != 0)
        slot = (slot + 1) & (thumbs->slot_count - 1);
    return slot;
}

static void grow(struct thumbs *thumbs)
{
    free(thumbs->slots);
    thumbs->slot_count *= 2;
    thumbs->slots = mem_new(thumbs->slot_count, sizeof(*thumbs->slots));
    for (size_t i = 0; i < thumbs->count; i++)
        thumbs->slots[slot_of(thumbs, thumbs->items[i].sha256)] = i + 1;
}

void thumbs_add(struct thumbs *thumbs, const struct trajectory *trajectory,
                const struct trajectory_file *file)
{
    struct thumb *thumb;

    if (!*file->file || thumbs_find(thumbs, file->sha256) != THUMBS_NONE)
        return;
    if (2 * (thumbs->count + 1) > thumbs->slot_count)
        grow(thumbs);
    thumbs->items =
        mem_resize(thumbs->items, thumbs->count + 1, sizeof(*thumbs->items));
    thumb = &thumbs->items[thumbs->count];
    *thumb = (struct thumb){.trajectory = trajectory,
                            .file = *file,
                            .jpeg = BUF_INIT(THUMB_BYTES_MAX)};
    memcpy(thumb->sha256, file->sha256, sizeof(thumb->sha256));
    thumbs->slots[slot_of(thumbs, thumb->sha256)] = ++thumbs->count;
}

size_t thumbs_find(const struct thumbs *thumbs, const char *sha256)
{
    size_t slot;

    if (!sha256_is_hex(sha256))
        return THUMBS_NONE;
    slot = slot_of(thumbs, sha256);
    return thumbs->slots[slot] ? thumbs->slots[slot] - 1 : THUMBS_NONE;
}

/* ---- making them ---- */

struct workshop {
    struct thumbs *thumbs;
    unsigned width;
    const struct cancel *cancel;
    atomic_size_t next;
};

/* The mean of four pixels: two above, two below, and two bytes at a time. */
static uint32_t mean_of(uint64_t above, uint64_t below)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    const uint32_t half = 0x00020002;
    uint64_t low = (above & even) + (below & even);
    uint64_t high = (above >> 8 & even) + (below >> 8 & even);
    uint32_t first = (uint32_t)low + (uint32_t)(low >> 32) + half;
    uint32_t second = (uint32_t)high + (uint32_t)(high >> 32) + half;

    return (first >> 2 & 0x00ff00ff) | (second << 6 & 0xff00ff00);
}

/* Half as wide and high, in the same memory. Screens are opaque. */
static void halve(struct picture *picture)
{
    uint32_t width = picture->width / 2, height = picture->height / 2;

    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *above = picture_row(picture, 2 * y);
        const uint8_t *below = picture_row(picture, 2 * y + 1);
        uint8_t *to = picture->pixels + (size_t)y * width * PICTURE_PIXEL;

        for (uint32_t x = 0; x < width; x++) {
            uint64_t two_above, two_below;
            uint32_t mean;

            memcpy(&two_above, above + (size_t)x * 8, 8);
            memcpy(&two_below, below + (size_t)x * 8, 8);
            mean = mean_of(two_above, two_below);
            memcpy(to + (size_t)x * PICTURE_PIXEL, &mean, PICTURE_PIXEL);
        }
    }
    picture->width = width;
    picture->height = height;
    picture->stride = (size_t)width * PICTURE_PIXEL;
}

/*
 * About so wide, for most screens by halves alone: that takes a fraction of the
 * time, and nobody sees it in so small a picture.
 */
static const struct picture *shrink(struct picture *large, unsigned width,
                                    struct picture *room)
{
    struct err ignored;

    while (large->width / 2 >= width && large->height >= 2)
        halve(large);
    if (large->width <= width + width / 4)
        return large;
    return picture_shrink(large, width, PICTURE_SIDE_MAX, room, &ignored)
               ? room
               : large;
}

static void make_one(struct thumb *thumb, unsigned width, struct buf *bytes,
                     struct picture *large, struct picture *small)
{
    struct err ignored;

    buf_clear(bytes);
    if (trajectory_read_file(thumb->trajectory, &thumb->file, bytes,
                             &ignored) &&
        image_decode(bytes->data, bytes->length, large, &ignored) &&
        jpeg_encode(shrink(large, width, small), QUALITY, &thumb->jpeg,
                    &ignored))
        return;
    buf_release(&thumb->jpeg);
}

static void work(void *context)
{
    struct workshop *workshop = context;
    struct buf bytes = BUF_INIT(IMAGE_FILE_MAX);
    struct picture large = PICTURE_INIT, small = PICTURE_INIT;
    size_t i;

    while (!cancel_fired(workshop->cancel) &&
           (i = atomic_fetch_add(&workshop->next, 1)) < workshop->thumbs->count)
        make_one(&workshop->thumbs->items[i], workshop->width, &bytes, &large,
                 &small);
    picture_release(&large);
    picture_release(&small);
    buf_release(&bytes);
}

void thumbs_make(struct thumbs *thumbs, unsigned width,
                 const struct cancel *cancel)
{
    struct workshop workshop = {
        .thumbs = thumbs, .width = width, .cancel = cancel};

    atomic_init(&workshop.next, 0);
    crew_share(0, work, &workshop);
}
