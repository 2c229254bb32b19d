#include "tools/phone/truths/truth_pictures.h"

#include <math.h>

#include "base/json.h"
#include "base/picture/png.h"
#include "process_provider/diff/picture_likeness.h"
#include "tools/phone/pictures/picture_render.h"

#define PSNR_MAX 100.0

static bool layer_of(const struct buf *json, int *layer, struct err *err)
{
    struct cJSON *tree = NULL;
    struct json root = JSON_NONE;
    bool done;

    if (!json_parse(json->data, json->length, &tree, err))
        return false;
    root.value = tree;
    done = json_as_object(&root, err) &&
           json_opt_small(&root, "mask_of", 1, DOCUMENT_LAYERS_MAX, layer, err);
    cJSON_Delete(tree);
    return done;
}

static bool draw(const struct buf *json, struct picture *picture,
                 struct err *err)
{
    struct picture_document document;
    int layer = 0;
    bool done;

    if (!layer_of(json, &layer, err) ||
        !picture_document_parse(json->data, json->length, &document, err))
        return false;
    if (!layer)
        done = picture_render(&document, picture, err);
    else
        done = (size_t)layer <= document.count
                   ? picture_render_mask(&document, (size_t)layer - 1, picture,
                                         err)
                   : err_set(err, ERR_INVALID, "there is no layer %d", layer);
    picture_document_release(&document);
    return done;
}

static bool load(struct phone_files *files, const char *path,
                 struct picture *picture)
{
    struct shared_bytes *content = NULL;
    struct err ignored = ERR_INIT;
    int number;
    bool done;

    if (!files_open(files, path, &content, &number))
        return false;
    done = png_decode(content->data, content->size, picture, &ignored);
    shared_bytes_drop(content);
    return done;
}

static bool same_size(const struct picture *a, const struct picture *b)
{
    return a->width == b->width && a->height == b->height;
}

bool truth_likeness_find(const struct truth_likeness *likeness,
                         struct phone_files *files, double *ssim, double *psnr,
                         struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct picture wanted = PICTURE_INIT;
    struct picture mask = PICTURE_INIT;
    bool done = draw(likeness->json, &wanted, err) &&
                (!likeness->mask || draw(likeness->mask, &mask, err));

    *ssim = *psnr = 0;
    if (done && load(files, likeness->path, &picture) &&
        same_size(&picture, &wanted) &&
        (!likeness->mask || same_size(&picture, &mask))) {
        struct picture_likeness found = picture_likeness_find(
            &wanted, &picture, likeness->mask ? &mask : NULL,
            likeness->outside);

        *ssim = isnan(found.ssim) ? 0 : found.ssim;
        *psnr = isnan(found.psnr) ? 0 : fmin(found.psnr, PSNR_MAX);
    }
    picture_release(&picture);
    picture_release(&wanted);
    picture_release(&mask);
    return done;
}

bool truth_picture_encode(const struct buf *json, struct buf *png,
                          struct err *err)
{
    struct picture picture = PICTURE_INIT;
    bool done = draw(json, &picture, err) &&
                png_encode(&picture, PNG_COMPACT, png, err);

    picture_release(&picture);
    return done;
}
