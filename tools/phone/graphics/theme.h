/*
 * The colours of a screen, named by role as in Material 3. All are derived from
 * one hue.
 */
#ifndef TOOLS_PHONE_GRAPHICS_THEME_H
#define TOOLS_PHONE_GRAPHICS_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

/* A colour, and the one for content on it; containers are less saturated. */
struct theme_tones {
    uint32_t base;
    uint32_t on;
    uint32_t container;
    uint32_t on_container;
};

struct phone_theme {
    bool dark;
    struct theme_tones primary; /* links and buttons */
    struct theme_tones secondary;
    struct theme_tones tertiary;
    struct theme_tones error;
    uint32_t surface; /* background; the containers have more contrast */
    uint32_t surface_container_lowest;
    uint32_t surface_container_low;
    uint32_t surface_container;
    uint32_t surface_container_high;
    uint32_t surface_container_highest;
    uint32_t on_surface;
    uint32_t on_surface_variant; /* less important text */
    uint32_t outline;
    uint32_t outline_variant; /* dividing lines */
    uint32_t inverse_surface;
    uint32_t inverse_on_surface;
    uint32_t inverse_primary;
    uint32_t shadow;
    uint32_t scrim; /* darkens everything behind dialogs */
};

/* The hue of the system's screens, in degrees. */
#define THEME_HUE 275.0F

/* Derive the colours from a hue: 30 is red, 140 green, 260 blue, 330 pink. */
void theme_init(struct phone_theme *theme, float hue, bool dark);

/* The opaque colour of a hue: chroma is 0 (gray) to 0.3, tone 0 to 100. */
uint32_t theme_tone(float hue, float chroma, float tone);

/*
 * Parse a role ("primary", "on_surface"), "#rrggbb" or "#aarrggbb". False if it
 * is none of them.
 */
MUST_USE bool theme_color(const struct phone_theme *theme, const char *name,
                          uint32_t *color);

#endif
