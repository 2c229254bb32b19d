#include "runner/doors/door_screen.h"

#include <string.h>

#include "adb/services/framebuffer.h"
#include "base/bytes.h"
#include "base/picture/jpeg.h"
#include "base/picture/png.h"
#include "base/picture/screencap.h"

static bool decode_framebuffer(const struct buf *data, struct picture *picture,
                               struct err *err)
{
    const uint8_t *bytes = (const uint8_t *)data->data;
    struct framebuffer framebuffer;
    size_t header = data->length >= FRAMEBUFFER_VERSION_SIZE
                        ? framebuffer_header_size(get_u32le(bytes))
                        : 0;

    if (!header || data->length < header)
        return err_set(err, ERR_INVALID, "not a framebuffer");
    if (!framebuffer_parse(bytes, header, &framebuffer, err))
        return false;
    return picture_set(picture, framebuffer.format, framebuffer.width,
                       framebuffer.height, bytes + header,
                       data->length - header, err);
}

static bool begins_with(const struct buf *data, const char *start)
{
    return data->length >= strlen(start) &&
           !memcmp(data->data, start, strlen(start));
}

static bool decode(enum door_format format, const struct buf *data,
                   struct picture *picture, struct err *err)
{
    if (begins_with(data, "\xff\xd8\xff"))
        return jpeg_decode(data->data, data->length, picture, err);
    if (format == DOOR_FRAMEBUFFER)
        return decode_framebuffer(data, picture, err);
    return screencap_decode(data->data, data->length, picture, err);
}

bool door_screen_convert(enum door_format format, struct buf *data,
                         struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct buf png = BUF_INIT(data->limit);
    bool done;

    if (begins_with(data, "\x89PNG\r\n\x1a\n"))
        return true;
    done = decode(format, data, &picture, err) &&
           png_encode(&picture, PNG_FAST, &png, err);
    picture_release(&picture);
    if (done) {
        buf_release(data);
        *data = png;
    } else {
        buf_release(&png);
    }
    return done;
}
