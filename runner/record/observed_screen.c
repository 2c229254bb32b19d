#include "runner/record/observed_screen.h"

#include <stdio.h>

void observed_screen_set(struct record_screen *screen,
                         const struct observation *seen, int64_t at_ms)
{
    buf_clear(&screen->png);
    buf_append(&screen->png, buf_cstr(&seen->png), seen->png.length);
    buf_clear(&screen->xml);
    if (seen->has_tree)
        buf_append(&screen->xml, buf_cstr(&seen->xml), seen->xml.length);
    snprintf(screen->package, sizeof(screen->package), "%s", seen->package);
    snprintf(screen->activity, sizeof(screen->activity), "%s", seen->activity);
    snprintf(screen->doubt, sizeof(screen->doubt), "%s", seen->doubt);
    screen->keyboard_top = 0;
    screen->at_ms = at_ms;
    screen->settle_ms = seen->settle_ms;
}
