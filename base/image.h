/* Pictures in files, of whatever kind they are. */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include "base/err.h"
#include "base/picture.h"

/* The largest file that is read. */
#define IMAGE_FILE_MAX ((size_t)64 << 20)

/*
 * Decode a PNG or a JPEG; the bytes say which, as names of files often do not.
 * Fails with ERR_INVALID for what is neither, and as png_decode, jpeg_decode.
 */
MUST_USE bool image_decode(const void *bytes, size_t length,
                           struct picture *picture, struct err *err);

/* The same for a file. Fails as file_load, too. */
MUST_USE bool image_load(const char *path, struct picture *picture,
                         struct err *err);

/* Save a compact PNG. Fails as png_encode and file_save. */
MUST_USE bool image_save(const char *path, const struct picture *picture,
                         struct err *err);

#endif
