#include "runner/sight.h"

#include "base/image.h"
#include "base/jpeg.h"
#include "base/scale.h"

void sight_release(struct sight *sight)
{
    buf_release(&sight->own);
    *sight = (struct sight)SIGHT_INIT;
}

static bool encode(struct frame *frame, const struct profile_picture *wanted,
                   const struct picture *picture, struct buf *bytes,
                   struct err *err)
{
    return wanted->format == PROFILE_JPEG
               ? jpeg_encode(picture, wanted->quality, bytes, err)
               : frame_encode(frame, picture, bytes, err);
}

static bool remake_in(struct frame *frame, const struct profile_picture *wanted,
                      const struct buf *png, const struct elements *elements,
                      struct sight *made, struct err *err)
{
    struct picture *picture = &frame->shot.picture;
    struct extent size;

    if (!image_decode(png->data, png->length, picture, err))
        return err_wrap(err, "the screenshot");
    if (elements)
        elements_draw(elements, picture);
    size = profile_size(
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

static bool remake(struct frames *frames, const struct profile_picture *wanted,
                   const struct buf *png, const struct elements *elements,
                   struct sight *made, struct err *err)
{
    struct frame own = FRAME_INIT;
    struct frame *frame = frames ? frames_take(frames) : &own;
    bool done = remake_in(frame, wanted, png, elements, made, err);

    if (frames)
        frames_give(frames, frame);
    frame_release(&own);
    return done;
}

bool sight_make(struct frames *frames, const struct profile_picture *wanted,
                const struct buf *png, struct extent screen,
                const struct elements *elements, struct sight *sight,
                struct err *err)
{
    struct extent size = profile_size(wanted, screen);
    struct sight made = SIGHT_INIT;

    made.size = screen;
    if (wanted->format == PROFILE_PNG && !elements &&
        size.width == screen.width && size.height == screen.height) {
        made.bytes = png->data;
        made.length = png->length;
    } else if (remake(frames, wanted, png, elements, &made, err)) {
        made.bytes = made.own.data;
        made.length = made.own.length;
    } else {
        sight_release(&made);
        return false;
    }
    sight_release(sight);
    *sight = made;
    return true;
}

void sight_keep(struct sight *sight)
{
    if (!sight->length || sight->bytes == sight->own.data)
        return;
    buf_append(&sight->own, sight->bytes, sight->length);
    sight->bytes = sight->own.data;
}
