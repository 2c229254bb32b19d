#include "tools/phone/pictures/picture_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"

/* Coordinates may lie beyond the picture. */
#define PLACE_MAX 4096

static bool get_int(const struct json *object, const char *name, int least,
                    int most, int *value, struct err *err)
{
    int64_t number = 0;

    if (!json_get_int(object, name, least, most, &number, err))
        return false;
    *value = (int)number;
    return true;
}

static bool opt_seed(const struct json *object, uint32_t *seed, struct err *err)
{
    int64_t number = 0;

    if (!json_opt_int(object, "seed", 0, UINT32_MAX, &number, err))
        return false;
    *seed = (uint32_t)number;
    return true;
}

/* The place of a text in a list that ends with NULL. */
static bool find_word(const struct json *object, const char *name,
                      const char *const *words, const char *text, int *number,
                      struct err *err)
{
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], text)) {
            *number = i;
            return true;
        }
    }
    return json_fail(object, err, "there is no %s \"%.40s\"", name, text);
}

/* ---- filters ---- */

static bool read_values(const struct json *object, struct pixel_filter *filter,
                        struct err *err)
{
    for (int i = 0; i < PIXEL_FILTER_VALUES; i++) {
        const struct pixel_filter_range *range =
            pixel_filter_range(filter->kind, i);

        filter->values[i] = range->value;
        if (range->name &&
            !json_opt_small(object, range->name, range->least, range->most,
                            &filter->values[i], err))
            return false;
    }
    return true;
}

static bool read_filter(const struct json *object, struct pixel_filter *filter,
                        struct err *err)
{
    const char *op = NULL;

    if (!json_as_object(object, err) ||
        !json_get_string(object, "op", &op, err))
        return false;
    if (!pixel_filter_find(op, &filter->kind))
        return json_fail(object, err, "there is no filter \"%.40s\"", op);
    return read_values(object, filter, err);
}

static bool read_filters(const struct json *object, struct picture_layer *layer,
                         struct err *err)
{
    struct json list = JSON_NONE;
    struct json item = JSON_NONE;

    if (!json_opt_array(object, "filters", &list, err))
        return false;
    while (list.value && json_next(&list, &item)) {
        bool hidden = false;

        if (layer->filter_count >= DOCUMENT_FILTERS_MAX)
            return json_fail(&list, err, "there are more than %d filters",
                             DOCUMENT_FILTERS_MAX);
        if (!read_filter(&item, &layer->filters[layer->filter_count], err) ||
            !json_opt_bool(&item, "hidden", &hidden, err))
            return false;
        layer->filter_count += !hidden;
    }
    return true;
}

/* ---- steps ---- */

static const struct {
    const char *op;
    enum picture_step_kind kind;
    struct {
        const char *name;
        int least, most;
    } values[PICTURE_STEP_VALUES];
} step_kinds[] = {
    {"crop",
     PICTURE_STEP_CROP,
     {{"left", 0, DOCUMENT_SIDE_MAX},
      {"top", 0, DOCUMENT_SIDE_MAX},
      {"right", 0, DOCUMENT_SIDE_MAX},
      {"bottom", 0, DOCUMENT_SIDE_MAX}}},
    {"rotate", PICTURE_STEP_ROTATE, {{"quarters", -3, 3}}},
    {"resize",
     PICTURE_STEP_RESIZE,
     {{"width", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX},
      {"height", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX}}},
    {"place",
     PICTURE_STEP_PLACE,
     {{"scale", 10, 200}, {"x", -100, 200}, {"y", -100, 200}}},
    {"heal",
     PICTURE_STEP_HEAL,
     {{"x", -PLACE_MAX, PLACE_MAX},
      {"y", -PLACE_MAX, PLACE_MAX},
      {"radius", 1, 64}}},
    {"fill", PICTURE_STEP_FILL, {{"color", 0, 0xffffff}}},
};

static bool read_flip(const struct json *object, struct picture_step *step,
                      struct err *err)
{
    static const char *const ways[] = {"sides", "ends", NULL};
    const char *way = NULL;

