#include "base/image.h"

#include <string.h>

#include "base/file.h"
#include "base/jpeg.h"
#include "base/png.h"

#define JPEG_START "\xff\xd8\xff"
#define PNG_START "\x89PNG"

static bool starts_with(const char *bytes, size_t length, const char *start)
{
    return length >= strlen(start) && !memcmp(bytes, start, strlen(start));
}

bool image_decode(const void *bytes, size_t length, struct picture *picture,
                  struct err *err)
{
    if (starts_with(bytes, length, JPEG_START))
        return jpeg_decode(bytes, length, picture, err);
    if (starts_with(bytes, length, PNG_START))
        return png_decode(bytes, length, picture, err);
    return err_set(err, ERR_INVALID, "neither PNG nor JPEG");
}

bool image_load(const char *path, struct picture *picture, struct err *err)
{
    struct buf bytes = BUF_INIT(IMAGE_FILE_MAX);
    bool loaded = file_load(path, &bytes, err);
    bool done =
        loaded && (image_decode(bytes.data, bytes.length, picture, err) ||
                   err_wrap(err, "%s", path));

    buf_release(&bytes);
    return done;
}

bool image_save(const char *path, const struct picture *picture,
                struct err *err)
{
    struct buf png = BUF_INIT(2 * PICTURE_BYTES_MAX);
    bool done = png_encode(picture, PNG_COMPACT, &png, err) &&
                file_save(path, 0666, png.data, png.length, err);

    buf_release(&png);
    return done;
}
