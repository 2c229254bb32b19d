#include "process_provider/diff/unmasked_area.h"

#include <stdlib.h>

#include "base/mem.h"

static void add(struct unmasked_area *areas, struct box box)
{
    if (box_is_empty(box))
        return;
    areas->boxes =
        mem_resize(areas->boxes, areas->count + 1, sizeof(*areas->boxes));
    areas->boxes[areas->count++] = box;
}

/* The parts of box outside of mask: above, below, left and right of it. */
static void add_rest(struct unmasked_area *areas, struct box box,
                     struct box mask)
{
    struct box cut = box_meet(box, mask);

    if (box_is_empty(cut)) {
        add(areas, box);
        return;
    }
    add(areas, (struct box){box.left, box.top, box.right, cut.top});
    add(areas, (struct box){box.left, cut.bottom, box.right, box.bottom});
    add(areas, (struct box){box.left, cut.top, cut.left, cut.bottom});
    add(areas, (struct box){cut.right, cut.top, box.right, cut.bottom});
}

void unmasked_area_init(struct unmasked_area *areas, uint32_t width,
                        uint32_t height, const struct box *masks,
                        size_t mask_count)
{
    *areas = (struct unmasked_area){.boxes = NULL};
    add(areas, (struct box){0, 0, (int)width, (int)height});
    for (size_t i = 0; i < mask_count; i++) {
        struct unmasked_area rest = {.boxes = NULL};

        for (size_t k = 0; k < areas->count; k++)
            add_rest(&rest, areas->boxes[k], masks[i]);
        unmasked_area_release(areas);
        *areas = rest;
    }
    for (size_t i = 0; i < areas->count; i++)
        areas->pixels += (uint64_t)box_width(areas->boxes[i]) *
                         (uint64_t)box_height(areas->boxes[i]);
}

void unmasked_area_release(struct unmasked_area *areas)
{
    free(areas->boxes);
    *areas = (struct unmasked_area){.boxes = NULL};
}
