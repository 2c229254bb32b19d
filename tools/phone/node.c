#include "tools/phone/node.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

struct node *node_new(const char *name, uint32_t mode, struct blob *content)
{
    struct node *node = mem_new(1, sizeof(*node));

    node->name = mem_dup(name);
    node->mode = mode;
    node->content = content;
    return node;
}

void node_free(struct node *node)
{
    if (!node)
        return;
    for (size_t i = 0; i < node->child_count; i++)
        node_free(node->children[i]);
    blob_drop(node->content);
    free(node->children);
    free(node->name);
    free(node);
}

bool node_is_directory(const struct node *node)
{
    return S_ISDIR(node->mode);
}

bool node_is_link(const struct node *node)
{
    return S_ISLNK(node->mode);
}

bool node_is_file(const struct node *node)
{
    return S_ISREG(node->mode);
}

/* As strcmp, with a name of length bytes that no NUL ends. */
static int compare(const char *name, size_t length, const char *other)
{
    int order = strncmp(name, other, length);

    return order ? order : -(other[length] != '\0');
}

/* Where the name stands, or would. */
static size_t find(const struct node *directory, const char *name,
                   size_t length)
{
    size_t low = 0;
    size_t high = directory->child_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(name, length, directory->children[middle]->name) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct node *node_child(const struct node *directory, const char *name,
                        size_t length)
{
    size_t at = find(directory, name, length);

    if (at == directory->child_count ||
        compare(name, length, directory->children[at]->name))
        return NULL;
    return directory->children[at];
}

size_t node_behind(const struct node *directory, const char *name)
{
    size_t at = find(directory, name, strlen(name));

    return at + (node_child(directory, name, strlen(name)) != NULL);
}

static void make_room(struct node *directory)
{
    if (directory->child_count < directory->child_capacity)
        return;
    directory->child_capacity = directory->child_capacity * 2 + 4;
    directory->children = mem_resize(
        directory->children, directory->child_capacity, sizeof(struct node *));
}

void node_attach(struct node *directory, struct node *node)
{
    size_t at = find(directory, node->name, strlen(node->name));
    struct node **place;

    assert(!node->parent);
    make_room(directory);
    place = directory->children + at;
    memmove(place + 1, place, (directory->child_count - at) * sizeof(*place));
    *place = node;
    directory->child_count++;
    directory->directory_count += node_is_directory(node);
    node->parent = directory;
}

void node_detach(struct node *node)
{
    struct node *directory = node->parent;
    size_t at = find(directory, node->name, strlen(node->name));
    struct node **place = directory->children + at;

    assert(*place == node);
    directory->child_count--;
    directory->directory_count -= node_is_directory(node);
    memmove(place, place + 1, (directory->child_count - at) * sizeof(*place));
    node->parent = NULL;
}

size_t node_count(const struct node *node)
{
    size_t count = 1;

    for (size_t i = 0; i < node->child_count; i++)
        count += node_count(node->children[i]);
    return count;
}

size_t node_height(const struct node *node)
{
    size_t height = 0;

    for (size_t i = 0; i < node->child_count; i++) {
        size_t below = 1 + node_height(node->children[i]);

        height = below > height ? below : height;
    }
    return height;
}

size_t node_depth(const struct node *node)
{
    size_t depth = 0;

    while ((node = node->parent))
        depth++;
    return depth;
}

bool node_contains(const struct node *outer, const struct node *inner)
{
    while (inner && inner != outer)
        inner = inner->parent;
    return inner;
}

struct node *node_copy(const struct node *node)
{
    struct node *copy = mem_new(1, sizeof(*copy));

    *copy = *node;
    copy->name = mem_dup(node->name);
    copy->parent = NULL;
    copy->content = blob_hold(node->content);
    copy->child_capacity = node->child_count;
    copy->children = mem_new(node->child_count, sizeof(struct node *));
    for (size_t i = 0; i < node->child_count; i++) {
        copy->children[i] = node_copy(node->children[i]);
        copy->children[i]->parent = copy;
    }
    return copy;
}
