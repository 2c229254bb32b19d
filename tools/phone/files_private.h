/* What the files_*.c share: the tree behind struct files. */
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

/* What chmod can change of a mode. */
#define PERMISSIONS 07777U

static inline void files_lock(struct files *files)
{
    pthread_mutex_lock(&files->tree->lock);
}

/* Return through this: it hands on whether the call succeeded. */
static inline bool files_unlock(struct files *files, bool done)
{
    pthread_mutex_unlock(&files->tree->lock);
    return done;
}

static inline int64_t files_now(const struct files *files)
{
    return phone_now(&files->tree->clock);
}

/* May names be put into this directory, and taken out? */
MUST_USE bool files_may_change(const struct files *files,
                               const struct node *directory, int *number);

/* May the node's own content be changed? */
MUST_USE bool files_may_write(const struct files *files,
                              const struct node *node, int *number);

/* Is there room for so many more nodes, so many levels below directory? */
MUST_USE bool files_fits(const struct files *files,
                         const struct node *directory, size_t count,
                         size_t height, int *number);

/* Shared storage holds files and directories, and nothing else. */
MUST_USE bool files_suits_area(const struct node *node, enum files_area area,
                               int *number);

/* Let the node, and all below it, be on an area's storage. */
void files_move_to_area(struct node *node, enum files_area area);

/* A node of now. content is taken over. */
struct node *files_new_node(const struct files *files, const char *name,
                            uint32_t mode, struct blob *content);

/*
 * Put a new node where there is none. It is then the user's; on failure it is
 * freed.
 */
MUST_USE bool files_put(struct files *files, const struct place *place,
                        struct node *node, int *number);

/* Take a node out of the tree for good. */
void files_discard(struct files *files, struct node *node);

/* What reading the node gives, held; a device has nothing to read. */
struct blob *files_content(const struct files *files, const struct node *node);

/* Give what is at place this content, which is taken over, also on failure. */
MUST_USE bool files_set_content(struct files *files, const struct place *place,
                                struct blob *content, uint32_t mode,
                                int *number);

#endif
