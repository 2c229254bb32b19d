/*
 * The colours that a screen is drawn with, named by what they are for, as
 * Material 3 names them. All are made from one hue.
 */
#ifndef PHONE_THEME_H
#define PHONE_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

/* A colour and what is drawn on it; a container is a quieter ground. */
struct theme_tones {
    uint32_t base;
    uint32_t on;
    uint32_t container;
    uint32_t on_container;
};

struct theme {
    bool dark;
    struct theme_tones primary; /* what one may press */
    struct theme_tones secondary;
    struct theme_tones tertiary;
    struct theme_tones error;
    uint32_t surface; /* below everything; the containers stand out more */
    uint32_t surface_container_lowest;
    uint32_t surface_container_low;
    uint32_t surface_container;
    uint32_t surface_container_high;
    uint32_t surface_container_highest;
    uint32_t on_surface;
    uint32_t on_surface_variant; /* text that matters less */
    uint32_t outline;
    uint32_t outline_variant; /* lines that only divide */
    uint32_t inverse_surface;
    uint32_t inverse_on_surface;
    uint32_t inverse_primary;
    uint32_t shadow;
    uint32_t scrim; /* what dialogs darken the rest with */
};

/* The hue of the system's own screens, in degrees. */
#define THEME_HUE 275.0F

/* Make the colours of a hue: 30 is red, 140 green, 260 blue, 330 pink. */
void theme_init(struct theme *theme, float hue, bool dark);

/* The opaque colour of a hue: chroma is 0 (gray) to 0.3, tone 0 to 100. */
uint32_t theme_tone(float hue, float chroma, float tone);

/*
 * The colour of a name ("primary", "on_surface"), or of "#rrggbb" and
 * "#aarrggbb". False for what is neither.
 */
MUST_USE bool theme_color(const struct theme *theme, const char *name,
                          uint32_t *color);

#endif
