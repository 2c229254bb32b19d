#include "process_provider/regions.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

#define UNCHANGED UINT32_MAX

/*
 * Tiles are put into cells, and cells that touch belong together. A cell is
 * one tile, or more when there would be too many groups.
 */
struct cells {
    const struct changes *changes;
    uint32_t size; /* tiles, each way */
    uint32_t columns;
    uint32_t *groups; /* owned; another cell of the same group, or itself */
};

static uint32_t cell_of(const struct cells *cells, uint32_t tile)
{
    uint32_t columns = cells->changes->columns;
    uint32_t x, y;

    assert(columns && cells->size);
    x = tile % columns / cells->size;
    y = tile / columns / cells->size;
    return y * cells->columns + x;
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
static void join_before(struct cells *cells, uint32_t cell)
{
    uint32_t above = cell - cells->columns;
    uint32_t x;

    assert(cells->columns);
    x = cell % cells->columns;
    if (x > 0)
        join(cells, cell, cell - 1);
    if (cell < cells->columns)
        return;
    join(cells, cell, above);
    if (x > 0)
        join(cells, cell, above - 1);
    if (x + 1 < cells->columns)
        join(cells, cell, above + 1);
}

static void make_groups(struct cells *cells, uint32_t size)
{
    const struct changes *changes = cells->changes;
    uint32_t tiles = changes->columns * changes->rows;
    uint32_t count;

    cells->size = size;
    cells->columns = (changes->columns + size - 1) / size;
    count = cells->columns * ((changes->rows + size - 1) / size);
    for (uint32_t cell = 0; cell < count; cell++)
        cells->groups[cell] = UNCHANGED;
    for (uint32_t tile = 0; tile < tiles; tile++) {
        if (changes->tiles[tile].right)
            cells->groups[cell_of(cells, tile)] = cell_of(cells, tile);
    }
    for (uint32_t cell = 0; cell < count; cell++) {
        if (cells->groups[cell] != UNCHANGED)
            join_before(cells, cell);
    }
}

static struct box box_of(const struct changes *changes, uint32_t tile)
{
    const struct tile *within = &changes->tiles[tile];
    int x = (int)(tile % changes->columns) * TILE;
    int y = (int)(tile / changes->columns) * TILE;

    return (struct box){x + within->left, y + within->top, x + within->right,
                        y + within->bottom};
}

/* A box for each group; false when there is no room for so many. */
static bool collect(struct regions *regions, const struct cells *cells)
{
    const struct changes *changes = cells->changes;
    uint32_t groups[REGIONS_MAX];

    regions->count = 0;
    for (uint32_t tile = 0; tile < changes->columns * changes->rows; tile++) {
        uint32_t group;
        size_t at = 0;

        if (!changes->tiles[tile].right)
            continue;
        group = group_of(cells, cell_of(cells, tile));
        while (at < regions->count && groups[at] != group)
            at++;
        if (at == REGIONS_MAX)
            return false;
        if (at == regions->count) {
            groups[regions->count++] = group;
            regions->boxes[at] = box_of(changes, tile);
        }
        regions->boxes[at] =
            box_join(regions->boxes[at], box_of(changes, tile));
    }
    return true;
}

/* Make one of the first two that overlap; false when none do. */
static bool merge_two(struct regions *regions)
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

void regions_find(struct regions *regions, const struct changes *changes)
{
    struct cells cells = {.changes = changes};
    uint32_t size = 1;

    cells.groups = mem_new((size_t)changes->columns * changes->rows,
                           sizeof(*cells.groups));
    do {
        make_groups(&cells, size);
        size *= 2;
    } while (!collect(regions, &cells));
    free(cells.groups);
    while (merge_two(regions))
        continue;
    qsort(regions->boxes, regions->count, sizeof(*regions->boxes), by_place);
}
