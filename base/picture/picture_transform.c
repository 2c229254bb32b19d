#include "base/picture/picture_transform.h"

#include <assert.h>
#include <string.h>

bool picture_crop(const struct picture *from, struct box box,
                  struct picture *to, struct err *err)
{
    const struct box whole = {0, 0, (int)from->width, (int)from->height};

    assert(from != to);
    box = box_meet(box, whole);
    if (box_is_empty(box))
        return err_set(err, ERR_INVALID,
                       "crop: the box is outside the picture");
    if (!picture_resize(to, (uint32_t)box_width(box), (uint32_t)box_height(box),
                        err))
        return false;
    for (uint32_t y = 0; y < to->height; y++)
        memcpy(picture_row(to, y),
               picture_row(from, (uint32_t)box.top + y) +
                   (size_t)box.left * PICTURE_PIXEL,
               (size_t)to->width * PICTURE_PIXEL);
    return true;
}

/*
 * The position of to's first pixel in from, and the steps to the next pixel in
 * a row of to, and to its next row.
 */
struct pixel_path {
    const uint8_t *start;
    ptrdiff_t right, down; /* bytes */
};

static void copy_along(struct pixel_path path, struct picture *to)
{
    for (uint32_t y = 0; y < to->height; y++) {
        const uint8_t *pixel = path.start + (ptrdiff_t)y * path.down;
        uint8_t *row = picture_row(to, y);

        for (uint32_t x = 0; x < to->width; x++) {
            memcpy(row + (size_t)x * PICTURE_PIXEL, pixel, PICTURE_PIXEL);
            pixel += path.right;
        }
    }
}

static const uint8_t *pixel_at(const struct picture *picture, uint32_t x,
                               uint32_t y)
{
    return picture_row(picture, y) + (size_t)x * PICTURE_PIXEL;
}

bool picture_rotate(const struct picture *from, int quarters,
                    struct picture *to, struct err *err)
{
    ptrdiff_t right = PICTURE_PIXEL;
    ptrdiff_t down = (ptrdiff_t)from->stride;
    uint32_t last_x = from->width - 1;
    uint32_t last_y = from->height - 1;
    const struct pixel_path paths[4] = {
        {pixel_at(from, 0, 0), right, down},
        {pixel_at(from, 0, last_y), -down, right},
        {pixel_at(from, last_x, last_y), -right, -down},
        {pixel_at(from, last_x, 0), down, -right},
    };
    bool keeps_sides = quarters % 2 == 0;

    assert(from != to && from->width && from->height);
    if (!picture_resize(to, keeps_sides ? from->width : from->height,
                        keeps_sides ? from->height : from->width, err))
        return false;
    copy_along(paths[(quarters % 4 + 4) % 4], to);
    return true;
}

bool picture_flip(const struct picture *from, enum flip flip,
                  struct picture *to, struct err *err)
{
    ptrdiff_t right = PICTURE_PIXEL;
    ptrdiff_t down = (ptrdiff_t)from->stride;
    const struct pixel_path sides = {pixel_at(from, from->width - 1, 0), -right,
                                     down};
    const struct pixel_path ends = {pixel_at(from, 0, from->height - 1), right,
                                    -down};

    assert(from != to && from->width && from->height);
    if (!picture_resize(to, from->width, from->height, err))
        return false;
    copy_along(flip == FLIP_SIDES ? sides : ends, to);
    return true;
}
