#include "tools/phone/files/file_node.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

struct file_node *file_node_new(const char *name, uint32_t mode,
                                struct shared_bytes *content)
{
    struct file_node *file_node = mem_new(1, sizeof(*file_node));

    file_node->name = mem_dup(name);
    file_node->mode = mode;
    file_node->content = content;
    return file_node;
}

void file_node_free(struct file_node *file_node)
{
    if (!file_node)
        return;
    for (size_t i = 0; i < file_node->child_count; i++)
        file_node_free(file_node->children[i]);
    shared_bytes_drop(file_node->content);
    free(file_node->children);
    free(file_node->name);
    free(file_node);
}

bool file_node_is_directory(const struct file_node *file_node)
{
    return S_ISDIR(file_node->mode);
}

bool file_node_is_link(const struct file_node *file_node)
{
    return S_ISLNK(file_node->mode);
}

bool file_node_is_file(const struct file_node *file_node)
{
    return S_ISREG(file_node->mode);
}

/* Like strcmp, for a name of length bytes without a NUL. */
static int compare(const char *name, size_t length, const char *other)
{
    int order = strncmp(name, other, length);

    return order ? order : -(other[length] != '\0');
}

/* The index of the name, or the one to insert it at. */
static size_t find(const struct file_node *directory, const char *name,
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

struct file_node *file_node_child(const struct file_node *directory,
                                  const char *name, size_t length)
{
    size_t at = find(directory, name, length);

    if (at == directory->child_count ||
        compare(name, length, directory->children[at]->name))
        return NULL;
    return directory->children[at];
}

size_t file_node_behind(const struct file_node *directory, const char *name)
{
    size_t at = find(directory, name, strlen(name));

    return at + (file_node_child(directory, name, strlen(name)) != NULL);
}

static void make_room(struct file_node *directory)
{
    if (directory->child_count < directory->child_capacity)
        return;
    directory->child_capacity = directory->child_capacity * 2 + 4;
    directory->children =
        mem_resize(directory->children, directory->child_capacity,
                   sizeof(struct file_node *));
}

void file_node_attach(struct file_node *directory, struct file_node *file_node)
{
    size_t at = find(directory, file_node->name, strlen(file_node->name));
    struct file_node **place;

    assert(!file_node->parent);
    make_room(directory);
    place = directory->children + at;
    memmove(place + 1, place, (directory->child_count - at) * sizeof(*place));
    *place = file_node;
    directory->child_count++;
    directory->directory_count += file_node_is_directory(file_node);
    file_node->parent = directory;
}

void file_node_detach(struct file_node *file_node)
{
    struct file_node *directory = file_node->parent;
    size_t at = find(directory, file_node->name, strlen(file_node->name));
    struct file_node **place = directory->children + at;

    assert(*place == file_node);
    directory->child_count--;
    directory->directory_count -= file_node_is_directory(file_node);
    memmove(place, place + 1, (directory->child_count - at) * sizeof(*place));
    file_node->parent = NULL;
}

size_t file_node_count(const struct file_node *file_node)
{
    size_t count = 1;

    for (size_t i = 0; i < file_node->child_count; i++)
        count += file_node_count(file_node->children[i]);
    return count;
}

size_t file_node_height(const struct file_node *file_node)
{
    size_t height = 0;

    for (size_t i = 0; i < file_node->child_count; i++) {
        size_t below = 1 + file_node_height(file_node->children[i]);

        height = below > height ? below : height;
    }
    return height;
}

size_t file_node_depth(const struct file_node *file_node)
{
    size_t depth = 0;

    while ((file_node = file_node->parent))
        depth++;
    return depth;
}

bool file_node_contains(const struct file_node *outer,
                        const struct file_node *inner)
{
    while (inner && inner != outer)
        inner = inner->parent;
    return inner;
}

struct file_node *file_node_copy(const struct file_node *file_node)
{
    struct file_node *copy = mem_new(1, sizeof(*copy));

    *copy = *file_node;
    copy->name = mem_dup(file_node->name);
    copy->parent = NULL;
    copy->content = shared_bytes_hold(file_node->content);
    copy->child_capacity = file_node->child_count;
    copy->children =
        mem_new(file_node->child_count, sizeof(struct file_node *));
    for (size_t i = 0; i < file_node->child_count; i++) {
        copy->children[i] = file_node_copy(file_node->children[i]);
        copy->children[i]->parent = copy;
    }
    return copy;
}
