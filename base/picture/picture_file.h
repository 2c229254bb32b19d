/* Picture files: PNG or JPEG. */
#ifndef BASE_PICTURE_PICTURE_FILE_H
#define BASE_PICTURE_PICTURE_FILE_H

#include "base/err.h"
#include "base/picture/picture.h"

/* The largest file that is read. */
#define PICTURE_FILE_MAX ((size_t)64 << 20)

/*
 * Decode a PNG or a JPEG; recognized by content, since file names are not
 * reliable. Fails with ERR_INVALID for other formats, and as png_decode,
 * jpeg_decode.
 */
MUST_USE bool picture_file_decode(const void *bytes, size_t length,
                                  struct picture *picture, struct err *err);

/* The same for a file. Also fails as file_load. */
MUST_USE bool picture_file_load(const char *path, struct picture *picture,
                                struct err *err);

/* Save a compact PNG. Fails as png_encode and file_save. */
MUST_USE bool picture_file_save(const char *path, const struct picture *picture,
                                struct err *err);

#endif
