#include "process_provider/pictures/icon_library.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_TRUETYPE_TABLES_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "process_provider/pictures/icon_names.h"

#define GLYPH_SIZE 64 /* pixels, at which known icons are drawn */
#define SHAPES_MAX 256

/* The minimum similarity; solid forms have less detail and need more. */
static const float least[SILHOUETTE_FORMS] = {
    [SILHOUETTE_DRAWN] = 0.88F,
    [SILHOUETTE_SOLID] = 0.93F,
};
/* An icon is more like its own than like a plate without anything on it. */
#define PLATE_MARGIN 0.03F
/* Which of two is meant can outweigh as much of a difference. */
#define LIKENESS_SLACK 0.03F

static const struct {
    const char *name;
    const char *path;
    const char *package;
} fonts[ICON_FONTS] = {
    [ICON_FONT_GOOGLE] = {"MaterialIcons",
                          "/usr/share/fonts/truetype/"
                          "material-design-icons-iconfont/"
                          "MaterialIcons-Regular.ttf",
                          "fonts-material-design-icons-iconfont"},
    [ICON_FONT_COMMUNITY] = {"materialdesignicons",
                             "/usr/share/fonts/truetype/"
                             "materialdesignicons-webfont/"
                             "materialdesignicons-webfont.ttf",
                             "fonts-materialdesignicons-webfont"},
};

struct known {
    const char *name; /* NULL: a plate */
    struct silhouette shape;
};

/* The shapes of empty buttons and of round pictures of people. */
static const struct plate {
    int width;
    int height;
    double roundness; /* 2 for an ellipse; the more, the sharper the corners */
    double hollow;    /* how much of it has no ink, from its middle on */
} plates[] = {
    {64, 64, 2, 0},  {64, 64, 2, 0.82}, {64, 64, 5, 0},  {64, 64, 5, 0.82},
    {64, 64, 99, 0}, {64, 48, 5, 0},    {64, 48, 99, 0}, {64, 36, 5, 0},
    {64, 36, 2, 0},  {48, 64, 5, 0},    {48, 64, 99, 0},
};

/* All icons and plates. */
struct icon_library {
    struct known *known; /* owned */
    size_t count;
    struct err err; /* why some are missing; ERR_NONE: none are */
    char version[ICON_LIBRARY_VERSION_MAX];
};

static size_t count_looks(void)
{
    size_t count = ARRAY_LEN(plates);

    for (size_t i = 0; i < icon_name_count; i++) {
        for (enum icon_font font = 0; font < ICON_FONTS; font++) {
            for (int j = 0; j < ICON_LOOKS; j++)
                count += icon_names[i].looks[font][j] != 0;
        }
    }
    return count;
}

/* ---- opening ---- */

static bool open_font(FT_Library library, enum icon_font font, FT_Face *face,
                      struct err *err)
{
    if (FT_New_Face(library, fonts[font].path, 0, face))
        return err_set(err, ERR_NOT_FOUND, "the font %s is missing: install %s",
                       fonts[font].path, fonts[font].package);
    if (FT_Set_Pixel_Sizes(*face, 0, GLYPH_SIZE))
        return err_set(err, ERR_INVALID, "the font %s cannot be used",
                       fonts[font].path);
    return true;
}

/* The smallest box around the glyph; that of the bitmap may be larger. */
static struct box box_of(const uint8_t *mask, int width, int height)
{
    struct box box = {width, height, 0, 0};

    for (int i = 0; i < width * height; i++) {
        int x = i % width;
        int y = i / width;

        if (mask[i])
            box = box_join(box, (struct box){x, y, x + 1, y + 1});
    }
    return box;
}

static bool draw(FT_Face face, uint32_t character, struct silhouette *shape)
{
    const FT_Bitmap *bitmap = &face->glyph->bitmap;
    uint8_t mask[4 * GLYPH_SIZE * GLYPH_SIZE];
    int width;
    int height;

    if (FT_Load_Char(face, character, FT_LOAD_RENDER | FT_LOAD_NO_HINTING))
        return false;
    width = (int)bitmap->width;
    height = (int)bitmap->rows;
    if (!width || !height || width > 2 * GLYPH_SIZE || height > 2 * GLYPH_SIZE)
        return false;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            mask[y * width + x] = bitmap->buffer[y * bitmap->pitch + x] > 127;
    }
    silhouette_make(mask, width, box_of(mask, width, height), shape);
    return true;
}

static void draw_font(struct icon_library *library, FT_Face face,
                      enum icon_font font)
{
    for (size_t i = 0; i < icon_name_count; i++) {
        const uint16_t *looks = icon_names[i].looks[font];

        for (int j = 0; j < ICON_LOOKS && looks[j]; j++) {
            struct known *known = &library->known[library->count];

            if (!draw(face, looks[j], &known->shape))
                continue;
            known->name = icon_names[i].name;
            library->count++;
        }
    }
}

static void draw_plate(struct icon_library *library, const struct plate *plate)
{
    uint8_t mask[GLYPH_SIZE * GLYPH_SIZE];
    const struct box box = {0, 0, plate->width, plate->height};

    for (int y = 0; y < plate->height; y++) {
        for (int x = 0; x < plate->width; x++) {
            double across = fabs((x + 0.5) / plate->width * 2 - 1);
            double along = fabs((y + 0.5) / plate->height * 2 - 1);

            double out = pow(pow(across, plate->roundness) +
                                 pow(along, plate->roundness),
                             1 / plate->roundness);

            mask[y * plate->width + x] = out <= 1 && out >= plate->hollow;
        }
    }
    silhouette_make(mask, plate->width, box,
                    &library->known[library->count++].shape);
}

