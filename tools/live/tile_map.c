#include "tools/live/tile_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Moving areas below this share of the screen are sent without losses. */
#define LOSSY_SHARE 8 /* an eighth */

void tile_map_init(struct tile_map *map)
{
    *map = (struct tile_map){.frame = 0};
}

void tile_map_release(struct tile_map *map)
{
    picture_release(&map->picture);
    free(map->tiles);
    tile_map_init(map);
}

static uint32_t tiles_along(uint32_t pixels)
{
    return (pixels + TILE_MAP_SIDE - 1) / TILE_MAP_SIDE;
}

static struct map_tile *tile_at(const struct tile_map *map, uint32_t column,
                                uint32_t row)
{
    return &map->tiles[(size_t)row * map->across + column];
}

/* The pixels of tiles from (column, row) up to but without (right, bottom). */
static struct box box_of_tiles(const struct tile_map *map, uint32_t column,
                               uint32_t row, uint32_t right, uint32_t bottom)
{
    const struct box all = {0, 0, (int)map->picture.width,
                            (int)map->picture.height};

    return box_meet((struct box){(int)(column * TILE_MAP_SIDE),
                                 (int)(row * TILE_MAP_SIDE),
                                 (int)(right * TILE_MAP_SIDE),
                                 (int)(bottom * TILE_MAP_SIDE)},
                    all);
}

/* ---- updating ---- */

static bool resize(struct tile_map *map, const struct picture *picture,
                   struct err *err)
{
    if (!picture_resize(&map->picture, picture->width, picture->height, err))
        return false;
    map->across = tiles_along(picture->width);
    map->down = tiles_along(picture->height);
    free(map->tiles);
    map->tiles =
        mem_new((size_t)map->across * map->down, sizeof(map->tiles[0]));
    map->resized = map->frame + 1;
    return true;
}

static bool is_equal(const struct tile_map *map, const struct picture *picture,
                     struct box box)
{
    const size_t from = (size_t)box.left * PICTURE_PIXEL;
    const size_t length = (size_t)box_width(box) * PICTURE_PIXEL;

    for (uint32_t y = (uint32_t)box.top; y < (uint32_t)box.bottom; y++) {
        if (memcmp(picture_row(&map->picture, y) + from,
                   picture_row(picture, y) + from, length) != 0)
            return false;
    }
    return true;
}

static void copy_box(struct tile_map *map, const struct picture *picture,
                     struct box box)
{
    const size_t from = (size_t)box.left * PICTURE_PIXEL;
    const size_t length = (size_t)box_width(box) * PICTURE_PIXEL;

    for (uint32_t y = (uint32_t)box.top; y < (uint32_t)box.bottom; y++)
        memcpy(picture_row(&map->picture, y) + from,
               picture_row(picture, y) + from, length);
}

static void note_change(struct map_tile *tile, uint32_t frame, int64_t now_ns)
{
    const bool moved =
        tile->changed && now_ns - tile->changed_ns < TILE_MAP_REST_NS;

    *tile = (struct map_tile){.version = frame,
                              .changed = frame,
                              .changed_ns = now_ns,
                              .began = moved ? tile->began : frame};
}

bool tile_map_update(struct tile_map *map, const struct picture *picture,
                     int64_t time_us, int64_t now_ns, bool *changed,
                     struct err *err)
{
    const bool other = map->picture.width != picture->width ||
                       map->picture.height != picture->height;
    const uint32_t frame = map->frame + 1;
    bool any = false;

    if (other && !resize(map, picture, err))
        return false;
    for (uint32_t row = 0; row < map->down; row++) {
        for (uint32_t column = 0; column < map->across; column++) {
            struct box box =
                box_of_tiles(map, column, row, column + 1, row + 1);

            if (!other && is_equal(map, picture, box))
                continue;
            copy_box(map, picture, box);
            note_change(tile_at(map, column, row), frame, now_ns);
            any = true;
        }
    }
    if (any) {
        map->frame = frame;
        map->time_us = time_us;
    }
    *changed = any;
    return true;
}

static size_t tile_count(const struct tile_map *map)
{
    return (size_t)map->across * map->down;
}

bool tile_map_refine(struct tile_map *map, int64_t now_ns)
{
    const uint32_t frame = map->frame + 1;
    bool any = false;

    for (size_t i = 0; i < tile_count(map); i++) {
        struct map_tile *tile = &map->tiles[i];

        if (!tile->lossy || now_ns - tile->changed_ns < TILE_MAP_REST_NS)
            continue;
        tile->lossy = false;
        tile->version = frame;
        any = true;
    }
    if (any)
        map->frame = frame;
    return any;
}

int64_t tile_map_refine_at(const struct tile_map *map)
{
    int64_t at = INT64_MAX;

    for (size_t i = 0; i < tile_count(map); i++) {
        const struct map_tile *tile = &map->tiles[i];

        if (tile->lossy && tile->changed_ns + TILE_MAP_REST_NS < at)
            at = tile->changed_ns + TILE_MAP_REST_NS;
    }
    return at;
}

