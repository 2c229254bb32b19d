#include "process_provider/diff/screendiff.h"

#include <math.h>

#include "base/json_write.h"
#include "process_provider/diff/changed_tiles.h"
#include "process_provider/diff/ssim.h"
#include "process_provider/diff/unmasked_area.h"
#include "process_provider/pictures/picture_marks.h"

/* Mean squared error of R, G and B against their highest value. */
static double psnr_of(const struct changed_tiles *changes, uint64_t pixels)
{
    double samples = 3 * (double)pixels;
    double squares = (double)changes->sums.squares;

    return 10 * log10(255.0 * 255.0 * samples / squares);
}

static struct box whole_of(const struct changed_regions *regions)
{
    struct box box = regions->boxes[0];

    for (size_t i = 1; i < regions->count; i++)
        box = box_join(box, regions->boxes[i]);
    return box;
}

static void compare(struct screendiff *diff, const struct picture *before,
                    const struct picture *after,
                    const struct unmasked_area *areas,
                    const struct screendiff_options *options)
{
    struct changed_tiles changes;

    changed_tiles_init(&changes, before, after, areas, options->tolerance,
                       options->likeness);
    diff->pixels = areas->pixels;
    diff->pixels_changed = changes.sums.pixels;
    diff->share =
        areas->pixels ? (double)changes.sums.pixels / (double)areas->pixels : 0;
    changed_regions_find(&diff->regions, &changes);
    if (diff->regions.count)
        diff->moved = content_movement_find(
            before, after, whole_of(&diff->regions), &diff->movement);
    if (options->likeness) {
        diff->psnr = psnr_of(&changes, areas->pixels);
        diff->ssim = changes.sums.squares ? ssim(before, after, areas) : 1;
    }
    changed_tiles_release(&changes);
}

void screendiff_find(struct screendiff *diff, const struct picture *before,
                     const struct picture *after,
                     const struct screendiff_options *options)
{
    uint64_t pixels = (uint64_t)after->width * after->height;
    struct unmasked_area areas;

    *diff = (struct screendiff){
        .width = after->width,
        .height = after->height,
        .same_size =
            before->width == after->width && before->height == after->height,
        .pixels = pixels,
        .pixels_changed = pixels,
        .share = 1,
        .psnr = NAN,
        .ssim = NAN,
        .regions = {{{0, 0, (int)after->width, (int)after->height}}, 1},
    };
    if (!diff->same_size)
        return;
    unmasked_area_init(&areas, after->width, after->height, options->masks,
                       options->mask_count);
    compare(diff, before, after, &areas, options);
    unmasked_area_release(&areas);
}

static void mark_movement(const struct content_movement *movement,
                          struct picture *picture)
{
    struct box area = movement->area;
    struct action_point middle = {(area.left + area.right) / 2,
                                  (area.top + area.bottom) / 2};
    struct action_point from = {middle.x - movement->dx / 2,
                                middle.y - movement->dy / 2};
    struct action_point to = {from.x + movement->dx, from.y + movement->dy};

    picture_mark_box(picture, area, PICTURE_MARK_BLUE);
    picture_mark_swipe(picture, from, to);
}

void screendiff_mark(const struct screendiff *diff, struct picture *after)
{
    for (size_t i = 0; i < diff->regions.count; i++)
        picture_mark_box(after, diff->regions.boxes[i], PICTURE_MARK_RED);
    if (diff->moved)
        mark_movement(&diff->movement, after);
}

static void add_box(struct cJSON *into, const char *key, struct box box)
{
    struct cJSON *object = json_add_object(into, key);

    json_add_int(object, "x", box.left);
    json_add_int(object, "y", box.top);
    json_add_int(object, "width", box_width(box));
    json_add_int(object, "height", box_height(box));
}

struct cJSON *screendiff_to_json(const struct screendiff *diff)
{
    struct cJSON *object = json_new_object();
    struct cJSON *boxes, *moved;

    json_add_bool(object, "changed", diff->pixels_changed > 0);
    json_add_bool(object, "same_size", diff->same_size);
    json_add_int(object, "width", diff->width);
    json_add_int(object, "height", diff->height);
    json_add_int(object, "pixels", (int64_t)diff->pixels);
    json_add_int(object, "pixels_changed", (int64_t)diff->pixels_changed);
    json_add_number(object, "share", diff->share);
    json_add_number(object, "psnr", diff->psnr);
    json_add_number(object, "ssim", diff->ssim);
    boxes = json_add_array(object, "rectangles");
    for (size_t i = 0; i < diff->regions.count; i++)
        add_box(boxes, NULL, diff->regions.boxes[i]);
    if (!diff->moved) {
        json_add_null(object, "movement");
        return object;
    }
    moved = json_add_object(object, "movement");
    json_add_int(moved, "dx", diff->movement.dx);
    json_add_int(moved, "dy", diff->movement.dy);
    add_box(moved, "area", diff->movement.area);
    return object;
}