/* The revision in the font's own header, as "1.2"; "" when it has none. */
static void add_version(FT_Face face, enum icon_font font,
                        struct icon_library *library)
{
    const TT_Header *head = FT_Get_Sfnt_Table(face, FT_SFNT_HEAD);
    size_t length = strlen(library->version);

    snprintf(library->version + length, sizeof(library->version) - length,
             "%s%s %.3f", length ? ", " : "", fonts[font].name,
             head ? (double)head->Font_Revision / 65536 : 0.0);
}

/* Icons of a missing font are missing; err then says which font it is. */
static void draw_fonts(struct icon_library *library, FT_Library freetype)
{
    for (enum icon_font font = 0; font < ICON_FONTS; font++) {
        FT_Face face = NULL;

        if (open_font(freetype, font, &face, &library->err)) {
            draw_font(library, face, font);
            add_version(face, font, library);
        }
        FT_Done_Face(face);
    }
}

struct icon_library *icon_library_open(void)
{
    struct icon_library *library = mem_new(1, sizeof(*library));
    FT_Library freetype;

    library->err = (struct err)ERR_INIT;
    if (FT_Init_FreeType(&freetype)) {
        (void)err_set(&library->err, ERR_LIMIT, "FreeType is out of memory");
        return library;
    }
    library->known = mem_new(count_looks(), sizeof(*library->known));
    for (size_t i = 0; i < ARRAY_LEN(plates); i++)
        draw_plate(library, &plates[i]);
    draw_fonts(library, freetype);
    FT_Done_FreeType(freetype);
    return library;
}

void icon_library_close(struct icon_library *library)
{
    if (!library)
        return;
    free(library->known);
    free(library);
}

const char *icon_library_version(const struct icon_library *library)
{
    return library->version;
}

bool icon_library_complete(const struct icon_library *library, struct err *err)
{
    if (library->err.code != ERR_NONE)
        *err = library->err;
    return library->err.code == ERR_NONE;
}

/* ---- looking ---- */

static struct icon_match most_alike(const struct icon_library *library,
                                    const struct silhouette *shape,
                                    enum silhouette_form form)
{
    struct icon_match best = {.box = shape->box, .ink = shape->ink};
    float plate = 0;

    for (size_t i = 0; i < library->count; i++) {
        const struct known *known = &library->known[i];
        float likeness = silhouette_likeness(&known->shape, shape, form);

        if (!known->name) {
            plate = fmaxf(plate, likeness);
        } else if (likeness > best.likeness) {
            best.name = known->name;
            best.likeness = likeness;
        }
    }
    if (best.likeness < least[form] || best.likeness < plate + PLATE_MARGIN)
        best.name = NULL;
    return best;
}

/* As it is drawn, or else by its outline alone. */
static struct icon_match know(const struct icon_library *library,
                              const struct silhouette *shape)
{
    struct icon_match icon = most_alike(library, shape, SILHOUETTE_DRAWN);

    if (icon.name || !shape->outlined)
        return icon;
    return most_alike(library, shape, SILHOUETTE_SOLID);
}

static bool is_within(struct box inner, struct box outer)
{
    return inner.left >= outer.left && inner.top >= outer.top &&
           inner.right <= outer.right && inner.bottom <= outer.bottom;
}

/* All of an icon is meant and not a part of it, but not the plate below it. */
static bool is_meant(const struct icon_match *icon,
                     const struct icon_match *rather_than)
{
    bool same_ink = icon->ink == rather_than->ink;

    return is_within(same_ink ? rather_than->box : icon->box,
                     same_ink ? icon->box : rather_than->box);
}

static bool is_better(const struct icon_match *icon,
                      const struct icon_match *than)
{
    float slack = is_meant(icon, than)   ? LIKENESS_SLACK
                  : is_meant(than, icon) ? -LIKENESS_SLACK
                                         : 0;

    if (!icon->name)
        return false;
    return !than->name || icon->likeness + slack > than->likeness;
}

/*
 * Is it at the point, or on a shape that is, or is there no other shape at the
 * point?
 */
static bool is_touched(const struct silhouette *shapes, size_t count,
                       struct box box, int x, int y)
{
    bool other = false;

    if (box_holds(box, x, y))
        return true;
    for (size_t i = 0; i < count; i++) {
        if (!box_holds(shapes[i].box, x, y))
            continue;
        if (is_within(box, shapes[i].box))
            return true;
        other = true;
    }
    return !other;
}

struct icon_match icon_library_find(const struct icon_library *library,
                                    const struct picture *picture, int x, int y)
{
    struct silhouette *shapes = mem_new(SHAPES_MAX, sizeof(*shapes));
    struct icon_match best = {.name = NULL};
    size_t count = silhouette_find(picture, x, y, shapes, SHAPES_MAX);

    for (size_t i = 0; i < count; i++) {
        struct icon_match icon = {.name = NULL};

        if (is_touched(shapes, count, shapes[i].box, x, y))
            icon = know(library, &shapes[i]);
        if (is_better(&icon, &best))
            best = icon;
    }
    free(shapes);
    return best;
}
