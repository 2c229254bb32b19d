#include "process_provider/diff/changed_regions.h"

#include <stdlib.h>

#include "base/mem.h"

#define UNCHANGED UINT32_MAX

/*
 * Tiles are put into cells, and cells that touch belong together. A cell is
 * one tile, or more when there would be too many groups.
 */
struct cells {
    const struct changed_tiles *changes;
    unsigned shift; /* a cell is 1 << shift tiles, each way */
    uint32_t columns;
    uint32_t rows; /* those above changes->top and below its bottom left out */
    uint32_t *groups; /* owned; another cell of the same group, or itself */
};

static uint32_t cell_of(const struct cells *cells, uint32_t column,
                        uint32_t row)
{
    return (row >> cells->shift) * cells->columns + (column >> cells->shift);
}

/* A group is known by its first cell. */
static uint32_t group_of(const struct cells *cells, uint32_t cell)
{
    while (cells->groups[cell] != cell)
        cell = cells->groups[cell] = cells->groups[cells->groups[cell]];
    return cell;
}

static void join(struct cells *cells, uint32_t a, uint32_t b)
{
    if (cells->groups[b] == UNCHANGED)
        return;
    a = group_of(cells, a);
    b = group_of(cells, b);
    if (a < b)
        cells->groups[b] = a;
    else
        cells->groups[a] = b;
}

/* Join a cell with the four that touch it and come before it. */
static void join_before(struct cells *cells, uint32_t x, uint32_t y)
{
    uint32_t cell = y * cells->columns + x;
    uint32_t above = cell - cells->columns;

    if (x > 0)
        join(cells, cell, cell - 1);
    if (y == 0)
        return;
    join(cells, cell, above);
    if (x > 0)
        join(cells, cell, above - 1);
    if (x + 1 < cells->columns)
        join(cells, cell, above + 1);
}

/* Rows are counted from the first that changed. */
static uint32_t rows_of(const struct changed_tiles *changes)
{
    return changes->bottom > changes->top ? changes->bottom - changes->top : 0;
}

static const struct tile *tile_at(const struct changed_tiles *changes,
                                  uint32_t column, uint32_t row)
{
    return &changes->tiles[(size_t)(changes->top + row) * changes->columns +
                           column];
}

/* Did anything change in the cell? */
static bool cell_changed(const struct cells *cells, uint32_t x, uint32_t y)
{
    const struct changed_tiles *changes = cells->changes;
    uint32_t right = (x + 1) << cells->shift;
    uint32_t bottom = (y + 1) << cells->shift;

    right = right < changes->columns ? right : changes->columns;
    bottom = bottom < rows_of(changes) ? bottom : rows_of(changes);
    for (uint32_t row = y << cells->shift; row < bottom; row++) {
        for (uint32_t column = x << cells->shift; column < right; column++) {
            if (tile_at(changes, column, row)->rows)
                return true;
        }
    }
    return false;
}

static void make_groups(struct cells *cells, unsigned shift)
{
    const struct changed_tiles *changes = cells->changes;
    uint32_t extra = (1U << shift) - 1;
    uint32_t cell = 0;

    cells->shift = shift;
    cells->columns = (changes->columns + extra) >> shift;
    cells->rows = (rows_of(changes) + extra) >> shift;
    for (uint32_t y = 0; y < cells->rows; y++) {
        for (uint32_t x = 0; x < cells->columns; x++, cell++) {
            bool changed = cell_changed(cells, x, y);

            cells->groups[cell] = changed ? cell : UNCHANGED;
            if (changed)
                join_before(cells, x, y);
        }
    }
}

static int first_of(uint16_t bits)
{
    return __builtin_ctz(bits);
}

/* The one behind the last. */
static int end_of(uint16_t bits)
{
    return 32 - __builtin_clz(bits);
}

/* The smallest box around the changes in a tile. */
static struct box box_of(const struct tile *tile, uint32_t column, uint32_t row)
{
    int x = (int)column * TILE;
    int y = (int)row * TILE;

    return (struct box){
        x + first_of(tile->columns),
        y + first_of(tile->rows),
        x + end_of(tile->columns),
        y + end_of(tile->rows),
    };
}

/* Add a box to that of its group; false when there are too many groups. */
static bool add(struct changed_regions *regions,
                uint32_t groups[CHANGED_REGIONS_MAX], uint32_t group,
                struct box box)
{
    size_t at = 0;

    while (at < regions->count && groups[at] != group)
        at++;
    if (at == CHANGED_REGIONS_MAX)
        return false;
    if (at == regions->count) {
        groups[regions->count++] = group;
        regions->boxes[at] = box;
    }
    regions->boxes[at] = box_join(regions->boxes[at], box);
    return true;
}

/* A box for each group; false when there is no room for this many. */
static bool collect(struct changed_regions *regions, const struct cells *cells)
{
    const struct changed_tiles *changes = cells->changes;
    uint32_t groups[CHANGED_REGIONS_MAX];

    regions->count = 0;
    for (uint32_t row = 0; row < rows_of(changes); row++) {
        for (uint32_t column = 0; column < changes->columns; column++) {
            const struct tile *tile = tile_at(changes, column, row);
            uint32_t cell = cell_of(cells, column, row);

            if (tile->rows && !add(regions, groups, group_of(cells, cell),
                                   box_of(tile, column, changes->top + row)))
                return false;
        }
    }
    return true;
}

/* Make one of the first two that overlap; false when none do. */
static bool merge_two(struct changed_regions *regions)
{
    for (size_t i = 0; i < regions->count; i++) {
        for (size_t k = i + 1; k < regions->count; k++) {
            struct box *a = &regions->boxes[i];
            struct box *b = &regions->boxes[k];

            if (box_is_empty(box_meet(*a, *b)))
                continue;
            *a = box_join(*a, *b);
            *b = regions->boxes[--regions->count];
            return true;
        }
    }
    return false;
}

static int by_place(const void *left, const void *right)
{
    const struct box *a = left;
    const struct box *b = right;

    return a->top != b->top ? (a->top > b->top) - (a->top < b->top)
                            : (a->left > b->left) - (a->left < b->left);
}

void changed_regions_find(struct changed_regions *regions,
                          const struct changed_tiles *changes)
{
    struct cells cells = {.changes = changes};
    unsigned shift = 0;

    cells.groups = mem_new((size_t)changes->columns * rows_of(changes),
                           sizeof(*cells.groups));
    do {
        make_groups(&cells, shift++);
    } while (!collect(regions, &cells));
    free(cells.groups);
    while (merge_two(regions))
        continue;
    qsort(regions->boxes, regions->count, sizeof(*regions->boxes), by_place);
}
