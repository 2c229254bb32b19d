/* The colours of the system, light and dark. */
#ifndef PHONE_THEME_H
#define PHONE_THEME_H

#include <stdint.h>

#define WALLPAPER_HILLS 3

struct theme {
    uint32_t surface;      /* below everything */
    uint32_t raised;       /* cards and dialogs */
    uint32_t sunken;       /* fields and chips */
    uint32_t ink;          /* text */
    uint32_t faint;        /* text that matters less */
    uint32_t accent;       /* what one may press */
    uint32_t on_accent;    /* text on that */
    uint32_t outline;      /* lines */
    uint32_t scrim;        /* what dialogs darken the rest with */
    uint32_t on_wallpaper; /* text on the launcher */
    uint32_t sky_top;
    uint32_t sky_bottom;
    uint32_t hills[WALLPAPER_HILLS]; /* the farthest first */
};

extern const struct theme theme_light;
extern const struct theme theme_dark;

#endif
