#include "tools/phone/files/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files/files_private.h"

#define DIRECTORY_SIZE 4096 /* as ls shows it */

/*
 * groups: input log adb sdcard_rw sdcard_r ext_data_rw ext_obb_rw net_bt_admin
 * net_bt inet net_bw_stats readproc uhid readtracefs
 */
static const uint32_t shell_groups[] = {1004, 1007, 1011, 1015, 1028,
                                        1078, 1079, 3001, 3002, 3003,
                                        3006, 3009, 3011, 3012};

const struct files_user files_root = {.uid = 0, .gid = 0};
const struct files_user files_shell = {
    .uid = 2000,
    .gid = 2000,
    .groups = shell_groups,
    .group_count = ARRAY_LEN(shell_groups),
};

struct phone_files *files_new(const struct files_limits *limits,
                              struct phone_time_source clock)
{
    struct file_tree *file_tree = mem_new(1, sizeof(*file_tree));
    struct phone_files *files = mem_new(1, sizeof(*files));
    uint64_t bytes = limits ? limits->bytes : 0;
    size_t nodes = limits ? limits->nodes : 0;

    pthread_mutex_init(&file_tree->lock, NULL);
    file_tree->clock = clock;
    file_tree->space = space_new(bytes ? bytes : FILES_BYTES_DEFAULT);
    file_tree->file_node_limit = nodes ? nodes : FILES_NODES_DEFAULT;
    file_tree->root = file_node_new("", S_IFDIR | 0755, NULL);
    file_tree->root->inode = 1;
    file_tree->root->mtime = phone_now(&clock);
    file_tree->next_inode = 2;
    file_tree->file_node_count = 1;
    file_tree->handles = 1;
    *files = (struct phone_files){.file_tree = file_tree, .user = files_root};
    return files;
}

struct phone_files *files_as(struct phone_files *files,
                             const struct files_user *user)
{
    struct phone_files *other = mem_new(1, sizeof(*other));

    *other = (struct phone_files){.file_tree = files->file_tree, .user = *user};
    files_lock(files);
    files->file_tree->handles++;
    files_unlock(files, true);
    return other;
}

static void free_tree(struct file_tree *file_tree)
{
    file_node_free(file_tree->root);
    space_drop(file_tree->space);
    pthread_mutex_destroy(&file_tree->lock);
    free(file_tree);
}

void files_free(struct phone_files *files)
{
    if (!files)
        return;
    files_lock(files);
    if (files_unlock(files, --files->file_tree->handles == 0))
        free_tree(files->file_tree);
    free(files);
}

const struct files_user *files_whoami(const struct phone_files *files)
{
    return &files->user;
}

const char *files_reason(int number)
{
    static const struct {
        int number;
        const char *reason;
    } reasons[] = {
        {EPERM, "Operation not permitted"},
        {ENOENT, "No such file or directory"},
        {ESRCH, "No such process"},
        {E2BIG, "Argument list too long"},
        {ENOMEM, "Out of memory"},
        {EACCES, "Permission denied"},
        {EBUSY, "Device or resource busy"},
        {EEXIST, "File exists"},
        {ENOTDIR, "Not a directory"},
        {EISDIR, "Is a directory"},
        {EINVAL, "Invalid argument"},
        {ENOSPC, "No space left on device"},
        {EROFS, "Read-only file system"},
        {ENAMETOOLONG, "File name too long"},
        {ENOTEMPTY, "Directory not empty"},
        {ELOOP, "Too many symbolic links encountered"},
    };

    for (size_t i = 0; i < ARRAY_LEN(reasons); i++) {
        if (reasons[i].number == number)
            return reasons[i].reason;
    }
    return "I/O error";
}

static struct files_stat stat_node(const struct file_node *file_node)
{
    bool is_directory = file_node_is_directory(file_node);

    return (struct files_stat){
        .inode = file_node->inode,
        .mode = file_node->mode,
        .links = is_directory ? (uint32_t)file_node->directory_count + 2 : 1,
        .uid = file_node->uid,
        .gid = file_node->gid,
        .device = file_node->device,
        .size = is_directory         ? DIRECTORY_SIZE
                : file_node->content ? file_node->content->size
                                     : 0,
        .mtime = file_node->mtime,
    };
}

