#include "tools/phone/graphics/icon.h"

#include <string.h>

#include "base/macros.h"
#include "tools/phone/graphics/icon_signs.h"

#define WHITE 0xffffffffU

/* Size of an app's symbol, in percent of its disc. */
#define SIGN_PART 62

const struct phone_icon icon_search = {
    .layers = {{"O10.5 10.5 6 M15 15 L20 20", 2, 0}},
};
const struct phone_icon icon_close = {
    .layers = {{"M6 6 L18 18 M18 6 L6 18", 2, 0}},
};
const struct phone_icon icon_wifi = {
    .layers = {{"M12 20.5 L1.5 8 C7.5 2.8 16.5 2.8 22.5 8 Z", 0, 0}},
};
const struct phone_icon icon_signal = {
    .layers = {{"M21 20.5 L3 20.5 L21 3.5 Z", 0, 0}},
};

const struct phone_icon icon_settings = {
    .disc = 0xff5f6368,
    .layers = {{"O12 12 5.6", 3.4F, WHITE},
               {"M12 5 L12 2.6 M12 19 L12 21.4 M5 12 L2.6 12 M19 12 L21.4 12 "
                "M7.05 7.05 L5.35 5.35 M16.95 16.95 L18.65 18.65 "
                "M7.05 16.95 L5.35 18.65 M16.95 7.05 L18.65 5.35",
                3.8F, WHITE},
               {"O12 12 3", 0, 0xff5f6368}},
};
const struct phone_icon icon_clock = {
    .disc = 0xff3f51b5,
    .layers = {{"O12 12 10.5", 0, WHITE},
               {"M12 12 L12 5.5", 1.9F, 0xff303f9f},
               {"M12 12 L16.6 14.6", 1.9F, 0xff303f9f},
               {"O12 12 1.5", 0, 0xfff4511e}},
};
const struct phone_icon icon_calculator = {
    .disc = 0xff00897b,
    .layers = {{"R2 2 9.2 9.2 2.4 R12.8 2 9.2 9.2 2.4 R2 12.8 9.2 9.2 2.4", 0,
                WHITE},
               {"R12.8 12.8 9.2 9.2 2.4", 0, 0xffffca28},
               {"M4.4 6.6 L8.8 6.6 M6.6 4.4 L6.6 8.8 M15.2 6.6 L19.6 6.6 "
                "M5 15.8 L8.2 19 M8.2 15.8 L5 19",
                1.4F, 0xff00695c},
               {"M15.2 16 L19.6 16 M15.2 18.8 L19.6 18.8", 1.4F, 0xff4e342e}},
};
const struct phone_icon icon_shop = {
    .disc = 0xffe53935,
    .layers = {{"M3.6 8 L20.4 8 L21.3 19.4 C21.4 21 20.4 22 18.9 22 L5.1 22 "
                "C3.6 22 2.6 21 2.7 19.4 Z",
                0, WHITE},
               {"M8 10.5 L8 7 C8 1.6 16 1.6 16 7 L16 10.5", 1.8F, WHITE},
               {"M8 10.8 L8 8.6 M16 10.8 L16 8.6", 1.8F, 0xffe53935},
               {"M8.4 15 C9.6 18.4 14.4 18.4 15.6 15", 1.7F, 0xffe53935}},
};
const struct phone_icon icon_eats = {
    .disc = 0xfffb8c00,
    .layers = {{"M7.6 12 L7.6 21.4 M16.6 14 L16.6 21.4", 2.3F, WHITE},
               {"M4.6 2.8 L4.6 8 M7.6 2.8 L7.6 8 M10.6 2.8 L10.6 8", 1.6F,
                WHITE},
               {"M3.8 7 L11.4 7 C11.4 13.4 3.8 13.4 3.8 7 Z", 0, WHITE},
               {"M17.8 14.6 L14 14.6 C13.4 8 14.6 2.6 17.8 1.8 Z", 0, WHITE}},
};
const struct phone_icon icon_files = {
    .disc = 0xff1e88e5,
    .layers = {{"M2 6.4 C2 5 3 4 4.4 4 L9 4 L11.4 6.6 L19.6 6.6 "
                "C21 6.6 22 7.6 22 9 L22 12 L2 12 Z",
                0, 0xffbbdefb},
               {"R2 9 20 11.6 2.4", 0, WHITE}},
};
const struct phone_icon icon_photos = {
    .disc = WHITE,
    .layers = {{"R1.5 2.5 21 19 4", 0, 0xff8ecdf7},
               {"O16.6 7.6 2.6", 0, 0xffffca28},
               {"M1.5 17 L8 9.6 L17.6 21.5 L5.5 21.5 C3 21.5 1.5 20 1.5 17.5 Z",
                0, 0xff2e7d6b},
               {"M11.4 21.5 L17 13.6 L22.5 19 C22 20.6 20.6 21.5 18.5 21.5 Z",
                0, 0xff43a089}},
};
const struct phone_icon icon_notes = {
    .disc = 0xfffdd835,
    .layers = {{"R4 2 16 20 2.4", 0, WHITE},
               {"M7.6 7.4 L16.4 7.4 M7.6 11.6 L16.4 11.6 M7.6 15.8 L12.6 15.8",
                1.6F, 0xfff9a825}},
};
const struct phone_icon icon_phone = {
    .disc = 0xff43a047,
    .layers = {{"M6 7.2 C6.6 13 11 17.4 16.8 18", 3.2F, WHITE},
               {"M6 4.4 L7.4 7.8 M19.6 18 L16.2 16.6", 4.8F, WHITE}},
};
const struct phone_icon icon_messages = {
    .disc = 0xff1a73e8,
    .layers = {{"R2 3 20 14.6 4", 0, WHITE},
               {"M5.4 15 L5.4 22 L12.4 15 Z", 0, WHITE},
               {"M7 8.4 L17 8.4 M7 12.2 L13.6 12.2", 1.7F, 0xff1a73e8}},
};
const struct phone_icon icon_browser = {
    .disc = 0xff5e35b1,
    .layers = {{"O12 12 9.4", 1.9F, WHITE},
               {"M2.6 12 L21.4 12", 1.7F, WHITE},
               {"M12 2.6 C6.6 8 6.6 16 12 21.4 C17.4 16 17.4 8 12 2.6", 1.7F,
                WHITE}},
};
const struct phone_icon icon_camera = {
    .disc = 0xff37474f,
    .layers = {{"M8.4 3.6 L15.6 3.6 L17.2 6.4 L6.8 6.4 Z", 0, WHITE},
               {"R2 6 20 14 3", 0, WHITE},
               {"O12 13 4.9", 0, 0xff37474f},
               {"O12 13 3.1", 0, 0xff4fc3f7}},
};
const struct phone_icon icon_mailbox = {
    .disc = 0xff3949ab,
    .layers = {{"R2 4.4 20 15.2 2.6", 0, WHITE},
               {"M3 6.4 L12 13.6 L21 6.4", 1.8F, 0xff3949ab},
               {"O20 5.4 4", 0, 0xffff7043}},
};
const struct phone_icon icon_stays = {
    .disc = 0xffd81b60,
    .layers = {{"M12 2.4 L22 11 L19.6 11 L19.6 21.4 L4.4 21.4 L4.4 11 L2 11 Z",
                0, WHITE},
               {"M12 19.4 C8.6 16.8 6.8 14.8 6.8 12.8 C6.8 9.8 10.8 9.4 12 "
                "12 C13.2 9.4 17.2 9.8 17.2 12.8 C17.2 14.8 15.4 16.8 12 19.4 "
                "Z",
                0, 0xffd81b60}},
};
const struct phone_icon icon_maps = {
    .disc = 0xff2e7d32,
    .layers = {{"M2.4 6 L9 3.4 L15 6 L21.6 3.4 L21.6 18.6 L15 21.2 L9 18.6 "
                "L2.4 21.2 Z",
                0, 0xffc8e6c9},
               {"M9 3.4 L15 6 L15 21.2 L9 18.6 Z", 0, WHITE},
               {"M12 18 C9.4 14.8 7.8 12.6 7.8 10.2 C7.8 4.6 16.2 4.6 16.2 "
                "10.2 C16.2 12.6 14.6 14.8 12 18 Z",
                0, 0xffe53935},
               {"O12 10.2 1.7", 0, WHITE}},
};
const struct phone_icon icon_chats = {
    .disc = 0xff00a152,
    .layers = {{"M9.4 3 C15 3 18 6.4 18 9.8 C18 13.4 14.6 16.4 9.6 16.4 L4.6 "
                "18.4 L5 15 C-1.4 11.2 1.4 3 9.4 3 Z",
                0, WHITE},
               {"M15.6 9.4 C20.6 9.4 23 12 23 14.8 C23 16.6 22 18 20.8 18.8 "
                "L21 22 L17.2 20.2 C12.4 20.4 9.6 17.8 9.6 14.8 C9.6 11.8 12 "
                "9.4 15.6 9.4 Z",
                0, 0xffb9f6ca},
               {"O6.6 8.6 1 O12 8.6 1", 0, 0xff00a152}},
};
const struct phone_icon icon_music = {
    .disc = 0xff8e24aa,
    .layers = {{"M8.4 17.6 L8.4 5.4 L19.4 3 L19.4 15.2", 2.1F, WHITE},
               {"M8.4 8.6 L19.4 6.2", 1.6F, 0xfff48fb1},
               {"O6 17.8 3 O17 15.6 3", 0, WHITE}},
};
const struct phone_icon icon_dictionary = {
    .disc = 0xff00838f,
    .layers = {{"M2.4 4.6 C6 3.4 9.6 3.8 12 5.6 L12 20.6 C9.6 18.8 6 18.4 2.4 "
                "19.6 Z",
                0, WHITE},
               {"M21.6 4.6 C18 3.4 14.4 3.8 12 5.6 L12 20.6 C14.4 18.8 18 18.4 "
                "21.6 19.6 Z",
                0, 0xffb2ebf2},
               {"M4.6 8.6 L9.6 8.6 M4.6 12 L9.6 12", 1.3F, 0xff00838f}},
};
const struct phone_icon icon_pay = {
    .disc = 0xff1565c0,
    .layers = {{"R2 6 20 14.4 2.8", 0, WHITE},
               {"M4 6 L16.4 2.6 L17.6 6 Z", 0, 0xff90caf9},
               {"R14.6 10.6 7.6 5.2 1.6", 0, 0xff1565c0},
               {"O17.6 13.2 1.2", 0, 0xffffca28}},
};
const struct phone_icon icon_video = {
    .disc = 0xffd50000,
    .layers = {{"R1.6 4.4 20.8 15.2 4.4", 0, WHITE},
               {"M9.6 8 L16 12 L9.6 16 Z", 0, 0xffd50000}},
};
const struct phone_icon icon_darkroom = {
    .disc = 0xff4a2f7a,
    .layers = {{"M12 3 L21.4 8.2 L12 13.4 L2.6 8.2 Z", 0, 0xffffb74d},
               {"M2.6 12.2 L12 17.4 L21.4 12.2", 1.8F, 0xffce93d8},
               {"M2.6 16 L12 21.2 L21.4 16", 1.8F, WHITE}},
};
const struct phone_icon icon_sports = {
    .disc = 0xff0c2229,
    .layers = {{"M6.4 3 L17.6 3 L17.6 9 C17.6 17 6.4 17 6.4 9 Z", 0,
                0xffd2f04a},
               {"M6.4 5 L2.6 5 C2.6 9.4 4.2 11.4 7.4 11.6 M17.6 5 L21.4 5 "
                "C21.4 9.4 19.8 11.4 16.6 11.6 M12 14.6 L12 19.4",
                1.9F, 0xffd2f04a},
               {"R7.4 18.8 9.2 2.8 1", 0, WHITE},
               {"M12 5.6 L12.9 8 L15.4 8 L13.4 9.6 L14.2 12 L12 10.6 L9.8 12 "
                "L10.6 9.6 L8.6 8 L11.1 8 Z",
                0, 0xff0c2229}},
};
const struct phone_icon icon_news = {
    .disc = 0xff00696e,
    .layers = {{"R2.4 4 15.6 16.4 2", 0, WHITE},
               {"M18 8 L20.4 8 C21.4 8 22 8.6 22 9.6 L22 18 C22 19.4 21 20.4 "
                "19.6 20.4 L18 20.4 Z",
                0, 0xff80deea},
               {"R5 6.8 6 5 0.8", 0, 0xffff7043},
               {"M13 7.6 L15.6 7.6 M13 11 L15.6 11 M5.2 14.4 L15.4 14.4 "
                "M5.2 17.4 L12 17.4",
                1.3F, 0xff00696e}},
};
const struct phone_icon icon_store = {
    .disc = 0xff006879,
    .layers = {{"R2.6 2.6 8.2 8.2 2.4 R13.2 13.2 8.2 8.2 2.4", 0, WHITE},
               {"R2.6 13.2 8.2 8.2 2.4", 0, 0xff80deea},
               {"M17.3 1.6 L22.6 6.9 L17.3 12.2 L12 6.9 Z", 0, 0xffffca28}},
};
const struct phone_icon icon_app = {
    .disc = 0xff3ddc84,
    .layers = {{"M3.6 17.4 C3.6 12 7.2 8.6 12 8.6 C16.8 8.6 20.4 12 20.4 17.4 "
                "Z",
                0, WHITE},
               {"M8.4 9.6 L6.2 5.8 M15.6 9.6 L17.8 5.8", 1.5F, WHITE},
               {"O8.6 13.4 1.1", 0, 0xff1f6f43},
               {"O15.4 13.4 1.1", 0, 0xff1f6f43}},
};

