#include "tools/phone/framebuffer_server.h"

#include "base/bytes.h"
#include "base/macros.h"
#include "tools/phone/cmd_screen.h"

/* A host that takes longer has gone to sleep. */
#define SEND_MS 30000

/* Version 2: what follows is told in bits for each colour. */
static bool send_header(struct stream *stream, const struct picture *picture,
                        struct deadline by, struct err *err)
{
    const uint32_t fields[] = {
        2,  /* version */
        32, /* bits a pixel */
        0,  /* colour space: not told */
        picture->width * picture->height * 4,
        picture->width,
        picture->height,
        0, /* red: offset and length, and so on */
        8,
        16, /* blue */
        8,
        8, /* green */
        8,
        24, /* alpha */
        8,
    };
    uint8_t bytes[ARRAY_LEN(fields) * 4];

    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        put_u32le(bytes + 4 * i, fields[i]);
    return stream_write(stream, bytes, sizeof(bytes), by, err);
}

static bool send_rows(struct stream *stream, const struct picture *picture,
                      struct deadline by, struct err *err)
{
    size_t row = (size_t)picture->width * 4;

    if (picture->stride == row)
        return stream_write(stream, picture->pixels, row * picture->height, by,
                            err);
    for (uint32_t y = 0; y < picture->height; y++) {
        if (!stream_write(stream, picture_row(picture, y), row, by, err))
            return false;
    }
    return true;
}

void framebuffer_server_serve(void *context, const char *argument,
                              struct stream *stream, struct conn *conn)
{
    struct screen_context *looked_at = context;
    struct deadline by = deadline_in_ms(SEND_MS);
    struct screen_frame *frame;
    struct err err; /* the host that hung up needs not be told */

    (void)argument, (void)conn;
    virtual_clock_look(looked_at->clock);
    if (!screen_look(looked_at->screen, &frame, &err))
        return;
    (void)!(send_header(stream, &frame->picture, by, &err) &&
            send_rows(stream, &frame->picture, by, &err));
    screen_frame_drop(frame);
}
