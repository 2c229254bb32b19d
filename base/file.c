#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "base/mem.h"
#include "base/path_parts.h"

#define NAME_TRIES 32
#define NAME_KEPT 200 /* of the name, so that the hidden name fits NAME_MAX */
#define NAME_EXTRA 16 /* added by the hidden name, with its NUL */
#define PIECE 65536U  /* read at once */
#define TREE_DESCRIPTORS 16

/* Renaming over a device or a directory would do harm. */
static bool check_replaceable(const char *path, struct err *err)
{
    struct stat now;

    if (!*path || path[strlen(path) - 1] == '/')
        return err_set(err, ERR_INVALID, "\"%s\" is not a file name", path);
    if (stat(path, &now) < 0 || S_ISREG(now.st_mode))
        return true;
    if (S_ISDIR(now.st_mode))
        return err_set(err, ERR_INVALID, "\"%s\" is a directory", path);
    return err_set(err, ERR_INVALID, "\"%s\" is not a regular file", path);
}

/* A hidden name next to path that is unlikely to exist. */
static bool name_part(const char *path, char *part, size_t size,
                      struct err *err)
{
    const char *slash = strrchr(path, '/');
    int directory = slash ? (int)(slash - path) + 1 : 0;
    uint8_t dice[3];

    if (getentropy(dice, sizeof(dice)) < 0)
        return err_errno(err, errno, "random numbers");
    snprintf(part, size, "%.*s.%.*s.%02x%02x%02x.part", directory, path,
             NAME_KEPT, path + directory, dice[0], dice[1], dice[2]);
    return true;
}

/* Create the file under a temporary name: part has room for size bytes. */
static bool create_part(const char *path, mode_t mode, char *part, size_t size,
                        int *fd, struct err *err)
{
    for (int tries = 0; tries < NAME_TRIES; tries++) {
        if (!name_part(path, part, size, err))
            return false;
        *fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (*fd >= 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    return err_errno(err, errno, "creating \"%s\"", path);
}

bool file_begin(struct file *file, const char *path, mode_t mode,
                struct err *err)
{
    size_t size = strlen(path) + NAME_EXTRA;
    char *part;
    int fd;

    if (!check_replaceable(path, err))
        return false;
    part = mem_new(size, 1);
    if (!create_part(path, mode, part, size, &fd, err)) {
        free(part);
        return false;
    }
    *file = (struct file){.fd = fd, .path = mem_dup(path), .part = part};
    return true;
}

/* Preallocate only for files that are written in many pieces. */
#define RESERVE_MIN ((uint64_t)1024 * 1024)

/* The most that is preallocated on the word of an untrusted source. */
#define RESERVE_MAX ((uint64_t)1024 * 1024 * 1024)

/* In a memory file system, preallocating costs as much as writing. */
static bool is_in_memory(int fd)
{
    struct statfs facts;

    return !fstatfs(fd, &facts) && facts.f_type == TMPFS_MAGIC;
}

void file_reserve(struct file *file, uint64_t size)
{
    if (size < RESERVE_MIN || is_in_memory(file->fd))
        return;
    file->reserved = (off_t)(size < RESERVE_MAX ? size : RESERVE_MAX);
    /* A full disk, or one that cannot do this, is noticed when writing. */
    (void)!fallocate(file->fd, FALLOC_FL_KEEP_SIZE, 0, file->reserved);
}

/* Release unused preallocated space; the file's time is kept. */
static bool trim(const struct file *file)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}};
    struct stat facts;

    if (!file->reserved)
        return true;
    if (fstat(file->fd, &facts) < 0)
        return false;
    times[1] = facts.st_mtim;
    return facts.st_size >= file->reserved ||
           (!ftruncate(file->fd, facts.st_size) && !futimens(file->fd, times));
}

/* Make file empty; the temporary file is removed or renamed already. */
static void forget(struct file *file)
{
    free(file->path);
    free(file->part);
    *file = (struct file)FILE_INIT;
}

bool file_commit(struct file *file, struct err *err)
{
    bool trimmed = trim(file);
    int fd = file->fd;

    assert(file->part);
    file->fd = -1;
    /* Some file systems report a full disk only on close. */
    if (close(fd) < 0 || !trimmed || rename(file->part, file->path) < 0) {
        err_errno(err, errno, "finishing \"%s\"", file->path);
        file_abandon(file);
        return false;
    }
    forget(file);
    return true;
}

