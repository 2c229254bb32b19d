/* What may be put where, and putting it there. */
#include <errno.h>
#include <sys/stat.h>

#include "tools/phone/files_private.h"

/* How storage that knows no owners shows what is on it. */
#define SHARED_GID 1015 /* sdcard_rw */
#define SHARED_DIRECTORY_MODE 0771U
#define SHARED_FILE_MODE 0660U

bool files_may_change(const struct files *files, const struct node *directory,
                      int *number)
{
    if (directory->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if (!files_may(files, directory, MAY_WRITE | MAY_EXECUTE))
        return files_fail(number, EACCES);
    return true;
}

bool files_may_write(const struct files *files, const struct node *node,
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

bool files_fits(const struct files *files, const struct node *directory,
                size_t count, size_t height, int *number)
{
    if (count > files->tree->node_limit - files->tree->node_count)
        return files_fail(number, ENOSPC);
    if (node_depth(directory) + 1 + height > FILES_DEPTH_MAX)
        return files_fail(number, ENAMETOOLONG);
    return true;
}

void files_move_to_area(struct node *node, enum files_area area)
{
    node->area = area;
    if (area == FILES_SHARED) {
        node->uid = 0;
        node->gid = SHARED_GID;
        node->mode = node_is_directory(node) ? S_IFDIR | SHARED_DIRECTORY_MODE
                                             : S_IFREG | SHARED_FILE_MODE;
    }
    for (size_t i = 0; i < node->child_count; i++)
        files_move_to_area(node->children[i], area);
}

bool files_suits_area(const struct node *node, enum files_area area,
                      int *number)
{
    if (area == FILES_SHARED && !node_is_directory(node) && !node_is_file(node))
        return files_fail(number, EPERM);
    for (size_t i = 0; i < node->child_count; i++) {
        if (!files_suits_area(node->children[i], area, number))
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

bool files_put(struct files *files, const struct place *place,
               struct node *node, int *number)
{
    struct node *directory = place->directory;
    size_t count = node_count(node);

    if (!files_may_change(files, directory, number) ||
        !files_fits(files, directory, count, node_height(node), number) ||
        !files_suits_area(node, directory->area, number)) {
        node_free(node);
        return false;
    }
    make_own(files, node);
    files_move_to_area(node, directory->area);
    node_attach(directory, node);
    directory->mtime = files_now(files);
    files->tree->node_count += count;
    return true;
}

struct node *files_new_node(const struct files *files, const char *name,
                            uint32_t mode, struct blob *content)
{
    struct node *node = node_new(name, mode, content);

    node->mtime = files_now(files);
    return node;
}

bool files_set_content(struct files *files, const struct place *place,
                       struct blob *content, uint32_t mode, int *number)
{
    struct node *node = place->node;

    if (!node && place->slash) {
        blob_drop(content);
        return files_fail(number, EISDIR);
    }
    if (!node)
        return files_put(files, place,
                         files_new_node(files, place->name,
                                        S_IFREG | (mode & PERMISSIONS),
                                        content),
                         number);
    if (!files_may_write(files, node, number)) {
        blob_drop(content);
        return false;
    }
    node->mtime = files_now(files);
    if (!node_is_file(node)) { /* a device */
        blob_drop(content);
        return true;
    }
    blob_drop(node->content);
    node->content = content;
    return true;
}

void files_discard(struct files *files, struct node *node)
{
    node->parent->mtime = files_now(files);
    node_detach(node);
    files->tree->node_count -= node_count(node);
    node_free(node);
}

struct blob *files_content(const struct files *files, const struct node *node)
{
    if (node->content)
        return blob_hold(node->content);
    return blob_of(files->tree->space, NULL, 0);
}
