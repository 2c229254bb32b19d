/* Icons: layers of shapes (tools/phone/graphics/vector_path.h). */
#ifndef TOOLS_PHONE_GRAPHICS_ICON_H
#define TOOLS_PHONE_GRAPHICS_ICON_H

#include <stdint.h>

#include "tools/phone/graphics/font.h"

#define ICON_LAYERS_MAX 5

/* color 0 is the ink that the icon is drawn with. */
struct icon_layer {
    const char *outline;
    float pen; /* 0: filled */
    uint32_t color;
};

struct phone_icon {
    uint32_t disc; /* background disc of an app's icon; 0: none */
    struct icon_layer layers[ICON_LAYERS_MAX];
};

/* Symbols. */
extern const struct phone_icon icon_search;
extern const struct phone_icon icon_close;
extern const struct phone_icon icon_wifi;
extern const struct phone_icon icon_signal;

/* Apps. */
extern const struct phone_icon icon_settings;
extern const struct phone_icon icon_clock;
extern const struct phone_icon icon_calculator;
extern const struct phone_icon icon_shop;
extern const struct phone_icon icon_eats;
extern const struct phone_icon icon_files;
extern const struct phone_icon icon_photos;
extern const struct phone_icon icon_notes;
extern const struct phone_icon icon_phone;
extern const struct phone_icon icon_messages;
extern const struct phone_icon icon_browser;
extern const struct phone_icon icon_camera;
extern const struct phone_icon icon_mailbox;
extern const struct phone_icon icon_stays;
extern const struct phone_icon icon_maps;
extern const struct phone_icon icon_chats;
extern const struct phone_icon icon_music;
extern const struct phone_icon icon_dictionary;
extern const struct phone_icon icon_pay;
extern const struct phone_icon icon_video;
extern const struct phone_icon icon_darkroom;
extern const struct phone_icon icon_sports;
extern const struct phone_icon icon_news;
extern const struct phone_icon icon_store;
extern const struct phone_icon icon_app; /* of apps without an icon */

/* Find an icon by its name, such as "search"; NULL if there is none. */
const struct phone_icon *icon_find(const char *name);

/* The name of an app's icon; "" for other icons and NULL. */
const char *icon_name(const struct phone_icon *icon);

/* Draw it into a square of size pixels; an app's icon on its disc. */
void icon_draw(const struct phone_icon *icon, struct phone_fonts *fonts,
               struct canvas *canvas, struct font_place corner, int size,
               uint32_t ink);

#endif
