/* Files to and from the device: the sync service, versions 1 and 2. */
#ifndef ADB_SYNC_H
#define ADB_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device.h"

/* The longest path on the device, and the most names in one directory. */
#define SYNC_PATH_MAX 1024
#define SYNC_ENTRIES_MAX 1000000

/* A file's facts, as far as the device tells them (v1: mode, size, mtime). */
struct sync_stat {
    uint32_t mode; /* as in POSIX st_mode; 0: there is no such file */
    uint32_t uid;
    uint32_t gid;
    uint64_t size;
    int64_t mtime; /* seconds since 1970 */
};

/*
 * How bytes travel. ANY leaves it to us (docs/decisions.md says how); a way
 * that the device does not know is ERR_UNSUPPORTED when the session is opened.
 */
enum sync_compression {
    SYNC_ANY,
    SYNC_NONE,
    SYNC_BROTLI,
    SYNC_LZ4,
    SYNC_ZSTD,
};

/*
 * Told after each piece: which file of the device, how many of its bytes have
 * been moved, and its whole size (0: not known).
 * Returning false stops the transfer with ERR_CANCELLED.
 */
typedef bool sync_progress_fn(void *context, const char *path, uint64_t moved,
                              uint64_t total);

struct sync_options {
    enum sync_compression compression;
    sync_progress_fn *progress; /* may be NULL */
    void *context;
    int64_t idle_ms; /* give up after this long without a byte; 0: 30 s */
};

struct sync;

/*
 * One session; one request at a time, from one thread at a time. device is
 * borrowed and must live longer. A request that failed leaves the session
 * usable: the next one opens a new stream.
 */
MUST_USE bool sync_open(struct device *device,
                        const struct sync_options *options, struct deadline by,
                        struct sync **sync, struct err *err);
/* NULL is fine. Does not block. */
void sync_close(struct sync *sync);

/*
 * The facts of path; a path that is not there is no failure and has mode 0.
 * follow: of the file that a symbolic link names, not of the link. Devices
 * without stat_v2 tell only whether that is a directory; everything else then
 * counts as a file of unknown size (0).
 * Fails with ERR_REMOTE when the device may not look at it.
 */
MUST_USE bool sync_stat(struct sync *sync, const char *path, bool follow,
                        struct deadline by, struct sync_stat *stat,
                        struct err *err);

/* One entry of a directory; name is borrowed during the call. */
typedef bool sync_entry_fn(void *context, const char *name,
                           const struct sync_stat *stat);

/*
 * Call entry for each name in path (also "." and ".."), until it says false.
 * entry must not use the session. A name never holds a slash or a NUL; a file
 * that the device could not look at has mode 0.
 * Fails with ERR_NOT_FOUND or ERR_INVALID when path is not a directory. One
 * that the device may not read has no names at all: the service says no more.
 */
MUST_USE bool sync_list(struct sync *sync, const char *path,
                        sync_entry_fn *entry, void *context, struct deadline by,
                        struct err *err);

/*
 * Copy one file to the device: fd, from its present position to its end, as
 * the ordinary file path with mode (as in POSIX st_mode) and mtime. The device
 * makes the directories on the way. total is what fd holds, or 0 when that is
 * not known; it is used for progress and may be wrong.
 *
 * Blocks until the device has said that the file is there.
 * Fails with ERR_REMOTE and the device's words, as soon as it has said them.
 * On failure the device removes what it had, as far as it is still there.
 */
MUST_USE bool sync_send(struct sync *sync, int fd, const char *path,
                        uint32_t mode, int64_t mtime, uint64_t total,
                        struct deadline by, struct err *err);

/*
 * Copy one file of the device into fd, at its present position. On failure fd
 * may hold a part of it. total is for progress, as above.
 */
MUST_USE bool sync_receive(struct sync *sync, const char *path, int fd,
                           uint64_t total, struct deadline by, struct err *err);

/* What a transfer of files or trees did. */
struct sync_totals {
    uint64_t files;
    uint64_t bytes;
    uint64_t skipped; /* what is neither file, directory nor link */
};

/*
 * Copy a file or a whole tree. A destination that is a directory receives the
 * source under its own name, as with cp; "." gives what it holds instead.
 * Files keep their permission bits and times, pulled directories too; stock
 * devices give the owner's bits of what is pushed to everybody.
 *
 * Links: what local or remote itself names is followed. Within a tree that is
 * pushed, links stay links. Within one that is pulled no link is ever made: a
 * link to a file becomes a copy of that file, any other is skipped.
 *
 * A pulled file is written under a temporary name and renamed when whole. The
 * first failure ends the transfer; what was copied before it stays.
 * Fails with ERR_LIMIT beyond SYNC_ENTRIES_MAX files or SYNC_DEPTH_MAX levels,
 * and with ERR_INVALID when a path would exceed SYNC_PATH_MAX.
 * totals (may be NULL) tells, also on failure, what was done.
 */
#define SYNC_DEPTH_MAX 64
MUST_USE bool sync_push(struct sync *sync, const char *local,
                        const char *remote, struct deadline by,
                        struct sync_totals *totals, struct err *err);
MUST_USE bool sync_pull(struct sync *sync, const char *remote,
                        const char *local, struct deadline by,
                        struct sync_totals *totals, struct err *err);

#endif
