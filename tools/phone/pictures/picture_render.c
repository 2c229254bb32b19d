#include "tools/phone/pictures/picture_render.h"

#include <math.h>
#include <string.h>

#include "base/picture/canvas.h"
#include "base/picture/picture_scale.h"
#include "base/picture/picture_transform.h"

/* ---- small helpers ---- */

static void fill(struct picture *picture, uint32_t rgba)
{
    const uint8_t pixel[PICTURE_PIXEL] = {(uint8_t)(rgba >> 24U),
                                          (uint8_t)(rgba >> 16U),
                                          (uint8_t)(rgba >> 8U), (uint8_t)rgba};

    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *row = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++)
            memcpy(row + (size_t)x * PICTURE_PIXEL, pixel, PICTURE_PIXEL);
    }
}

/* A picture of that size and one colour, in place of what was there. */
static bool make(struct picture *picture, int width, int height, uint32_t rgba,
                 struct err *err)
{
    if (!picture_resize(picture, (uint32_t)width, (uint32_t)height, err))
        return false;
    fill(picture, rgba);
    return true;
}

/* Put the result of a transform in the place of what it was made from. */
static void replace(struct picture *picture, struct picture *made)
{
    picture_release(picture);
    *picture = *made;
    *made = (struct picture)PICTURE_INIT;
}

static bool resize(struct picture *picture, int width, int height,
                   struct err *err)
{
    struct picture made = PICTURE_INIT;

    if ((int)picture->width == width && (int)picture->height == height)
        return true;
    if (!picture_scale(picture, (uint32_t)width, (uint32_t)height, &made, err))
        return false;
    replace(picture, &made);
    return true;
}

/* ---- steps ---- */

/* A box that is not within the picture is made to be, at least 1 x 1. */
static bool crop(struct picture *picture, const int sides[], struct err *err)
{
    struct picture made = PICTURE_INIT;
    const struct box all = {0, 0, (int)picture->width, (int)picture->height};
    struct box box =
        box_meet(all, (struct box){sides[0], sides[1], sides[2], sides[3]});

    if (box_is_empty(box))
        return true;
    if (!picture_crop(picture, box, &made, err))
        return false;
    replace(picture, &made);
    return true;
}

static bool rotate(struct picture *picture, int quarters, struct err *err)
{
    struct picture made = PICTURE_INIT;

    if (!picture_rotate(picture, quarters, &made, err))
        return false;
    replace(picture, &made);
    return true;
}

static bool flip(struct picture *picture, int way, struct err *err)
{
    struct picture made = PICTURE_INIT;

    if (!picture_flip(picture, way ? FLIP_ENDS : FLIP_SIDES, &made, err))
        return false;
    replace(picture, &made);
    return true;
}

/* Copy the part of from, whose corner is at (left, top), that is in to. */
static void copy_into(const struct picture *from, int left, int top,
                      struct picture *to)
{
    const struct box all = {0, 0, (int)to->width, (int)to->height};
    struct box seen =
        box_meet(all, (struct box){left, top, left + (int)from->width,
                                   top + (int)from->height});

    for (int y = seen.top; y < seen.bottom && !box_is_empty(seen); y++)
        memcpy(picture_row(to, (uint32_t)y) + (size_t)seen.left * PICTURE_PIXEL,
               picture_row(from, (uint32_t)(y - top)) +
                   (size_t)(seen.left - left) * PICTURE_PIXEL,
               (size_t)box_width(seen) * PICTURE_PIXEL);
}

static bool place(struct picture *picture, const int values[], struct err *err)
{
    struct picture made = PICTURE_INIT;
    int width = (int)picture->width;
    int height = (int)picture->height;
    int wide = width * values[0] / 100;
    int high = height * values[0] / 100;

    if (!make(&made, width, height, 0, err))
        return false;
    if (!resize(picture, wide > 0 ? wide : 1, high > 0 ? high : 1, err)) {
        picture_release(&made);
        return false;
    }
    copy_into(picture, width * values[1] / 100 - (int)picture->width / 2,
              height * values[2] / 100 - (int)picture->height / 2, &made);
    replace(picture, &made);
    return true;
}

static bool apply_step(const struct picture_step *step, struct picture *picture,
                       struct err *err)
{
    const int *values = step->values;

