/* From paths to nodes. */
#include <errno.h>
#include <string.h>

#include "tools/phone/files_private.h"

/* A path on its way: what of it is still to be gone. */
struct journey {
    const struct files *files;
    char path[FILES_PATH_MAX + 1];
    const char *rest; /* in path */
    struct node *at;
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

bool files_may(const struct files *files, const struct node *node,
               unsigned wanted)
{
    const struct files_user *user = &files->user;
    unsigned shift = 0;

    if (user->uid == 0)
        return true;
    if (user->uid == node->uid)
        shift = 6;
    else if (is_among(user, node->gid))
        shift = 3;
    return (node->mode >> shift & wanted) == wanted;
}

/* Put the link's target in front of what is left. */
static bool follow_link(struct journey *journey, const struct node *link,
                        int *number)
{
    const struct blob *target = link->content;
    size_t left = strlen(journey->rest);

    if (++journey->links > FILES_LINKS_MAX)
        return files_fail(number, ELOOP);
    if (target->size + left > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    /* What is left begins with a slash, if it is not empty. */
    memmove(journey->path + target->size, journey->rest, left + 1);
    memcpy(journey->path, target->data, target->size);
    journey->rest = journey->path;
    if (*journey->path == '/')
        journey->at = journey->files->tree->root;
    return true;
}

/* Cut the next name off what is left; its length is 0 at the end. */
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

/* May anything be looked up where the journey is now? */
static bool enter(const struct journey *journey, int *number)
{
    if (!node_is_directory(journey->at))
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

/* The name stands last, and it is a name. */
static void arrive(struct journey *journey, const char *name, size_t length,
                   struct node *node, struct place *place)
{
    place->directory = journey->at;
    place->node = node;
    memcpy(place->name, name, length);
    place->name[length] = '\0';
}

/* Go one name further; *arrived when that was the last. */
static bool step(struct journey *journey, bool follow, struct place *place,
                 bool *arrived, int *number)
{
    size_t length;
    const char *name = next_name(journey, &length);
    bool slash = *journey->rest == '/';
    bool last = !journey->rest[strspn(journey->rest, "/")];
    struct node *child;

    if (!enter(journey, number))
        return false;
    if (length > FILES_NAME_MAX)
        return files_fail(number, ENAMETOOLONG);
    if (is_dots(name, length)) {
        step_dots(journey, length);
        return true;
    }
    child = node_child(journey->at, name, length);
    if (!child && !last)
        return files_fail(number, ENOENT);
    if (child && node_is_link(child) && (!last || slash || follow))
        return follow_link(journey, child, number);
    *arrived = last;
    if (last) {
        place->slash = slash;
        arrive(journey, name, length, child, place);
    } else {
        journey->at = child;
    }
    return true;
}

/* The path ends in no name: in "..", say, or it is the root's. */
static bool arrive_nowhere(const struct journey *journey, struct place *place)
{
    struct node *at = journey->at;

    place->directory = at->parent ? at->parent : at;
    place->node = at;
    return true;
}

bool files_walk(const struct files *files, const char *path, bool follow,
                struct place *place, int *number)
{
    struct journey journey = {.files = files, .at = files->tree->root};
    size_t length = strlen(path);
    bool arrived = false;

    *place = (struct place){.node = NULL};
    if (!length)
        return files_fail(number, ENOENT);
    if (length > FILES_PATH_MAX)
        return files_fail(number, ENAMETOOLONG);
    memcpy(journey.path, path, length + 1);
    journey.rest = journey.path;
    while (!arrived) {
        if (!journey.rest[strspn(journey.rest, "/")])
            return arrive_nowhere(&journey, place);
        if (!step(&journey, follow, place, &arrived, number))
            return false;
    }
    if (place->slash && place->node && !node_is_directory(place->node))
        return files_fail(number, ENOTDIR);
    return true;
}

bool files_find(const struct files *files, const char *path, bool follow,
                struct node **node, int *number)
{
    struct place place;

    if (!files_walk(files, path, follow, &place, number))
        return false;
    if (!place.node)
        return files_fail(number, ENOENT);
    *node = place.node;
    return true;
}
