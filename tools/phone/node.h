/*
 * One file, directory, link or device in the phone's tree. Nothing here knows
 * of users, paths or locks: that is files.h, the only user of this header.
 */
#ifndef PHONE_NODE_H
#define PHONE_NODE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/blob.h"
#include "tools/phone/files.h"

struct node {
    char *name; /* owned; "" for the root */
    struct node *parent;
    uint64_t inode;
    uint32_t mode; /* as in POSIX st_mode */
    uint32_t uid;
    uint32_t gid;
    uint32_t device; /* a device's number */
    int64_t mtime;
    enum files_area area;
    struct blob *content;   /* owned: a file's bytes, or where a link leads */
    struct node **children; /* owned, and so is each; sorted by name */
    size_t child_count;
    size_t child_capacity;
    size_t directory_count; /* of the children */
};

/* A node that stands nowhere yet. content is taken over; NULL: none. */
struct node *node_new(const char *name, uint32_t mode, struct blob *content);

/* Free a node that stands nowhere, and all below it. NULL is fine. */
void node_free(struct node *node);

bool node_is_directory(const struct node *node);
bool node_is_link(const struct node *node);
bool node_is_file(const struct node *node);

/* The child of that name (length bytes), or NULL. */
struct node *node_child(const struct node *directory, const char *name,
                        size_t length);

/* The index of the first child whose name stands behind this one. */
size_t node_behind(const struct node *directory, const char *name);

/* Put a node into a directory that has none of its name, or take it out. */
void node_attach(struct node *directory, struct node *node);
void node_detach(struct node *node);

/* How many nodes there are, itself included, and how many levels below it. */
size_t node_count(const struct node *node);
size_t node_height(const struct node *node);

/* How many directories lead to it; 0 for the root. */
size_t node_depth(const struct node *node);

/* Is inner the same node, or somewhere below it? */
bool node_contains(const struct node *outer, const struct node *inner);

/* Copy a node and all below it; contents are shared, all facts are equal. */
struct node *node_copy(const struct node *node);

#endif
