#include "runner/touch/touch_display.h"

#include <stdint.h>

/* A position on an axis, in pixels of a side of this length. */
static int scaled(int value, struct touch_axis axis, int side)
{
    int64_t steps = (int64_t)axis.max - axis.min + 1;
    int64_t from = (int64_t)value - axis.min;

    if (from < 0)
        from = 0;
    if (from >= steps)
        from = steps - 1;
    return (int)(from * side / steps);
}

/* From the touch screen, which does not turn, to the display. */
static struct action_point turned(struct action_point at,
                                  const struct touch_display *display)
{
    int right = display->size.width - 1;
    int bottom = display->size.height - 1;

    switch (display->rotation) {
    case 1:
        return (struct action_point){at.y, bottom - at.x};
    case 2:
        return (struct action_point){right - at.x, bottom - at.y};
    case 3:
        return (struct action_point){right - at.y, at.x};
    default:
        return at;
    }
}

/*
 * From a side of the panel to that of the picture: the picture is shown times
 * up / down, in the middle. False when the position is beside it.
 */
static bool move_into(int *value, int panel, int side, int64_t up, int64_t down)
{
    int64_t shown = side * up / down;
    int64_t at = *value - (panel - shown) / 2;
    bool inside = at >= 0 && at < shown;

    at = at * down / up;
    if (at < 0)
        at = 0;
    *value = (int)(at < side ? at : side - 1);
    return inside;
}

/* From pixels of the panel to those of a picture of another size. */
static bool unscale(struct action_point *at, struct extent panel,
                    struct extent size)
{
    /* The side that fills the panel gives the scale. */
    bool wide = (int64_t)panel.width * size.height <=
                (int64_t)panel.height * size.width;
    int64_t up = wide ? panel.width : panel.height;
    int64_t down = wide ? size.width : size.height;
    bool x = move_into(&at->x, panel.width, size.width, up, down);
    bool y = move_into(&at->y, panel.height, size.height, up, down);

    return x && y;
}

bool touch_display_pixel(const struct touch_display *display,
                         const struct touch_device *device,
                         struct action_point raw, struct action_point *pixel)
{
    struct extent size = display->size;
    struct extent panel = display->panel;
    struct action_point at;
    bool inside = true;

    *pixel = raw;
    if (!device)
        return true;
    if (display->rotation % 2)
        size = (struct extent){size.height, size.width};
    if (panel.width <= 0 || panel.height <= 0)
        panel = size;
    at = (struct action_point){scaled(raw.x, device->x, panel.width),
                               scaled(raw.y, device->y, panel.height)};
    if (size.width > 0 && size.height > 0 &&
        (panel.width != size.width || panel.height != size.height))
        inside = unscale(&at, panel, size);
    *pixel = turned(at, display);
    return inside;
}
