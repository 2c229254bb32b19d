#include "tools/phone/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files_private.h"

#define PERMISSIONS 07777U
#define DIRECTORY_SIZE 4096 /* what ls shows for one */

/* How storage that knows no owners shows what is on it. */
#define SHARED_GID 1015 /* sdcard_rw */
#define SHARED_DIRECTORY_MODE 0771U
#define SHARED_FILE_MODE 0660U

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

/* ------------------------------------------------------------- handles */

static void lock(struct files *files)
{
    pthread_mutex_lock(&files->tree->lock);
}

/* Return through this: it hands on whether the call succeeded. */
static bool unlock(struct files *files, bool done)
{
    pthread_mutex_unlock(&files->tree->lock);
    return done;
}

static int64_t now(const struct files *files)
{
    return phone_now(&files->tree->clock);
}

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
    lock(files);
    files->tree->handles++;
    unlock(files, true);
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
    lock(files);
    if (unlock(files, --files->tree->handles == 0))
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

/* ------------------------------------------------------------- looking */

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

    lock(files);
    if (!files_find(files, path, follow, &node, number))
        return unlock(files, false);
    *stat = stat_node(node);
    return unlock(files, true);
}

bool files_access(struct files *files, const char *path, unsigned wanted,
                  int *number)
{
    struct node *node;

    lock(files);
    if (!files_find(files, path, true, &node, number))
        return unlock(files, false);
    if ((wanted & MAY_WRITE) && node->area == FILES_READ_ONLY)
        return unlock(files, files_fail(number, EROFS));
    if (!files_may(files, node, wanted))
        return unlock(files, files_fail(number, EACCES));
    return unlock(files, true);
}

static void list_node(const struct node *directory, struct files_list *list)
{
    list->count = directory->child_count;
    list->entries = mem_new(list->count, sizeof(*list->entries));
    for (size_t i = 0; i < list->count; i++)
        list->entries[i] = (struct files_entry){
            .name = mem_dup(directory->children[i]->name),
            .stat = stat_node(directory->children[i]),
        };
}

bool files_list(struct files *files, const char *path, struct files_list *list,
                int *number)
{
    struct node *node;

    lock(files);
    if (!files_find(files, path, true, &node, number))
        return unlock(files, false);
    if (!node_is_directory(node))
        return unlock(files, files_fail(number, ENOTDIR));
    if (!files_may(files, node, MAY_READ))
        return unlock(files, files_fail(number, EACCES));
    list_node(node, list);
    return unlock(files, true);
}

void files_list_release(struct files_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].name);
    free(list->entries);
    *list = (struct files_list)FILES_LIST_INIT;
}

/* What reading the node gives; a device has nothing to read. */
static struct blob *content_of(const struct files *files,
                               const struct node *node)
{
    if (node->content)
        return blob_hold(node->content);
    return blob_of(files->tree->space, NULL, 0);
}

bool files_open(struct files *files, const char *path, struct blob **content,
                int *number)
{
    struct node *node;

    lock(files);
    if (!files_find(files, path, true, &node, number))
        return unlock(files, false);
    if (node_is_directory(node))
        return unlock(files, files_fail(number, EISDIR));
    if (!files_may(files, node, MAY_READ))
        return unlock(files, files_fail(number, EACCES));
    *content = content_of(files, node);
    return unlock(files, true);
}

bool files_read_link(struct files *files, const char *path,
                     struct blob **target, int *number)
{
    struct node *node;

    lock(files);
    if (!files_find(files, path, false, &node, number))
        return unlock(files, false);
    if (!node_is_link(node))
        return unlock(files, files_fail(number, EINVAL));
    *target = blob_hold(node->content);
    return unlock(files, true);
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

    lock(files);
    if (!files_walk(files, path, true, &place, number))
        return unlock(files, false);
    *real = path_of(&place);
    return unlock(files, true);
}

/* -------------------------------------------------------------- making */

struct blob_writer files_writer(struct files *files)
{
    return (struct blob_writer)BLOB_WRITER_INIT(files->tree->space);
}

