/* The phone's screen, and where on it a touch screen reports a finger. */
#ifndef RUNNER_TOUCH_TOUCH_DISPLAY_H
#define RUNNER_TOUCH_TOUCH_DISPLAY_H

#include <stdbool.h>

#include "base/extent.h"
#include "base/macros.h"
#include "runner/touch/touch_devices.h"
#include "tasks/task/action.h"

/* The screen as `input` counts its points now. */
struct touch_display {
    struct extent size; /* in pixels, as it is turned now */
    int rotation; /* in quarter turns; touch screens do not turn with it */
    /*
     * The pixels that the panel has, not turned; 0 x 0: those of size. `wm
     * size` may set another size, which is then shown as large as possible in
     * the middle of the panel.
     */
    struct extent panel;
};

/*
 * The pixel at a position of a device; a NULL device reports pixels. False,
 * with the nearest pixel, when the position is beside the picture.
 */
MUST_USE bool touch_display_pixel(const struct touch_display *display,
                                  const struct touch_device *device,
                                  struct action_point raw,
                                  struct action_point *pixel);

#endif
