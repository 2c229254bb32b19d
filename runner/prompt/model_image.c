#include "runner/prompt/model_image.h"

#include "base/picture/jpeg.h"
#include "base/picture/picture_file.h"
#include "base/picture/picture_scale.h"

void model_image_release(struct model_image *image)
{
    buf_release(&image->own);
    *image = (struct model_image)MODEL_IMAGE_INIT;
}

static bool encode(struct pool_frame *frame,
                   const struct profile_picture *wanted,
                   const struct picture *picture, struct buf *bytes,
                   struct err *err)
{
    return wanted->format == PROFILE_JPEG
               ? jpeg_encode(picture, wanted->quality, bytes, err)
               : pool_frame_encode(frame, picture, bytes, err);
}

static bool remake_in(struct pool_frame *frame,
                      const struct profile_picture *wanted,
                      const struct buf *png,
                      const struct element_list *elements,
                      struct model_image *made, struct err *err)
{
    struct picture *picture = &frame->shot.picture;
    struct extent size;

    if (!picture_file_decode(png->data, png->length, picture, err))
        return err_wrap(err, "the screenshot");
    if (elements)
        element_list_draw(elements, picture);
    size = profile_picture_size(
        wanted, (struct extent){(int)picture->width, (int)picture->height});
    if ((int)picture->width != size.width ||
        (int)picture->height != size.height) {
        if (!picture_scale(picture, (uint32_t)size.width, (uint32_t)size.height,
                           &frame->scaled, err))
            return false;
        picture = &frame->scaled;
    }
    made->size = size;
    made->type = wanted->format == PROFILE_JPEG ? "image/jpeg" : "image/png";
    return encode(frame, wanted, picture, &made->own, err);
}

static bool remake(struct frame_pool *frames,
                   const struct profile_picture *wanted, const struct buf *png,
                   const struct element_list *elements,
                   struct model_image *made, struct err *err)
{
    struct pool_frame own = POOL_FRAME_INIT;
    struct pool_frame *frame = frames ? frame_pool_take(frames) : &own;
    bool done = remake_in(frame, wanted, png, elements, made, err);

    if (frames)
        frame_pool_give(frames, frame);
    pool_frame_release(&own);
    return done;
}

bool model_image_make(struct frame_pool *frames,
                      const struct profile_picture *wanted,
                      const struct buf *png, struct extent screen,
                      const struct element_list *elements,
                      struct model_image *image, struct err *err)
{
    struct extent size = profile_picture_size(wanted, screen);
    struct model_image made = MODEL_IMAGE_INIT;

    made.size = screen;
    if (wanted->format == PROFILE_PNG && !elements &&
        size.width == screen.width && size.height == screen.height) {
        made.bytes = png->data;
        made.length = png->length;
    } else if (remake(frames, wanted, png, elements, &made, err)) {
        made.bytes = made.own.data;
        made.length = made.own.length;
    } else {
        model_image_release(&made);
        return false;
    }
    model_image_release(image);
    *image = made;
    return true;
}

void model_image_keep(struct model_image *image)
{
    if (!image->length || image->bytes == image->own.data)
        return;
    buf_append(&image->own, image->bytes, image->length);
    image->bytes = image->own.data;
}