bool files_stat(struct phone_files *files, const char *path, bool follow,
                struct files_stat *stat, int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!files_find(files, path, follow, &file_node, number))
        return files_unlock(files, false);
    *stat = stat_node(file_node);
    return files_unlock(files, true);
}

bool files_access(struct phone_files *files, const char *path, unsigned wanted,
                  int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!files_find(files, path, true, &file_node, number))
        return files_unlock(files, false);
    if ((wanted & MAY_WRITE) && file_node->area == FILES_READ_ONLY)
        return files_unlock(files, files_fail(number, EROFS));
    if (!files_may(files, file_node, wanted))
        return files_unlock(files, files_fail(number, EACCES));
    return files_unlock(files, true);
}

static void list_node(const struct file_node *directory, const char *after,
                      size_t limit, struct files_list *list)
{
    size_t first = *after ? file_node_behind(directory, after) : 0;
    size_t left = directory->child_count - first;

    list->count = left < limit ? left : limit;
    list->entries = mem_new(list->count, sizeof(*list->entries));
    for (size_t i = 0; i < list->count; i++)
        list->entries[i] = (struct files_entry){
            .name = mem_dup(directory->children[first + i]->name),
            .stat = stat_node(directory->children[first + i]),
        };
}

bool files_list_page(struct phone_files *files, const char *path,
                     const char *after, size_t limit, struct files_list *list,
                     int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!files_find(files, path, true, &file_node, number))
        return files_unlock(files, false);
    if (!file_node_is_directory(file_node))
        return files_unlock(files, files_fail(number, ENOTDIR));
    if (!files_may(files, file_node, MAY_READ))
        return files_unlock(files, files_fail(number, EACCES));
    list_node(file_node, after, limit, list);
    return files_unlock(files, true);
}

bool files_list(struct phone_files *files, const char *path,
                struct files_list *list, int *number)
{
    return files_list_page(files, path, "", SIZE_MAX, list, number);
}

void files_list_release(struct files_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].name);
    free(list->entries);
    *list = (struct files_list)FILES_LIST_INIT;
}

bool files_open(struct phone_files *files, const char *path,
                struct shared_bytes **content, int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!files_find(files, path, true, &file_node, number))
        return files_unlock(files, false);
    if (file_node_is_directory(file_node))
        return files_unlock(files, files_fail(number, EISDIR));
    if (!files_may(files, file_node, MAY_READ))
        return files_unlock(files, files_fail(number, EACCES));
    *content = files_content(files, file_node);
    return files_unlock(files, true);
}

bool files_read_link(struct phone_files *files, const char *path,
                     struct shared_bytes **target, int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!files_find(files, path, false, &file_node, number))
        return files_unlock(files, false);
    if (!file_node_is_link(file_node))
        return files_unlock(files, files_fail(number, EINVAL));
    *target = shared_bytes_hold(file_node->content);
    return files_unlock(files, true);
}

/* Write the path of node before end; returns its start. */
static char *spell(const struct file_node *file_node, char *end)
{
    for (; file_node->parent; file_node = file_node->parent) {
        size_t length = strlen(file_node->name);

        end -= length;
        memcpy(end, file_node->name, length);
        *--end = '/';
    }
    return end;
}

static char *path_of(const struct file_location *file_location)
{
    char path[(FILES_DEPTH_MAX + 1) * (FILES_NAME_MAX + 1) + 1];
    char *end = path + sizeof(path) - 1;
    char *begin;

    *end = '\0';
    if (file_location->file_node) {
        begin = spell(file_location->file_node, end);
    } else {
        begin = end - strlen(file_location->name);
        memcpy(begin, file_location->name, strlen(file_location->name));
        *--begin = '/';
        begin = spell(file_location->directory, begin);
    }
    return mem_dup(*begin ? begin : "/");
}

