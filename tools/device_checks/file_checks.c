/* Files in both directions, with sizes around the limits of buffers. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/sync/sync.h"
#include "base/file.h"
#include "base/macros.h"
#include "tools/device_checks/device_check.h"

#define MTIME 1000000000 /* any moment that is not now */

/* Around what USB, sync and the connection cut files into. */
static const size_t sizes[] = {
    0,        1,           511,     512,         513, 64 * KIB - 1,
    64 * KIB, 1 * MIB - 1, 1 * MIB, 1 * MIB + 1,
};

static bool check_directory(struct device_check_context *test, struct err *err)
{
    if (!cleanup_list_make_directory(test->cleanup_list, test->device, test->by,
                                     err))
        return false;
    device_check_say(test, "%s", test->cleanup_list->directory);
    return true;
}

/* Without a directory of our own nothing can be put anywhere. */
static bool open_sync(struct device_check_context *test,
                      enum sync_compression compression, struct sync **sync,
                      struct err *err)
{
    const struct sync_options options = {.compression = compression};

    if (!test->cleanup_list->directory[0])
        return err_set(err, ERR_REMOTE, "there is no directory for it");
    return sync_open(test->device, &options, test->by, sync, err);
}

static void name_file(const struct device_check_context *test, const char *name,
                      char path[SYNC_PATH_MAX])
{
    snprintf(path, SYNC_PATH_MAX, "%s/%s", test->cleanup_list->directory, name);
}

/* A file that has no name, here. */
static bool open_memory(int *fd, struct err *err)
{
    *fd = memfd_create("selftest", MFD_CLOEXEC);
    return *fd >= 0 || err_errno(err, errno, "memory for a file");
}

static bool push(struct device_check_context *test, struct sync *sync,
                 const char *path, size_t size, struct err *err)
{
    bool done;
    int fd;

    if (!open_memory(&fd, err))
        return false;
    done =
        file_write(fd, test->data, size, err) && !lseek(fd, 0, SEEK_SET) &&
        sync_send(sync, fd, path, S_IFREG | 0600, MTIME, size, test->by, err);
    close(fd);
    return done;
}

/* Is what fd holds the first size bytes of data? */
static bool is_same(int fd, const uint8_t *data, size_t size)
{
    struct stat stat;
    void *bytes;
    bool same;

    if (fstat(fd, &stat) || (size_t)stat.st_size != size || !size)
        return !size && !stat.st_size;
    bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    same = !memcmp(bytes, data, size);
    munmap(bytes, size);
    return same;
}

static bool pull(struct device_check_context *test, struct sync *sync,
                 const char *path, size_t size, struct err *err)
{
    bool done;
    int fd;

    if (!open_memory(&fd, err))
        return false;
    done = sync_receive(sync, path, fd, size, test->by, err);
    if (done && !is_same(fd, test->data, size))
        done = err_set(err, ERR_REMOTE, "%zu bytes came back changed", size);
    close(fd);
    return done;
}

static bool push_all_sizes(struct device_check_context *test, struct sync *sync,
                           struct err *err)
{
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        char path[SYNC_PATH_MAX];
        char name[32];

        snprintf(name, sizeof(name), "%zu", sizes[i]);
        name_file(test, name, path);
        if (!push(test, sync, path, sizes[i], err) ||
            !pull(test, sync, path, sizes[i], err))
            return err_wrap(err, "%zu bytes", sizes[i]);
    }
    return true;
}

static bool check_sizes(struct device_check_context *test, struct err *err)
{
    struct sync *sync;
    bool done;

    if (!open_sync(test, SYNC_NONE, &sync, err))
        return false;
    done = push_all_sizes(test, sync, err);
    sync_close(sync);
    if (done)
        device_check_say(test, "%zu files of 0 B to 1 MiB + 1, both ways",
                         ARRAY_LEN(sizes));
    return done;
}

/* Which of the pushed files a directory lists, with the right facts. */
struct listed_files {
    bool found[ARRAY_LEN(sizes)];
    size_t others;
};

static bool note_entry(void *context, const char *name,
                       const struct sync_stat *stat)
{
    struct listed_files *listing = context;

    if (!strcmp(name, ".") || !strcmp(name, ".."))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        char expected[32];

        snprintf(expected, sizeof(expected), "%zu", sizes[i]);
        if (!strcmp(name, expected) && stat->size == sizes[i] &&
            S_ISREG(stat->mode) && stat->mtime == MTIME) {
            listing->found[i] = true;
            return true;
        }
    }
    listing->others++;
    return true;
}

