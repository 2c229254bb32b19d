/* Adding nodes to the tree: permissions, limits and owners. */
#include <errno.h>
#include <sys/stat.h>

#include "tools/phone/files/files_private.h"

/* The mode of files on storage without owners. */
#define SHARED_GID 1015 /* sdcard_rw */
#define SHARED_DIRECTORY_MODE 0771U
#define SHARED_FILE_MODE 0660U

bool files_may_change(const struct phone_files *files,
                      const struct file_node *directory, int *number)
{
    if (directory->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if (!files_may(files, directory, MAY_WRITE | MAY_EXECUTE))
        return files_fail(number, EACCES);
    return true;
}

bool files_may_write(const struct phone_files *files,
                     const struct file_node *file_node, int *number)
{
    if (file_node_is_directory(file_node))
        return files_fail(number, EISDIR);
    if (file_node->area == FILES_READ_ONLY)
        return files_fail(number, EROFS);
    if (!files_may(files, file_node, MAY_WRITE))
        return files_fail(number, EACCES);
    return true;
}

bool files_fits(const struct phone_files *files,
                const struct file_node *directory, size_t count, size_t height,
                int *number)
{
    if (count >
        files->file_tree->file_node_limit - files->file_tree->file_node_count)
        return files_fail(number, ENOSPC);
    if (file_node_depth(directory) + 1 + height > FILES_DEPTH_MAX)
        return files_fail(number, ENAMETOOLONG);
    return true;
}

void files_move_to_area(struct file_node *file_node, enum files_area area)
{
    file_node->area = area;
    if (area == FILES_SHARED) {
        file_node->uid = 0;
        file_node->gid = SHARED_GID;
        file_node->mode = file_node_is_directory(file_node)
                              ? S_IFDIR | SHARED_DIRECTORY_MODE
                              : S_IFREG | SHARED_FILE_MODE;
    }
    for (size_t i = 0; i < file_node->child_count; i++)
        files_move_to_area(file_node->children[i], area);
}

bool files_suits_area(const struct file_node *file_node, enum files_area area,
                      int *number)
{
    if (area == FILES_SHARED && !file_node_is_directory(file_node) &&
        !file_node_is_file(file_node))
        return files_fail(number, EPERM);
    for (size_t i = 0; i < file_node->child_count; i++) {
        if (!files_suits_area(file_node->children[i], area, number))
            return false;
    }
    return true;
}

/* Assign inodes, and the user as owner, to the node and everything below it. */
static void make_own(const struct phone_files *files,
                     struct file_node *file_node)
{
    file_node->inode = files->file_tree->next_inode++;
    file_node->uid = files->user.uid;
    file_node->gid = files->user.gid;
    for (size_t i = 0; i < file_node->child_count; i++)
        make_own(files, file_node->children[i]);
}

bool files_put(struct phone_files *files,
               const struct file_location *file_location,
               struct file_node *file_node, int *number)
{
    struct file_node *directory = file_location->directory;
    size_t count = file_node_count(file_node);

    if (!files_may_change(files, directory, number) ||
        !files_fits(files, directory, count, file_node_height(file_node),
                    number) ||
        !files_suits_area(file_node, directory->area, number)) {
        file_node_free(file_node);
        return false;
    }
    make_own(files, file_node);
    files_move_to_area(file_node, directory->area);
    file_node_attach(directory, file_node);
    directory->mtime = files_now(files);
    files->file_tree->file_node_count += count;
    return true;
}

struct file_node *files_new_node(const struct phone_files *files,
                                 const char *name, uint32_t mode,
                                 struct shared_bytes *content)
{
    struct file_node *file_node = file_node_new(name, mode, content);

    file_node->mtime = files_now(files);
    return file_node;
}

bool files_set_content(struct phone_files *files,
                       const struct file_location *file_location,
                       struct shared_bytes *content, uint32_t mode, int *number)
{
    struct file_node *file_node = file_location->file_node;

    if (!file_node && file_location->slash) {
        shared_bytes_drop(content);
        return files_fail(number, EISDIR);
    }
    if (!file_node)
        return files_put(files, file_location,
                         files_new_node(files, file_location->name,
                                        S_IFREG | (mode & PERMISSIONS),
                                        content),
                         number);
    if (!files_may_write(files, file_node, number)) {
        shared_bytes_drop(content);
        return false;
    }
    file_node->mtime = files_now(files);
    if (!file_node_is_file(file_node)) { /* a device */
        shared_bytes_drop(content);
        return true;
    }
    shared_bytes_drop(file_node->content);
    file_node->content = content;
    return true;
}

void files_discard(struct phone_files *files, struct file_node *file_node)
{
    file_node->parent->mtime = files_now(files);
    file_node_detach(file_node);
    files->file_tree->file_node_count -= file_node_count(file_node);
    file_node_free(file_node);
}

struct shared_bytes *files_content(const struct phone_files *files,
                                   const struct file_node *file_node)
{
    struct file_tree *file_tree = files->file_tree;
    struct buf text = BUF_INIT(FILES_LIVE_MAX);
    struct shared_bytes *made = NULL;

    if (file_node->content)
        return shared_bytes_hold(file_node->content);
    if (file_node_is_file(file_node) && file_node->device && file_tree->live) {
        file_tree->live(file_tree->live_context, file_node->device, &text);
        made = shared_bytes_of(file_tree->space, text.data, text.length);
        buf_release(&text);
    }
    return made ? made : shared_bytes_of(file_tree->space, NULL, 0);
}
