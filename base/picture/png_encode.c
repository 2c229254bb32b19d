#include <assert.h>
#include <libdeflate.h>
#include <string.h>

#include "base/bytes.h"
#include "base/picture/png.h"
#include "base/picture/png_filter_choice.h"

#define COLOUR_RGB 2
#define COLOUR_RGBA 6

/* libdeflate compression levels. */
#define LEVEL_QUICK 1
#define LEVEL_COMPACT 6

#define HEADER_SIZE 13
/* Each row has a byte in addition to its pixels. */
#define ROWS_MAX (PICTURE_BYTES_MAX + PICTURE_SIDE_MAX)
#define CHUNK_FRAME 12 /* length, name and checksum */

static bool is_opaque(const struct picture *picture)
{
    size_t size = picture->stride * picture->height;
    uint8_t every = 0xff;

    for (size_t i = 3; i < size; i += PICTURE_PIXEL)
        every &= picture->pixels[i];
    return every == 0xff;
}

static void put_chunk(struct buf *png, const char name[4], const void *data,
                      size_t length)
{
    uint8_t word[4];
    uint32_t checksum = libdeflate_crc32(0, name, 4);

    put_u32be(word, (uint32_t)length);
    buf_append(png, word, sizeof(word));
    buf_append(png, name, 4);
    buf_append(png, data, length);
    put_u32be(word, libdeflate_crc32(checksum, data, length));
    buf_append(png, word, sizeof(word));
}

static void put_header(struct buf *png, const struct picture *picture,
                       uint8_t colour)
{
    uint8_t header[HEADER_SIZE] = {[8] = 8, [9] = colour};

    put_u32be(header, picture->width);
    put_u32be(header + 4, picture->height);
    buf_append(png, "\x89PNG\r\n\x1a\n", 8);
    put_chunk(png, "IHDR", header, sizeof(header));
}

/* A quarter less data, but three-byte pixels are matched more slowly. */
static void drop_alpha(uint8_t *to, const uint8_t *from, size_t count)
{
    for (; count; count--, to += 3, from += PICTURE_PIXEL)
        memcpy(to, from, 3);
}

/* The unfiltered rows, each with a 0 byte in front. */
static uint8_t *make_rows(const struct picture *picture, bool opaque,
                          struct buf *memory, size_t *size)
{
    size_t stored = 1 + (size_t)picture->width * (opaque ? 3 : PICTURE_PIXEL);
    uint8_t *rows;

    *size = stored * picture->height;
    buf_clear(memory);
    rows = (uint8_t *)buf_reserve(memory, *size);
    for (uint32_t y = 0; rows && y < picture->height; y++) {
        uint8_t *to = rows + stored * y;

        *to++ = 0;
        if (opaque)
            drop_alpha(to, picture_row(picture, y), picture->width);
        else
            memcpy(to, picture_row(picture, y), stored - 1);
    }
    return rows;
}

/* A single IDAT chunk: compressed in place, then framed. */
static bool put_rows(struct buf *png, const uint8_t *rows, size_t size,
                     enum png_effort effort)
{
    int level = effort == PNG_FAST ? LEVEL_QUICK : LEVEL_COMPACT;
    struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(level);
    size_t room = libdeflate_zlib_compress_bound(deflater, size);
    size_t left = png->limit - png->length;
    size_t length = 0;
    uint8_t *chunk = NULL;

    if (left > CHUNK_FRAME && deflater) {
        room = room < left - CHUNK_FRAME ? room : left - CHUNK_FRAME;
        chunk = (uint8_t *)buf_reserve(png, room + CHUNK_FRAME);
    }
    if (chunk)
        length =
            libdeflate_zlib_compress(deflater, rows, size, chunk + 8, room);
    libdeflate_free_compressor(deflater);
    if (!length)
        return false;
    put_u32be(chunk, (uint32_t)length);
    memcpy(chunk + 4, "IDAT", 4);
    put_u32be(chunk + 8 + length, libdeflate_crc32(0, chunk + 4, length + 4));
    buf_commit(png, length + CHUNK_FRAME);
    return true;
}

size_t png_rows_size(const struct picture *picture)
{
    return (1 + (size_t)picture->width * PICTURE_PIXEL) * picture->height;
}

bool png_encode(const struct picture *picture, enum png_effort effort,
                struct buf *png, struct err *err)
{
    struct buf rows = BUF_INIT(ROWS_MAX);
    bool done = png_encode_by(picture, effort, &rows, png, err);

    buf_release(&rows);
    return done;
}

bool png_encode_by(const struct picture *picture, enum png_effort effort,
                   struct buf *memory, struct buf *png, struct err *err)
{
    bool opaque = effort == PNG_COMPACT && is_opaque(picture);
    size_t before = png->length;
    size_t size;
    uint8_t *rows;
    bool done;

    assert(picture->width && picture->height);
    rows = make_rows(picture, opaque, memory, &size);
    if (!rows)
        return err_set(err, ERR_LIMIT, "PNG: no memory");
    if (effort == PNG_COMPACT)
        png_filter_choice(&(struct png_rows){rows, size / picture->height,
                                             picture->height,
                                             opaque ? 3 : PICTURE_PIXEL});
    put_header(png, picture, opaque ? COLOUR_RGB : COLOUR_RGBA);
    done = !png->overflow && put_rows(png, rows, size, effort);
    put_chunk(png, "IEND", "", 0);
    if (done && !png->overflow)
        return true;
    buf_truncate(png, before);
    return err_set(err, ERR_LIMIT, "PNG: larger than its limit");
}
