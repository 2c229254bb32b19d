/* New files, directories and links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files_private.h"

struct blob_writer files_writer(struct files *files)
{
    return (struct blob_writer)BLOB_WRITER_INIT(files->tree->space);
}

bool files_install(struct files *files, const char *path, struct blob *content,
                   uint32_t mode, int *number)
{
    struct place place;

    files_lock(files);
    return files_unlock(
        files,
        files_walk(files, path, true, &place, number) &&
            files_set_content(files, &place, blob_hold(content), mode, number));
}

/* The node's bytes and these; NULL when there is no room. */
static struct blob *longer(struct files *files, const struct node *node,
                           const void *data, size_t size)
{
    struct blob_writer writer = files_writer(files);

    if ((node && node->content &&
         !blob_append(&writer, node->content->data, node->content->size)) ||
        !blob_append(&writer, data, size)) {
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
    if (place.node && !files_may_write(files, place.node, number))
        return false;
    content = longer(files, place.node, data, size);
    if (!content)
        return files_fail(number, ENOSPC);
    return files_set_content(files, &place, content, mode, number);
}

bool files_append(struct files *files, const char *path, const void *data,
                  size_t size, uint32_t mode, int *number)
{
    files_lock(files);
    return files_unlock(files, append(files, path, data, size, mode, number));
}

/* Find where a new file may take the place of what is there. */
static bool find_replaceable(const struct files *files, const char *path,
                             struct place *place, int *number)
{
    if (!files_walk(files, path, false, place, number))
        return false;
    if (place->slash || (place->node && node_is_directory(place->node)))
        return files_fail(number, EISDIR);
    if (place->node && !node_is_file(place->node) && !node_is_link(place->node))
        return files_may_write(files, place->node, number);
    return files_may_change(files, place->directory, number) &&
           files_fits(files, place->directory, !place->node, 0, number);
}

bool files_may_replace(struct files *files, const char *path, int *number)
{
    struct place place;

    files_lock(files);
    return files_unlock(files, find_replaceable(files, path, &place, number));
}

static bool replace(struct files *files, const char *path, struct blob *content,
                    uint32_t mode, int64_t mtime, int *number)
{
    struct place place;
    struct node *node;

    if (!find_replaceable(files, path, &place, number))
        return false;
    if (place.node && !node_is_file(place.node) && !node_is_link(place.node))
        return files_set_content(files, &place, blob_hold(content), mode,
                                 number);
    if (place.node)
        files_discard(files, place.node);
    node = files_new_node(files, place.name, S_IFREG | (mode & PERMISSIONS),
                          blob_hold(content));
    node->mtime = mtime;
    return files_put(files, &place, node, number);
}

bool files_replace(struct files *files, const char *path, struct blob *content,
                   uint32_t mode, int64_t mtime, int *number)
{
    files_lock(files);
    return files_unlock(files,
                        replace(files, path, content, mode, mtime, number));
}

static bool make_directory(struct files *files, const char *path, uint32_t mode,
                           bool parents, int *number)
{
    struct place place;

    if (!files_walk(files, path, parents, &place, number))
        return false;
    if (!place.node)
        return files_put(files, &place,
                         files_new_node(files, place.name,
                                        S_IFDIR | (mode & PERMISSIONS), NULL),
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
    files_lock(files);
    return files_unlock(
        files, parents ? make_directories(files, path, mode, number)
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
        return files_put(files, &place, node, number);
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
    files_lock(files);
    return files_unlock(
        files, put_special(files, path,
                           files_new_node(files, "", S_IFLNK | 0777, content),
                           number));
}

bool files_make_device(struct files *files, const char *path, uint32_t device,
                       uint32_t mode, int *number)
{
    struct node *node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    node = files_new_node(files, "", S_IFCHR | (mode & PERMISSIONS), NULL);
    node->device = device;
    files_lock(files);
    return files_unlock(files, put_special(files, path, node, number));
}
