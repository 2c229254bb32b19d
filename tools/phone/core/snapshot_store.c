#include "tools/phone/core/snapshot_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tools/phone/core/date_text.h"
#include "tools/phone/core/virtual_clock.h"

#define SUFFIX ".snapshot"
#define PATH_SIZE 4096

void snapshot_store_init(struct snapshot_store *snapshot_store,
                         const struct snapshot_state *state,
                         const char *directory)
{
    *snapshot_store = (struct snapshot_store){
        .state = state,
        .directory = directory,
        .entries =
            mem_new(SNAPSHOT_STORE_COUNT_MAX, sizeof(*snapshot_store->entries)),
    };
    pthread_mutex_init(&snapshot_store->lock, NULL);
}

static void forget_all(struct snapshot_store *snapshot_store)
{
    for (size_t i = 0; i < snapshot_store->count; i++)
        buf_release(&snapshot_store->entries[i].bytes);
    snapshot_store->count = 0;
}

void snapshot_store_release(struct snapshot_store *snapshot_store)
{
    forget_all(snapshot_store);
    free(snapshot_store->entries);
    pthread_mutex_destroy(&snapshot_store->lock);
}

/* ---- names ---- */

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-.";
    size_t length = strspn(name, letters);

    return length && length < SNAPSHOT_STORE_NAME_SIZE && !name[length] &&
           *name != '.';
}

static bool check_name(const char *name, struct err *err)
{
    return is_name(name) || err_set(err, ERR_INVALID,
                                    "\"%.80s\" is no name of a snapshot", name);
}

static bool path_of(const struct snapshot_store *snapshot_store,
                    const char *name, char path[static PATH_SIZE],
                    struct err *err)
{
    int length = snprintf(path, PATH_SIZE, "%s/%s" SUFFIX,
                          snapshot_store->directory, name);

    return (length > 0 && length < PATH_SIZE) ||
           err_set(err, ERR_INVALID, "the snapshots' directory is too long");
}

static bool not_found(const char *name, struct err *err)
{
    return err_set(err, ERR_NOT_FOUND, "there is no snapshot \"%.80s\"", name);
}

/* ---- in memory; with the lock held ---- */

static struct snapshot_store_entry *find(struct snapshot_store *snapshot_store,
                                         const char *name)
{
    for (size_t i = 0; i < snapshot_store->count; i++) {
        if (!strcmp(snapshot_store->entries[i].name, name))
            return &snapshot_store->entries[i];
    }
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct snapshot_store_entry *left = a;
    const struct snapshot_store_entry *right = b;

    return strcmp(left->name, right->name);
}

/* The size of all others. */
static size_t bytes_beside(const struct snapshot_store *snapshot_store,
                           const struct snapshot_store_entry *entry)
{
    size_t bytes = 0;

    for (size_t i = 0; i < snapshot_store->count; i++) {
        if (&snapshot_store->entries[i] != entry)
            bytes += snapshot_store->entries[i].bytes.length;
    }
    return bytes;
}

/* Replace the entry of the same name. Takes over entry's bytes. */
static bool keep(struct snapshot_store *snapshot_store,
                 struct snapshot_store_entry *entry, struct err *err)
{
    struct snapshot_store_entry *old = find(snapshot_store, entry->name);

    if ((!old && snapshot_store->count == SNAPSHOT_STORE_COUNT_MAX) ||
        entry->size >
            SNAPSHOT_STORE_BYTES_MAX - bytes_beside(snapshot_store, old)) {
        buf_release(&entry->bytes);
        return err_set(
            err, ERR_LIMIT,
            "too many snapshots are in memory; delete one, or use a directory");
    }
    if (old)
        buf_release(&old->bytes);
    else
        old = &snapshot_store->entries[snapshot_store->count++];
    *old = *entry;
    qsort(snapshot_store->entries, snapshot_store->count, sizeof(*entry),
          by_name);
    return true;
}

static void forget(struct snapshot_store *snapshot_store,
                   struct snapshot_store_entry *entry)
{
    size_t at = (size_t)(entry - snapshot_store->entries);

    buf_release(&entry->bytes);
    snapshot_store->count--;
    memmove(entry, entry + 1, (snapshot_store->count - at) * sizeof(*entry));
}

/* ---- in a directory ---- */

/* The name and properties of a snapshot file; false for other files. */
static bool read_entry(int directory, const char *file,
                       struct snapshot_store_entry *entry)
{
    size_t length = strlen(file);
    size_t suffix = strlen(SUFFIX);
    struct stat facts;