static bool list(struct device_check_context *test, struct sync *sync,
                 struct err *err)
{
    struct listed_files listing = {.others = 0};

    if (!sync_list(sync, test->cleanup_list->directory, note_entry, &listing,
                   test->by, err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        if (!listing.found[i])
            return err_set(err, ERR_REMOTE,
                           "the file of %zu bytes is not listed as it is",
                           sizes[i]);
    }
    return !listing.others ||
           err_set(err, ERR_REMOTE, "%zu more names are listed",
                   listing.others);
}

static bool stat_three(struct device_check_context *test, struct sync *sync,
                       struct err *err)
{
    char path[SYNC_PATH_MAX];
    struct sync_stat stat;

    if (!sync_stat(sync, test->cleanup_list->directory, true, test->by, &stat,
                   err))
        return false;
    if (!S_ISDIR(stat.mode))
        return err_set(err, ERR_REMOTE, "the directory is taken for a file");
    name_file(test, "513", path);
    if (!sync_stat(sync, path, false, test->by, &stat, err))
        return false;
    if (stat.size != 513 || stat.mtime != MTIME)
        return err_set(err, ERR_REMOTE,
                       "a file of 513 bytes has %" PRIu64 " and time %" PRId64,
                       stat.size, stat.mtime);
    name_file(test, "nothing", path);
    if (!sync_stat(sync, path, true, test->by, &stat, err))
        return false;
    return !stat.mode ||
           err_set(err, ERR_REMOTE, "a missing file is reported as present");
}

/* After check_sizes, which has made the files. */
static bool check_list(struct device_check_context *test, struct err *err)
{
    struct sync *sync;
    bool done;

    if (!open_sync(test, SYNC_NONE, &sync, err))
        return false;
    done = stat_three(test, sync, err) && list(test, sync, err);
    sync_close(sync);
    if (done)
        device_check_say(test, "%zu files, sizes and times right; version %s",
                         ARRAY_LEN(sizes),
                         device_has(test->device, FEATURE_LS_V2) ? "2" : "1");
    return done;
}

static bool check_compression(struct device_check_context *test,
                              enum sync_compression compression,
                              struct err *err)
{
    char path[SYNC_PATH_MAX];
    struct sync *sync;
    int64_t start = clock_ns();
    int64_t middle;
    bool done;

    if (!open_sync(test, compression, &sync, err))
        return false;
    name_file(test, "compressed", path);
    done = push(test, sync, path, MIB + 1, err);
    middle = clock_ns();
    done = done && pull(test, sync, path, MIB + 1, err);
    if (done)
        device_check_say(test, "1 MiB + 1: push %.1f, pull %.1f MiB/s",
                         device_check_speed(MIB + 1, middle - start),
                         device_check_speed(MIB + 1, clock_ns() - middle));
    sync_close(sync);
    return done;
}

static bool check_brotli(struct device_check_context *test, struct err *err)
{
    return check_compression(test, SYNC_BROTLI, err);
}

static bool check_lz4(struct device_check_context *test, struct err *err)
{
    return check_compression(test, SYNC_LZ4, err);
}

static bool check_zstd(struct device_check_context *test, struct err *err)
{
    return check_compression(test, SYNC_ZSTD, err);
}

static bool check_speeds(struct device_check_context *test, struct err *err)
{
    char path[SYNC_PATH_MAX];
    struct sync *sync;
    int64_t start;
    int64_t middle;
    bool done;

    if (!open_sync(test, SYNC_NONE, &sync, err))
        return false;
    name_file(test, "large", path);
    start = clock_ns();
    done = push(test, sync, path, CHECK_DATA_SIZE, err);
    middle = clock_ns();
    done = done && pull(test, sync, path, CHECK_DATA_SIZE, err);
    if (done)
        device_check_say(
            test, "16 MiB: push %.1f, pull %.1f MiB/s",
            device_check_speed(CHECK_DATA_SIZE, middle - start),
            device_check_speed(CHECK_DATA_SIZE, clock_ns() - middle));
    sync_close(sync);
    return done;
}

static const struct device_check checks[] = {
    {"directory", check_directory, true},
    {"push and pull", check_sizes, true},
    {"stat and list", check_list, true},
    {"brotli", check_brotli, false},
    {"lz4", check_lz4, false},
    {"zstd", check_zstd, false},
    {"speed", check_speeds, true},
};

const struct device_check_group file_checks = {"Files", checks,
                                               ARRAY_LEN(checks)};