    switch (step->kind) {
    case PICTURE_STEP_CROP:
        return crop(picture, values, err);
    case PICTURE_STEP_ROTATE:
        return rotate(picture, values[0], err);
    case PICTURE_STEP_FLIP:
        return flip(picture, values[0], err);
    case PICTURE_STEP_RESIZE:
        return resize(picture, values[0], values[1], err);
    case PICTURE_STEP_PLACE:
        return place(picture, values, err);
    case PICTURE_STEP_HEAL:
        pixel_filter_heal(picture, values[0], values[1], values[2]);
        return true;
    case PICTURE_STEP_FILL:
        fill(picture, (uint32_t)values[0] << 8U | 0xffU);
        return true;
    case PICTURE_STEP_ERASE: /* needs the layer: erase_part */
        return true;
    case PICTURE_STEP_FILTER:
        return pixel_filter_apply(&step->filter, picture, err);
    }
    return true;
}

static bool apply_steps(const struct picture_steps *steps,
                        struct picture *picture, struct err *err)
{
    for (size_t i = 0; i < steps->count; i++) {
        if (!apply_step(&steps->items[i], picture, err))
            return false;
    }
    return true;
}

static bool is_shape(enum picture_step_kind kind)
{
    return kind == PICTURE_STEP_CROP || kind == PICTURE_STEP_ROTATE ||
           kind == PICTURE_STEP_FLIP || kind == PICTURE_STEP_RESIZE ||
           kind == PICTURE_STEP_PLACE;
}

/* Where the subject of a photo is after some of its steps. */
static bool draw_subject(const struct picture_layer *layer, size_t steps,
                         struct picture *subject, struct err *err)
{
    bool done = scene_subject(layer->scene, layer->seed, subject, err);

    for (size_t i = 0; done && i < steps; i++) {
        if (is_shape(layer->steps.items[i].kind))
            done = apply_step(&layer->steps.items[i], subject, err);
    }
    return done;
}

/* Make a part of a photo transparent: step says which. */
static bool erase_part(const struct picture_layer *layer, size_t step,
                       struct picture *picture, struct err *err)
{
    const bool background = layer->steps.items[step].values[0];
    struct picture subject = PICTURE_INIT;
    bool done = draw_subject(layer, step, &subject, err);

    for (uint32_t y = 0; done && y < picture->height; y++) {
        const uint8_t *white = picture_row(&subject, y);
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++) {
            int kept = background ? white[0] : 255 - white[0];

            pixel[3] = (uint8_t)(pixel[3] * kept / 255);
            white += PICTURE_PIXEL;
            pixel += PICTURE_PIXEL;
        }
    }
    picture_release(&subject);
    return done;
}

static bool draw_photo(const struct picture_layer *layer,
                       struct picture *picture, struct err *err)
{
    bool done = scene_draw(layer->scene, layer->seed, (size_t)layer->spots,
                           picture, err);

    for (size_t i = 0; done && i < layer->steps.count; i++)
        done = layer->steps.items[i].kind == PICTURE_STEP_ERASE
                   ? erase_part(layer, i, picture, err)
                   : apply_step(&layer->steps.items[i], picture, err);
    return done;
}

/* ---- masks ---- */

static int nearness(enum layer_mask_kind kind, int x, int y, int width,
                    int height)
{
    float from_middle;

    switch (kind) {
    case LAYER_MASK_TOP:
        return 255 - 255 * y / height;
    case LAYER_MASK_BOTTOM:
        return 255 * y / height;
    case LAYER_MASK_LEFT:
        return 255 - 255 * x / width;
    case LAYER_MASK_RIGHT:
        return 255 * x / width;
    case LAYER_MASK_MIDDLE:
        from_middle = hypotf((float)(2 * x - width) / (float)width,
                             (float)(2 * y - height) / (float)height);
        from_middle = 1.5F - from_middle * 1.25F;
        return (int)(255 * fminf(1, fmaxf(0, from_middle)));
    case LAYER_MASK_NONE:
    case LAYER_MASK_SUBJECT:
        break;
    }
    return 255;
}

static void draw_gradient(enum layer_mask_kind kind, struct picture *picture)
{
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL)
            memset(pixel,
                   nearness(kind, (int)x, (int)y, (int)picture->width,
                            (int)picture->height),
                   3);
    }
}

static bool draw_mask(const struct layer_mask *mask, int width, int height,
                      struct picture *picture, struct err *err)
{
    const struct pixel_filter soft = {PIXEL_FILTER_BLUR, {mask->feather}};
    const struct pixel_filter invert = {PIXEL_FILTER_INVERT, {0}};

    if (mask->kind == LAYER_MASK_SUBJECT) {
        if (!scene_subject(mask->scene, mask->seed, picture, err))
            return false;
    } else {
        if (!make(picture, mask->width, mask->height, 0xffffffff, err))
            return false;
        draw_gradient(mask->kind, picture);
    }
    return apply_steps(&mask->steps, picture, err) &&
           resize(picture, width, height, err) &&
           (!mask->feather || pixel_filter_apply(&soft, picture, err)) &&
           (!mask->inverted || pixel_filter_apply(&invert, picture, err));
}