    if (length <= suffix || length - suffix >= SNAPSHOT_STORE_NAME_SIZE ||
        strcmp(file + length - suffix, SUFFIX) != 0)
        return false;
    *entry = (struct snapshot_store_entry){.size = 0};
    memcpy(entry->name, file, length - suffix);
    if (!is_name(entry->name) ||
        fstatat(directory, file, &facts, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(facts.st_mode))
        return false;
    entry->size = (uint64_t)facts.st_size;
    entry->saved = facts.st_mtime;
    return true;
}

/* Read the directory again. With the lock held. */
static bool read_directory(struct snapshot_store *snapshot_store,
                           struct err *err)
{
    DIR *directory = opendir(snapshot_store->directory);
    const struct dirent *file;

    if (!directory)
        return err_errno(err, errno, "%.200s", snapshot_store->directory);
    snapshot_store->count = 0;
    while (snapshot_store->count < SNAPSHOT_STORE_COUNT_MAX &&
           (file = readdir(directory)))
        snapshot_store->count +=
            read_entry(dirfd(directory), file->d_name,
                       &snapshot_store->entries[snapshot_store->count]);
    closedir(directory);
    qsort(snapshot_store->entries, snapshot_store->count,
          sizeof(*snapshot_store->entries), by_name);
    return true;
}

/* ---- functions that take the lock ---- */

static bool save_in_memory(struct snapshot_store *snapshot_store,
                           const char *name, struct err *err)
{
    struct snapshot_store_entry entry = {
        .bytes = BUF_INIT(SNAPSHOT_STORE_BYTES_MAX)};
    bool done;

    if (!snapshot_save(snapshot_store->state, &entry.bytes, err)) {
        buf_release(&entry.bytes);
        return false;
    }
    snprintf(entry.name, sizeof(entry.name), "%s", name);
    entry.size = entry.bytes.length;
    entry.saved =
        virtual_clock_now(snapshot_store->state->clock) / PHONE_SECOND;
    pthread_mutex_lock(&snapshot_store->lock);
    done = keep(snapshot_store, &entry, err);
    pthread_mutex_unlock(&snapshot_store->lock);
    return done;
}

bool snapshot_store_save(struct snapshot_store *snapshot_store,
                         const char *name, struct err *err)
{
    char path[PATH_SIZE];

    if (!check_name(name, err))
        return false;
    if (!snapshot_store->directory)
        return save_in_memory(snapshot_store, name, err);
    return path_of(snapshot_store, name, path, err) &&
           snapshot_save_file(snapshot_store->state, path, err);
}

bool snapshot_store_load(struct snapshot_store *snapshot_store,
                         const char *name, struct err *err)
{
    struct snapshot_store_entry *entry;
    char path[PATH_SIZE];
    bool done;

    if (!check_name(name, err))
        return false;
    if (snapshot_store->directory) {
        if (!path_of(snapshot_store, name, path, err))
            return false;
        return access(path, F_OK)
                   ? not_found(name, err)
                   : snapshot_load_file(snapshot_store->state, path, err);
    }
    pthread_mutex_lock(&snapshot_store->lock);
    entry = find(snapshot_store, name);
    done = entry ? snapshot_load(snapshot_store->state, entry->bytes.data,
                                 entry->bytes.length, err)
                 : not_found(name, err);
    pthread_mutex_unlock(&snapshot_store->lock);
    return done;
}

bool snapshot_store_delete(struct snapshot_store *snapshot_store,
                           const char *name, struct err *err)
{
    struct snapshot_store_entry *entry;
    char path[PATH_SIZE];

    if (!check_name(name, err))
        return false;
    if (snapshot_store->directory) {
        if (!path_of(snapshot_store, name, path, err))
            return false;
        return !unlink(path) || not_found(name, err);
    }
    pthread_mutex_lock(&snapshot_store->lock);
    entry = find(snapshot_store, name);
    if (entry)
        forget(snapshot_store, entry);
    pthread_mutex_unlock(&snapshot_store->lock);
    return entry || not_found(name, err);
}

bool snapshot_store_list(struct snapshot_store *snapshot_store,
                         struct buf *text, size_t *count, struct err *err)
{
    bool done = true;

    pthread_mutex_lock(&snapshot_store->lock);
    if (snapshot_store->directory)
        done = read_directory(snapshot_store, err);
    for (size_t i = 0; done && i < snapshot_store->count; i++) {
        const struct snapshot_store_entry *entry = &snapshot_store->entries[i];

        buf_printf(text, "--        %-20s %7lluK ", entry->name,
                   (unsigned long long)((entry->size + 1023) / 1024));
        date_text_format(entry->saved * PHONE_SECOND, "%Y-%m-%d %H:%M:%S",
                         text);
        buf_byte(text, '\n');
    }
    *count = snapshot_store->count;
    pthread_mutex_unlock(&snapshot_store->lock);
    return done;
}
