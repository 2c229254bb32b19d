#include "base/picture/png_fast.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/picture/png_filter.h"

#define SIGNATURE "\x89PNG\r\n\x1a\n"
#define SIGNATURE_SIZE 8
#define CHUNK_FRAME 12 /* length, name and checksum */
#define HEADER_SIZE 13

#define NAME(a, b, c, d)                                                       \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))
#define NAME_IHDR NAME('I', 'H', 'D', 'R')
#define NAME_IDAT NAME('I', 'D', 'A', 'T')
#define NAME_IEND NAME('I', 'E', 'N', 'D')
#define NAME_TRNS NAME('t', 'R', 'N', 'S')

#define COLOUR_RGB 2
#define COLOUR_RGBA 6

/* libpng rejects longer texts and profiles. */
#define SKIPPED_MAX ((size_t)64 << 10)

/* A PNG that is being read. */
struct png_fast {
    const uint8_t *at;
    size_t left;
    struct picture *picture;
    int samples;           /* per pixel */
    const uint8_t *stream; /* zlib stream of stream_size bytes */
    size_t stream_size;
    uint8_t *joined; /* owned; the stream, if it had several parts */
};

struct png_chunk {
    uint32_t name;
    uint32_t length;
    const uint8_t *data;
};

/* The chunk at this position; its checksum is verified later. */
static bool chunk_at(const uint8_t *at, size_t left, struct png_chunk *chunk)
{
    if (left < CHUNK_FRAME)
        return false;
    chunk->length = get_u32be(at);
    chunk->name = get_u32be(at + 4);
    chunk->data = at + 8;
    return chunk->length <= left - CHUNK_FRAME;
}

static bool chunk_is_sound(const struct png_chunk *chunk)
{
    return libdeflate_crc32(0, chunk->data - 4, (size_t)chunk->length + 4) ==
           get_u32be(chunk->data + chunk->length);
}

