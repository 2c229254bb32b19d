/* Files to and from the device: the sync service, versions 1 and 2. */
#ifndef ADB_SYNC_H
#define ADB_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device.h"

#define SYNC_PATH_MAX 1024

/* A file's facts, as far as the device tells them (v1: mode, size, mtime). */
struct sync_stat {
    uint32_t mode; /* as in POSIX st_mode; 0: there is no such file */
    uint32_t uid;
    uint32_t gid;
    uint64_t size;
    int64_t mtime; /* seconds since 1970 */
};

/* How bytes travel. ANY picks the best that both sides know. */
enum sync_compression {
    SYNC_ANY,
    SYNC_NONE,
    SYNC_BROTLI,
    SYNC_LZ4,
    SYNC_ZSTD,
};

/*
 * Told after each piece: bytes moved of this file, and its whole size.
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

/* One session; one request at a time. Closing tells the device QUIT. */
MUST_USE bool sync_open(struct device *device,
                        const struct sync_options *options, struct deadline by,
                        struct sync **sync, struct err *err);
void sync_close(struct sync *sync);

/* follow: stat the file a symbolic link names, not the link (needs v2). */
MUST_USE bool sync_stat(struct sync *sync, const char *path, bool follow,
                        struct deadline by, struct sync_stat *stat,
                        struct err *err);

/* One entry of a directory; name is borrowed during the call. */
typedef bool sync_entry_fn(void *context, const char *name,
                           const struct sync_stat *stat);

/* Call entry for each name in path (also "." and ".."), until it says false. */
MUST_USE bool sync_list(struct sync *sync, const char *path,
                        sync_entry_fn *entry, void *context, struct deadline by,
                        struct err *err);

/*
 * Copy one file to the device: its bytes, permission bits and time.
 * source may be a symbolic link only if follow is said by its caller, who
 * opened it; fd is read from its present position to its end.
 */
MUST_USE bool sync_send(struct sync *sync, int fd, const char *path,
                        uint32_t mode, int64_t mtime, uint64_t total,
                        struct deadline by, struct err *err);

/* Copy one file of the device into fd. */
MUST_USE bool sync_receive(struct sync *sync, const char *path, int fd,
                           uint64_t total, struct deadline by, struct err *err);

/* What a transfer of files or trees did. */
struct sync_totals {
    uint64_t files;
    uint64_t bytes;
    uint64_t skipped; /* sockets, devices: told once in trace */
};

/*
 * Copy a file or a whole tree, modes and times kept. A destination that is a
 * directory receives the source under its own name, as cp does. A pulled file
 * is written under a temporary name and renamed when whole; names from the
 * device that would leave the destination are refused.
 */
MUST_USE bool sync_push(struct sync *sync, const char *local,
                        const char *remote, struct deadline by,
                        struct sync_totals *totals, struct err *err);
MUST_USE bool sync_pull(struct sync *sync, const char *remote,
                        const char *local, struct deadline by,
                        struct sync_totals *totals, struct err *err);

#endif
