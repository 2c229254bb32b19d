/*
 * The newest picture of a screen, in tiles that know which frame changed them
 * last. A watcher who has seen frame N needs the tiles that are newer.
 *
 *     picture ──▶ tile_map_update: compares, copies, counts a frame
 *     200 ms without a change ──▶ tile_map_refine: what was sent with losses
 *                                 counts as changed again, and is then
 *                                 sent without
 *
 * Not safe from several threads: the owner has a lock.
 */
#ifndef TOOLS_LIVE_TILE_MAP_H
#define TOOLS_LIVE_TILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/box.h"
#include "base/picture/picture.h"

/* A multiple of every reduction, so that tiles are reduced independently. */
#define TILE_MAP_SIDE 64

/* A tile without a change for so long is at rest. */
#define TILE_MAP_REST_NS INT64_C(200000000)

struct map_tile {
    uint32_t version;   /* the frame from which on it has to be sent */
    uint32_t changed;   /* the frame that changed its pixels */
    int64_t changed_ns; /* when that was */
    uint32_t began;     /* the first of its changes without a rest between */
    bool lossy;         /* these pixels were sent with losses */
};

struct tile_map {
    struct picture picture;
    uint32_t across; /* tiles */
    uint32_t down;
    struct map_tile *tiles; /* owned; in rows */
    uint32_t frame;         /* the newest; 0: no picture yet */
    uint32_t resized;       /* the frame that had another size before it */
    int64_t time_us;        /* of the newest picture */
};

void tile_map_init(struct tile_map *map);
void tile_map_release(struct tile_map *map);

/*
 * Compare with the picture that is shown now. *changed: was there a difference,
 * and therefore a new frame? Fails as picture_resize; the map is then
 * unchanged.
 */
MUST_USE bool tile_map_update(struct tile_map *map,
                              const struct picture *picture, int64_t time_us,
                              int64_t now_ns, bool *changed, struct err *err);

/* Mark lossy tiles at rest as changed. True: there is a new frame. */
bool tile_map_refine(struct tile_map *map, int64_t now_ns);

/* When tile_map_refine has something to do; INT64_MAX: never. */
int64_t tile_map_refine_at(const struct tile_map *map);

/* A rectangle of tiles that are newer than a frame. */
struct tile_map_patch {
    struct box box;   /* in pixels */
    bool lossy;       /* large and moving: to be sent with losses */
    uint32_t changed; /* the frame that changed a pixel of it last */
};

#define TILE_MAP_PATCHES_MAX 256

/*
 * The rectangles that a watcher needs who has seen frame since (0: nothing).
 * Returns how many; more than TILE_MAP_PATCHES_MAX become one around all.
 */
size_t tile_map_patches(const struct tile_map *map, uint32_t since,
                        int64_t now_ns,
                        struct tile_map_patch patches[TILE_MAP_PATCHES_MAX]);

/* These pixels were sent with losses. */
void tile_map_note_lossy(struct tile_map *map, struct box box);

/*
 * Has a tile within radius pixels of the point changed since that frame, which
 * did not move in that frame already? What moves is touched to stop it.
 */
bool tile_map_changed_near(const struct tile_map *map, uint32_t since, int x,
                           int y, int radius);

#endif
