/* What files.c and files_walk.c share: the tree behind struct files. */
#ifndef PHONE_FILES_PRIVATE_H
#define PHONE_FILES_PRIVATE_H

#include <pthread.h>

#include "tools/phone/files.h"
#include "tools/phone/node.h"

enum {
    MAY_EXECUTE = 1, /* for a directory: look something up in it */
    MAY_WRITE = 2,
    MAY_READ = 4,
};

struct tree {
    pthread_mutex_t lock; /* guards all below */
    struct node *root;    /* owned */
    size_t node_count;
    uint64_t next_inode;
    size_t handles;

    size_t node_limit; /* these three never change */
    struct space *space;
    struct phone_clock clock;
};

struct files {
    struct tree *tree;
    struct files_user user;
};

/* Where a path leads. */
struct place {
    struct node *directory;        /* what it is in; the root for the root */
    struct node *node;             /* NULL: there is nothing of this name */
    char name[FILES_NAME_MAX + 1]; /* "" when the path ends in no name */
    bool slash; /* the path ends in "/": only a directory may be there */
};

/*
 * Find where path leads. Only the last name may be missing. follow: a link
 * that stands last is followed too. The caller holds the lock.
 */
MUST_USE bool files_walk(const struct files *files, const char *path,
                         bool follow, struct place *place, int *number);

/* The same for what must exist. */
MUST_USE bool files_find(const struct files *files, const char *path,
                         bool follow, struct node **node, int *number);

/* Do the node's owner and mode let the user do that? */
bool files_may(const struct files *files, const struct node *node,
               unsigned wanted);

/* Fail, as in: return files_fail(number, ENOENT); */
static inline bool files_fail(int *number, int reason)
{
    *number = reason;
    return false;
}

#endif
