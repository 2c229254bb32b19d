#include "tools/phone/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files_private.h"

#define DIRECTORY_SIZE 4096 /* what ls shows for one */

/* input log adb sdcard_rw sdcard_r ext_data_rw ext_obb_rw net_bt_admin net_bt
 * inet net_bw_stats readproc uhid */
static const uint32_t shell_groups[] = {1004, 1007, 1011, 1015, 1028,
                                        1078, 1079, 3001, 3002, 3003,
                                        3006, 3009, 3011};

const struct files_user files_root = {.uid = 0, .gid = 0};
const struct files_user files_shell = {
    .uid = 2000,
    .gid = 2000,
    .groups = shell_groups,
    .group_count = ARRAY_LEN(shell_groups),
};

struct files *files_new(const struct files_limits *limits,
                        struct phone_clock clock)
{
    struct tree *tree = mem_new(1, sizeof(*tree));
    struct files *files = mem_new(1, sizeof(*files));
    uint64_t bytes = limits ? limits->bytes : 0;
    size_t nodes = limits ? limits->nodes : 0;

    pthread_mutex_init(&tree->lock, NULL);
    tree->clock = clock;
    tree->space = space_new(bytes ? bytes : FILES_BYTES_DEFAULT);
    tree->node_limit = nodes ? nodes : FILES_NODES_DEFAULT;
    tree->root = node_new("", S_IFDIR | 0755, NULL);
    tree->root->inode = 1;
    tree->root->mtime = phone_now(&clock);
    tree->next_inode = 2;
    tree->node_count = 1;
    tree->handles = 1;
    *files = (struct files){.tree = tree, .user = files_root};
    return files;
}

struct files *files_as(struct files *files, const struct files_user *user)
{
    struct files *other = mem_new(1, sizeof(*other));

    *other = (struct files){.tree = files->tree, .user = *user};
    files_lock(files);
    files->tree->handles++;
    files_unlock(files, true);
    return other;
}

static void free_tree(struct tree *tree)
{
    node_free(tree->root);
    space_drop(tree->space);
    pthread_mutex_destroy(&tree->lock);
    free(tree);
}

void files_free(struct files *files)
{
    if (!files)
        return;
    files_lock(files);
    if (files_unlock(files, --files->tree->handles == 0))
        free_tree(files->tree);
    free(files);
}

const struct files_user *files_whoami(const struct files *files)
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

static struct files_stat stat_node(const struct node *node)
{
    bool is_directory = node_is_directory(node);

    return (struct files_stat){
        .inode = node->inode,
        .mode = node->mode,
        .links = is_directory ? (uint32_t)node->directory_count + 2 : 1,
        .uid = node->uid,
        .gid = node->gid,
        .device = node->device,
        .size = is_directory    ? DIRECTORY_SIZE
                : node->content ? node->content->size
                                : 0,
        .mtime = node->mtime,
    };
}

bool files_stat(struct files *files, const char *path, bool follow,
                struct files_stat *stat, int *number)
{
    struct node *node;

    files_lock(files);
    if (!files_find(files, path, follow, &node, number))
        return files_unlock(files, false);
    *stat = stat_node(node);
    return files_unlock(files, true);
}

bool files_access(struct files *files, const char *path, unsigned wanted,
                  int *number)
{
    struct node *node;

    files_lock(files);
    if (!files_find(files, path, true, &node, number))
        return files_unlock(files, false);
    if ((wanted & MAY_WRITE) && node->area == FILES_READ_ONLY)
        return files_unlock(files, files_fail(number, EROFS));
    if (!files_may(files, node, wanted))
        return files_unlock(files, files_fail(number, EACCES));
    return files_unlock(files, true);
}

static void list_node(const struct node *directory, const char *after,
                      size_t limit, struct files_list *list)
{
    size_t first = *after ? node_behind(directory, after) : 0;
    size_t left = directory->child_count - first;

    list->count = left < limit ? left : limit;
    list->entries = mem_new(list->count, sizeof(*list->entries));
    for (size_t i = 0; i < list->count; i++)
        list->entries[i] = (struct files_entry){
            .name = mem_dup(directory->children[first + i]->name),
            .stat = stat_node(directory->children[first + i]),
        };
}

bool files_list_page(struct files *files, const char *path, const char *after,
                     size_t limit, struct files_list *list, int *number)
{
    struct node *node;

    files_lock(files);
    if (!files_find(files, path, true, &node, number))
        return files_unlock(files, false);
    if (!node_is_directory(node))
        return files_unlock(files, files_fail(number, ENOTDIR));
    if (!files_may(files, node, MAY_READ))
        return files_unlock(files, files_fail(number, EACCES));
    list_node(node, after, limit, list);
    return files_unlock(files, true);
}

bool files_list(struct files *files, const char *path, struct files_list *list,
                int *number)
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

bool files_open(struct files *files, const char *path, struct blob **content,
                int *number)
{
    struct node *node;

    files_lock(files);
    if (!files_find(files, path, true, &node, number))
        return files_unlock(files, false);
    if (node_is_directory(node))
        return files_unlock(files, files_fail(number, EISDIR));
    if (!files_may(files, node, MAY_READ))
        return files_unlock(files, files_fail(number, EACCES));
    *content = files_content(files, node);
    return files_unlock(files, true);
}

