/* Resolving paths to nodes. */
#include <errno.h>
#include <string.h>

#include "tools/phone/files/files_private.h"

/* A path being resolved. */
struct journey {
    const struct phone_files *files;
    char path[FILES_PATH_MAX + 1];
    const char *rest; /* in path */
    struct file_node *at;
    unsigned links;
};

static bool is_among(const struct files_user *user, uint32_t gid)
{
    if (user->gid == gid)
        return true;
    for (size_t i = 0; i < user->group_count; i++) {
        if (user->groups[i] == gid)
            return true;
    }
    return false;
}

bool files_may(const struct phone_files *files,
               const struct file_node *file_node, unsigned wanted)
{
    const struct files_user *user = &files->user;
    unsigned shift = 0;

    if (user->uid == 0)
        return true;
    if (user->uid == file_node->uid)
        shift = 6;
    else if (is_among(user, file_node->gid))
        shift = 3;
    return (file_node->mode >> shift & wanted) == wanted;
}

/* Put the link's target before the rest of the path. */
static bool follow_link(struct journey *journey, const struct file_node *link,
                        int *number)
{
    const struct shared_bytes *target = link->content;
    size_t left = strlen(journey->rest);

    if (++journey->links > FILES_LINKS_MAX)
        return files_fail(number, ELOOP);
    if (target->size + left > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    /* The rest of the path begins with a slash, or is empty. */
    memmove(journey->path + target->size, journey->rest, left + 1);
    memcpy(journey->path, target->data, target->size);
    journey->rest = journey->path;
    if (*journey->path == '/')
        journey->at = journey->files->file_tree->root;
    return true;
}

/* Cut the next name off the rest; its length is 0 at the end. */
static const char *next_name(struct journey *journey, size_t *length)
{
    const char *name = journey->rest + strspn(journey->rest, "/");

    *length = strcspn(name, "/");
    journey->rest = name + *length;
    return name;
}

static bool is_dots(const char *name, size_t length)
{
    return name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
}

/* May names be looked up in the current directory? */
static bool enter(const struct journey *journey, int *number)
{
    if (!file_node_is_directory(journey->at))
        return files_fail(number, ENOTDIR);
    if (!files_may(journey->files, journey->at, MAY_EXECUTE))
        return files_fail(number, EACCES);
    return true;
}

static void step_dots(struct journey *journey, size_t length)
{
    if (length == 2 && journey->at->parent)
        journey->at = journey->at->parent;
}

/* Is it the last name of the path? */
static void arrive(struct journey *journey, const char *name, size_t length,
                   struct file_node *file_node,
                   struct file_location *file_location)
{
    file_location->directory = journey->at;
    file_location->file_node = file_node;
    memcpy(file_location->name, name, length);
    file_location->name[length] = '\0';
}

/* Resolve one name; *arrived if that was the last. */
static bool step(struct journey *journey, bool follow,
                 struct file_location *file_location, bool *arrived,
                 int *number)
{
    size_t length;
    const char *name = next_name(journey, &length);
    bool slash = *journey->rest == '/';
    bool last = !journey->rest[strspn(journey->rest, "/")];
    struct file_node *child;

    if (!enter(journey, number))
        return false;
    if (length > FILES_NAME_MAX)
        return files_fail(number, ENAMETOOLONG);
    if (is_dots(name, length)) {
        step_dots(journey, length);
        return true;
    }
    child = file_node_child(journey->at, name, length);
    if (!child && !last)
        return files_fail(number, ENOENT);
    if (child && file_node_is_link(child) && (!last || slash || follow))
        return follow_link(journey, child, number);
    *arrived = last;
    if (last) {
        file_location->slash = slash;
        arrive(journey, name, length, child, file_location);
    } else {
        journey->at = child;
    }
    return true;
}

/* The path ends without a name: in "..", or at the root. */
static bool arrive_nowhere(const struct journey *journey,
                           struct file_location *file_location)
{
    struct file_node *at = journey->at;

    file_location->directory = at->parent ? at->parent : at;
    file_location->file_node = at;
    return true;
}

bool files_walk(const struct phone_files *files, const char *path, bool follow,
                struct file_location *file_location, int *number)
{
    struct journey journey = {.files = files, .at = files->file_tree->root};
    size_t length = strlen(path);
    bool arrived = false;

    *file_location = (struct file_location){.file_node = NULL};
    if (!length)
        return files_fail(number, ENOENT);
    if (length > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    memcpy(journey.path, path, length + 1);
    journey.rest = journey.path;
    while (!arrived) {
        if (!journey.rest[strspn(journey.rest, "/")])
            return arrive_nowhere(&journey, file_location);
        if (!step(&journey, follow, file_location, &arrived, number))
            return false;
    }
    if (file_location->slash && file_location->file_node &&
        !file_node_is_directory(file_location->file_node))
        return files_fail(number, ENOTDIR);
    return true;
}

bool files_find(const struct phone_files *files, const char *path, bool follow,
                struct file_node **file_node, int *number)
{
    struct file_location file_location;

    if (!files_walk(files, path, follow, &file_location, number))
        return false;
    if (!file_location.file_node)
        return files_fail(number, ENOENT);
    *file_node = file_location.file_node;
    return true;
}
