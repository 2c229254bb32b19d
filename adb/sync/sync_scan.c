#include "adb/sync/sync_scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "adb/sync/sync_session.h"
#include "base/mem.h"

void sync_scan_release(struct sync_scan *tree)
{
    free(tree->entries);
    buf_release(&tree->names);
    *tree = (struct sync_scan)SYNC_SCAN_INIT;
}

const char *sync_scan_path(const struct sync_scan *tree,
                           const struct sync_scan_entry *entry)
{
    return tree->names.data + entry->path;
}

bool sync_scan_join(struct buf *joined, const char *root, const char *path,
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

void sync_scan_base_name(const char *path, struct buf *name)
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

static void add_root(struct sync_scan *tree)
{
    tree->capacity = 64;
    tree->entries = mem_new(tree->capacity, sizeof(*tree->entries));
    tree->entries[0] =
        (struct sync_scan_entry){.stat = {.mode = S_IFDIR | 0755}};
    tree->count = 1;
    buf_append(&tree->names, "", 1);
}

/* Leave out the file at path (below the root), or the file name in it. */
static void leave_out(struct sync_scan *tree, const char *path,
                      const char *name, const char *reason)
{
    struct buf whole = BUF_INIT(2 * PATH_MAX);

    tree->skipped++;
    buf_printf(&whole, "%s%s%s%s%s", tree->root, *path ? "/" : "", path,
               *name ? "/" : "", name);
    if (tree->skip)
        tree->skip(tree->context, buf_cstr(&whole), reason);
    buf_release(&whole);
}

/* Append the child's path; the parent's is in the same buffer. */
static void add_path(struct sync_scan *tree, size_t parent, const char *name)
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

/* Add the file name in the directory at index parent. */
static bool add(struct sync_scan *tree, size_t parent, const char *name,
                const struct sync_stat *stat, struct err *err)
{
    struct sync_scan_entry entry = {.path = tree->names.length,
                                    .parent = parent,
                                    .depth = tree->entries[parent].depth + 1,
                                    .stat = *stat};

    if (is_dots(name))
        return true;
    if (!S_ISREG(stat->mode) && !S_ISDIR(stat->mode) && !S_ISLNK(stat->mode)) {
        leave_out(tree, sync_scan_path(tree, &tree->entries[parent]), name,
                  "neither file, directory nor link");
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
                       SYNC_SCAN_NAMES_MAX);
    if (tree->count == tree->capacity) {
        tree->capacity *= 2;
        tree->entries =
            mem_resize(tree->entries, tree->capacity, sizeof(*tree->entries));
    }
    tree->entries[tree->count++] = entry;
    return true;
}

static bool add_local(struct sync_scan *tree, size_t parent, DIR *directory,
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

static bool scan_local_directory(struct sync_scan *tree, size_t parent,
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

bool sync_scan_local(struct sync_scan *tree, const char *root, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool good = true;

    add_root(tree);
    tree->root = root;
    for (size_t i = 0; good && i < tree->count; i++) {
        if (!S_ISDIR(tree->entries[i].stat.mode))
            continue;
        good = sync_scan_join(&path, root,
                              sync_scan_path(tree, &tree->entries[i]), err) &&
               scan_local_directory(tree, i, buf_cstr(&path), err);
    }
    buf_release(&path);
    return good;
}

/* A remote directory that is being listed. */
struct remote_listing {
    struct sync_scan *tree;
    size_t parent;
    bool failed;
    struct err err;
};

static bool add_remote(void *context, const char *name,
                       const struct sync_stat *stat)
{
    struct remote_listing *listing = context;

    listing->failed =
        !add(listing->tree, listing->parent, name, stat, &listing->err);
    return !listing->failed;
}

static bool scan_remote_directory(struct sync_scan *tree, size_t parent,
                                  struct sync *sync, const char *path,
                                  struct deadline by, struct err *err)
{
    struct remote_listing listing = {.tree = tree, .parent = parent};

    if (!sync_list(sync, path, add_remote, &listing, by, err))
        return false;
    if (listing.failed) {
        *err = listing.err;
        return sync_wrap("listing", path, err);
    }
    return true;
}

/* Is the entry at index inside the directory that stat describes? */
static bool lies_in(const struct sync_scan *tree, size_t index,
                    const struct sync_stat *stat)
{
    while (stat->ino && index) {
        const struct sync_stat *above;

        index = tree->entries[index].parent;
        above = &tree->entries[index].stat;
        if (above->ino == stat->ino && above->dev == stat->dev)
            return true;
    }
    return false;
}

/*
 * Why the link at index, with target named, is left out; NULL: it is not.
 * Without stat_v2 nothing tells whether a directory contains the link.
 */
static const char *reason_against(struct sync_scan *tree, size_t index,
                                  const struct sync *sync,
                                  const struct sync_stat *named)
{
    if (!sync_has(sync, FEATURE_STAT_V2)) {
        tree->unread++;
        return "a link whose target this device does not report";
    }
    if (S_ISDIR(named->mode))
        return lies_in(tree, index, named)
                   ? "a link to a directory that contains it"
                   : NULL;
    if (S_ISREG(named->mode))
        return NULL;
    return named->mode ? "a link to neither file nor directory"
                       : "a link to nothing";
}

/* Replace the link at index by its target, or leave it out. */
static bool resolve(struct sync_scan *tree, size_t index, struct sync *sync,
                    const char *path, struct deadline by, struct err *err)
{
    struct sync_scan_entry *entry = &tree->entries[index];
    struct sync_stat named = {.mode = 0};
    const char *reason;
    struct err why;

    if (sync_has(sync, FEATURE_STAT_V2) &&
        !sync_stat(sync, path, true, by, &named, &why) &&
        why.code != ERR_REMOTE) {
        *err = why;
        return false;
    }
    reason = reason_against(tree, index, sync, &named);
    if (reason) {
        named.mode = 0;
        leave_out(tree, sync_scan_path(tree, entry), "", reason);
    }
    entry->stat = named;
    return true;
}

bool sync_scan_remote(struct sync_scan *tree, struct sync *sync,
                      const char *root, const struct sync_stat *stat,
                      struct deadline by, struct err *err)
{
    struct buf path = BUF_INIT(SYNC_PATH_MAX);
    bool good = true;

    add_root(tree);
    tree->entries[0].stat = *stat;
    tree->root = root;
    for (size_t i = 0; good && i < tree->count; i++) {
        if (S_ISREG(tree->entries[i].stat.mode))
            continue;
        good = sync_scan_join(&path, root,
                              sync_scan_path(tree, &tree->entries[i]), err);
        if (good && S_ISLNK(tree->entries[i].stat.mode))
            good = resolve(tree, i, sync, buf_cstr(&path), by, err);
        if (good && S_ISDIR(tree->entries[i].stat.mode))
            good =
                scan_remote_directory(tree, i, sync, buf_cstr(&path), by, err);
    }
    buf_release(&path);
    return good;
}
