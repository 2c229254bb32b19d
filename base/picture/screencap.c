#include "base/picture/screencap.h"

#include "base/bytes.h"

#define HEADER_OLD 12 /* up to Android 8.1 */
#define HEADER_NEW 16 /* with the color space */

bool screencap_parse(const void *bytes, size_t length,
                     struct screencap *screencap, struct err *err)
{
    const uint8_t *header = bytes;
    uint32_t width, height, format;
    size_t pixels;

    if (length < HEADER_OLD)
        return err_set(err, ERR_INVALID, "screencap: truncated header");
    width = get_u32le(header);
    height = get_u32le(header + 4);
    format = get_u32le(header + 8);
    if (!pixel_size(format))
        return err_set(err, ERR_UNSUPPORTED, "screencap: pixel format %u",
                       format);
    if (!picture_check(width, height, err))
        return err_wrap(err, "screencap");
    pixels = (size_t)width * height * pixel_size(format);
    if (length != HEADER_OLD + pixels && length != HEADER_NEW + pixels)
        return err_set(err, ERR_INVALID,
                       "screencap: %zu bytes do not make %ux%u pixels", length,
                       width, height);
    *screencap = (struct screencap){.width = width,
                                    .height = height,
                                    .format = (enum pixel_format)format,
                                    .header = length - pixels,
                                    .pixels = pixels};
    return true;
}

bool screencap_decode(const void *bytes, size_t length, struct picture *picture,
                      struct err *err)
{
    struct screencap head;

    return screencap_parse(bytes, length, &head, err) &&
           picture_set(picture, head.format, head.width, head.height,
                       (const uint8_t *)bytes + head.header, head.pixels, err);
}
