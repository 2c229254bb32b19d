#include "process_provider/pictures/stitch_screens.h"

#include <string.h>

#include "base/picture/canvas.h"
#include "process_provider/pictures/picture_marks.h"

/* Beside the smaller of two screens. */
#define NOTHING 0xff303030U

/* The line's width, in those of a mark's. */
#define DIVIDER 2

static void paste(struct picture *to, uint32_t left, const struct picture *from)
{
    for (uint32_t y = 0; y < from->height; y++)
        memcpy(picture_row(to, y) + (size_t)left * PICTURE_PIXEL,
               picture_row(from, y), (size_t)from->width * PICTURE_PIXEL);
}

bool stitch_screens(const struct picture *before, const struct picture *after,
                    const struct action *action, struct picture *stitched,
                    struct err *err)
{
    uint32_t divider = DIVIDER * (uint32_t)picture_mark_unit(before);
    uint32_t right = before->width + divider;
    uint32_t height =
        before->height > after->height ? before->height : after->height;
    struct canvas canvas;

    if (!picture_resize(stitched, right + after->width, height, err))
        return false;
    canvas_init(&canvas, stitched);
    canvas_fill(&canvas, canvas.clip, NOTHING);
    paste(stitched, 0, before);
    paste(stitched, right, after);
    canvas_fill(&canvas,
                (struct box){(int)before->width, 0, (int)right, (int)height},
                PICTURE_MARK_RED);
    if (action) {
        /* A view of the left side, so that nothing is drawn beyond it. */
        struct picture left = *stitched;

        left.width = before->width;
        left.height = before->height;
        picture_mark_action(&left, action);
    }
    return true;
}
