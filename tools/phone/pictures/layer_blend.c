#include "tools/phone/pictures/layer_blend.h"

#include <string.h>

static const char *const names[LAYER_BLENDS] = {
    [LAYER_BLEND_NORMAL] = "normal",
    [LAYER_BLEND_MULTIPLY] = "multiply",
    [LAYER_BLEND_SCREEN] = "screen",
    [LAYER_BLEND_OVERLAY] = "overlay",
    [LAYER_BLEND_SOFT_LIGHT] = "soft_light",
    [LAYER_BLEND_DARKEN] = "darken",
    [LAYER_BLEND_LIGHTEN] = "lighten",
    [LAYER_BLEND_DIFFERENCE] = "difference",
};

const char *layer_blend_name(enum layer_blend blend)
{
    return blend < LAYER_BLENDS ? names[blend] : NULL;
}

bool layer_blend_find(const char *name, enum layer_blend *blend)
{
    for (int i = 0; i < LAYER_BLENDS; i++) {
        if (!strcmp(names[i], name)) {
            *blend = (enum layer_blend)i;
            return true;
        }
    }
    return false;
}

static int scaled(int a, int b)
{
    return (a * b + 127) / 255;
}

static int overlaid(int below, int above)
{
    return below < 128 ? 2 * scaled(below, above)
                       : 255 - 2 * scaled(255 - below, 255 - above);
}

/* Pegtop's formula: smooth, and without a root. */
static int softened(int below, int above)
{
    int dark = scaled(below, above);
    int pale = 255 - scaled(255 - below, 255 - above);

    return scaled(255 - below, dark) + scaled(below, pale);
}

static int blended(enum layer_blend blend, int below, int above)
{
    switch (blend) {
    case LAYER_BLEND_MULTIPLY:
        return scaled(below, above);
    case LAYER_BLEND_SCREEN:
        return 255 - scaled(255 - below, 255 - above);
    case LAYER_BLEND_OVERLAY:
        return overlaid(below, above);
    case LAYER_BLEND_SOFT_LIGHT:
        return softened(below, above);
    case LAYER_BLEND_DARKEN:
        return below < above ? below : above;
    case LAYER_BLEND_LIGHTEN:
        return below > above ? below : above;
    case LAYER_BLEND_DIFFERENCE:
        return below > above ? below - above : above - below;
    case LAYER_BLEND_NORMAL:
    case LAYER_BLENDS:
        break;
    }
    return above;
}

/*
 * Where there is nothing below, a layer is seen as it is (W3C, Compositing and
 * Blending Level 1, section 5).
 */
static void put_pixel(enum layer_blend blend, int alpha, const uint8_t *above,
                      uint8_t *below)
{
    int under = below[3];
    int both = alpha + scaled(under, 255 - alpha);

    for (int i = 0; i < 3; i++) {
        int mixed = scaled(255 - under, above[i]) +
                    scaled(under, blended(blend, below[i], above[i]));
        int sum =
            alpha * mixed + scaled(under, 255 - alpha) * below[i] + both / 2;

        below[i] = (uint8_t)(sum / both > 255 ? 255 : sum / both);
    }
    below[3] = (uint8_t)both;
}

void layer_blend_put(enum layer_blend blend, int opacity,
                     const struct picture *layer, const struct picture *mask,
                     struct picture *below)
{
    for (uint32_t y = 0; y < below->height; y++) {
        const uint8_t *above = picture_row(layer, y);
        const uint8_t *cover = mask ? picture_row(mask, y) : NULL;
        uint8_t *pixel = picture_row(below, y);

        for (uint32_t x = 0; x < below->width; x++) {
            int alpha = (above[3] * opacity + 50) / 100;

            if (cover)
                alpha = scaled(alpha, cover[x * PICTURE_PIXEL]);
            if (alpha > 0)
                put_pixel(blend, alpha, above, pixel);
            above += PICTURE_PIXEL;
            pixel += PICTURE_PIXEL;
        }
    }
}
