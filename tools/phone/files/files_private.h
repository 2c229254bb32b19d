/* Shared by files_*.c: the tree behind struct phone_files. */
#ifndef TOOLS_PHONE_FILES_FILES_PRIVATE_H
#define TOOLS_PHONE_FILES_FILES_PRIVATE_H

#include <pthread.h>

#include "tools/phone/files/file_node.h"
#include "tools/phone/files/files.h"

enum {
    MAY_EXECUTE = 1, /* of a directory: look up names in it */
    MAY_WRITE = 2,
    MAY_READ = 4,
};

struct file_tree {
    pthread_mutex_t lock;   /* guards everything below */
    struct file_node *root; /* owned */
    size_t file_node_count;
    uint64_t next_inode;
    size_t handles;

    files_live_fn *live; /* generates contents; or NULL */
    void *live_context;

    size_t file_node_limit; /* these three never change */
    struct space *space;
    struct phone_time_source clock;
};

struct phone_files {
    struct file_tree *file_tree;
    struct files_user user;
};

/* The place that a path leads to. */
struct file_location {
    struct file_node *directory;   /* the directory; the root for the root */
    struct file_node *file_node;   /* NULL: the name does not exist */
    char name[FILES_NAME_MAX + 1]; /* "" when the path ends without a name */
    bool slash; /* the path ends in "/": only a directory is allowed */
};

/*
 * Resolve path. Only the last name may be missing. follow: follow a link in the
 * last place, too. The caller holds the lock.
 */
MUST_USE bool files_walk(const struct phone_files *files, const char *path,
                         bool follow, struct file_location *file_location,
                         int *number);

/* The same for a path that must exist. */
MUST_USE bool files_find(const struct phone_files *files, const char *path,
                         bool follow, struct file_node **file_node,
                         int *number);

/* Do the node's owner and mode allow that? */
bool files_may(const struct phone_files *files,
               const struct file_node *file_node, unsigned wanted);

/* Fail, as in: return files_fail(number, ENOENT); */
static inline bool files_fail(int *number, int reason)
{
    *number = reason;
    return false;
}

/* The bits of a mode that chmod can change. */
#define PERMISSIONS 07777U

static inline void files_lock(struct phone_files *files)
{
    pthread_mutex_lock(&files->file_tree->lock);
}

/* Release the lock, and return done. */
static inline bool files_unlock(struct phone_files *files, bool done)
{
    pthread_mutex_unlock(&files->file_tree->lock);
    return done;
}

static inline int64_t files_now(const struct phone_files *files)
{
    return phone_now(&files->file_tree->clock);
}

/* May names be added to this directory, and removed? */
MUST_USE bool files_may_change(const struct phone_files *files,
                               const struct file_node *directory, int *number);

/* May the node's content be changed? */
MUST_USE bool files_may_write(const struct phone_files *files,
                              const struct file_node *file_node, int *number);

/* Is there room for that many more nodes and levels below directory? */
MUST_USE bool files_fits(const struct phone_files *files,
                         const struct file_node *directory, size_t count,
                         size_t height, int *number);

/* Shared storage accepts only files and directories. */
MUST_USE bool files_suits_area(const struct file_node *file_node,
                               enum files_area area, int *number);

/* Move the node, and everything below it, to an area. */
void files_move_to_area(struct file_node *file_node, enum files_area area);

/* A node with the current time. Takes over content. */
struct file_node *files_new_node(const struct phone_files *files,
                                 const char *name, uint32_t mode,
                                 struct shared_bytes *content);

/*
 * Add a new node, owned by the user, at a free place. On failure it is freed.
 */
MUST_USE bool files_put(struct phone_files *files,
                        const struct file_location *file_location,
                        struct file_node *file_node, int *number);

/* Remove a node from the tree and free it. */
void files_discard(struct phone_files *files, struct file_node *file_node);

/* The content of a node, referenced; of a device, nothing. */
struct shared_bytes *files_content(const struct phone_files *files,
                                   const struct file_node *file_node);

/* Set the content at place; takes over content, also on failure. */
MUST_USE bool files_set_content(struct phone_files *files,
                                const struct file_location *file_location,
                                struct shared_bytes *content, uint32_t mode,
                                int *number);

#endif
