/*
 * Is a file an Android package? Looked at before a phone is bothered with it.
 *
 * An APK is a ZIP archive that holds an AndroidManifest.xml. Only the archive's
 * table of contents is read, and only so much of it.
 */
#ifndef ADB_APK_H
#define ADB_APK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The end of a ZIP archive: a record of 22 bytes and a comment of 64 KiB. */
#define APK_TAIL_MAX (22 + 65535)

/* A larger table of contents is refused. */
#define APK_DIRECTORY_MAX ((size_t)16 << 20)

/* Where the archive's table of contents is in the file. */
struct apk_directory {
    uint64_t offset;
    size_t size;
};

/*
 * Find it from the last bytes of a file of file_size bytes. Fails with
 * ERR_INVALID when that is no archive, and with ERR_LIMIT.
 */
MUST_USE bool apk_find_directory(const uint8_t *tail, size_t length,
                                 uint64_t file_size,
                                 struct apk_directory *directory,
                                 struct err *err);

/* Does a table of contents name a manifest? Stops where it makes no sense. */
bool apk_has_manifest(const uint8_t *directory, size_t size);

/*
 * Check the file behind fd, wherever it is positioned, and tell its size.
 * Fails with ERR_INVALID and a reason when it is no APK, or with ERR_IO.
 */
MUST_USE bool apk_check(int fd, uint64_t *size, struct err *err);

#endif
