/* Files removed, moved and copied. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files_private.h"

/* May everything in the node be removed? */
static bool may_empty(const struct files *files, const struct node *node,
                      int *number)
{
    if (node->child_count && !files_may_change(files, node, number))
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
    return files_may_change(files, place->directory, number);
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
    files_discard(files, place.node);
    return true;
}

bool files_remove(struct files *files, const char *path, bool recursive,
                  int *number)
{
    files_lock(files);
    return files_unlock(files, remove_path(files, path, recursive, number));
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
    return files_may_change(files, to->directory, number) &&
           files_fits(files, to->directory, 0, node_height(node), number) &&
           files_suits_area(node, to->directory->area, number);
}

static void move(struct files *files, struct node *node, struct place *to)
{
    node->parent->mtime = files_now(files);
    node_detach(node);
    free(node->name);
    node->name = mem_dup(to->name);
    if (node->area != to->directory->area)
        files_move_to_area(node, to->directory->area);
    node_attach(to->directory, node);
    to->directory->mtime = files_now(files);
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
        files_discard(files, target.node);
    move(files, source.node, &target);
    return true;
}

bool files_rename(struct files *files, const char *from, const char *to,
                  int *number)
{
    files_lock(files);
    return files_unlock(files, rename_path(files, from, to, number));
}

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
        set_times(copy, files_now(files));
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
    if (!files_set_content(files, to, files_content(files, node), 0, number))
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
    if (!files_fits(files, target.directory, node_count(node),
                    node_height(node), number))
        return false;
    return files_put(files, &target,
                     copy_named(files, node, target.name, how.keep), number);
}

bool files_copy(struct files *files, const char *from, const char *to,
                struct files_copying how, int *number)
{
    files_lock(files);
    return files_unlock(files, copy_path(files, from, to, how, number));
}
