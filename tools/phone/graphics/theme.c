#include "tools/phone/graphics/theme.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define RADIANS (3.14159265F / 180)

/* ---- tones ---- */

struct linear {
    float red, green, blue;
};

/* From lightness, chroma and hue, in OKLab. */
static struct linear linear_of(float lightness, float chroma, float hue)
{
    float a = chroma * cosf(hue * RADIANS);
    float b = chroma * sinf(hue * RADIANS);
    float l = lightness + 0.3963377774F * a + 0.2158037573F * b;
    float m = lightness - 0.1055613458F * a - 0.0638541728F * b;
    float s = lightness - 0.0894841775F * a - 1.2914855480F * b;

    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (struct linear){
        4.0767416621F * l - 3.3077115913F * m + 0.2309699292F * s,
        -1.2684380046F * l + 2.6097574011F * m - 0.3413193965F * s,
        -0.0041960863F * l - 0.7034186147F * m + 1.7076147010F * s,
    };
}

static bool can_be_shown(struct linear color)
{
    const float slack = 0.0005F;
    float least = fminf(color.red, fminf(color.green, color.blue));
    float most = fmaxf(color.red, fmaxf(color.green, color.blue));

    return least >= -slack && most <= 1 + slack;
}

static uint32_t byte_of(float linear)
{
    float x = fminf(fmaxf(linear, 0), 1);

    x = x <= 0.0031308F ? 12.92F * x : 1.055F * powf(x, 1 / 2.4F) - 0.055F;
    return (uint32_t)(x * 255 + 0.5F);
}

/* A chroma out of gamut at this tone is reduced until it fits. */
uint32_t theme_tone(float hue, float chroma, float tone)
{
    float lightness = (tone + 16) / 116; /* tone is CIE's L* */
    struct linear color = linear_of(lightness, chroma, hue);

    if (tone <= 0)
        return 0xff000000U;
    while (chroma > 0 && !can_be_shown(color)) {
        chroma -= 0.004F;
        color = linear_of(lightness, fmaxf(chroma, 0), hue);
    }
    return 0xff000000U | byte_of(color.red) << 16 | byte_of(color.green) << 8 |
           byte_of(color.blue);
}

/* ---- roles ---- */

struct palette {
    float hue, chroma;
};

static uint32_t tone(struct palette palette, float tone)
{
    return theme_tone(palette.hue, palette.chroma, tone);
}

static struct theme_tones tones_of(struct palette palette, bool dark)
{
    return (struct theme_tones){
        .base = tone(palette, dark ? 80 : 42),
        .on = tone(palette, dark ? 20 : 100),
        .container = tone(palette, dark ? 30 : 90),
        .on_container = tone(palette, dark ? 90 : 18),
    };
}

static void set_surfaces(struct phone_theme *theme, struct palette gray,
                         bool dark)
{
    theme->surface = tone(gray, dark ? 6 : 98);
    theme->surface_container_lowest = tone(gray, dark ? 4 : 100);
    theme->surface_container_low = tone(gray, dark ? 10 : 96);
    theme->surface_container = tone(gray, dark ? 12 : 94);
    theme->surface_container_high = tone(gray, dark ? 17 : 92);
    theme->surface_container_highest = tone(gray, dark ? 22 : 90);
    theme->on_surface = tone(gray, dark ? 90 : 10);
    theme->inverse_surface = tone(gray, dark ? 90 : 20);
    theme->inverse_on_surface = tone(gray, dark ? 20 : 95);
}

void theme_init(struct phone_theme *theme, float hue, bool dark)
{
    const struct palette bright = {hue, 0.14F};
    const struct palette quiet = {hue, 0.045F};
    const struct palette other = {hue + 60, 0.08F};
    const struct palette red = {27, 0.19F};
    const struct palette gray = {hue, 0.012F};
    const struct palette gray_variant = {hue, 0.018F};

    theme->dark = dark;
    theme->primary = tones_of(bright, dark);
    theme->secondary = tones_of(quiet, dark);
    theme->tertiary = tones_of(other, dark);
    theme->error = tones_of(red, dark);
    set_surfaces(theme, gray, dark);
    theme->on_surface_variant = tone(gray_variant, dark ? 80 : 30);
    theme->outline = tone(gray_variant, dark ? 60 : 50);
    theme->outline_variant = tone(gray_variant, dark ? 30 : 82);
    theme->inverse_primary = tone(bright, dark ? 42 : 80);
    theme->shadow = 0x38000000;
    theme->scrim = dark ? 0x99000000 : 0x66000000;
}

/* ---- names ---- */

/* clang-format off */
#define TONE(name_, field_) {(name_), offsetof(struct phone_theme, field_)}
#define ROLE(name_) {#name_, offsetof(struct phone_theme, name_)}
/* clang-format on */

static const struct theme_role {
    const char *name;
    size_t offset;
} roles[] = {
    TONE("primary", primary.base),
    TONE("on_primary", primary.on),
    TONE("primary_container", primary.container),
    TONE("on_primary_container", primary.on_container),
    TONE("secondary", secondary.base),
    TONE("on_secondary", secondary.on),
    TONE("secondary_container", secondary.container),
    TONE("on_secondary_container", secondary.on_container),
    TONE("tertiary", tertiary.base),
    TONE("on_tertiary", tertiary.on),
    TONE("tertiary_container", tertiary.container),
    TONE("on_tertiary_container", tertiary.on_container),
    TONE("error", error.base),
    TONE("on_error", error.on),
    TONE("error_container", error.container),
    TONE("on_error_container", error.on_container),
    ROLE(surface),
    ROLE(surface_container_lowest),
    ROLE(surface_container_low),
    ROLE(surface_container),
    ROLE(surface_container_high),
    ROLE(surface_container_highest),
    ROLE(on_surface),
    ROLE(on_surface_variant),
    ROLE(outline),
    ROLE(outline_variant),
    ROLE(inverse_surface),
    ROLE(inverse_on_surface),
    ROLE(inverse_primary),
    ROLE(shadow),
    ROLE(scrim),
};

static bool parse_number(const char *digits, uint32_t *color)
{
    size_t length = strspn(digits, "0123456789abcdefABCDEF");
    uint32_t value;

    if (digits[length] || (length != 6 && length != 8))
        return false;
    value = (uint32_t)strtoul(digits, NULL, 16);
    *color = length == 6 ? 0xff000000U | value : value;
    return true;
}

bool theme_color(const struct phone_theme *theme, const char *name,
                 uint32_t *color)
{
    if (name[0] == '#')
        return parse_number(name + 1, color);
    for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
        if (!strcmp(roles[i].name, name)) {
            memcpy(color, (const char *)theme + roles[i].offset,
                   sizeof(*color));
            return true;
        }
    }
    return false;
}