    step->kind = PICTURE_STEP_FLIP;
    return json_get_string(object, "way", &way, err) &&
           find_word(object, "way", ways, way, &step->values[0], err);
}

static bool read_erase(const struct json *object, struct picture_step *step,
                       struct err *err)
{
    static const char *const parts[] = {"subject", "background", NULL};
    const char *part = NULL;

    step->kind = PICTURE_STEP_ERASE;
    return json_get_string(object, "part", &part, err) &&
           find_word(object, "part", parts, part, &step->values[0], err);
}

static bool read_step(const struct json *object, struct picture_step *step,
                      struct err *err)
{
    const char *op = NULL;

    if (!json_as_object(object, err) ||
        !json_get_string(object, "op", &op, err))
        return false;
    if (!strcmp(op, "flip"))
        return read_flip(object, step, err);
    if (!strcmp(op, "erase"))
        return read_erase(object, step, err);
    for (size_t i = 0; i < ARRAY_LEN(step_kinds); i++) {
        if (strcmp(step_kinds[i].op, op) != 0)
            continue;
        step->kind = step_kinds[i].kind;
        for (int k = 0; k < PICTURE_STEP_VALUES && step_kinds[i].values[k].name;
             k++) {
            if (!get_int(object, step_kinds[i].values[k].name,
                         step_kinds[i].values[k].least,
                         step_kinds[i].values[k].most, &step->values[k], err))
                return false;
        }
        return true;
    }
    step->kind = PICTURE_STEP_FILTER;
    return read_filter(object, &step->filter, err);
}

static bool read_steps(const struct json *object, struct picture_steps *steps,
                       struct err *err)
{
    struct json list = JSON_NONE;
    struct json item = JSON_NONE;

    if (!json_opt_array(object, "steps", &list, err))
        return false;
    while (list.value && json_next(&list, &item)) {
        if (steps->count >= DOCUMENT_STEPS_MAX)
            return json_fail(&list, err, "there are more than %d steps",
                             DOCUMENT_STEPS_MAX);
        if (!read_step(&item, &steps->items[steps->count], err))
            return false;
        steps->count++;
    }
    return true;
}

/* ---- masks ---- */

static bool read_scene(const struct json *object,
                       const struct photo_scene **scene, uint32_t *seed,
                       struct err *err)
{
    const char *name = NULL;

    if (!json_get_string(object, "scene", &name, err) ||
        !opt_seed(object, seed, err))
        return false;
    *scene = scene_find(name);
    return *scene ||
           json_fail(object, err, "there is no scene \"%.40s\"", name);
}

static bool read_mask(const struct json *layer, struct layer_mask *mask,
                      struct err *err)
{
    static const char *const kinds[] = {"none", "subject", "top",    "bottom",
                                        "left", "right",   "middle", NULL};
    struct json object = JSON_NONE;
    const char *kind = NULL;
    int number = 0;

    if (!json_opt_object(layer, "mask", &object, err))
        return false;
    if (!object.value)
        return true;
    mask->width = SCENE_WIDTH;
    mask->height = SCENE_HEIGHT;
    if (!json_get_string(&object, "kind", &kind, err) ||
        !find_word(&object, "mask", kinds, kind, &number, err) ||
        !json_opt_bool(&object, "inverted", &mask->inverted, err) ||
        !json_opt_small(&object, "feather", 0, 24, &mask->feather, err) ||
        !json_opt_small(&object, "width", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX,
                        &mask->width, err) ||
        !json_opt_small(&object, "height", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX,
                        &mask->height, err) ||
        !read_steps(&object, &mask->steps, err))
        return false;
    mask->kind = (enum layer_mask_kind)number;
    return mask->kind != LAYER_MASK_SUBJECT ||
           read_scene(&object, &mask->scene, &mask->seed, err);
}

/* ---- layers ---- */

static bool read_text(const struct json *object, struct picture_layer *layer,
                      struct err *err)
{
    const char *text = NULL;
    int64_t color = 0xffffff;

