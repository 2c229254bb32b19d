/*
 * PNG bytes: what decodes is encoded again and decodes to the same.
 *
 * Each input is also tried with its chunks' checksums made right, or hardly
 * any change would get past the first of them.
 */
#include "base/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "tests/fuzz/fuzz.h"

#define SIGNATURE 8

static uint32_t get_u32be(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
           (uint32_t)bytes[2] << 8 | bytes[3];
}

/* A chunk is its length, a name of 4 bytes, the data, and their CRC. */
static void correct_checksums(uint8_t *bytes, size_t size)
{
    size_t at = SIGNATURE;

    while (at < size && size - at >= 12) {
        uint32_t length = get_u32be(bytes + at);
        uint8_t *crc_at;
        uint32_t crc;

        if (length > size - at - 12)
            return;
        crc_at = bytes + at + 8 + length;
        crc = (uint32_t)crc32(0, bytes + at + 4, length + 4);
        for (int i = 0; i < 4; i++)
            crc_at[i] = (uint8_t)(crc >> (24 - 8 * i));
        at += (size_t)12 + length;
    }
}

static void check_again(const struct picture *picture)
{
    struct buf png = BUF_INIT(PICTURE_BYTES_MAX);
    struct picture again = PICTURE_INIT;
    struct err err;

    if (!png_encode(picture, &png, &err) ||
        !png_decode(png.data, png.length, &again, &err) ||
        again.width != picture->width || again.height != picture->height ||
        memcmp(again.pixels, picture->pixels,
               picture->stride * picture->height))
        abort();
    picture_release(&again);
    buf_release(&png);
}

static void check(const uint8_t *data, size_t size)
{
    struct picture picture = PICTURE_INIT;
    struct err err;

    if (png_decode(data, size, &picture, &err))
        check_again(&picture);
    picture_release(&picture);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = mem_new(size, 1);

    check(data, size);
    if (size)
        memcpy(copy, data, size);
    correct_checksums(copy, size);
    check(copy, size);
    free(copy);
    return 0;
}
