#include "tools/live/patch_cache.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/picture/jpeg.h"
#include "base/picture/png.h"

#define PATCH_BYTES_MAX ((size_t)96 << 20)

void patch_cache_init(struct patch_cache *cache)
{
    *cache = (struct patch_cache){.rows = BUF_INIT(PICTURE_BYTES_MAX + 65536)};
}

static void forget(struct patch_cache *cache, size_t entry)
{
    struct live_patch *patch = cache->entries[entry];

    if (!patch)
        return;
    cache->bytes -= patch->bytes.length;
    live_patch_drop(patch);
    cache->entries[entry] = NULL;
}

void patch_cache_release(struct patch_cache *cache)
{
    for (size_t i = 0; i < PATCH_CACHE_ENTRIES; i++)
        forget(cache, i);
    buf_release(&cache->rows);
    picture_release(&cache->reduced);
}

/* ---- encoding ---- */

/* The mean of the pixels in a block, of which some may be outside. */
static void mean_of(const struct picture *from, struct box block, uint8_t *to)
{
    const unsigned count =
        (unsigned)box_width(block) * (unsigned)box_height(block);
    unsigned sums[PICTURE_PIXEL] = {0};

    for (int y = block.top; y < block.bottom; y++) {
        const uint8_t *pixel =
            picture_row(from, (uint32_t)y) + (size_t)block.left * PICTURE_PIXEL;

        for (int x = block.left; x < block.right; x++, pixel += PICTURE_PIXEL) {
            for (int i = 0; i < PICTURE_PIXEL; i++)
                sums[i] += pixel[i];
        }
    }
    for (int i = 0; i < PICTURE_PIXEL; i++)
        to[i] = (uint8_t)((sums[i] + count / 2) / count);
}

/* Every second byte of eight, each in a number of 16 bits. */
#define EVERY_SECOND UINT64_C(0x00ff00ff00ff00ff)

/*
 * The means of whole blocks of a power of two of pixels, two pixels at a time:
 * their red and blue are added as parts of one number, green and alpha as parts
 * of another one.
 */
ALWAYS_INLINE void write_means(const struct picture *from,
                               const uint8_t *pixels, uint32_t blocks,
                               unsigned side, uint8_t *to)
{
    const unsigned count = side * side;

    for (uint32_t block = 0; block < blocks; block++) {
        const uint8_t *row = pixels + (size_t)block * side * PICTURE_PIXEL;
        uint64_t red_blue = 0, green_alpha = 0;

        for (unsigned y = 0; y < side; y++, row += from->stride) {
            for (unsigned x = 0; x < side; x += 2) {
                const uint64_t two = get_u64le(row + (size_t)x * PICTURE_PIXEL);

                red_blue += two & EVERY_SECOND;
                green_alpha += two >> 8U & EVERY_SECOND;
            }
        }
        red_blue += red_blue >> 32U;
        green_alpha += green_alpha >> 32U;
        *to++ = (uint8_t)(((red_blue & 0xffffU) + count / 2) / count);
        *to++ = (uint8_t)(((green_alpha & 0xffffU) + count / 2) / count);
        *to++ = (uint8_t)(((red_blue >> 16U & 0xffffU) + count / 2) / count);
        *to++ = (uint8_t)(((green_alpha >> 16U & 0xffffU) + count / 2) / count);
    }
}

/* Constants, so that the loops are unrolled. */
static void write_blocks(const struct picture *from, const uint8_t *pixels,
                         uint32_t blocks, unsigned side, uint8_t *to)
{
    if (side == 2)
        write_means(from, pixels, blocks, 2, to);
    else if (side == 4)
        write_means(from, pixels, blocks, 4, to);
    else
        write_means(from, pixels, blocks, 8, to);
}

