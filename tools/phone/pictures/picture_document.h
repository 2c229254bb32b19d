/*
 * A document of the picture editor: layers, and what was done to each, as JSON.
 * Its pixels are worked out from it (picture_render.h), so that it is small,
 * can be compared, and goes back to any earlier state without keeping pixels.
 *
 *     {"width": 384, "height": 288, "layers": [
 *       {"kind": "photo", "scene": "boat", "seed": 7, "spots": 2,
 *        "steps": [{"op": "flip", "way": "sides"}],
 *        "filters": [{"op": "blur", "radius": 4}]},
 *       {"kind": "adjust", "op": "light", "brightness": 20,
 *        "mask": {"kind": "subject", "scene": "boat", "seed": 7,
 *                 "steps": [{"op": "flip", "way": "sides"}]}},
 *       {"kind": "text", "text": "HELLO", "x": 50, "y": 80, "size": 30,
 *        "color": 16777215, "opacity": 80, "blend": "screen"},
 *       {"kind": "blank", "steps": [{"op": "heal", "x": 9, "y": 9,
 *                                    "radius": 8}]}]}
 *
 * Layers are in the order from the lowest to the highest. Members that are not
 * known here (names, ids) are the app's.
 */
#ifndef TOOLS_PHONE_PICTURES_PICTURE_DOCUMENT_H
#define TOOLS_PHONE_PICTURES_PICTURE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tools/phone/pictures/caption.h"
#include "tools/phone/pictures/layer_blend.h"
#include "tools/phone/pictures/pixel_filter.h"
#include "tools/phone/pictures/scene.h"

#define DOCUMENT_SIDE_MIN 8
#define DOCUMENT_SIDE_MAX 512
#define DOCUMENT_LAYERS_MAX 12
#define DOCUMENT_STEPS_MAX 32
#define DOCUMENT_FILTERS_MAX 8

/* Something done to the pixels of a layer, or to the shape of a mask. */
enum picture_step_kind {
    PICTURE_STEP_CROP,   /* left, top, right, bottom: in pixels */
    PICTURE_STEP_ROTATE, /* quarters, clockwise */
    PICTURE_STEP_FLIP,   /* way: "sides" or "ends" */
    PICTURE_STEP_RESIZE, /* width, height */
    PICTURE_STEP_PLACE,  /* scale in percent, and the middle, x and y, in % */
    PICTURE_STEP_HEAL,   /* x, y, radius */
    PICTURE_STEP_FILL,   /* color, 0xRRGGBB */
    PICTURE_STEP_ERASE,  /* part of a photo: "subject" or "background" */
    PICTURE_STEP_FILTER, /* a filter by its name */
};

#define PICTURE_STEP_VALUES 4

struct picture_step {
    enum picture_step_kind kind;
    int values[PICTURE_STEP_VALUES];
    struct pixel_filter filter; /* of PICTURE_STEP_FILTER */
};

struct picture_steps {
    struct picture_step items[DOCUMENT_STEPS_MAX];
    size_t count;
};

enum layer_mask_kind {
    LAYER_MASK_NONE,
    LAYER_MASK_SUBJECT, /* white where the subject of a scene is */
    LAYER_MASK_TOP,     /* from white at the top to black at the bottom */
    LAYER_MASK_BOTTOM,
    LAYER_MASK_LEFT,
    LAYER_MASK_RIGHT,
    LAYER_MASK_MIDDLE, /* white in the middle, black at the corners */
};

struct layer_mask {
    enum layer_mask_kind kind;
    const struct photo_scene *scene; /* of SUBJECT */
    uint32_t seed;
    int width, height; /* as it was made, before its steps */
    bool inverted;
    int feather; /* its edges are blurred by this many pixels */
    struct picture_steps steps;
};

enum picture_layer_kind {
    LAYER_PHOTO,
    LAYER_BLANK,
    LAYER_TEXT,
    LAYER_ADJUST,
};

struct picture_layer {
    enum picture_layer_kind kind;
    bool hidden;
    int opacity; /* 0 to 100 */
    enum layer_blend blend;
    struct layer_mask mask;
    struct picture_steps steps;
    struct pixel_filter filters[DOCUMENT_FILTERS_MAX]; /* smart filters */
    size_t filter_count;

    const struct photo_scene *scene; /* of PHOTO */
    uint32_t seed;
    int spots;
    char text[CAPTION_LENGTH_MAX + 1]; /* of TEXT; x and y in percent */
    int x, y, size;
    int width, height; /* of the picture that it was written on; 0: as it is */
    uint32_t color;
    struct pixel_filter adjust; /* of ADJUST */
};

struct picture_document {
    int width, height;
    struct picture_layer *layers; /* owned */
    size_t count;
};

/*
 * Read a document. The caller releases it. Fails with ERR_INVALID and the
 * member, or as json_parse; document is then untouched.
 */
MUST_USE bool picture_document_parse(const char *text, size_t length,
                                     struct picture_document *document,
                                     struct err *err);
void picture_document_release(struct picture_document *document);

#endif
