#include "process_provider/diff/changed_tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void note_row(struct changed_tiles *changes, uint32_t row)
{
    changes->top = row < changes->top ? row : changes->top;
    changes->bottom = row >= changes->bottom ? row + 1 : changes->bottom;
}

/* Most rows of most screens are unchanged, and memcmp is fastest. */
static void compare_area(struct changed_tiles *changes,
                         const struct picture *before,
                         const struct picture *after, struct box area,
                         struct row_pair pair)
{
    const struct pixel_kernels *kernels = pixel_kernels_best();
    size_t skip = (size_t)area.left * PICTURE_PIXEL;
    size_t size = (size_t)box_width(area) * PICTURE_PIXEL;

    pair.left = area.left;
    pair.right = area.right;
    for (int y = area.top; y < area.bottom; y++) {
        pair.a = picture_row(before, (uint32_t)y);
        pair.b = picture_row(after, (uint32_t)y);
        pair.y = y % TILE;
        if (!memcmp(pair.a + skip, pair.b + skip, size))
            continue;
        note_row(changes, (uint32_t)y / TILE);
        kernels->compare_row(
            &pair, changes->tiles + (size_t)(y / TILE) * changes->columns,
            &changes->sums);
    }
}

void changed_tiles_init(struct changed_tiles *changes,
                        const struct picture *before,
                        const struct picture *after,
                        const struct unmasked_area *areas, uint8_t tolerance,
                        bool squares)
{
    const struct row_pair how = {.tolerance = tolerance, .squares = squares};

    *changes = (struct changed_tiles){
        .columns = (before->width + TILE - 1) / TILE,
        .rows = (before->height + TILE - 1) / TILE,
    };
    changes->top = changes->rows;
    changes->tiles = mem_new((size_t)changes->columns * changes->rows,
                             sizeof(*changes->tiles));
    for (size_t i = 0; i < areas->count; i++)
        compare_area(changes, before, after, areas->boxes[i], how);
}

void changed_tiles_release(struct changed_tiles *changes)
{
    free(changes->tiles);
    *changes = (struct changed_tiles){.tiles = NULL};
}
