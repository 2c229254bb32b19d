/*
 * A file, directory, link or device in the phone's tree. Users, paths and locks
 * are in files.h, the only user of this header.
 */
#ifndef TOOLS_PHONE_FILES_FILE_NODE_H
#define TOOLS_PHONE_FILES_FILE_NODE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/core/shared_bytes.h"
#include "tools/phone/files/files.h"

struct file_node {
    char *name; /* owned; "" for the root */
    struct file_node *parent;
    uint64_t inode;
    uint32_t mode; /* as in POSIX st_mode */
    uint32_t uid;
    uint32_t gid;
    uint32_t device; /* a device's number */
    int64_t mtime;
    enum files_area area;
    struct shared_bytes
        *content;                /* owned: a file's bytes, or a link's target */
    struct file_node **children; /* owned, as each node; sorted by name */
    size_t child_count;
    size_t child_capacity;
    size_t directory_count; /* number of children */
};

/* A node outside of the tree. Takes over content; NULL: none. */
struct file_node *file_node_new(const char *name, uint32_t mode,
                                struct shared_bytes *content);

/* Free a node outside of the tree, and everything below it. NULL is fine. */
void file_node_free(struct file_node *file_node);

bool file_node_is_directory(const struct file_node *file_node);
bool file_node_is_link(const struct file_node *file_node);
bool file_node_is_file(const struct file_node *file_node);

/* The child of that name (length bytes), or NULL. */
struct file_node *file_node_child(const struct file_node *directory,
                                  const char *name, size_t length);

/* The index of the first child with a greater name. */
size_t file_node_behind(const struct file_node *directory, const char *name);

/* Add a node to a directory without a child of its name; remove one. */
void file_node_attach(struct file_node *directory, struct file_node *file_node);
void file_node_detach(struct file_node *file_node);

/* The number of nodes including this one, and of levels below it. */
size_t file_node_count(const struct file_node *file_node);
size_t file_node_height(const struct file_node *file_node);

/* The number of directories above it; 0 for the root. */
size_t file_node_depth(const struct file_node *file_node);

/* Is inner the same node, or below it? */
bool file_node_contains(const struct file_node *outer,
                        const struct file_node *inner);

/*
 * Copy a node and everything below it; contents are shared, all properties
 * equal.
 */
struct file_node *file_node_copy(const struct file_node *file_node);

#endif