bool patch_reduce(const struct picture *from, struct box box,
                  unsigned reduction, struct picture *to, struct err *err)
{
    const int by = (int)reduction;
    const uint32_t width =
        ((uint32_t)box_width(box) + reduction - 1) / reduction;
    const uint32_t height =
        ((uint32_t)box_height(box) + reduction - 1) / reduction;

    if (!picture_resize(to, width, height, err))
        return false;
    for (uint32_t y = 0; y < height; y++) {
        const int top = box.top + (int)y * by;
        const uint32_t whole = reduction > 1 && top + by <= box.bottom
                                   ? (uint32_t)(box_width(box) / by)
                                   : 0;

        write_blocks(from,
                     picture_row(from, (uint32_t)top) +
                         (size_t)box.left * PICTURE_PIXEL,
                     whole, reduction, picture_row(to, y));
        for (uint32_t x = whole; x < width; x++) {
            const int left = box.left + (int)x * by;

            mean_of(from,
                    box_meet((struct box){left, top, left + by, top + by}, box),
                    picture_row(to, y) + (size_t)x * PICTURE_PIXEL);
        }
    }
    return true;
}

/* The pixels of box, borrowed from picture. */
static struct picture part_of(const struct picture *picture, struct box box)
{
    return (struct picture){
        .pixels = picture_row(picture, (uint32_t)box.top) +
                  (size_t)box.left * PICTURE_PIXEL,
        .width = (uint32_t)box_width(box),
        .height = (uint32_t)box_height(box),
        .stride = picture->stride,
    };
}

static bool encode(struct patch_cache *cache, const struct picture *picture,
                   struct live_patch *patch, struct err *err)
{
    struct picture part = part_of(picture, patch->box);

    if (patch->reduction > 1) {
        if (!patch_reduce(picture, patch->box, patch->reduction,
                          &cache->reduced, err))
            return false;
        part = cache->reduced;
    }
    if (patch->format == LIVE_JPEG)
        return jpeg_encode(&part, PATCH_CACHE_QUALITY, &patch->bytes, err);
    buf_clear(&cache->rows);
    return png_encode_by(&part, PNG_FAST, &cache->rows, &patch->bytes, err);
}

/* ---- finding ---- */

static bool is_same(const struct live_patch *a, const struct live_patch *b)
{
    return a->box.left == b->box.left && a->box.top == b->box.top &&
           a->box.right == b->box.right && a->box.bottom == b->box.bottom &&
           a->format == b->format && a->reduction == b->reduction &&
           a->version == b->version;
}

static void keep(struct patch_cache *cache, struct live_patch *patch)
{
    forget(cache, cache->oldest);
    cache->entries[cache->oldest] = live_patch_hold(patch);
    cache->bytes += patch->bytes.length;
    cache->oldest = (cache->oldest + 1) % PATCH_CACHE_ENTRIES;
    for (size_t i = cache->oldest;
         cache->bytes > PATCH_CACHE_BYTES_MAX && cache->entries[i] != patch;
         i = (i + 1) % PATCH_CACHE_ENTRIES)
        forget(cache, i);
}

bool patch_cache_get(struct patch_cache *cache, const struct tile_map *map,
                     const struct tile_map_patch *part, unsigned reduction,
                     struct live_patch **patch, struct err *err)
{
    const struct live_patch wanted = {
        .box = part->box,
        .format = part->lossy ? LIVE_JPEG : LIVE_PNG,
        .reduction = reduction,
        .version = part->changed,
    };
    struct live_patch *made;

    for (size_t i = 0; i < PATCH_CACHE_ENTRIES; i++) {
        if (cache->entries[i] && is_same(cache->entries[i], &wanted)) {
            *patch = live_patch_hold(cache->entries[i]);
            return true;
        }
    }
    made = mem_new(1, sizeof(*made));
    made->box = wanted.box;
    made->format = wanted.format;
    made->reduction = wanted.reduction;
    made->version = wanted.version;
    made->bytes = (struct buf)BUF_INIT(PATCH_BYTES_MAX);
    atomic_init(&made->holders, 1);
    if (!encode(cache, &map->picture, made, err)) {
        live_patch_drop(made);
        return false;
    }
    cache->encoded++;
    keep(cache, made);
    *patch = made;
    return true;
}