void tile_map_note_lossy(struct tile_map *map, struct box box)
{
    for (uint32_t row = (uint32_t)box.top / TILE_MAP_SIDE;
         row < tiles_along((uint32_t)box.bottom); row++) {
        for (uint32_t column = (uint32_t)box.left / TILE_MAP_SIDE;
             column < tiles_along((uint32_t)box.right); column++)
            tile_at(map, column, row)->lossy = true;
    }
}

/* ---- rectangles ---- */

/* A tile of a packet: not in it, or how it is to be sent. */
enum tile_use {
    TILE_UNUSED,
    TILE_LOSSLESS,
    TILE_LOSSY,
};

/* The tiles that are newer than a frame, while rectangles are made of them. */
struct tile_cover {
    const struct tile_map *map;
    uint8_t *uses; /* enum tile_use, in rows */
    struct tile_map_patch *patches;
    size_t count;
};

static uint8_t *use_at(const struct tile_cover *cover, uint32_t column,
                       uint32_t row)
{
    return &cover->uses[(size_t)row * cover->map->across + column];
}

/* Moving tiles are lossy if they are many. */
static void choose_uses(const struct tile_cover *cover, uint32_t since,
                        int64_t now_ns)
{
    const struct tile_map *map = cover->map;
    size_t moving = 0;

    for (size_t i = 0; i < tile_count(map); i++) {
        const struct map_tile *tile = &map->tiles[i];
        bool moves = now_ns - tile->changed_ns < TILE_MAP_REST_NS;

        cover->uses[i] = tile->version <= since ? TILE_UNUSED
                         : moves                ? TILE_LOSSY
                                                : TILE_LOSSLESS;
        moving += cover->uses[i] == TILE_LOSSY;
    }
    if (moving * LOSSY_SHARE >= tile_count(map))
        return;
    for (size_t i = 0; i < tile_count(map); i++) {
        if (cover->uses[i] == TILE_LOSSY)
            cover->uses[i] = TILE_LOSSLESS;
    }
}

static bool is_row_of(const struct tile_cover *cover, uint32_t left,
                      uint32_t right, uint32_t row, uint8_t use)
{
    for (uint32_t column = left; column < right; column++) {
        if (*use_at(cover, column, row) != use)
            return false;
    }
    return true;
}

/* Cut the largest rectangle to the right of and below a tile out. */
static void take_rectangle(struct tile_cover *cover, uint32_t left,
                           uint32_t top)
{
    const struct tile_map *map = cover->map;
    const uint8_t use = *use_at(cover, left, top);
    uint32_t right = left + 1;
    uint32_t bottom = top + 1;
    struct tile_map_patch *patch = &cover->patches[cover->count++];

    while (right < map->across && *use_at(cover, right, top) == use)
        right++;
    while (bottom < map->down && is_row_of(cover, left, right, bottom, use))
        bottom++;
    *patch = (struct tile_map_patch){
        .box = box_of_tiles(map, left, top, right, bottom),
        .lossy = use == TILE_LOSSY};
    for (uint32_t row = top; row < bottom; row++) {
        for (uint32_t column = left; column < right; column++) {
            const struct map_tile *tile = tile_at(map, column, row);

            *use_at(cover, column, row) = TILE_UNUSED;
            if (tile->changed > patch->changed)
                patch->changed = tile->changed;
        }
    }
}

/* Too many rectangles: one around all of them. */
static void take_one_box(struct tile_cover *cover, uint32_t since)
{
    const struct tile_map *map = cover->map;
    struct tile_map_patch *patch = &cover->patches[0];

    patch->lossy = false;
    for (uint32_t row = 0; row < map->down; row++) {
        for (uint32_t column = 0; column < map->across; column++) {
            const struct map_tile *tile = tile_at(map, column, row);

            if (tile->version > since)
                patch->box =
                    box_join(patch->box, box_of_tiles(map, column, row,
                                                      column + 1, row + 1));
        }
    }
    patch->changed = map->frame;
    cover->count = 1;
}

size_t tile_map_patches(const struct tile_map *map, uint32_t since,
                        int64_t now_ns,
                        struct tile_map_patch patches[TILE_MAP_PATCHES_MAX])
{
    struct tile_cover cover = {.map = map, .patches = patches};

    if (!tile_count(map))
        return 0;
    cover.uses = mem_new(tile_count(map), 1);
    choose_uses(&cover, since, now_ns);
    for (uint32_t row = 0; row < map->down; row++) {
        for (uint32_t column = 0; column < map->across; column++) {
            if (*use_at(&cover, column, row) == TILE_UNUSED)
                continue;
            if (cover.count == TILE_MAP_PATCHES_MAX) {
                take_one_box(&cover, since);
                free(cover.uses);
                return cover.count;
            }
            take_rectangle(&cover, column, row);
        }
    }
    free(cover.uses);
    return cover.count;
}

bool tile_map_changed_near(const struct tile_map *map, uint32_t since, int x,
                           int y, int radius)
{
    const struct box around = {x - radius, y - radius, x + radius + 1,
                               y + radius + 1};

    for (uint32_t row = 0; row < map->down; row++) {
        for (uint32_t column = 0; column < map->across; column++) {
            struct box box =
                box_of_tiles(map, column, row, column + 1, row + 1);

            if (tile_at(map, column, row)->began > since &&
                !box_is_empty(box_meet(box, around)))
                return true;
        }
    }
    return false;
}
