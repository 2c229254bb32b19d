#include "base/picture/picture_file.h"

#include <string.h>

#include "base/file.h"
#include "base/picture/jpeg.h"
#include "base/picture/png.h"

#define JPEG_START "\xff\xd8\xff"
#define PNG_START "\x89PNG"

static bool starts_with(const char *bytes, size_t length, const char *start)
{
    return length >= strlen(start) && !memcmp(bytes, start, strlen(start));
}

bool picture_file_decode(const void *bytes, size_t length,
                         struct picture *picture, struct err *err)
{
    if (starts_with(bytes, length, JPEG_START))
        return jpeg_decode(bytes, length, picture, err);
    if (starts_with(bytes, length, PNG_START))
        return png_decode(bytes, length, picture, err);
    return err_set(err, ERR_INVALID, "neither PNG nor JPEG");
}

bool picture_file_load(const char *path, struct picture *picture,
                       struct err *err)
{
    struct buf bytes = BUF_INIT(PICTURE_FILE_MAX);
    bool loaded = file_load(path, &bytes, err);
    bool done = loaded &&
                (picture_file_decode(bytes.data, bytes.length, picture, err) ||
                 err_wrap(err, "%s", path));

    buf_release(&bytes);
    return done;
}

bool picture_file_save(const char *path, const struct picture *picture,
                       struct err *err)
{
    struct buf png = BUF_INIT(2 * PICTURE_BYTES_MAX);
    bool done = png_encode(picture, PNG_COMPACT, &png, err) &&
                file_save(path, 0666, png.data, png.length, err);

    buf_release(&png);
    return done;
}