/* ---- finding ---- */

#define NAMED(name_)                                                           \
    {                                                                          \
#name_, &icon_##name_                                                  \
    }

static const struct {
    const char *name;
    const struct phone_icon *icon;
} icons[] = {
    NAMED(search),   NAMED(close),      NAMED(wifi),       NAMED(signal),
    NAMED(settings), NAMED(clock),      NAMED(calculator), NAMED(shop),
    NAMED(eats),     NAMED(files),      NAMED(photos),     NAMED(notes),
    NAMED(phone),    NAMED(messages),   NAMED(browser),    NAMED(camera),
    NAMED(mailbox),  NAMED(stays),      NAMED(maps),       NAMED(chats),
    NAMED(music),    NAMED(dictionary), NAMED(pay),        NAMED(video),
    NAMED(darkroom), NAMED(sports),     NAMED(news),       NAMED(store),
    NAMED(app),
};

const struct phone_icon *icon_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(icons); i++) {
        if (!strcmp(icons[i].name, name))
            return icons[i].icon;
    }
    for (size_t i = 0; i < icon_sign_count; i++) {
        if (!strcmp(icon_signs[i].name, name))
            return &icon_signs[i].icon;
    }
    return NULL;
}

const char *icon_name(const struct phone_icon *icon)
{
    for (size_t i = 0; i < ARRAY_LEN(icons); i++) {
        if (icons[i].icon == icon)
            return icons[i].name;
    }
    return "";
}

/* ---- drawing ---- */

static void draw_layers(const struct phone_icon *icon,
                        struct phone_fonts *fonts, struct canvas *canvas,
                        struct font_place corner, int size, uint32_t ink)
{
    for (int i = 0; i < ICON_LAYERS_MAX && icon->layers[i].outline; i++) {
        const struct icon_layer *layer = &icon->layers[i];
        struct font_shape shape = {layer->outline, layer->pen};

        fonts_draw_shape(fonts, shape, canvas, corner, size,
                         layer->color ? layer->color : ink);
    }
}

void icon_draw(const struct phone_icon *icon, struct phone_fonts *fonts,
               struct canvas *canvas, struct font_place corner, int size,
               uint32_t ink)
{
    int sign = size * SIGN_PART / 100;
    int margin = (size - sign) / 2;
    struct box box = {corner.x, corner.y, corner.x + size, corner.y + size};

    if (!icon->disc) {
        draw_layers(icon, fonts, canvas, corner, size, ink);
        return;
    }
    canvas_round(canvas, box, (float)size / 2, icon->disc);
    corner.x += margin;
    corner.y += margin;
    draw_layers(icon, fonts, canvas, corner, sign, ink);
}