bool files_read_link(struct files *files, const char *path,
                     struct blob **target, int *number)
{
    struct node *node;

    files_lock(files);
    if (!files_find(files, path, false, &node, number))
        return files_unlock(files, false);
    if (!node_is_link(node))
        return files_unlock(files, files_fail(number, EINVAL));
    *target = blob_hold(node->content);
    return files_unlock(files, true);
}

/* Write the path of node in front of end; returns where it begins. */
static char *spell(const struct node *node, char *end)
{
    for (; node->parent; node = node->parent) {
        size_t length = strlen(node->name);

        end -= length;
        memcpy(end, node->name, length);
        *--end = '/';
    }
    return end;
}

static char *path_of(const struct place *place)
{
    char path[(FILES_DEPTH_MAX + 1) * (FILES_NAME_MAX + 1) + 1];
    char *end = path + sizeof(path) - 1;
    char *begin;

    *end = '\0';
    if (place->node) {
        begin = spell(place->node, end);
    } else {
        begin = end - strlen(place->name);
        memcpy(begin, place->name, strlen(place->name));
        *--begin = '/';
        begin = spell(place->directory, begin);
    }
    return mem_dup(*begin ? begin : "/");
}

bool files_real_path(struct files *files, const char *path, char **real,
                     int *number)
{
    struct place place;

    files_lock(files);
    if (!files_walk(files, path, true, &place, number))
        return files_unlock(files, false);
    *real = path_of(&place);
    return files_unlock(files, true);
}

/* Find what the user may change the facts of: it is theirs, or they root. */
static bool find_own(const struct files *files, const char *path, bool follow,
                     struct node **node, int *number)
{
    if (!files_find(files, path, follow, node, number))
        return false;
    if ((*node)->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if ((*node)->area == FILES_SHARED)
        return files_may(files, *node, MAY_WRITE) || files_fail(number, EACCES);
    if (files->user.uid != 0 && files->user.uid != (*node)->uid)
        return files_fail(number, EPERM);
    return true;
}

bool files_set_mode(struct files *files, const char *path, uint32_t mode,
                    int *number)
{
    struct node *node;

    files_lock(files);
    if (!find_own(files, path, true, &node, number))
        return files_unlock(files, false);
    if (node->area != FILES_SHARED)
        node->mode = (node->mode & S_IFMT) | (mode & PERMISSIONS);
    return files_unlock(files, true);
}

bool files_set_owner(struct files *files, const char *path, uint32_t uid,
                     uint32_t gid, int *number)
{
    struct node *node;

    files_lock(files);
    if (!find_own(files, path, true, &node, number))
        return files_unlock(files, false);
    if (files->user.uid != 0 && (node->uid != uid || node->gid != gid))
        return files_unlock(files, files_fail(number, EPERM));
    if (node->area != FILES_SHARED) {
        node->uid = uid;
        node->gid = gid;
    }
    return files_unlock(files, true);
}

bool files_set_time(struct files *files, const char *path, bool follow,
                    int64_t mtime, int *number)
{
    struct node *node;

    files_lock(files);
    if (!find_own(files, path, follow, &node, number))
        return files_unlock(files, false);
    node->mtime = mtime;
    return files_unlock(files, true);
}

bool files_set_area(struct files *files, const char *path, enum files_area area,
                    int *number)
{
    struct node *node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    files_lock(files);
    if (!files_find(files, path, true, &node, number) ||
        !files_suits_area(node, area, number))
        return files_unlock(files, false);
    files_move_to_area(node, area);
    return files_unlock(files, true);
}

struct files_space files_space(struct files *files)
{
    struct tree *tree = files->tree;
    struct files_space space = {
        .bytes = space_limit(tree->space),
        .bytes_used = space_used(tree->space),
        .nodes = tree->node_limit,
    };

    files_lock(files);
    space.nodes_used = tree->node_count;
    files_unlock(files, true);
    return space;
}

struct files_snapshot {
    struct node *root; /* owned */
    size_t node_count;
    uint64_t next_inode;
};

struct files_snapshot *files_snapshot(struct files *files)
{
    struct files_snapshot *snapshot = mem_new(1, sizeof(*snapshot));
    struct tree *tree = files->tree;

    files_lock(files);
    *snapshot = (struct files_snapshot){
        .root = node_copy(tree->root),
        .node_count = tree->node_count,
        .next_inode = tree->next_inode,
    };
    files_unlock(files, true);
    return snapshot;
}

void files_restore(struct files *files, const struct files_snapshot *snapshot)
{
    struct tree *tree = files->tree;
    struct node *root = node_copy(snapshot->root);

    files_lock(files);
    node_free(tree->root);
    tree->root = root;
    tree->node_count = snapshot->node_count;
    tree->next_inode = snapshot->next_inode;
    files_unlock(files, true);
}

void files_snapshot_free(struct files_snapshot *snapshot)
{
    if (!snapshot)
        return;
    node_free(snapshot->root);
    free(snapshot);
}
