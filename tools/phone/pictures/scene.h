/*
 * Generated photos: a landscape with one subject, whose colours, place and
 * light depend on a seed. The same subject and seed always give the same
 * pixels.
 */
#ifndef TOOLS_PHONE_PICTURES_SCENE_H
#define TOOLS_PHONE_PICTURES_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/picture/picture.h"

#define SCENE_WIDTH 384
#define SCENE_HEIGHT 288
#define SCENE_SPOTS_MAX 4

struct photo_scene; /* a subject */

/* Find a subject by its name, such as "lighthouse"; NULL if there is none. */
const struct photo_scene *scene_find(const char *name);

/* The names of all subjects; NULL follows the last. */
const char *scene_name(size_t number);

/* Dust on the lens: a dark spot in the sky, in pixels. */
struct scene_spot {
    int x, y;
    int radius;
};

/* The spots of a photo, of which there are at most SCENE_SPOTS_MAX. */
void scene_spots(uint32_t seed, size_t count, struct scene_spot *spots);

/* Draw the photo with that many spots. Fails as picture_resize. */
MUST_USE bool scene_draw(const struct photo_scene *scene, uint32_t seed,
                         size_t spots, struct picture *picture,
                         struct err *err);

/*
 * Where its subject is: white there and black elsewhere. Fails as
 * picture_resize.
 */
MUST_USE bool scene_subject(const struct photo_scene *scene, uint32_t seed,
                            struct picture *mask, struct err *err);

#endif
