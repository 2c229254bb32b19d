#include "tools/phone/album.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tools/phone/dates.h"
#include "tools/phone/virtual_clock.h"

#define SUFFIX ".snapshot"
#define PATH_SIZE 4096

void album_init(struct album *album, const struct snapshot_state *state,
                const char *directory)
{
    *album = (struct album){
        .state = state,
        .directory = directory,
        .entries = mem_new(ALBUM_COUNT_MAX, sizeof(*album->entries)),
    };
    pthread_mutex_init(&album->lock, NULL);
}

static void forget_all(struct album *album)
{
    for (size_t i = 0; i < album->count; i++)
        buf_release(&album->entries[i].bytes);
    album->count = 0;
}

void album_release(struct album *album)
{
    forget_all(album);
    free(album->entries);
    pthread_mutex_destroy(&album->lock);
}

/* ---- names ---- */

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-.";
    size_t length = strspn(name, letters);

    return length && length < ALBUM_NAME_SIZE && !name[length] && *name != '.';
}

static bool check_name(const char *name, struct err *err)
{
    return is_name(name) || err_set(err, ERR_INVALID,
                                    "\"%.80s\" is no name of a snapshot", name);
}

static bool path_of(const struct album *album, const char *name,
                    char path[static PATH_SIZE], struct err *err)
{
    int length =
        snprintf(path, PATH_SIZE, "%s/%s" SUFFIX, album->directory, name);

    return (length > 0 && length < PATH_SIZE) ||
           err_set(err, ERR_INVALID, "the snapshots' directory is too long");
}

static bool not_found(const char *name, struct err *err)
{
    return err_set(err, ERR_NOT_FOUND, "there is no snapshot \"%.80s\"", name);
}

/* ---- in memory; with the lock held ---- */

static struct album_entry *find(struct album *album, const char *name)
{
    for (size_t i = 0; i < album->count; i++) {
        if (!strcmp(album->entries[i].name, name))
            return &album->entries[i];
    }
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct album_entry *left = a;
    const struct album_entry *right = b;

    return strcmp(left->name, right->name);
}

/* What all others take. */
static size_t bytes_beside(const struct album *album,
                           const struct album_entry *entry)
{
    size_t bytes = 0;

    for (size_t i = 0; i < album->count; i++) {
        if (&album->entries[i] != entry)
            bytes += album->entries[i].bytes.length;
    }
    return bytes;
}

/* Put it in place of the one that has its name. entry's bytes are taken. */
static bool keep(struct album *album, struct album_entry *entry,
                 struct err *err)
{
    struct album_entry *old = find(album, entry->name);

    if ((!old && album->count == ALBUM_COUNT_MAX) ||
        entry->size > ALBUM_BYTES_MAX - bytes_beside(album, old)) {
        buf_release(&entry->bytes);
        return err_set(err, ERR_LIMIT, "too many snapshots are kept in memory");
    }
    if (old)
        buf_release(&old->bytes);
    else
        old = &album->entries[album->count++];
    *old = *entry;
    qsort(album->entries, album->count, sizeof(*entry), by_name);
    return true;
}

static void forget(struct album *album, struct album_entry *entry)
{
    size_t at = (size_t)(entry - album->entries);

    buf_release(&entry->bytes);
    album->count--;
    memmove(entry, entry + 1, (album->count - at) * sizeof(*entry));
}

/* ---- in a directory ---- */

/* A snapshot's name and facts; false for a file that is something else. */
static bool read_entry(int directory, const char *file,
                       struct album_entry *entry)
{
    size_t length = strlen(file);
    size_t suffix = strlen(SUFFIX);
    struct stat facts;

    if (length <= suffix || length - suffix >= ALBUM_NAME_SIZE ||
        strcmp(file + length - suffix, SUFFIX) != 0)
        return false;
    *entry = (struct album_entry){.size = 0};
    memcpy(entry->name, file, length - suffix);
    if (!is_name(entry->name) ||
        fstatat(directory, file, &facts, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(facts.st_mode))
        return false;
    entry->size = (uint64_t)facts.st_size;
    entry->saved = facts.st_mtime;
    return true;
}

/* Be what is in the directory now. With the lock. */
static bool read_directory(struct album *album, struct err *err)
{
    DIR *directory = opendir(album->directory);
    const struct dirent *file;

    if (!directory)
        return err_errno(err, errno, "%.200s", album->directory);
    album->count = 0;
    while (album->count < ALBUM_COUNT_MAX && (file = readdir(directory)))
        album->count += read_entry(dirfd(directory), file->d_name,
                                   &album->entries[album->count]);
    closedir(directory);
    qsort(album->entries, album->count, sizeof(*album->entries), by_name);
    return true;
}

/* ---- the rest ---- */

static bool save_in_memory(struct album *album, const char *name,
                           struct err *err)
{
    struct album_entry entry = {.bytes = BUF_INIT(ALBUM_BYTES_MAX)};
    bool done;

    if (!snapshot_save(album->state, &entry.bytes, err)) {
        buf_release(&entry.bytes);
        return false;
    }
    snprintf(entry.name, sizeof(entry.name), "%s", name);
    entry.size = entry.bytes.length;
    entry.saved = virtual_clock_now(album->state->clock) / PHONE_SECOND;
    pthread_mutex_lock(&album->lock);
    done = keep(album, &entry, err);
    pthread_mutex_unlock(&album->lock);
    return done;
}

bool album_save(struct album *album, const char *name, struct err *err)
{
    char path[PATH_SIZE];

    if (!check_name(name, err))
        return false;
    if (!album->directory)
        return save_in_memory(album, name, err);
    return path_of(album, name, path, err) &&
           snapshot_save_file(album->state, path, err);
}

bool album_load(struct album *album, const char *name, struct err *err)
{
    struct album_entry *entry;
    char path[PATH_SIZE];
    bool done;

    if (!check_name(name, err))
        return false;
    if (album->directory) {
        if (!path_of(album, name, path, err))
            return false;
        return access(path, F_OK) ? not_found(name, err)
                                  : snapshot_load_file(album->state, path, err);
    }
    pthread_mutex_lock(&album->lock);
    entry = find(album, name);
    done = entry ? snapshot_load(album->state, entry->bytes.data,
                                 entry->bytes.length, err)
                 : not_found(name, err);
    pthread_mutex_unlock(&album->lock);
    return done;
}

bool album_delete(struct album *album, const char *name, struct err *err)
{
    struct album_entry *entry;
    char path[PATH_SIZE];

    if (!check_name(name, err))
        return false;
    if (album->directory) {
        if (!path_of(album, name, path, err))
            return false;
        return !unlink(path) || not_found(name, err);
    }
    pthread_mutex_lock(&album->lock);
    entry = find(album, name);
    if (entry)
        forget(album, entry);
    pthread_mutex_unlock(&album->lock);
    return entry || not_found(name, err);
}

bool album_list(struct album *album, struct buf *text, size_t *count,
                struct err *err)
{
    bool done = true;

    pthread_mutex_lock(&album->lock);
    if (album->directory)
        done = read_directory(album, err);
    for (size_t i = 0; done && i < album->count; i++) {
        const struct album_entry *entry = &album->entries[i];

        buf_printf(text, "--        %-20s %7lluK ", entry->name,
                   (unsigned long long)((entry->size + 1023) / 1024));
        dates_format(entry->saved * PHONE_SECOND, "%Y-%m-%d %H:%M:%S", text);
        buf_byte(text, '\n');
    }
    *count = album->count;
    pthread_mutex_unlock(&album->lock);
    return done;
}
