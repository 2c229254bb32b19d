/* Icons: layers of shapes (tools/phone/shape.h). */
#ifndef PHONE_ICON_H
#define PHONE_ICON_H

#include <stdint.h>

#include "tools/phone/font.h"

#define ICON_LAYERS_MAX 5

/* color 0 is the ink that the icon is drawn with. */
struct icon_layer {
    const char *outline;
    float pen; /* 0: filled */
    uint32_t color;
};

struct icon {
    uint32_t disc; /* what it stands on when it is an app's; 0: nothing */
    struct icon_layer layers[ICON_LAYERS_MAX];
};

/* Signs. */
extern const struct icon icon_search;
extern const struct icon icon_close;
extern const struct icon icon_wifi;
extern const struct icon icon_signal;

/* Apps. */
extern const struct icon icon_settings;
extern const struct icon icon_clock;
extern const struct icon icon_calculator;
extern const struct icon icon_shop;
extern const struct icon icon_eats;
extern const struct icon icon_files;
extern const struct icon icon_photos;
extern const struct icon icon_notes;
extern const struct icon icon_phone;
extern const struct icon icon_messages;
extern const struct icon icon_browser;
extern const struct icon icon_camera;

/* An icon by its name, as "search"; NULL for none. */
const struct icon *icon_find(const char *name);

/* The name of an app's icon; "" for another one, or NULL. */
const char *icon_name(const struct icon *icon);

/* Draw it into a square of size pixels; an app's on its disc. */
void icon_draw(const struct icon *icon, struct fonts *fonts,
               struct canvas *canvas, struct font_place corner, int size,
               uint32_t ink);

#endif
