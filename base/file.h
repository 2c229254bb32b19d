/*
 * Files that appear only when they are complete.
 *
 * A file is written under a hidden name in the same directory
 * (".name.1a2b3c.part") and renamed when it is complete:
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
    int fd;         /* owned; for writing, fchmod, futimens, fdatasync */
    char *path;     /* owned; its final name */
    char *part;     /* owned; its temporary name */
    off_t reserved; /* preallocated size */
};

#define FILE_INIT                                                              \
    {                                                                          \
        .fd = -1                                                               \
    }

/*
 * Start writing the file path. Its permission bits are mode less the umask, as
 * with open(); an existing file at path stays until commit.
 *
 * Fails when path is a directory, a device or another file that must not be
 * replaced (ERR_INVALID), when its directory does not exist (ERR_NOT_FOUND), or
 * with an I/O error. Then nothing was created and file stays empty.
 */
MUST_USE bool file_begin(struct file *file, const char *path, mode_t mode,
                         struct err *err);

/*
 * Set the expected size of the file: space is preallocated if that makes
 * writing faster. The file may become larger or smaller; the size may come from
 * an untrusted source.
 */
void file_reserve(struct file *file, uint64_t size);

/*
 * The file is complete: rename it to path, replacing an existing file (a
 * symbolic link is replaced, not followed). file is empty afterwards. On
 * failure path is unchanged, and the temporary file is removed.
 */
MUST_USE bool file_commit(struct file *file, struct err *err);

/* Remove the temporary file. An empty file is fine; errno is preserved. */
void file_abandon(struct file *file);

/*
 * Write all of data. Fails with ERR_NO_SPACE when the disk is full, or ERR_IO.
 */
MUST_USE bool file_write(int fd, const void *data, size_t length,
                         struct err *err);

/* Begin, write, commit. On failure path is unchanged. */
MUST_USE bool file_save(const char *path, mode_t mode, const void *data,
                        size_t length, struct err *err);

/*
 * Flush the content of a file, or the names in a folder, to the disk, so that
 * it survives a power failure. Blocks as long as the disk takes.
 */
MUST_USE bool file_sync(const char *path, struct err *err);

/* Flush the names in the folder that path is in: after a rename, a mkdir. */
MUST_USE bool file_sync_folder_of(const char *path, struct err *err);

/*
 * file_save, with content and name flushed to the disk. The content is there
 * before the name is: a power failure leaves the old file or the new one.
 */
MUST_USE bool file_save_synced(const char *path, mode_t mode, const void *data,
                               size_t length, struct err *err);

/*
 * Append the whole file to content, up to content's limit (ERR_LIMIT beyond).
 * Only regular files are accepted (ERR_INVALID otherwise): reading a pipe or a
 * device may never end. On failure content is unchanged.
 */
MUST_USE bool file_load(const char *path, struct buf *content, struct err *err);

/* The same for the rest of fd, such as standard input; blocks until its end. */
MUST_USE bool file_load_descriptor(int fd, struct buf *content,
                                   struct err *err);

/*
 * Create a folder and its parents, with these permissions less the umask; it
 * may exist. Fails as mkdir does.
 */
MUST_USE bool file_make_folder(const char *path, mode_t mode, struct err *err);

/*
 * Remove a folder with all that is in it, or what of it can be removed. Links
 * are not followed.
 */
void file_remove_tree(const char *path);

#endif
