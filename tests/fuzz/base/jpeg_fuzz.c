/*
 * JPEG bytes: a decoded picture can be encoded, and decodes to the same size.
 */
#include "base/picture/jpeg.h"

#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

/* Larger ones only take longer. */
#define PIXELS_MAX ((size_t)1 << 20)

static void check_again(const struct picture *picture)
{
    struct buf jpeg = BUF_INIT(PICTURE_BYTES_MAX);
    struct picture again = PICTURE_INIT;
    struct err err;

    if (!jpeg_encode(picture, 80, &jpeg, &err) ||
        !jpeg_decode(jpeg.data, jpeg.length, &again, &err) ||
        again.width != picture->width || again.height != picture->height)
        abort();
    picture_release(&again);
    buf_release(&jpeg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct picture picture = PICTURE_INIT;
    struct err err;

    if (jpeg_decode(data, size, &picture, &err) &&
        (size_t)picture.width * picture.height <= PIXELS_MAX)
        check_again(&picture);
    picture_release(&picture);
    return 0;
}
