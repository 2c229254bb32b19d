/* Removing, moving and copying files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files/files_private.h"

/* May everything below the node be removed? */
static bool may_empty(const struct phone_files *files,
                      const struct file_node *file_node, int *number)
{
    if (file_node->child_count && !files_may_change(files, file_node, number))
        return false;
    for (size_t i = 0; i < file_node->child_count; i++) {
        if (!may_empty(files, file_node->children[i], number))
            return false;
    }
    return true;
}

/* Is this a name that may be removed from its directory? */
static bool may_leave(const struct phone_files *files,
                      const struct file_location *file_location, int *number)
{
    if (!file_location->file_node)
        return files_fail(number, ENOENT);
    if (!*file_location->name)
        return files_fail(number,
                          file_location->file_node->parent ? EINVAL : EBUSY);
    return files_may_change(files, file_location->directory, number);
}

static bool remove_path(struct phone_files *files, const char *path,
                        bool recursive, int *number)
{
    struct file_location file_location;

    if (!files_walk(files, path, false, &file_location, number) ||
        !may_leave(files, &file_location, number))
        return false;
    if (!recursive && file_location.file_node->child_count)
        return files_fail(number, ENOTEMPTY);
    if (!may_empty(files, file_location.file_node, number))
        return false;
    files_discard(files, file_location.file_node);
    return true;
}

bool files_remove(struct phone_files *files, const char *path, bool recursive,
                  int *number)
{
    files_lock(files);
    return files_unlock(files, remove_path(files, path, recursive, number));
}

/* May the node replace the other? */
static bool may_supersede(const struct file_node *file_node,
                          const struct file_node *old, int *number)
{
    if (!file_node_is_directory(file_node))
        return !file_node_is_directory(old) || files_fail(number, EISDIR);
    if (!file_node_is_directory(old))
        return files_fail(number, ENOTDIR);
    return !old->child_count || files_fail(number, ENOTEMPTY);
}

/* May the node be moved there? */
static bool may_arrive(const struct phone_files *files,
                       const struct file_node *file_node,
                       const struct file_location *to, int *number)
{
    if (!*to->name)
        return files_fail(number, EBUSY);
    if (to->slash && !file_node_is_directory(file_node))
        return files_fail(number, ENOTDIR);
    if (file_node_contains(file_node, to->directory))
        return files_fail(number, EINVAL);
    if (to->file_node && !may_supersede(file_node, to->file_node, number))
        return false;
    return files_may_change(files, to->directory, number) &&
           files_fits(files, to->directory, 0, file_node_height(file_node),
                      number) &&
           files_suits_area(file_node, to->directory->area, number);
}

static void move(struct phone_files *files, struct file_node *file_node,
                 struct file_location *to)
{
    file_node->parent->mtime = files_now(files);
    file_node_detach(file_node);
    free(file_node->name);
    file_node->name = mem_dup(to->name);
    if (file_node->area != to->directory->area)
        files_move_to_area(file_node, to->directory->area);
    file_node_attach(to->directory, file_node);
    to->directory->mtime = files_now(files);
}

static bool rename_path(struct phone_files *files, const char *from,
                        const char *to, int *number)
{
    struct file_location source;
    struct file_location target;

    if (!files_walk(files, from, false, &source, number) ||
        !may_leave(files, &source, number) ||
        !files_walk(files, to, false, &target, number))
        return false;
    if (source.file_node == target.file_node)
        return true;
    if (!may_arrive(files, source.file_node, &target, number))
        return false;
    if (target.file_node)
        files_discard(files, target.file_node);
    move(files, source.file_node, &target);
    return true;
}

bool files_rename(struct phone_files *files, const char *from, const char *to,
                  int *number)
{
    files_lock(files);
    return files_unlock(files, rename_path(files, from, to, number));
}

/* May everything below the node be read? */
static bool may_copy(const struct phone_files *files,
                     const struct file_node *file_node, int *number)
{
    unsigned wanted =
        file_node_is_directory(file_node) ? MAY_READ | MAY_EXECUTE : MAY_READ;

    if (!file_node_is_link(file_node) && !files_may(files, file_node, wanted))
        return files_fail(number, EACCES);
    for (size_t i = 0; i < file_node->child_count; i++) {
        if (!may_copy(files, file_node->children[i], number))
            return false;
    }
    return true;
}

static void set_times(struct file_node *file_node, int64_t mtime)
{
    file_node->mtime = mtime;
    for (size_t i = 0; i < file_node->child_count; i++)
        set_times(file_node->children[i], mtime);
}

/* Copies of generated files have their content of that moment. */
static void settle(const struct phone_files *files, struct file_node *file_node)
{
    if (file_node_is_file(file_node) && file_node->device) {
        file_node->content = files_content(files, file_node);
        file_node->device = 0;
    }
    for (size_t i = 0; i < file_node->child_count; i++)
        settle(files, file_node->children[i]);
}

/* A copy for a place whose limits were checked. */
static struct file_node *copy_named(const struct phone_files *files,
                                    const struct file_node *file_node,
                                    const char *name, bool keep)
{
    struct file_node *copy = file_node_copy(file_node);

    settle(files, copy);
    free(copy->name);
    copy->name = mem_dup(name);
    if (!keep)
        set_times(copy, files_now(files));
    return copy;
}

static bool copy_over(struct phone_files *files,
                      const struct file_node *file_node,
                      const struct file_location *to, bool keep, int *number)
{
    int64_t mtime = file_node->mtime;

    if (file_node == to->file_node)
        return files_fail(number, EINVAL);
    if (file_node_is_directory(file_node))
        return files_fail(
            number, file_node_is_directory(to->file_node) ? EEXIST : ENOTDIR);
    if (!files_set_content(files, to, files_content(files, file_node), 0,
                           number))
        return false;
    if (keep)
        to->file_node->mtime = mtime;
    return true;
}

static bool copy_path(struct phone_files *files, const char *from,
                      const char *to, struct files_copying how, int *number)
{
    struct file_node *file_node;
    struct file_location target;

    if (!files_find(files, from, true, &file_node, number) ||
        !files_walk(files, to, true, &target, number) ||
        !may_copy(files, file_node, number))
        return false;
    if (target.file_node)
        return copy_over(files, file_node, &target, how.keep, number);
    if (file_node_is_directory(file_node) ? !how.recursive : target.slash)
        return files_fail(number, EISDIR);
    if (file_node_contains(file_node, target.directory))
        return files_fail(number, EINVAL);
    if (!files_fits(files, target.directory, file_node_count(file_node),
                    file_node_height(file_node), number))
        return false;
    return files_put(files, &target,
                     copy_named(files, file_node, target.name, how.keep),
                     number);
}

bool files_copy(struct phone_files *files, const char *from, const char *to,
                struct files_copying how, int *number)
{
    files_lock(files);
    return files_unlock(files, copy_path(files, from, to, how, number));
}
