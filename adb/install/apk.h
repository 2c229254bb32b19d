/*
 * Checks that a file is an Android package, before it is sent to a phone.
 *
 * An APK is a ZIP archive that contains an AndroidManifest.xml. Only the
 * archive's central directory is read, up to a limit.
 */
#ifndef ADB_INSTALL_APK_H
#define ADB_INSTALL_APK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * The end of a ZIP archive: a record of 22 bytes and a comment of up to 64 KiB.
 */
#define APK_TAIL_MAX (22 + 65535)

/* The largest central directory. */
#define APK_DIRECTORY_MAX ((size_t)16 << 20)

/* The position of the archive's central directory in the file. */
struct apk_directory {
    uint64_t offset;
    size_t size;
};

/*
 * Find it from the last bytes of a file of file_size bytes. Fails with
 * ERR_INVALID when it is not an archive, and with ERR_LIMIT.
 */
MUST_USE bool apk_find_directory(const uint8_t *tail, size_t length,
                                 uint64_t file_size,
                                 struct apk_directory *directory,
                                 struct err *err);

/* Does a central directory contain a manifest? Stops at invalid data. */
bool apk_has_manifest(const uint8_t *directory, size_t size);

/*
 * Check the file fd, whatever its position, and return its size. Fails with
 * ERR_INVALID and a reason when it is not an APK, or with ERR_IO.
 */
MUST_USE bool apk_check(int fd, uint64_t *size, struct err *err);

#endif