    layer->x = layer->y = 50;
    layer->size = 28;
    if (!json_get_string(object, "text", &text, err) ||
        !json_opt_small(object, "x", 0, 100, &layer->x, err) ||
        !json_opt_small(object, "y", 0, 100, &layer->y, err) ||
        !json_opt_small(object, "size", CAPTION_SIZE_MIN, CAPTION_SIZE_MAX,
                        &layer->size, err) ||
        !json_opt_small(object, "width", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX,
                        &layer->width, err) ||
        !json_opt_small(object, "height", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX,
                        &layer->height, err) ||
        !json_opt_int(object, "color", 0, 0xffffff, &color, err))
        return false;
    if (strlen(text) > CAPTION_LENGTH_MAX)
        return json_fail(object, err, "the text is longer than %d bytes",
                         CAPTION_LENGTH_MAX);
    layer->color = (uint32_t)color;
    snprintf(layer->text, sizeof(layer->text), "%s", text);
    return true;
}

static bool read_content(const struct json *object, struct picture_layer *layer,
                         struct err *err)
{
    switch (layer->kind) {
    case LAYER_PHOTO:
        return read_scene(object, &layer->scene, &layer->seed, err) &&
               json_opt_small(object, "spots", 0, SCENE_SPOTS_MAX,
                              &layer->spots, err);
    case LAYER_TEXT:
        return read_text(object, layer, err);
    case LAYER_ADJUST:
        return read_filter(object, &layer->adjust, err);
    case LAYER_BLANK:
        break;
    }
    return true;
}

static bool read_layer(const struct json *object, struct picture_layer *layer,
                       struct err *err)
{
    static const char *const kinds[] = {"photo", "blank", "text", "adjust",
                                        NULL};
    const char *kind = NULL;
    const char *blend = "normal";
    int number = 0;

    layer->opacity = 100;
    if (!json_as_object(object, err) ||
        !json_get_string(object, "kind", &kind, err) ||
        !find_word(object, "kind", kinds, kind, &number, err) ||
        !json_opt_bool(object, "hidden", &layer->hidden, err) ||
        !json_opt_small(object, "opacity", 0, 100, &layer->opacity, err) ||
        !json_opt_string(object, "blend", &blend, err))
        return false;
    layer->kind = (enum picture_layer_kind)number;
    if (!layer_blend_find(blend, &layer->blend))
        return json_fail(object, err, "there is no blend \"%.40s\"", blend);
    return read_content(object, layer, err) &&
           read_steps(object, &layer->steps, err) &&
           read_filters(object, layer, err) &&
           read_mask(object, &layer->mask, err);
}

/* ---- documents ---- */

static bool read_layers(const struct json *root,
                        struct picture_document *document, struct err *err)
{
    struct json list = JSON_NONE;
    struct json item = JSON_NONE;

    if (!json_get_array(root, "layers", &list, err))
        return false;
    document->layers = mem_new(DOCUMENT_LAYERS_MAX, sizeof(*document->layers));
    while (json_next(&list, &item)) {
        if (document->count >= DOCUMENT_LAYERS_MAX)
            return json_fail(&list, err, "there are more than %d layers",
                             DOCUMENT_LAYERS_MAX);
        if (!read_layer(&item, &document->layers[document->count], err))
            return false;
        document->count++;
    }
    return true;
}

bool picture_document_parse(const char *text, size_t length,
                            struct picture_document *document, struct err *err)
{
    struct picture_document made = {.layers = NULL};
    struct json root = JSON_NONE;
    struct cJSON *tree = NULL;
    bool done;

    if (!json_parse(text, length, &tree, err))
        return false;
    root.value = tree;
    done = json_as_object(&root, err) &&
           get_int(&root, "width", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX,
                   &made.width, err) &&
           get_int(&root, "height", DOCUMENT_SIDE_MIN, DOCUMENT_SIDE_MAX,
                   &made.height, err) &&
           read_layers(&root, &made, err);
    cJSON_Delete(tree);
    if (!done) {
        picture_document_release(&made);
        return false;
    }
    *document = made;
    return true;
}

void picture_document_release(struct picture_document *document)
{
    free(document->layers);
    *document = (struct picture_document){.layers = NULL};
}
