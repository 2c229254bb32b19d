/*
 * The phone's own files: a tree in memory, with nothing of the computer's.
 *
 * Paths are the phone's; one that does not begin with "/" begins at the root.
 * ".." and links never lead out of the tree. A failing call returns false and
 * sets *number to an errno value, for which files_reason has the words that a
 * phone prints. Every call is safe from any thread, and each is one step: no
 * other thread sees half of it.
 *
 * struct files is the tree as one user sees it. All handles of one tree share
 * everything but that user.
 */
#ifndef PHONE_FILES_H
#define PHONE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/blob.h"
#include "tools/phone/clock.h"
#include "tools/phone/parcel.h"

#define FILES_NAME_MAX 255U
#define FILES_PATH_MAX 4096U
#define FILES_DEPTH_MAX 128U
#define FILES_LINKS_MAX 40U /* followed in one path */

struct files;

struct files_user {
    uint32_t uid;
    uint32_t gid;
    const uint32_t *groups; /* the others it belongs to */
    size_t group_count;
};

extern const struct files_user files_root;  /* may do everything */
extern const struct files_user files_shell; /* uid 2000, as adb's users are */

/* Zeros stand for the defaults. */
struct files_limits {
    uint64_t bytes; /* of all contents, also those held or being written */
    size_t nodes;   /* files, directories and links */
};
#define FILES_BYTES_DEFAULT ((uint64_t)512 << 20)
#define FILES_NODES_DEFAULT ((size_t)1 << 16)

/* A tree that holds an empty root, seen by files_root. */
struct files *files_new(const struct files_limits *limits,
                        struct phone_clock clock);

/* The same tree as user sees it. */
struct files *files_as(struct files *files, const struct files_user *user);

/* The tree ends with its last handle. NULL is fine. */
void files_free(struct files *files);

const struct files_user *files_whoami(const struct files *files);

/* What a phone prints for an errno value, such as "Is a directory". */
const char *files_reason(int number);

/* A file's facts. mode is as in POSIX st_mode. */
struct files_stat {
    uint64_t inode;
    uint32_t mode;
    uint32_t links;
    uint32_t uid;
    uint32_t gid;
    uint32_t device; /* a device's number: major << 8 | minor */
    uint64_t size;
    int64_t mtime; /* nanoseconds since 1970; also atime and ctime */
};

/* follow: of what a link leads to, not of the link itself. */
MUST_USE bool files_stat(struct files *files, const char *path, bool follow,
                         struct files_stat *stat, int *number);

/* May the user do this? wanted is a sum of R_OK 4, W_OK 2 and X_OK 1. */
MUST_USE bool files_access(struct files *files, const char *path,
                           unsigned wanted, int *number);

/* What is in a directory, sorted by name, without "." and "..". */
struct files_entry {
    char *name; /* owned */
    struct files_stat stat;
};

struct files_list {
    struct files_entry *entries; /* owned */
    size_t count;
};

#define FILES_LIST_INIT                                                        \
    {                                                                          \
        .count = 0                                                             \
    }

MUST_USE bool files_list(struct files *files, const char *path,
                         struct files_list *list, int *number);

/* The same, but at most limit entries, whose names stand behind after. */
MUST_USE bool files_list_page(struct files *files, const char *path,
                              const char *after, size_t limit,
                              struct files_list *list, int *number);
void files_list_release(struct files_list *list);

/* A file's content as it is now; the caller drops it. */
MUST_USE bool files_open(struct files *files, const char *path,
                         struct blob **content, int *number);

/* Where a link leads, as a blob without a NUL; EINVAL for what is no link. */
MUST_USE bool files_read_link(struct files *files, const char *path,
                              struct blob **target, int *number);

/*
 * The path without links, "." and "..", from the root; the caller frees it.
 * Its last name need not exist.
 */
MUST_USE bool files_real_path(struct files *files, const char *path,
                              char **real, int *number);

/* For a content that is then installed here, or just for bounded memory. */
struct blob_writer files_writer(struct files *files);

/*
 * Give a file this content, making it with mode (permission bits) where it is
 * missing; one that exists keeps its mode and owner. content stays the
 * caller's. A device swallows it.
 */
MUST_USE bool files_install(struct files *files, const char *path,
                            struct blob *content, uint32_t mode, int *number);

/* The same with bytes behind what the file holds. */
MUST_USE bool files_append(struct files *files, const char *path,
                           const void *data, size_t size, uint32_t mode,
                           int *number);

/*
 * Put a new file in the place of the file or link that has this very name, if
 * any: its content, permission bits, owner (the user) and time are all new.
 */
MUST_USE bool files_replace(struct files *files, const char *path,
                            struct blob *content, uint32_t mode, int64_t mtime,
                            int *number);

/* Would files_replace do it now, as far as its name is concerned? */
MUST_USE bool files_may_replace(struct files *files, const char *path,
                                int *number);

/* parents: also those on the way; and what is a directory is no failure. */
MUST_USE bool files_make_directory(struct files *files, const char *path,
                                   uint32_t mode, bool parents, int *number);

/* Make path a symbolic link that leads to target, which need not exist. */
MUST_USE bool files_link(struct files *files, const char *target,
                         const char *path, int *number);

/* Make a character device; for root alone. */
MUST_USE bool files_make_device(struct files *files, const char *path,
                                uint32_t device, uint32_t mode, int *number);

/* A link is removed itself; a directory must be empty, or recursive. */
MUST_USE bool files_remove(struct files *files, const char *path,
                           bool recursive, int *number);

/* As rename(2): replaces a file, or an empty directory by a directory. */
MUST_USE bool files_rename(struct files *files, const char *from,
                           const char *to, int *number);

/*
 * Copy a file, a link's file, or with recursive a whole tree (whose links stay
 * links) to a name that is not there, or over a file. Copies belong to the
 * user and are of now; keep lets them have the times of what was copied.
 */
struct files_copying {
    bool recursive;
    bool keep;
};
MUST_USE bool files_copy(struct files *files, const char *from, const char *to,
                         struct files_copying how, int *number);

/* chmod, chown and touch: links are followed where nothing else is said. */
MUST_USE bool files_set_mode(struct files *files, const char *path,
                             uint32_t mode, int *number);
MUST_USE bool files_set_owner(struct files *files, const char *path,
                              uint32_t uid, uint32_t gid, int *number);
MUST_USE bool files_set_time(struct files *files, const char *path, bool follow,
                             int64_t mtime, int *number);

/* What kind of storage a place is on. */
enum files_area {
    FILES_PLAIN,
    FILES_READ_ONLY, /* as /system is: EROFS, also for root */
    FILES_SHARED,    /* as /sdcard is: the storage sets owners and modes */
};

/* The area of path and all below it; what is made there inherits it. */
MUST_USE bool files_set_area(struct files *files, const char *path,
                             enum files_area area, int *number);

struct files_space {
    uint64_t bytes;
    uint64_t bytes_used;
    size_t nodes;
    size_t nodes_used;
};
struct files_space files_space(struct files *files);

/* Everything in the tree as it is now; contents are shared, not copied. */
struct files_snapshot;

struct files_snapshot *files_snapshot(struct files *files);
void files_restore(struct files *files, const struct files_snapshot *snapshot);
void files_snapshot_free(struct files_snapshot *snapshot); /* NULL is fine */

/* The same as bytes. Contents are read while the old ones are still there. */
void files_save(struct files *files, struct buf *out);
void files_load(struct files *files, struct parcel *in);

#endif
