/* Files to and from the device: the sync service, versions 1 and 2. */
#ifndef ADB_SYNC_SYNC_H
#define ADB_SYNC_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"

/* The longest path on the device, and the most names in one directory. */
#define SYNC_PATH_MAX 1024
#define SYNC_ENTRIES_MAX 1000000

/*
 * The attributes of a file, as far as the device reports them (v1: mode, size,
 * mtime).
 */
struct sync_stat {
    uint32_t mode; /* as in POSIX st_mode; 0: no such file */
    uint32_t uid;
    uint32_t gid;
    uint64_t size;
    int64_t mtime; /* seconds since 1970 */
    uint64_t dev;  /* with ino: identifies the file; both 0 with v1 */
    uint64_t ino;
};

/*
 * How file contents are compressed. ANY means our choice (see
 * docs/decisions.md). A method that the device does not support is
 * ERR_UNSUPPORTED when the session is opened.
 */
enum sync_compression {
    SYNC_ANY,
    SYNC_NONE,
    SYNC_BROTLI,
    SYNC_LZ4,
    SYNC_ZSTD,
};

/*
 * Called after each piece, with the file on the device, the number of bytes
 * transferred, and its size (0: unknown). Returning false stops the transfer
 * with ERR_CANCELLED.
 */
typedef bool sync_progress_fn(void *context, const char *path, uint64_t moved,
                              uint64_t total);

/* Called for each file of a tree that is left out, with the reason. */
typedef void sync_skip_fn(void *context, const char *path, const char *reason);

struct sync_options {
    enum sync_compression compression;
    sync_progress_fn *progress; /* may be NULL */
    sync_skip_fn *skip;         /* may be NULL */
    void *context;              /* for both */
    int64_t idle_ms; /* fail after this time without a byte; 0: 30 s */
};

struct sync;

/*
 * A session; one request at a time, from one thread at a time. device is
 * borrowed and must outlive it. After a failed request the session stays
 * usable: the next request opens a new stream.
 */
MUST_USE bool sync_open(struct device *device,
                        const struct sync_options *options, struct deadline by,
                        struct sync **sync, struct err *err);
/* NULL is fine. Does not block. */
void sync_close(struct sync *sync);

/*
 * Get the attributes of path; a missing path is not a failure and has mode 0.
 * follow: of the target of a symbolic link instead of the link. Devices without
 * stat_v2 report only whether the target is a directory; all other targets
 * count as a file of unknown size (0). Fails with ERR_REMOTE when the device
 * has no permission.
 */
MUST_USE bool sync_stat(struct sync *sync, const char *path, bool follow,
                        struct deadline by, struct sync_stat *stat,
                        struct err *err);

/* One entry of a directory; name is borrowed during the call. */
typedef bool sync_entry_fn(void *context, const char *name,
                           const struct sync_stat *stat);

/*
 * Call entry for each name in path (including "." and "..") until it returns
 * false. entry must not use the session. A name never contains a slash or a
 * NUL; a file that the device could not stat has mode 0. Fails with
 * ERR_NOT_FOUND or ERR_INVALID when path is not a directory. A directory that
 * the device may not read appears empty, since the service does not report
 * that.
 */
MUST_USE bool sync_list(struct sync *sync, const char *path,
                        sync_entry_fn *entry, void *context, struct deadline by,
                        struct err *err);

/*
 * Copy one file to the device: fd, from its current position to its end, to the
 * regular file path with mode (as in POSIX st_mode) and mtime. The device
 * creates missing directories. total is the size of fd, or 0 if unknown; it is
 * used for progress only and may be wrong.
 *
 * Blocks until the device has confirmed the file. Fails with ERR_REMOTE and the
 * device's message as soon as it arrives. On failure the device removes the
 * incomplete file if it can.
 */
MUST_USE bool sync_send(struct sync *sync, int fd, const char *path,
                        uint32_t mode, int64_t mtime, uint64_t total,
                        struct deadline by, struct err *err);

/*
 * Copy one file of the device into fd, at its current position. On failure fd
 * may contain a part of it. total is for progress, as above.
 */
MUST_USE bool sync_receive(struct sync *sync, const char *path, int fd,
                           uint64_t total, struct deadline by, struct err *err);

/* The result of a transfer of files or trees. */
struct sync_totals {
    uint64_t files;
    uint64_t bytes;
    uint64_t skipped; /* left out: special files, and links without a usable
                         target */
    uint64_t unread;  /* left out: links on a device without stat_v2 */
};

/*
 * Copy a file or a directory tree. If the destination is a directory, the
 * source is copied into it under its own name, as with cp; "." copies its
 * content instead. Files keep their permission bits and times, as do pulled
 * directories, less the umask; an existing local directory keeps its mode.
 * Stock devices give the owner's permissions of pushed files to everyone.
 *
 * Symbolic links: local and remote themselves are followed. In a pushed tree,
 * links stay links. In a pulled tree no link is created: a link to a file
 * becomes a copy of that file, and a link to a directory becomes a copy of its
 * content. A link to nothing, or to a directory that contains the link, is left
 * out; on a device without stat_v2, every link is.
 *
 * A pulled file is written under a temporary name and renamed when complete.
 * The first failure ends the transfer; files copied before it stay. Fails with
 * ERR_LIMIT beyond SYNC_ENTRIES_MAX files or SYNC_DEPTH_MAX levels, and with
 * ERR_INVALID when a path would exceed SYNC_PATH_MAX. totals (may be NULL) is
 * filled, also on failure.
 */
#define SYNC_DEPTH_MAX 64
MUST_USE bool sync_push(struct sync *sync, const char *local,
                        const char *remote, struct deadline by,
                        struct sync_totals *totals, struct err *err);
MUST_USE bool sync_pull(struct sync *sync, const char *remote,
                        const char *local, struct deadline by,
                        struct sync_totals *totals, struct err *err);

#endif
