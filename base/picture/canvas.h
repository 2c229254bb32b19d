/*
 * Drawing into a picture, with anti-aliasing and a clip.
 *
 * The picture is opaque and stays so. Colors are 0xAARRGGBB, as in Android;
 * lengths are in pixels.
 */
#ifndef BASE_PICTURE_CANVAS_H
#define BASE_PICTURE_CANVAS_H

#include <stddef.h>
#include <stdint.h>

#include "base/picture/box.h"
#include "base/picture/picture.h"

struct canvas {
    struct picture *picture; /* borrowed */
    struct box clip;         /* always within the picture */
};

/* Draw into all of picture. */
void canvas_init(struct canvas *canvas, struct picture *picture);

/* Intersect the clip with box; returns the previous clip, for restoring it. */
struct box canvas_clip(struct canvas *canvas, struct box box);

/* color with its alpha multiplied by part (0 to 255). */
uint32_t color_fade(uint32_t color, unsigned part);

/* The color between two: 0 is from, 255 is to. */
uint32_t color_between(uint32_t from, uint32_t to, unsigned part);

void canvas_fill(struct canvas *canvas, struct box box, uint32_t color);

/* A vertical gradient between two opaque colors, dithered. */
void canvas_gradient(struct canvas *canvas, struct box box, uint32_t top,
                     uint32_t bottom);

/* With rounded corners; a radius of half the side, or more, gives a circle. */
void canvas_round(struct canvas *canvas, struct box box, float radius,
                  uint32_t color);

/* The outline of the same shape, drawn inside the box. */
void canvas_ring(struct canvas *canvas, struct box box, float radius,
                 float width, uint32_t color);

/* A soft shadow of the same shape; draw the shape over it afterwards. */
struct canvas_shadow {
    float blur; /* the width of the fade-out */
    int drop;   /* vertical offset of the shadow */
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

/* Fill with color through a mask: one byte per pixel, rows without gaps. */
void canvas_mask(struct canvas *canvas, struct box box, const uint8_t *mask,
                 uint32_t color);

/* RGBA pixels with premultiplied alpha. */
void canvas_stamp(struct canvas *canvas, struct box box, const uint8_t *pixels);

/* A picture, scaled to fill the box. */
void canvas_picture(struct canvas *canvas, struct box box,
                    const struct picture *picture);

#endif
