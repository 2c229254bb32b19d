/*
 * Drawing into a picture: smooth edges, and nothing outside the clip.
 *
 * The picture is opaque and stays so. Colours are 0xAARRGGBB, as Android
 * writes them; lengths are pixels.
 */
#ifndef BASE_CANVAS_H
#define BASE_CANVAS_H

#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "base/picture.h"

struct canvas {
    struct picture *picture; /* borrowed */
    struct box clip;         /* always within the picture */
};

/* Draw into all of picture. */
void canvas_init(struct canvas *canvas, struct picture *picture);

/* Clip to box as well; returns the clip to go back to. */
struct box canvas_clip(struct canvas *canvas, struct box box);

/* color, so much of it as part (0 to 255) says. */
uint32_t color_fade(uint32_t color, unsigned part);

/* The color between two: 0 is from, 255 is to. */
uint32_t color_between(uint32_t from, uint32_t to, unsigned part);

void canvas_fill(struct canvas *canvas, struct box box, uint32_t color);

/* From one opaque colour at the top to another at the bottom, dithered. */
void canvas_gradient(struct canvas *canvas, struct box box, uint32_t top,
                     uint32_t bottom);

/* With round corners; a radius of half the side, or more, is a circle. */
void canvas_round(struct canvas *canvas, struct box box, float radius,
                  uint32_t color);

/* The outline of the same, drawn inside the box. */
void canvas_ring(struct canvas *canvas, struct box box, float radius,
                 float width, uint32_t color);

/* A soft shadow of the same; what throws it is to be drawn over it. */
struct canvas_shadow {
    float blur; /* over which it fades out */
    int drop;   /* how much lower it is than what throws it */
};
void canvas_shadow(struct canvas *canvas, struct box box, float radius,
                   struct canvas_shadow shadow, uint32_t color);

/* A straight line with round ends. */
struct canvas_line {
    float x0, y0, x1, y1;
    float width;
};
void canvas_line(struct canvas *canvas, struct canvas_line line,
                 uint32_t color);

/* color where a mask of one byte per pixel says, without gaps in its rows. */
void canvas_mask(struct canvas *canvas, struct box box, const uint8_t *mask,
                 uint32_t color);

/* Pixels of RGBA whose colours are already multiplied by their alpha. */
void canvas_stamp(struct canvas *canvas, struct box box, const uint8_t *pixels);

/* A picture, scaled to fill the box. */
void canvas_picture(struct canvas *canvas, struct box box,
                    const struct picture *picture);

#endif
