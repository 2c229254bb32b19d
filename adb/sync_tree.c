#include "adb/sync_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adb/sync_session.h"
#include "base/mem.h"

void sync_tree_release(struct sync_tree *tree)
{
    free(tree->entries);
    buf_release(&tree->names);
    *tree = (struct sync_tree)SYNC_TREE_INIT;
}

const char *sync_tree_path(const struct sync_tree *tree,
                           const struct sync_entry *entry)
{
    return tree->names.data + entry->path;
}

bool sync_tree_join(struct buf *joined, const char *root, const char *path,
                    struct err *err)
{
    buf_clear(joined);
    buf_text(joined, root);
    if (*path && (!*root || root[strlen(root) - 1] != '/'))
        buf_byte(joined, '/');
    buf_text(joined, path);
    if (joined->overflow)
        return err_set(err, ERR_INVALID,
                       "the path %.60s... has more than %zu bytes", root,
                       joined->limit);
    return true;
}

void sync_tree_base_name(const char *path, struct buf *name)
{
    size_t end = strlen(path);
    size_t start;

    while (end && path[end - 1] == '/')
        end--;
    for (start = end; start && path[start - 1] != '/'; start--)
        ;
    buf_clear(name);
    buf_append(name, path + start, end - start);
    if (!strcmp(buf_cstr(name), ".") || !strcmp(buf_cstr(name), ".."))
        buf_clear(name);
}

static bool is_dots(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

static void add_root(struct sync_tree *tree)
{
    tree->capacity = 64;
    tree->entries = mem_new(tree->capacity, sizeof(*tree->entries));
    tree->entries[0] = (struct sync_entry){.stat = {.mode = S_IFDIR | 0755}};
    tree->count = 1;
    buf_append(&tree->names, "", 1);
}

/* Append the child's path; the parent's lies in the same buffer. */
static void add_path(struct sync_tree *tree, size_t parent, const char *name)
{
    size_t size = strlen(tree->names.data + parent);
    char *room = buf_reserve(&tree->names, size);

    if (!room)
        return;
    memcpy(room, tree->names.data + parent, size);
    buf_commit(&tree->names, size);
    if (size)
        buf_byte(&tree->names, '/');
    buf_append(&tree->names, name, strlen(name) + 1);
}

/* Add what the directory at index parent holds under name. */
static bool add(struct sync_tree *tree, size_t parent, const char *name,
                const struct sync_stat *stat, struct err *err)
{
    struct sync_entry entry = {.path = tree->names.length,
                               .depth = tree->entries[parent].depth + 1,
                               .stat = *stat};

    if (is_dots(name))
        return true;
    if (!S_ISREG(stat->mode) && !S_ISDIR(stat->mode) && !S_ISLNK(stat->mode)) {
        tree->skipped++;
        return true;
    }
    tree->entries[parent].has_children = true;
    if (tree->count == SYNC_ENTRIES_MAX)
        return err_set(err, ERR_LIMIT, "more than %d files", SYNC_ENTRIES_MAX);
    if (entry.depth > SYNC_DEPTH_MAX)
        return err_set(err, ERR_LIMIT, "directories more than %d deep",
                       SYNC_DEPTH_MAX);
    add_path(tree, tree->entries[parent].path, name);
    if (tree->names.overflow)
        return err_set(err, ERR_LIMIT, "more than %zu bytes of names",
                       SYNC_TREE_NAMES_MAX);
    if (tree->count == tree->capacity) {
        tree->capacity *= 2;
        tree->entries =
            mem_resize(tree->entries, tree->capacity, sizeof(*tree->entries));
    }
    tree->entries[tree->count++] = entry;
    return true;
}

static bool add_local(struct sync_tree *tree, size_t parent, DIR *directory,
                      const char *name, struct err *err)
{
    struct sync_stat stat;
    struct stat found;

    if (fstatat(dirfd(directory), name, &found, AT_SYMLINK_NOFOLLOW) < 0)
        return err_errno(err, errno, "looking at \"%s\"", name);
    stat = (struct sync_stat){.mode = found.st_mode,
                              .uid = found.st_uid,
                              .gid = found.st_gid,
                              .size = (uint64_t)found.st_size,
                              .mtime = found.st_mtime};
    return add(tree, parent, name, &stat, err);
}

static bool scan_local_directory(struct sync_tree *tree, size_t parent,
                                 const char *path, struct err *err)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    bool good = true;

    if (!directory)
        return err_errno(err, errno, "opening \"%s\"", path);
    while (good && (errno = 0, entry = readdir(directory)))
        good = add_local(tree, parent, directory, entry->d_name, err);
    if (good && errno)
        good = err_errno(err, errno, "reading \"%s\"", path);
    closedir(directory);
    return good;
}

bool sync_tree_scan_local(struct sync_tree *tree, const char *root,
                          struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool good = true;

    add_root(tree);
    for (size_t i = 0; good && i < tree->count; i++) {
        if (!S_ISDIR(tree->entries[i].stat.mode))
            continue;
        good = sync_tree_join(&path, root,
                              sync_tree_path(tree, &tree->entries[i]), err) &&
               scan_local_directory(tree, i, buf_cstr(&path), err);
    }
    buf_release(&path);
    return good;
}

/* A remote directory being listed. */
struct listing {
    struct sync_tree *tree;
    size_t parent;
    bool failed;
    struct err err;
};

static bool add_remote(void *context, const char *name,
                       const struct sync_stat *stat)
{
    struct listing *listing = context;

    listing->failed =
        !add(listing->tree, listing->parent, name, stat, &listing->err);
    return !listing->failed;
}

static bool scan_remote_directory(struct sync_tree *tree, size_t parent,
                                  struct sync *sync, const char *path,
                                  struct deadline by, struct err *err)
{
    struct listing listing = {.tree = tree, .parent = parent};

    if (!sync_list(sync, path, add_remote, &listing, by, err))
        return false;
    if (listing.failed) {
        *err = listing.err;
        return sync_wrap("listing", path, err);
    }
    return true;
}

/* See what a link names: a file's facts take the place of the link's. */
static bool resolve(struct sync_tree *tree, struct sync_entry *entry,
                    struct sync *sync, const char *path, struct deadline by,
                    struct err *err)
{
    struct sync_stat named = {.mode = 0};
    struct err why;

    if (sync_has(sync, FEATURE_STAT_V2) &&
        !sync_stat(sync, path, true, by, &named, &why) &&
        why.code != ERR_REMOTE) {
        *err = why;
        return false;
    }
    if (!S_ISREG(named.mode)) {
        named.mode = 0;
        tree->skipped++;
    }
    entry->stat = named;
    return true;
}

bool sync_tree_scan_remote(struct sync_tree *tree, struct sync *sync,
                           const char *root, struct deadline by,
                           struct err *err)
{
    struct buf path = BUF_INIT(SYNC_PATH_MAX);
    bool good = true;

    add_root(tree);
    for (size_t i = 0; good && i < tree->count; i++) {
        uint32_t mode = tree->entries[i].stat.mode;

        if (S_ISREG(mode))
            continue;
        good = sync_tree_join(&path, root,
                              sync_tree_path(tree, &tree->entries[i]), err);
        if (good && S_ISDIR(mode))
            good =
                scan_remote_directory(tree, i, sync, buf_cstr(&path), by, err);
        else if (good)
            good = resolve(tree, &tree->entries[i], sync, buf_cstr(&path), by,
                           err);
    }
    buf_release(&path);
    return good;
}