void file_abandon(struct file *file)
{
    int saved = errno;

    if (file->fd >= 0)
        close(file->fd);
    if (file->part)
        unlink(file->part);
    forget(file);
    errno = saved;
}

bool file_write(int fd, const void *data, size_t length, struct err *err)
{
    const char *next = data;

    while (length) {
        ssize_t written = write(fd, next, length);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return err_errno(err, errno, "writing");
        next += written;
        length -= (size_t)written;
    }
    return true;
}

/* Some file systems do not support it, and return EINVAL. */
static bool sync_descriptor(int fd, struct err *err)
{
    return !fsync(fd) || errno == EINVAL || err_errno(err, errno, "writing");
}

static bool save(const char *path, mode_t mode, const void *data, size_t length,
                 bool synced, struct err *err)
{
    struct file file = FILE_INIT;

    if (!file_begin(&file, path, mode, err))
        return false;
    if (!file_write(file.fd, data, length, err) ||
        (synced && !sync_descriptor(file.fd, err))) {
        file_abandon(&file);
        return err_wrap(err, "\"%s\"", path);
    }
    return file_commit(&file, err);
}

bool file_save(const char *path, mode_t mode, const void *data, size_t length,
               struct err *err)
{
    return save(path, mode, data, length, false, err);
}

bool file_sync(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool done;

    if (fd < 0)
        return err_errno(err, errno, "opening \"%s\"", path);
    done = sync_descriptor(fd, err) || err_wrap(err, "\"%s\"", path);
    close(fd);
    return done;
}

bool file_sync_folder_of(const char *path, struct err *err)
{
    char *folder = path_folder(path);
    bool done = file_sync(folder, err);

    free(folder);
    return done;
}

bool file_save_synced(const char *path, mode_t mode, const void *data,
                      size_t length, struct err *err)
{
    return save(path, mode, data, length, true, err) &&
           file_sync_folder_of(path, err);
}

/* Is this the end of the file? */
static bool is_at_end(int fd)
{
    char byte;
    ssize_t got;

    do {
        got = read(fd, &byte, 1);
    } while (got < 0 && errno == EINTR);
    return got == 0;
}

/*
 * Append the rest of fd directly to content: it may be secret, and is then
 * stored nowhere else.
 */
static bool load_fd(int fd, struct buf *content, struct err *err)
{
    for (;;) {
        size_t room = content->limit - content->length;
        size_t size = room < PIECE ? room : PIECE;
        char *piece = buf_reserve(content, size);
        ssize_t got;

        if (!piece || (!size && !is_at_end(fd)))
            return err_set(err, ERR_LIMIT, "larger than %zu bytes",
                           content->limit);
        got = read(fd, piece, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_errno(err, errno, "reading");
        if (got == 0)
            return true;
        buf_commit(content, (size_t)got);
    }
}

bool file_load_descriptor(int fd, struct buf *content, struct err *err)
{
    size_t before = content->length;
    bool was_empty = !content->data;

    if (load_fd(fd, content, err))
        return true;
    buf_truncate(content, before);
    if (was_empty)
        buf_release(content);
    return false;
}

bool file_load(const char *path, struct buf *content, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat facts;
    bool done;

    if (fd < 0)
        return err_errno(err, errno, "opening \"%s\"", path);
    if (fstat(fd, &facts) < 0 || !S_ISREG(facts.st_mode)) {
        close(fd);
        return err_set(err, ERR_INVALID, "\"%.200s\" is not a regular file",
                       path);
    }
    done =
        file_load_descriptor(fd, content, err) || err_wrap(err, "\"%s\"", path);
    close(fd);
    return done;
}

bool file_make_folder(const char *path, mode_t mode, struct err *err)
{
    char *copy = mem_dup(path);
    bool done = true;

    for (char *at = copy; done && *at; at++) {
        if (*at != '/' || at == copy)
            continue;
        *at = '\0';
        done = !mkdir(copy, mode) || errno == EEXIST;
        *at = '/';
    }
    done = done && (!mkdir(copy, mode) || errno == EEXIST);
    if (!done)
        err_fill_errno(err, errno, "make %s", path);
    free(copy);
    return done;
}

static int remove_one(const char *path, const struct stat *facts, int kind,
                      struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    (void)!remove(path);
    return 0;
}

void file_remove_tree(const char *path)
{
    (void)!nftw(path, remove_one, TREE_DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}
