/* Creating files, directories and links. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files/files_private.h"

struct shared_bytes_writer files_writer(struct phone_files *files)
{
    return (struct shared_bytes_writer)SHARED_BYTES_WRITER_INIT(
        files->file_tree->space);
}

bool files_install(struct phone_files *files, const char *path,
                   struct shared_bytes *content, uint32_t mode, int *number)
{
    struct file_location file_location;

    files_lock(files);
    return files_unlock(
        files, files_walk(files, path, true, &file_location, number) &&
                   files_set_content(files, &file_location,
                                     shared_bytes_hold(content), mode, number));
}

/* The node's bytes followed by these; NULL when there is no room. */
static struct shared_bytes *longer(struct phone_files *files,
                                   const struct file_node *file_node,
                                   const void *data, size_t size)
{
    struct shared_bytes_writer writer = files_writer(files);

    if ((file_node && file_node->content &&
         !shared_bytes_append(&writer, file_node->content->data,
                              file_node->content->size)) ||
        !shared_bytes_append(&writer, data, size)) {
        shared_bytes_writer_release(&writer);
        return NULL;
    }
    return shared_bytes_finish(&writer);
}

static bool append(struct phone_files *files, const char *path,
                   const void *data, size_t size, uint32_t mode, int *number)
{
    struct file_location file_location;
    struct shared_bytes *content;

    if (!files_walk(files, path, true, &file_location, number))
        return false;
    if (file_location.file_node &&
        !files_may_write(files, file_location.file_node, number))
        return false;
    content = longer(files, file_location.file_node, data, size);
    if (!content)
        return files_fail(number, ENOSPC);
    return files_set_content(files, &file_location, content, mode, number);
}

bool files_append(struct phone_files *files, const char *path, const void *data,
                  size_t size, uint32_t mode, int *number)
{
    files_lock(files);
    return files_unlock(files, append(files, path, data, size, mode, number));
}

/* Find the place where a new file may replace an old one. */
static bool find_replaceable(const struct phone_files *files, const char *path,
                             struct file_location *file_location, int *number)
{
    if (!files_walk(files, path, false, file_location, number))
        return false;
    if (file_location->slash ||
        (file_location->file_node &&
         file_node_is_directory(file_location->file_node)))
        return files_fail(number, EISDIR);
    if (file_location->file_node &&
        !file_node_is_file(file_location->file_node) &&
        !file_node_is_link(file_location->file_node))
        return files_may_write(files, file_location->file_node, number);
    return files_may_change(files, file_location->directory, number) &&
           files_fits(files, file_location->directory,
                      !file_location->file_node, 0, number);
}

bool files_may_replace(struct phone_files *files, const char *path, int *number)
{
    struct file_location file_location;

    files_lock(files);
    return files_unlock(files,
                        find_replaceable(files, path, &file_location, number));
}

static bool replace(struct phone_files *files, const char *path,
                    struct shared_bytes *content, uint32_t mode, int64_t mtime,
                    int *number)
{
    struct file_location file_location;
    struct file_node *file_node;

    if (!find_replaceable(files, path, &file_location, number))
        return false;
    if (file_location.file_node &&
        !file_node_is_file(file_location.file_node) &&
        !file_node_is_link(file_location.file_node))
        return files_set_content(files, &file_location,
                                 shared_bytes_hold(content), mode, number);
    if (file_location.file_node)
        files_discard(files, file_location.file_node);
    file_node = files_new_node(files, file_location.name,
                               S_IFREG | (mode & PERMISSIONS),
                               shared_bytes_hold(content));
    file_node->mtime = mtime;
    return files_put(files, &file_location, file_node, number);
}

bool files_replace(struct phone_files *files, const char *path,
                   struct shared_bytes *content, uint32_t mode, int64_t mtime,
                   int *number)
{
    files_lock(files);
    return files_unlock(files,
                        replace(files, path, content, mode, mtime, number));
}

static bool make_directory(struct phone_files *files, const char *path,
                           uint32_t mode, bool parents, int *number)
{
    struct file_location file_location;

    if (!files_walk(files, path, parents, &file_location, number))
        return false;
    if (!file_location.file_node)
        return files_put(files, &file_location,
                         files_new_node(files, file_location.name,
                                        S_IFDIR | (mode & PERMISSIONS), NULL),
                         number);
    if (parents && file_node_is_directory(file_location.file_node))
        return true;
    return files_fail(number, EEXIST);
}

/* Create every missing directory of path. */
static bool make_directories(struct phone_files *files, const char *path,
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

bool files_make_directory(struct phone_files *files, const char *path,
                          uint32_t mode, bool parents, int *number)
{
    files_lock(files);
    return files_unlock(
        files, parents ? make_directories(files, path, mode, number)
                       : make_directory(files, path, mode, false, number));
}

/* Add a node that is neither file nor directory to a free place. */
static bool put_special(struct phone_files *files, const char *path,
                        struct file_node *file_node, int *number)
{
    struct file_location file_location;
    int reason;

    if (!files_walk(files, path, false, &file_location, number)) {
        file_node_free(file_node);
        return false;
    }
    if (!file_location.file_node && !file_location.slash) {
        free(file_node->name);
        file_node->name = mem_dup(file_location.name);
        return files_put(files, &file_location, file_node, number);
    }
    reason = file_location.file_node ? EEXIST : ENOENT;
    file_node_free(file_node);
    return files_fail(number, reason);
}

bool files_link(struct phone_files *files, const char *target, const char *path,
                int *number)
{
    size_t length = strlen(target);
    struct shared_bytes *content;

    if (!length)
        return files_fail(number, ENOENT);
    if (length > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    content = shared_bytes_of(files->file_tree->space, target, length);
    if (!content)
        return files_fail(number, ENOSPC);
    files_lock(files);
    return files_unlock(
        files, put_special(files, path,
                           files_new_node(files, "", S_IFLNK | 0777, content),
                           number));
}

bool files_make_device(struct phone_files *files, const char *path,
                       uint32_t device, uint32_t mode, int *number)
{
    struct file_node *file_node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    file_node = files_new_node(files, "", S_IFCHR | (mode & PERMISSIONS), NULL);
    file_node->device = device;
    files_lock(files);
    return files_unlock(files, put_special(files, path, file_node, number));
}

bool files_make_live(struct phone_files *files, const char *path, uint32_t live,
                     uint32_t mode, int *number)
{
    struct file_node *file_node;

    if (files->user.uid != 0)
        return files_fail(number, EPERM);
    file_node = files_new_node(files, "", S_IFREG | (mode & PERMISSIONS), NULL);
    file_node->device = live;
    files_lock(files);
    return files_unlock(files, put_special(files, path, file_node, number));
}

void files_set_live(struct phone_files *files, files_live_fn *make,
                    void *context)
{
    files_lock(files);
    files->file_tree->live = make;
    files->file_tree->live_context = context;
    files_unlock(files, true);
}
