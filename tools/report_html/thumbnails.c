#include "tools/report_html/thumbnails.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/picture/jpeg.h"
#include "base/picture/picture_file.h"
#include "base/picture/picture_scale.h"
#include "base/thread_group.h"

#define QUALITY 72
#define SLOTS_FIRST 1024 /* a power of two, as all that follow */

void thumbnails_init(struct thumbnails *thumbnails)
{
    *thumbnails = (struct thumbnails){.slot_count = SLOTS_FIRST};
    thumbnails->slots = mem_new(SLOTS_FIRST, sizeof(*thumbnails->slots));
}

void thumbnails_release(struct thumbnails *thumbnails)
{
    for (size_t i = 0; i < thumbnails->count; i++)
        buf_release(&thumbnails->items[i].jpeg);
    free(thumbnails->items);
    free(thumbnails->slots);
    *thumbnails = (struct thumbnails){.items = NULL};
}

/* Names are hashes already: a part of one is a good hash. */
static size_t slot_of(const struct thumbnails *thumbnails, const char *sha256)
{
    char digits[9];
    size_t slot;

    memcpy(digits, sha256, sizeof(digits) - 1);
    digits[sizeof(digits) - 1] = '\0';
    slot = strtoul(digits, NULL, 16) & (thumbnails->slot_count - 1);
    while (thumbnails->slots[slot] &&
           strcmp(thumbnails->items[thumbnails->slots[slot] - 1].sha256,
                  sha256) != 0)
        slot = (slot + 1) & (thumbnails->slot_count - 1);
    return slot;
}

static void grow(struct thumbnails *thumbnails)
{
    free(thumbnails->slots);
    thumbnails->slot_count *= 2;
    thumbnails->slots =
        mem_new(thumbnails->slot_count, sizeof(*thumbnails->slots));
    for (size_t i = 0; i < thumbnails->count; i++)
        thumbnails->slots[slot_of(thumbnails, thumbnails->items[i].sha256)] =
            i + 1;
}

void thumbnails_add(struct thumbnails *thumbnails,
                    const struct trajectory *trajectory,
                    const struct trajectory_file *file)
{
    struct thumbnail *thumbnail;

    if (!*file->file ||
        thumbnails_find(thumbnails, file->sha256) != THUMBNAILS_NONE)
        return;
    if (2 * (thumbnails->count + 1) > thumbnails->slot_count)
        grow(thumbnails);
    thumbnails->items = mem_resize(thumbnails->items, thumbnails->count + 1,
                                   sizeof(*thumbnails->items));
    thumbnail = &thumbnails->items[thumbnails->count];
    *thumbnail = (struct thumbnail){.trajectory = trajectory,
                                    .file = *file,
                                    .jpeg = BUF_INIT(THUMBNAIL_BYTES_MAX)};
    memcpy(thumbnail->sha256, file->sha256, sizeof(thumbnail->sha256));
    thumbnails->slots[slot_of(thumbnails, thumbnail->sha256)] =
        ++thumbnails->count;
}

size_t thumbnails_find(const struct thumbnails *thumbnails, const char *sha256)
{
    size_t slot;

    if (!sha256_is_hex(sha256))
        return THUMBNAILS_NONE;
    slot = slot_of(thumbnails, sha256);
    return thumbnails->slots[slot] ? thumbnails->slots[slot] - 1
                                   : THUMBNAILS_NONE;
}

/* ---- making them ---- */

struct workshop {
    struct thumbnails *thumbnails;
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
 * Scale to about that width, for most screens by halving only: that takes a
 * fraction of the time, and makes no visible difference at this size.
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

static void make_one(struct thumbnail *thumbnail, unsigned width,
                     struct buf *bytes, struct picture *large,
                     struct picture *small)
{
    struct err ignored;

    buf_clear(bytes);
    if (trajectory_read_file(thumbnail->trajectory, &thumbnail->file, bytes,
                             &ignored) &&
        picture_file_decode(bytes->data, bytes->length, large, &ignored) &&
        jpeg_encode(shrink(large, width, small), QUALITY, &thumbnail->jpeg,
                    &ignored))
        return;
    buf_release(&thumbnail->jpeg);
}

static void work(void *context)
{
    struct workshop *workshop = context;
    struct buf bytes = BUF_INIT(PICTURE_FILE_MAX);
    struct picture large = PICTURE_INIT, small = PICTURE_INIT;
    size_t i;

    while (!cancel_fired(workshop->cancel) &&
           (i = atomic_fetch_add(&workshop->next, 1)) <
               workshop->thumbnails->count)
        make_one(&workshop->thumbnails->items[i], workshop->width, &bytes,
                 &large, &small);
    picture_release(&large);
    picture_release(&small);
    buf_release(&bytes);
}

void thumbnails_make(struct thumbnails *thumbnails, unsigned width,
                     const struct cancel *cancel)
{
    struct workshop workshop = {
        .thumbnails = thumbnails, .width = width, .cancel = cancel};

    atomic_init(&workshop.next, 0);
    thread_group_share(0, work, &workshop);
}
