/*
 * Files that are whole or not there.
 *
 * What is being written lives under a hidden name in the same directory
 * (".name.1a2b3c.part") and takes its own name only when it is whole:
 *
 *     struct file file = FILE_INIT;
 *
 *     if (!file_begin(&file, path, 0666, err))
 *         return false;
 *     if (!fill(file.fd, err)) {
 *         file_abandon(&file);
 *         return false;
 *     }
 *     return file_commit(&file, err);
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* A file that is being written. */
struct file {
    int fd;     /* owned; for writing, and for fchmod, futimens, fdatasync */
    char *path; /* owned; the name it will have */
    char *part; /* owned; the name it has until then */
    off_t reserved; /* room that may have been made for it */
};

#define FILE_INIT                                                              \
    {                                                                          \
        .fd = -1                                                               \
    }

/*
 * Start writing the file that will be called path. Its permission bits are
 * mode less the umask, as open() has it; what is at path stays until commit.
 *
 * Fails when path is a directory, a device or another thing that must not be
 * replaced (ERR_INVALID), when its directory is not there (ERR_NOT_FOUND), or
 * as the system says. Then nothing was created and file stays empty.
 */
MUST_USE bool file_begin(struct file *file, const char *path, mode_t mode,
                         struct err *err);

/*
 * Say how large the file will be, as far as that is known: room is made for it
 * at once, where that makes writing it cheaper. It may become larger or
 * smaller, and a size that somebody else tells may be a lie.
 */
void file_reserve(struct file *file, uint64_t size);

/*
 * The file is whole: give it its name, in place of what had it (a symbolic
 * link is replaced, not followed). file is empty afterwards, also on failure,
 * which leaves path as it was and removes what was written.
 */
MUST_USE bool file_commit(struct file *file, struct err *err);

/* Remove what was written. An empty file is fine; errno survives. */
void file_abandon(struct file *file);

/* Write all of data, or fail as the system says (a full disk: ERR_NO_SPACE). */
MUST_USE bool file_write(int fd, const void *data, size_t length,
                         struct err *err);

/* Begin, write, commit. On failure path is as it was. */
MUST_USE bool file_save(const char *path, mode_t mode, const void *data,
                        size_t length, struct err *err);

/*
 * Bring a file's bytes to the disk, or a folder's names; what a power cut must
 * not take. Blocks for as long as a disk does.
 */
MUST_USE bool file_sync(const char *path, struct err *err);

/* file_save, and both are on the disk: the bytes, and the name. */
MUST_USE bool file_save_synced(const char *path, mode_t mode, const void *data,
                               size_t length, struct err *err);

/*
 * Append the whole file to content, up to content's limit (ERR_LIMIT beyond).
 * On failure content is as it was.
 */
MUST_USE bool file_load(const char *path, struct buf *content, struct err *err);

/*
 * The same for files that are read unasked: what is no ordinary file is refused
 * (ERR_INVALID), as reading a pipe that somebody put there would never end.
 */
MUST_USE bool file_load_ordinary(const char *path, struct buf *content,
                                 struct err *err);

/*
 * Make a folder and those above it, with these permissions less the umask; it
 * may be there. Fails as mkdir does.
 */
MUST_USE bool file_make_folder(const char *path, mode_t mode, struct err *err);

#endif
