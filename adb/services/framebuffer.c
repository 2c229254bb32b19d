#include "adb/services/framebuffer.h"

#include <string.h>

#include "base/bytes.h"
#include "base/macros.h"

/* The position of a color inside a pixel, in bits. */
struct pixel_channel {
    uint32_t offset;
    uint32_t length;
};

/* A pixel layout as in the header; a length of 0 means: not present. */
struct pixel_layout {
    enum pixel_format format;
    uint32_t bits;
    struct pixel_channel red, blue, green, alpha;
};

static const struct pixel_layout layouts[] = {
    {PIXEL_RGBA_8888, 32, {0, 8}, {16, 8}, {8, 8}, {24, 8}},
    {PIXEL_RGBX_8888, 32, {0, 8}, {16, 8}, {8, 8}, {0, 0}},
    {PIXEL_BGRA_8888, 32, {16, 8}, {0, 8}, {8, 8}, {24, 8}},
    {PIXEL_RGB_888, 24, {0, 8}, {16, 8}, {8, 8}, {0, 0}},
    {PIXEL_RGB_565, 16, {11, 5}, {0, 5}, {5, 6}, {0, 0}},
};

size_t framebuffer_header_size(uint32_t version)
{
    switch (version) {
    case 1:
        return 13 * 4;
    case 2:
        return FRAMEBUFFER_HEADER_MAX;
    default:
        return 0;
    }
}

static bool same_channel(struct pixel_channel a, struct pixel_channel b)
{
    return a.length == b.length && (a.length == 0 || a.offset == b.offset);
}

static bool find_format(const struct pixel_layout *found,
                        struct framebuffer *frame, struct err *err)
{
    for (size_t i = 0; i < ARRAY_LEN(layouts); i++) {
        const struct pixel_layout *known = &layouts[i];

        if (found->bits == known->bits &&
            same_channel(found->red, known->red) &&
            same_channel(found->blue, known->blue) &&
            same_channel(found->green, known->green) &&
            same_channel(found->alpha, known->alpha)) {
            frame->format = known->format;
            return true;
        }
    }
    return err_set(err, ERR_UNSUPPORTED,
                   "the screen has an unknown layout of %u bits per pixel",
                   (unsigned)found->bits);
}

static struct pixel_channel read_channel(const uint8_t *field)
{
    return (struct pixel_channel){get_u32le(field), get_u32le(field + 4)};
}

bool framebuffer_parse(const uint8_t *header, size_t length,
                       struct framebuffer *framebuffer, struct err *err)
{
    struct framebuffer frame;
    struct pixel_layout layout;
    const uint8_t *field;
    uint32_t version;

    version = length < FRAMEBUFFER_VERSION_SIZE ? 0 : get_u32le(header);
    if (!framebuffer_header_size(version))
        return err_set(err, ERR_UNSUPPORTED, "framebuffer version %u",
                       (unsigned)version);
    if (length != framebuffer_header_size(version))
        return err_set(err, ERR_PROTOCOL, "a framebuffer header of %zu bytes",
                       length);
    layout.bits = get_u32le(header + 4);
    field = header + (version == 1 ? 8 : 12);
    frame.size = get_u32le(field);
    frame.width = get_u32le(field + 4);
    frame.height = get_u32le(field + 8);
    layout.red = read_channel(field + 12);
    layout.blue = read_channel(field + 20);
    layout.green = read_channel(field + 28);
    layout.alpha = read_channel(field + 36);
    if (!picture_check(frame.width, frame.height, err) ||
        !find_format(&layout, &frame, err))
        return false;
    if (frame.size !=
        (size_t)frame.width * frame.height * pixel_size(frame.format))
        return err_set(err, ERR_PROTOCOL,
                       "the device announces %zu bytes for %ux%u pixels",
                       frame.size, (unsigned)frame.width,
                       (unsigned)frame.height);
    *framebuffer = frame;
    return true;
}

static bool read_header(struct stream *stream, struct deadline by,
                        struct framebuffer *frame, struct err *err)
{
    uint8_t header[FRAMEBUFFER_HEADER_MAX];
    size_t size;

    if (!stream_read_exact(stream, header, FRAMEBUFFER_VERSION_SIZE, by, err))
        return false;
    size = framebuffer_header_size(get_u32le(header));
    if (!size)
        size = FRAMEBUFFER_VERSION_SIZE; /* the parser refuses it */
    return stream_read_exact(stream, header + FRAMEBUFFER_VERSION_SIZE,
                             size - FRAMEBUFFER_VERSION_SIZE, by, err) &&
           framebuffer_parse(header, size, frame, err);
}

static bool read_frame(struct stream *stream, struct deadline by,
                       struct buf *bytes, struct picture *picture,
                       struct err *err)
{
    struct framebuffer frame;
    char *pixels;

    if (!read_header(stream, by, &frame, err))
        return false;
    buf_clear(bytes);
    pixels = buf_reserve(bytes, frame.size);
    if (!pixels)
        return err_set(err, ERR_LIMIT, "a screen of %zu bytes", frame.size);
    return stream_read_exact(stream, pixels, frame.size, by, err) &&
           picture_set(picture, frame.format, frame.width, frame.height, pixels,
                       frame.size, err);
}

bool framebuffer_read(struct device *device, struct deadline by,
                      struct buf *bytes, struct picture *picture,
                      struct err *err)
{
    struct stream *stream;
    bool done;

    if (!device_open_service(device, "framebuffer:", by, &stream, err))
        return false;
    done = read_frame(stream, by, bytes, picture, err);
    stream_close(stream);
    return done || err_wrap(err, "reading the framebuffer");
}