/* May names be put into this directory, and taken out? */
static bool may_change(const struct files *files, const struct node *directory,
                       int *number)
{
    if (directory->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if (!files_may(files, directory, MAY_WRITE | MAY_EXECUTE))
        return files_fail(number, EACCES);
    return true;
}

/* May the node's own content be changed? */
static bool may_write(const struct files *files, const struct node *node,
                      int *number)
{
    if (node_is_directory(node))
        return files_fail(number, EISDIR);
    if (node->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if (!files_may(files, node, MAY_WRITE))
        return files_fail(number, EACCES);
    return true;
}

/* Is there room for so many more nodes, so many levels below directory? */
static bool fits(const struct files *files, const struct node *directory,
                 size_t count, size_t height, int *number)
{
    if (count > files->tree->node_limit - files->tree->node_count)
        return files_fail(number, ENOSPC);
    if (node_depth(directory) + 1 + height > FILES_DEPTH_MAX)
        return files_fail(number, ENAMETOOLONG);
    return true;
}

/* Let the node, and all below it, be on an area's storage. */
static void move_to_area(struct node *node, enum files_area area)
{
    node->area = area;
    if (area == FILES_SHARED) {
        node->uid = 0;
        node->gid = SHARED_GID;
        node->mode = node_is_directory(node) ? S_IFDIR | SHARED_DIRECTORY_MODE
                                             : S_IFREG | SHARED_FILE_MODE;
    }
    for (size_t i = 0; i < node->child_count; i++)
        move_to_area(node->children[i], area);
}

/* Shared storage holds files and directories, and nothing else. */
static bool suits_area(const struct node *node, enum files_area area,
                       int *number)
{
    if (area == FILES_SHARED && !node_is_directory(node) && !node_is_file(node))
        return files_fail(number, EPERM);
    for (size_t i = 0; i < node->child_count; i++) {
        if (!suits_area(node->children[i], area, number))
            return false;
    }
    return true;
}

/* Give the node, and all below it, inodes, and the user as owner. */
static void make_own(const struct files *files, struct node *node)
{
    node->inode = files->tree->next_inode++;
    node->uid = files->user.uid;
    node->gid = files->user.gid;
    for (size_t i = 0; i < node->child_count; i++)
        make_own(files, node->children[i]);
}

/*
 * Put a new node where there is none. It is then the user's; on failure it is
 * freed.
 */
static bool put(struct files *files, const struct place *place,
                struct node *node, int *number)
{
    struct node *directory = place->directory;
    size_t count = node_count(node);

    if (!may_change(files, directory, number) ||
        !fits(files, directory, count, node_height(node), number) ||
        !suits_area(node, directory->area, number)) {
        node_free(node);
        return false;
    }
    make_own(files, node);
    move_to_area(node, directory->area);
    node_attach(directory, node);
    directory->mtime = now(files);
    files->tree->node_count += count;
    return true;
}

static struct node *new_node(const struct files *files, const char *name,
                             uint32_t mode, struct blob *content)
{
    struct node *node = node_new(name, mode, content);

    node->mtime = now(files);
    return node;
}

/* Give what is at path this content, which is taken over. */
static bool set_content(struct files *files, const struct place *place,
                        struct blob *content, uint32_t mode, int *number)
{
    struct node *node = place->node;

    if (!node && place->slash) {
        blob_drop(content);
        return files_fail(number, EISDIR);
    }
    if (!node)
        return put(files, place,
                   new_node(files, place->name, S_IFREG | (mode & PERMISSIONS),
                            content),
                   number);
    if (!may_write(files, node, number)) {
        blob_drop(content);
        return false;
    }
    node->mtime = now(files);
    if (!node_is_file(node)) { /* a device */
        blob_drop(content);
        return true;
    }
    blob_drop(node->content);
    node->content = content;
    return true;
}

bool files_install(struct files *files, const char *path, struct blob *content,
                   uint32_t mode, int *number)
{
    struct place place;

    lock(files);
    return unlock(files, files_walk(files, path, true, &place, number) &&
                             set_content(files, &place, blob_hold(content),
                                         mode, number));
}

/* The node's bytes and these; NULL when there is no room. */
static struct blob *longer(struct files *files, const struct node *node,
                           const void *data, size_t size)
{
    struct blob_writer writer = files_writer(files);

    if (node && node->content &&
        !blob_append(&writer, node->content->data, node->content->size))
        return NULL;
    if (!blob_append(&writer, data, size)) {
        blob_writer_release(&writer);
        return NULL;
    }
    return blob_finish(&writer);
}

static bool append(struct files *files, const char *path, const void *data,
                   size_t size, uint32_t mode, int *number)
{
    struct place place;
    struct blob *content;

    if (!files_walk(files, path, true, &place, number))
        return false;
    if (place.node && !may_write(files, place.node, number))
        return false;
    content = longer(files, place.node, data, size);
    if (!content)
        return files_fail(number, ENOSPC);
    return set_content(files, &place, content, mode, number);
}

bool files_append(struct files *files, const char *path, const void *data,
                  size_t size, uint32_t mode, int *number)
{
    lock(files);
    return unlock(files, append(files, path, data, size, mode, number));
}

/* Take a node out of the tree for good. */
static void discard(struct files *files, struct node *node)
{
    node->parent->mtime = now(files);
    node_detach(node);
    files->tree->node_count -= node_count(node);
    node_free(node);
}

static bool replace(struct files *files, const char *path, struct blob *content,
                    uint32_t mode, int64_t mtime, int *number)
{
    struct place place;
    struct node *node;

    if (!files_walk(files, path, false, &place, number))
        return false;
    if (place.slash || (place.node && node_is_directory(place.node)))
        return files_fail(number, EISDIR);
    if (place.node && !node_is_file(place.node) && !node_is_link(place.node))
        return set_content(files, &place, blob_hold(content), mode, number);
    if (!may_change(files, place.directory, number))
        return false;
    if (place.node)
        discard(files, place.node);
    node = new_node(files, place.name, S_IFREG | (mode & PERMISSIONS),
                    blob_hold(content));
    node->mtime = mtime;
    return put(files, &place, node, number);
}

bool files_replace(struct files *files, const char *path, struct blob *content,
                   uint32_t mode, int64_t mtime, int *number)
{
    lock(files);
    return unlock(files, replace(files, path, content, mode, mtime, number));
}

static bool make_directory(struct files *files, const char *path, uint32_t mode,
                           bool parents, int *number)
{
    struct place place;

    if (!files_walk(files, path, parents, &place, number))
        return false;
    if (!place.node)
        return put(
            files, &place,
            new_node(files, place.name, S_IFDIR | (mode & PERMISSIONS), NULL),
            number);
    if (parents && node_is_directory(place.node))
        return true;
    return files_fail(number, EEXIST);
}

/* Make every directory that path names on its way. */
static bool make_directories(struct files *files, const char *path,
                             uint32_t mode, int *number)
{
    char part[FILES_PATH_MAX + 1];
    size_t length = strlen(path);

    if (length > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    for (size_t end = 1; end < length; end++) {
        if (path[end] != '/' || path[end - 1] == '/')
            continue;
        memcpy(part, path, end);
        part[end] = '\0';
        if (!make_directory(files, part, mode, true, number))
            return false;
    }
    return make_directory(files, path, mode, true, number);
}

bool files_make_directory(struct files *files, const char *path, uint32_t mode,
                          bool parents, int *number)
{
    lock(files);
    return unlock(files,
                  parents ? make_directories(files, path, mode, number)
                          : make_directory(files, path, mode, false, number));
}

/* Put a node that is neither file nor directory where there is nothing. */
static bool put_special(struct files *files, const char *path,
                        struct node *node, int *number)
{
    struct place place;
    int reason;

    if (!files_walk(files, path, false, &place, number)) {
        node_free(node);
        return false;
    }
    if (!place.node && !place.slash) {
        free(node->name);
        node->name = mem_dup(place.name);
        return put(files, &place, node, number);
    }
    reason = place.node ? EEXIST : ENOENT;
    node_free(node);
    return files_fail(number, reason);
}

bool files_link(struct files *files, const char *target, const char *path,
                int *number)
{
    size_t length = strlen(target);
    struct blob *content;

    if (!length)
        return files_fail(number, ENOENT);
    if (length > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    content = blob_of(files->tree->space, target, length);
    if (!content)
        return files_fail(number, ENOSPC);
    lock(files);
    return unlock(files,
                  put_special(files, path,
                              new_node(files, "", S_IFLNK | 0777, content),
                              number));
}

bool files_make_device(struct files *files, const char *path, uint32_t device,
                       uint32_t mode, int *number)
{
    struct node *node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    node = new_node(files, "", S_IFCHR | (mode & PERMISSIONS), NULL);
    node->device = device;
    lock(files);
    return unlock(files, put_special(files, path, node, number));
}

/* ------------------------------------------------- removing and moving */

/* May everything in the node be removed? */
static bool may_empty(const struct files *files, const struct node *node,
                      int *number)
{
    if (node->child_count && !may_change(files, node, number))
        return false;
    for (size_t i = 0; i < node->child_count; i++) {
        if (!may_empty(files, node->children[i], number))
            return false;
    }
    return true;
}

/* Is this a name that may be taken out of its directory? */
static bool may_leave(const struct files *files, const struct place *place,
                      int *number)
{
    if (!place->node)
        return files_fail(number, ENOENT);
    if (!*place->name)
        return files_fail(number, place->node->parent ? EINVAL : EBUSY);
    return may_change(files, place->directory, number);
}

static bool remove_path(struct files *files, const char *path, bool recursive,
                        int *number)
{
    struct place place;

    if (!files_walk(files, path, false, &place, number) ||
        !may_leave(files, &place, number))
        return false;
    if (!recursive && place.node->child_count)
        return files_fail(number, ENOTEMPTY);
    if (!may_empty(files, place.node, number))
        return false;
    discard(files, place.node);
    return true;
}

bool files_remove(struct files *files, const char *path, bool recursive,
                  int *number)
{
    lock(files);
    return unlock(files, remove_path(files, path, recursive, number));
}

/* May the node stand where another is? */
static bool may_supersede(const struct node *node, const struct node *old,
                          int *number)
{
    if (!node_is_directory(node))
        return !node_is_directory(old) || files_fail(number, EISDIR);
    if (!node_is_directory(old))
        return files_fail(number, ENOTDIR);
    return !old->child_count || files_fail(number, ENOTEMPTY);
}

/* May the node be moved to that place? */
static bool may_arrive(const struct files *files, const struct node *node,
                       const struct place *to, int *number)
{
    if (!*to->name)
        return files_fail(number, EBUSY);
    if (to->slash && !node_is_directory(node))
        return files_fail(number, ENOTDIR);
    if (node_contains(node, to->directory))
        return files_fail(number, EINVAL);
    if (to->node && !may_supersede(node, to->node, number))
        return false;
    return may_change(files, to->directory, number) &&
           fits(files, to->directory, 0, node_height(node), number) &&
           suits_area(node, to->directory->area, number);
}

static void move(struct files *files, struct node *node, struct place *to)
{
    node->parent->mtime = now(files);
    node_detach(node);
    free(node->name);
    node->name = mem_dup(to->name);
    if (node->area != to->directory->area)
        move_to_area(node, to->directory->area);
    node_attach(to->directory, node);
    to->directory->mtime = now(files);
}

static bool rename_path(struct files *files, const char *from, const char *to,
                        int *number)
{
    struct place source;
    struct place target;

    if (!files_walk(files, from, false, &source, number) ||
        !may_leave(files, &source, number) ||
        !files_walk(files, to, false, &target, number))
        return false;
    if (source.node == target.node)
        return true;
    if (!may_arrive(files, source.node, &target, number))
        return false;
    if (target.node)
        discard(files, target.node);
    move(files, source.node, &target);
    return true;
}

bool files_rename(struct files *files, const char *from, const char *to,
                  int *number)
{
    lock(files);
    return unlock(files, rename_path(files, from, to, number));
}

/* ------------------------------------------------------------- copying */

/* May everything in the node be read? */
static bool may_copy(const struct files *files, const struct node *node,
                     int *number)
{
    unsigned wanted =
        node_is_directory(node) ? MAY_READ | MAY_EXECUTE : MAY_READ;

    if (!node_is_link(node) && !files_may(files, node, wanted))
        return files_fail(number, EACCES);
    for (size_t i = 0; i < node->child_count; i++) {
        if (!may_copy(files, node->children[i], number))
            return false;
    }
    return true;
}

static void set_times(struct node *node, int64_t mtime)
{
    node->mtime = mtime;
    for (size_t i = 0; i < node->child_count; i++)
        set_times(node->children[i], mtime);
}

/* A copy to stand at a place, where its size has been found to fit. */
static struct node *copy_named(const struct files *files,
                               const struct node *node, const char *name,
                               bool keep)
{
    struct node *copy = node_copy(node);

    free(copy->name);
    copy->name = mem_dup(name);
    if (!keep)
        set_times(copy, now(files));
    return copy;
}

static bool copy_over(struct files *files, const struct node *node,
                      const struct place *to, bool keep, int *number)
{
    int64_t mtime = node->mtime;

    if (node == to->node)
        return files_fail(number, EINVAL);
    if (node_is_directory(node))
        return files_fail(number,
                          node_is_directory(to->node) ? EEXIST : ENOTDIR);
    if (!set_content(files, to, content_of(files, node), 0, number))
        return false;
    if (keep)
        to->node->mtime = mtime;
    return true;
}

static bool copy_path(struct files *files, const char *from, const char *to,
                      struct files_copying how, int *number)
{
    struct node *node;
    struct place target;

    if (!files_find(files, from, true, &node, number) ||
        !files_walk(files, to, true, &target, number) ||
        !may_copy(files, node, number))
        return false;
    if (target.node)
        return copy_over(files, node, &target, how.keep, number);
    if (node_is_directory(node) ? !how.recursive : target.slash)
        return files_fail(number, EISDIR);
    if (node_contains(node, target.directory))
        return files_fail(number, EINVAL);
    if (!fits(files, target.directory, node_count(node), node_height(node),
              number))
        return false;
    return put(files, &target, copy_named(files, node, target.name, how.keep),
               number);
}

bool files_copy(struct files *files, const char *from, const char *to,
                struct files_copying how, int *number)
{
    lock(files);
    return unlock(files, copy_path(files, from, to, how, number));
}

/* --------------------------------------------------------------- facts */

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

    lock(files);
    if (!find_own(files, path, true, &node, number))
        return unlock(files, false);
    if (node->area != FILES_SHARED)
        node->mode = (node->mode & S_IFMT) | (mode & PERMISSIONS);
    return unlock(files, true);
}

bool files_set_owner(struct files *files, const char *path, uint32_t uid,
                     uint32_t gid, int *number)
{
    struct node *node;

    lock(files);
    if (!find_own(files, path, true, &node, number))
        return unlock(files, false);
    if (files->user.uid != 0 && (node->uid != uid || node->gid != gid))
        return unlock(files, files_fail(number, EPERM));
    if (node->area != FILES_SHARED) {
        node->uid = uid;
        node->gid = gid;
    }
    return unlock(files, true);
}

bool files_set_time(struct files *files, const char *path, bool follow,
                    int64_t mtime, int *number)
{
    struct node *node;

    lock(files);
    if (!find_own(files, path, follow, &node, number))
        return unlock(files, false);
    node->mtime = mtime;
    return unlock(files, true);
}

bool files_set_area(struct files *files, const char *path, enum files_area area,
                    int *number)
{
    struct node *node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    lock(files);
    if (!files_find(files, path, true, &node, number) ||
        !suits_area(node, area, number))
        return unlock(files, false);
    move_to_area(node, area);
    return unlock(files, true);
}

struct files_space files_space(struct files *files)
{
    struct tree *tree = files->tree;
    struct files_space space = {
        .bytes = space_limit(tree->space),
        .bytes_used = space_used(tree->space),
        .nodes = tree->node_limit,
    };

    lock(files);
    space.nodes_used = tree->node_count;
    unlock(files, true);
    return space;
}

/* ----------------------------------------------------------- snapshots */

struct files_snapshot {
    struct node *root; /* owned */
    size_t node_count;
    uint64_t next_inode;
};

struct files_snapshot *files_snapshot(struct files *files)
{
    struct files_snapshot *snapshot = mem_new(1, sizeof(*snapshot));
    struct tree *tree = files->tree;

    lock(files);
    *snapshot = (struct files_snapshot){
        .root = node_copy(tree->root),
        .node_count = tree->node_count,
        .next_inode = tree->next_inode,
    };
    unlock(files, true);
    return snapshot;
}

void files_restore(struct files *files, const struct files_snapshot *snapshot)
{
    struct tree *tree = files->tree;
    struct node *root = node_copy(snapshot->root);

    lock(files);
    node_free(tree->root);
    tree->root = root;
    tree->node_count = snapshot->node_count;
    tree->next_inode = snapshot->next_inode;
    unlock(files, true);
}

void files_snapshot_free(struct files_snapshot *snapshot)
{
    if (!snapshot)
        return;
    node_free(snapshot->root);
    free(snapshot);
}