bool files_real_path(struct phone_files *files, const char *path, char **real,
                     int *number)
{
    struct file_location file_location;

    files_lock(files);
    if (!files_walk(files, path, true, &file_location, number))
        return files_unlock(files, false);
    *real = path_of(&file_location);
    return files_unlock(files, true);
}

/* Find a node whose properties the user may change: as its owner or root. */
static bool find_own(const struct phone_files *files, const char *path,
                     bool follow, struct file_node **file_node, int *number)
{
    if (!files_find(files, path, follow, file_node, number))
        return false;
    if ((*file_node)->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if ((*file_node)->area == FILES_SHARED)
        return files_may(files, *file_node, MAY_WRITE) ||
               files_fail(number, EACCES);
    if (files->user.uid != 0 && files->user.uid != (*file_node)->uid)
        return files_fail(number, EPERM);
    return true;
}

bool files_set_mode(struct phone_files *files, const char *path, uint32_t mode,
                    int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!find_own(files, path, true, &file_node, number))
        return files_unlock(files, false);
    if (file_node->area != FILES_SHARED)
        file_node->mode = (file_node->mode & S_IFMT) | (mode & PERMISSIONS);
    return files_unlock(files, true);
}

bool files_set_owner(struct phone_files *files, const char *path, uint32_t uid,
                     uint32_t gid, int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!find_own(files, path, true, &file_node, number))
        return files_unlock(files, false);
    if (files->user.uid != 0 &&
        (file_node->uid != uid || file_node->gid != gid))
        return files_unlock(files, files_fail(number, EPERM));
    if (file_node->area != FILES_SHARED) {
        file_node->uid = uid;
        file_node->gid = gid;
    }
    return files_unlock(files, true);
}

bool files_set_time(struct phone_files *files, const char *path, bool follow,
                    int64_t mtime, int *number)
{
    struct file_node *file_node;

    files_lock(files);
    if (!find_own(files, path, follow, &file_node, number))
        return files_unlock(files, false);
    file_node->mtime = mtime;
    return files_unlock(files, true);
}

bool files_set_area(struct phone_files *files, const char *path,
                    enum files_area area, int *number)
{
    struct file_node *file_node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    files_lock(files);
    if (!files_find(files, path, true, &file_node, number) ||
        !files_suits_area(file_node, area, number))
        return files_unlock(files, false);
    files_move_to_area(file_node, area);
    return files_unlock(files, true);
}

struct files_space files_space(struct phone_files *files)
{
    struct file_tree *file_tree = files->file_tree;
    struct files_space space = {
        .bytes = space_limit(file_tree->space),
        .bytes_used = space_used(file_tree->space),
        .nodes = file_tree->file_node_limit,
    };

    files_lock(files);
    space.nodes_used = file_tree->file_node_count;
    files_unlock(files, true);
    return space;
}

struct files_snapshot {
    struct file_node *root; /* owned */
    size_t file_node_count;
    uint64_t next_inode;
};

struct files_snapshot *files_snapshot(struct phone_files *files)
{
    struct files_snapshot *snapshot = mem_new(1, sizeof(*snapshot));
    struct file_tree *file_tree = files->file_tree;

    files_lock(files);
    *snapshot = (struct files_snapshot){
        .root = file_node_copy(file_tree->root),
        .file_node_count = file_tree->file_node_count,
        .next_inode = file_tree->next_inode,
    };
    files_unlock(files, true);
    return snapshot;
}

void files_restore(struct phone_files *files,
                   const struct files_snapshot *snapshot)
{
    struct file_tree *file_tree = files->file_tree;
    struct file_node *root = file_node_copy(snapshot->root);

    files_lock(files);
    file_node_free(file_tree->root);
    file_tree->root = root;
    file_tree->file_node_count = snapshot->file_node_count;
    file_tree->next_inode = snapshot->next_inode;
    files_unlock(files, true);
}

void files_snapshot_free(struct files_snapshot *snapshot)
{
    if (!snapshot)
        return;
    file_node_free(snapshot->root);
    free(snapshot);
}