static bool is_letter(uint32_t byte)
{
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

/* Chunks that do not affect the pixels. libpng does not check them either. */
static bool chunk_is_idle(const struct png_chunk *chunk)
{
    bool ancillary = chunk->name >> 24 & 0x20;

    return ancillary && chunk->name != NAME_TRNS &&
           chunk->length <= SKIPPED_MAX && is_letter(chunk->name >> 24) &&
           is_letter(chunk->name >> 16 & 0xff) &&
           is_letter(chunk->name >> 8 & 0xff) && is_letter(chunk->name & 0xff);
}

static void pass(struct png_fast *quick, const struct png_chunk *chunk)
{
    quick->at += CHUNK_FRAME + (size_t)chunk->length;
    quick->left -= CHUNK_FRAME + (size_t)chunk->length;
}

/* Skip such chunks up to one with that name. */
static bool find(struct png_fast *quick, uint32_t name, struct png_chunk *chunk)
{
    while (chunk_at(quick->at, quick->left, chunk)) {
        if (chunk->name == name)
            return true;
        if (!chunk_is_idle(chunk))
            return false;
        pass(quick, chunk);
    }
    return false;
}

/* The header chunk, which must be the first; sets the size of picture. */
static bool read_header(struct png_fast *quick, uint32_t *width,
                        uint32_t *height)
{
    struct png_chunk chunk;
    const uint8_t *data;

    if (quick->left < SIGNATURE_SIZE ||
        memcmp(quick->at, SIGNATURE, SIGNATURE_SIZE) != 0)
        return false;
    quick->at += SIGNATURE_SIZE;
    quick->left -= SIGNATURE_SIZE;
    if (!chunk_at(quick->at, quick->left, &chunk) || chunk.name != NAME_IHDR ||
        chunk.length != HEADER_SIZE || !chunk_is_sound(&chunk))
        return false;
    pass(quick, &chunk);
    data = chunk.data;
    *width = get_u32be(data);
    *height = get_u32be(data + 4);
    if (data[9] != COLOUR_RGB && data[9] != COLOUR_RGBA)
        return false;
    quick->samples = data[9] == COLOUR_RGB ? 3 : 4;
    /* Eight bits; deflate, the five filters, no interlacing. */
    return data[8] == 8 && !data[10] && !data[11] && !data[12];
}

/* The parts of the stream: consecutive IDAT chunks. */
static bool measure_stream(struct png_fast *quick, size_t *parts)
{
    struct png_chunk chunk;

    if (!find(quick, NAME_IDAT, &chunk))
        return false;
    quick->stream = chunk.data;
    while (chunk_at(quick->at, quick->left, &chunk) &&
           chunk.name == NAME_IDAT) {
        if (!chunk_is_sound(&chunk))
            return false;
        quick->stream_size += chunk.length;
        ++*parts;
        pass(quick, &chunk);
    }
    return true;
}

static bool join_stream(struct png_fast *quick)
{
    const uint8_t *from = quick->stream;
    size_t done = 0;

    quick->joined = malloc(quick->stream_size);
    if (!quick->joined)
        return false;
    while (done < quick->stream_size) {
        uint32_t length = get_u32be(from - 8);

        memcpy(quick->joined + done, from, length);
        done += length;
        from += CHUNK_FRAME + (size_t)length;
    }
    quick->stream = quick->joined;
    return true;
}

static bool read_stream(struct png_fast *quick)
{
    size_t parts = 0;
    struct png_chunk end;

    return measure_stream(quick, &parts) && quick->stream_size &&
           find(quick, NAME_IEND, &end) && !end.length &&
           chunk_is_sound(&end) && (parts == 1 || join_stream(quick));
}

/*
 * zlib refuses matches beyond the window that the stream announces, and
 * libdeflate does not check: so accept only the largest window.
 */
static bool window_suffices(const struct png_fast *quick, size_t size)
{
    unsigned bits = 8U + (quick->stream[0] >> 4);

    return bits >= 15 || size <= (size_t)1 << bits;
}

static bool inflate_stream(const struct png_fast *quick, uint8_t *to,
                           size_t size)
{
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    enum libdeflate_result result = LIBDEFLATE_BAD_DATA;
    size_t used = 0;
    size_t got = 0;

    if (inflater)
        result = libdeflate_zlib_decompress_ex(
            inflater, quick->stream, quick->stream_size, to, size, &used, &got);
    libdeflate_free_decompressor(inflater);
    return result == LIBDEFLATE_SUCCESS && got == size &&
           used == quick->stream_size;
}

/*
 * Inflate to the end of the picture's memory, and reverse the filters from
 * there to its start. The pixels of a row never need more room than the rows
 * before it have left free.
 */
static bool read_rows(const struct png_fast *quick, uint32_t width,
                      uint32_t height)
{
    struct picture *picture = quick->picture;
    size_t stored = 1 + (size_t)width * (size_t)quick->samples;
    size_t size = stored * height;
    size_t whole = height * (1 + (size_t)width * PICTURE_PIXEL);
    struct png_row row = {.width = width};
    struct err unused;

    if (!window_suffices(quick, size) ||
        !picture_reserve(picture, width, height, whole, &unused))
        return false;
    row.from = picture->pixels + (whole - size);
    if (!inflate_stream(quick, picture->pixels + (whole - size), size))
        return false;
    for (uint32_t y = 0; y < height; y++) {
        row.to = picture_row(picture, y);
        if (!png_filter_undo(&row, quick->samples))
            return false;
        row.above = row.to;
        row.from += stored;
    }
    return true;
}

bool png_fast_decode(const void *bytes, size_t length, struct picture *picture)
{
    struct png_fast quick = {.at = bytes, .left = length, .picture = picture};
    uint32_t width, height;
    bool done = read_header(&quick, &width, &height) && read_stream(&quick) &&
                read_rows(&quick, width, height);

    free(quick.joined);
    return done;
}
