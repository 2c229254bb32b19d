/*
 * PNG bytes: the fast decoder accepts only what libpng does, with the same
 * pixels; a decoded picture decodes to the same after encoding. Each input is
 * also tried with corrected checksums, as most changes would fail there.
 */
#include "base/picture/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/picture/png_fast.h"
#include "base/picture/png_libpng.h"
#include "tests/fuzz/fuzz.h"

#define SIGNATURE 8

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

static void check_same(const struct picture *a, const struct picture *b)
{
    if (a->width != b->width || a->height != b->height ||
        memcmp(a->pixels, b->pixels, a->stride * a->height) != 0)
        abort();
}

static void check_again(const struct picture *picture, enum png_effort effort)
{
    struct buf png = BUF_INIT(2 * PICTURE_BYTES_MAX);
    struct picture again = PICTURE_INIT;
    struct err err;

    if (!png_encode(picture, effort, &png, &err) ||
        !png_fast_decode(png.data, png.length, &again))
        abort();
    check_same(picture, &again);
    picture_release(&again);
    buf_release(&png);
}

static void check(const uint8_t *data, size_t size)
{
    struct picture picture = PICTURE_INIT;
    struct picture quick = PICTURE_INIT;
    struct err err;
    bool known = png_libpng_decode(data, size, &picture, &err);

    if (png_fast_decode(data, size, &quick)) {
        if (!known)
            abort();
        check_same(&picture, &quick);
    }
    if (known) {
        check_again(&picture, PNG_FAST);
        check_again(&picture, PNG_COMPACT);
    }
    picture_release(&picture);
    picture_release(&quick);
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
