#include "process_provider/pictures/ocr_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* Entries are in 256 folders by the first two digits of their names. */
#define FOLDER_DIGITS 2
#define ENTRIES_MAX 256                /* in one of these folders */
#define BYTES_MAX ((size_t)1 << 20)    /* the same */
#define ENTRY_MAX ((size_t)256 * 1024) /* larger ones are not kept */

struct ocr_cache {
    char *folder;  /* owned */
    char *version; /* owned */
};

/* Only its owner may write into the folder, and no link leads elsewhere. */
static bool is_own_folder(const char *folder)
{
    struct stat found;

    return !lstat(folder, &found) && S_ISDIR(found.st_mode) &&
           found.st_uid == geteuid() && !(found.st_mode & (S_IWGRP | S_IWOTH));
}

struct ocr_cache *ocr_cache_open(const char *folder, const char *version)
{
    struct ocr_cache *cache;
    struct err ignored;

    if (!file_make_folder(folder, 0700, &ignored) || !is_own_folder(folder))
        return NULL;
    cache = mem_new(1, sizeof(*cache));
    *cache = (struct ocr_cache){mem_dup(folder), mem_dup(version)};
    return cache;
}

void ocr_cache_close(struct ocr_cache *cache)
{
    if (!cache)
        return;
    free(cache->folder);
    free(cache->version);
    free(cache);
}

void ocr_cache_key(const struct ocr_cache *cache, const char *layout,
                   const struct buf *picture, char key[SHA256_HEX_SIZE])
{
    struct buf all = BUF_INIT(SIZE_MAX);
    char pixels[SHA256_HEX_SIZE];

    key[0] = '\0';
    if (!cache)
        return;
    sha256_hex(picture->data, picture->length, pixels);
    buf_printf(&all, "%s\n%s\n%s", cache->version, layout, pixels);
    sha256_hex(all.data, all.length, key);
    buf_release(&all);
}

static void add_folder(const struct ocr_cache *cache, const char *key,
                       struct buf *path)
{
    buf_printf(path, "%s/%.*s", cache->folder, FOLDER_DIGITS, key);
}

bool ocr_cache_get(const struct ocr_cache *cache, const char *key,
                   struct buf *table)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;
    bool found;

    if (!cache)
        return false;
    add_folder(cache, key, &path);
    buf_printf(&path, "/%s", key);
    found = file_load(buf_cstr(&path), table, &ignored);
    buf_release(&path);
    return found;
}

/* An entry of a folder, by age. */
struct cache_file {
    char name[NAME_MAX + 1];
    struct timespec when;
};

/* What a folder holds. */
struct folder_content {
    size_t count;
    size_t bytes;
    struct cache_file oldest;
};

static bool is_older(const struct stat *found, const struct cache_file *than)
{
    return !than->name[0] || found->st_mtim.tv_sec < than->when.tv_sec ||
           (found->st_mtim.tv_sec == than->when.tv_sec &&
            found->st_mtim.tv_nsec < than->when.tv_nsec);
}

static struct folder_content look_at(DIR *stream)
{
    struct folder_content content = {.count = 0};
    const struct dirent *entry;

    rewinddir(stream);
    while ((entry = readdir(stream))) {
        struct stat found;

        if (entry->d_name[0] == '.' ||
            fstatat(dirfd(stream), entry->d_name, &found,
                    AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(found.st_mode))
            continue;
        content.count++;
        content.bytes += (size_t)found.st_size;
        if (is_older(&found, &content.oldest)) {
            memcpy(content.oldest.name, entry->d_name,
                   strlen(entry->d_name) + 1);
            content.oldest.when = found.st_mtim;
        }
    }
    return content;
}

/* Remove the oldest entries until there is room for one of this many bytes. */
static void make_room(const char *folder, size_t bytes)
{
    DIR *stream = opendir(folder);
    struct folder_content content;

    if (!stream)
        return;
    do {
        content = look_at(stream);
    } while (
        (content.count >= ENTRIES_MAX || content.bytes + bytes > BYTES_MAX) &&
        content.count && !unlinkat(dirfd(stream), content.oldest.name, 0));
    closedir(stream);
}

void ocr_cache_put(const struct ocr_cache *cache, const char *key,
                   const struct buf *table)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;

    if (!cache || table->length > ENTRY_MAX)
        return;
    add_folder(cache, key, &path);
    if (file_make_folder(buf_cstr(&path), 0700, &ignored)) {
        make_room(buf_cstr(&path), table->length);
        buf_printf(&path, "/%s", key);
        (void)!file_save(buf_cstr(&path), 0600, buf_cstr(table), table->length,
                         &ignored);
    }
    buf_release(&path);
}