/* ---- layers ---- */

/* Draw on black, and take how white it is for the alpha. */
static bool draw_text(const struct picture_layer *layer, int width, int height,
                      struct picture *picture, struct err *err)
{
    if (!make(picture, width, height, 0x000000ff, err))
        return false;
    caption_draw(layer->text, layer->x * width / 100, layer->y * height / 100,
                 layer->size, 0xffffffff, picture);
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++, pixel += PICTURE_PIXEL) {
            pixel[3] = pixel[0];
            pixel[0] = (uint8_t)(layer->color >> 16U);
            pixel[1] = (uint8_t)(layer->color >> 8U);
            pixel[2] = (uint8_t)layer->color;
        }
    }
    return true;
}

/* The pixels that replace a healed place come from the layers below. */
static bool draw_blank(const struct picture_layer *layer,
                       const struct picture *below, struct picture *picture,
                       struct err *err)
{
    struct picture healed = PICTURE_INIT;
    bool done = picture_rotate(below, 0, &healed, err) &&
                make(picture, (int)below->width, (int)below->height, 0, err);

    for (size_t i = 0; done && i < layer->steps.count; i++) {
        const struct picture_step *step = &layer->steps.items[i];
        const int *values = step->values;

        if (step->kind == PICTURE_STEP_HEAL) {
            struct box spot = box_meet(
                (struct box){0, 0, (int)below->width, (int)below->height},
                (struct box){values[0] - values[2], values[1] - values[2],
                             values[0] + values[2] + 1,
                             values[1] + values[2] + 1});
            struct picture piece = PICTURE_INIT;

            pixel_filter_heal(&healed, values[0], values[1], values[2]);
            if (box_is_empty(spot))
                continue;
            done = picture_crop(&healed, spot, &piece, err);
            if (done)
                copy_into(&piece, spot.left, spot.top, picture);
            picture_release(&piece);
        } else {
            done = apply_step(step, picture, err);
        }
    }
    picture_release(&healed);
    return done;
}

static bool draw_layer(const struct picture_layer *layer,
                       const struct picture *below, struct picture *picture,
                       struct err *err)
{
    int width = (int)below->width;
    int height = (int)below->height;
    bool done = false;

    switch (layer->kind) {
    case LAYER_PHOTO:
        done = draw_photo(layer, picture, err);
        break;
    case LAYER_TEXT:
        done =
            draw_text(layer, layer->width ? layer->width : width,
                      layer->height ? layer->height : height, picture, err) &&
            apply_steps(&layer->steps, picture, err);
        break;
    case LAYER_BLANK:
        done = draw_blank(layer, below, picture, err);
        break;
    case LAYER_ADJUST:
        done = picture_rotate(below, 0, picture, err) &&
               pixel_filter_apply(&layer->adjust, picture, err);
        break;
    }
    for (size_t i = 0; done && i < layer->filter_count; i++)
        done = pixel_filter_apply(&layer->filters[i], picture, err);
    return done && resize(picture, width, height, err);
}

static bool put_layer(const struct picture_layer *layer,
                      struct picture *picture, struct err *err)
{
    struct picture drawn = PICTURE_INIT;
    struct picture mask = PICTURE_INIT;
    bool masked = layer->mask.kind != LAYER_MASK_NONE;
    bool done = draw_layer(layer, picture, &drawn, err) &&
                (!masked || draw_mask(&layer->mask, (int)picture->width,
                                      (int)picture->height, &mask, err));

    if (done)
        layer_blend_put(layer->blend, layer->opacity, &drawn,
                        masked ? &mask : NULL, picture);
    picture_release(&drawn);
    picture_release(&mask);
    return done;
}

/* ---- all of it ---- */

bool picture_render(const struct picture_document *document,
                    struct picture *picture, struct err *err)
{
    struct picture made = PICTURE_INIT;
    bool done = make(&made, document->width, document->height, 0xffffffff, err);

    for (size_t i = 0; done && i < document->count; i++) {
        if (!document->layers[i].hidden)
            done = put_layer(&document->layers[i], &made, err);
    }
    if (done)
        replace(picture, &made);
    picture_release(&made);
    return done;
}

bool picture_render_mask(const struct picture_document *document, size_t layer,
                         struct picture *picture, struct err *err)
{
    struct picture made = PICTURE_INIT;
    bool done = draw_mask(&document->layers[layer].mask, document->width,
                          document->height, &made, err);

    if (done)
        replace(picture, &made);
    picture_release(&made);
    return done;
}
