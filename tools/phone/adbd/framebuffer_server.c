#include "tools/phone/adbd/framebuffer_server.h"

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/services/cmd_screen.h"

/* Timeout for a host that does not read. */
#define SEND_MS 30000

#define HEADER_MAX 64

/* The bits of a colour in a pixel: offset and count. */
struct channel {
    uint32_t offset;
    uint32_t length;
};

/* In the order of the header: red, blue, green, alpha. */
struct framebuffer_layout {
    uint32_t bits; /* bits of a pixel */
    struct channel channels[4];
};

static const struct framebuffer_layout rgba_8888 = {
    32, {{0, 8}, {16, 8}, {8, 8}, {24, 8}}};
static const struct framebuffer_layout rgb_565 = {
    16, {{11, 5}, {0, 5}, {5, 6}, {0, 0}}};

/* Version 2 has a colour space after the bits per pixel: 0, unknown. */
static bool send_header(struct stream *stream, int version,
                        const struct framebuffer_layout *layout,
                        const struct picture *picture, struct deadline by,
                        struct err *err)
{
    uint32_t pixels = picture->width * picture->height;
    struct buf header = BUF_INIT(HEADER_MAX);
    bool sent;

    buf_u32le(&header, (uint32_t)version);
    buf_u32le(&header, layout->bits);
    if (version >= 2)
        buf_u32le(&header, 0);
    buf_u32le(&header, pixels * (layout->bits / 8));
    buf_u32le(&header, picture->width);
    buf_u32le(&header, picture->height);
    for (size_t i = 0; i < ARRAY_LEN(layout->channels); i++) {
        buf_u32le(&header, layout->channels[i].offset);
        buf_u32le(&header, layout->channels[i].length);
    }
    sent = stream_write(stream, header.data, header.length, by, err);
    buf_release(&header);
    return sent;
}

static bool send_rows(struct stream *stream, const struct picture *picture,
                      struct deadline by, struct err *err)
{
    size_t row = (size_t)picture->width * PICTURE_PIXEL;

    if (picture->stride == row)
        return stream_write(stream, picture->pixels, row * picture->height, by,
                            err);
    for (uint32_t y = 0; y < picture->height; y++) {
        if (!stream_write(stream, picture_row(picture, y), row, by, err))
            return false;
    }
    return true;
}

static bool send_rows_565(struct stream *stream, const struct picture *picture,
                          struct deadline by, struct err *err)
{
    struct buf pixels = BUF_INIT((size_t)picture->width * picture->height * 2);
    bool sent;

    screen_pack_565(picture, &pixels);
    sent = stream_write(stream, pixels.data, pixels.length, by, err);
    buf_release(&pixels);
    return sent;
}

void framebuffer_server_serve(void *context, const char *argument,
                              struct stream *stream, struct conn *conn)
{
    struct screen_context *looked_at = context;
    const struct android_level *android = looked_at->handset->android;
    struct deadline by = deadline_in_ms(SEND_MS);
    struct phone_frame *frame;
    struct err err; /* ignored: the host has disconnected */

    (void)argument, (void)conn;
    virtual_clock_look(looked_at->clock);
    if (!screen_look(looked_at->screen, &frame, &err))
        return;
    if (send_header(stream, android->framebuffer,
                    android->rgb_565 ? &rgb_565 : &rgba_8888, &frame->picture,
                    by, &err))
        (void)!(android->rgb_565 ? send_rows_565 : send_rows)(
            stream, &frame->picture, by, &err);
    screen_frame_drop(frame);
}
