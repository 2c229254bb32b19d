/*
 * The phone's files: a tree in memory, without access to the computer's files.
 *
 * Relative paths start at the root. ".." and links never lead out of the tree.
 * A failing call returns false and sets *number to an errno value;
 * files_reason has its message. Every call is safe from any thread and atomic.
 *
 * struct phone_files is the tree as one user sees it. All handles of one tree
 * share everything but that user.
 */
#ifndef TOOLS_PHONE_FILES_FILES_H
#define TOOLS_PHONE_FILES_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "tools/phone/core/clock.h"
#include "tools/phone/core/saved_state.h"
#include "tools/phone/core/shared_bytes.h"

#define FILES_NAME_MAX 255U
#define FILES_PATH_MAX 4096U
#define FILES_DEPTH_MAX 128U
#define FILES_LINKS_MAX 40U /* links followed in one path */

struct phone_files;

struct files_user {
    uint32_t uid;
    uint32_t gid;
    const uint32_t *groups; /* supplementary groups */
    size_t group_count;
};

extern const struct files_user files_root;  /* may do everything */
extern const struct files_user files_shell; /* uid 2000, as in adb's shell */

/* Zeros stand for the defaults. */
struct files_limits {
    uint64_t bytes; /* bytes of all contents, including those referenced or
                       being written */
    size_t nodes;   /* files, directories and links */
};
#define FILES_BYTES_DEFAULT ((uint64_t)512 << 20)
#define FILES_NODES_DEFAULT ((size_t)1 << 16)

/* A tree with an empty root, as files_root sees it. */
struct phone_files *files_new(const struct files_limits *limits,
                              struct phone_time_source clock);

/* The same tree, as user sees it. */
struct phone_files *files_as(struct phone_files *files,
                             const struct files_user *user);

/* The last handle frees the tree. NULL is fine. */
void files_free(struct phone_files *files);

const struct files_user *files_whoami(const struct phone_files *files);

/* The message of an errno value on a phone, such as "Is a directory". */
const char *files_reason(int number);

/* Properties of a file. mode is as in POSIX st_mode. */
struct files_stat {
    uint64_t inode;
    uint32_t mode;
    uint32_t links;
    uint32_t uid;
    uint32_t gid;
    uint32_t device; /* a device's number: major << 8 | minor */
    uint64_t size;
    int64_t mtime; /* nanoseconds since 1970; also used as atime and ctime */
};

/* follow: of a link's target, not of the link itself. */
MUST_USE bool files_stat(struct phone_files *files, const char *path,
                         bool follow, struct files_stat *stat, int *number);

/* May the user do this? wanted is a sum of R_OK 4, W_OK 2 and X_OK 1. */
MUST_USE bool files_access(struct phone_files *files, const char *path,
                           unsigned wanted, int *number);

/* The entries of a directory, sorted by name, without "." and "..". */
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

MUST_USE bool files_list(struct phone_files *files, const char *path,
                         struct files_list *list, int *number);

/* The same, but at most limit entries, with names greater than after. */
MUST_USE bool files_list_page(struct phone_files *files, const char *path,
                              const char *after, size_t limit,
                              struct files_list *list, int *number);
void files_list_release(struct files_list *list);

/* The current content of a file; the caller releases it. */
MUST_USE bool files_open(struct phone_files *files, const char *path,
                         struct shared_bytes **content, int *number);

/* The target of a link, without a NUL; EINVAL if it is no link. */
MUST_USE bool files_read_link(struct phone_files *files, const char *path,
                              struct shared_bytes **target, int *number);

/*
 * The absolute path without links, "." and ".."; the caller frees it. Its last
 * name need not exist.
 */
MUST_USE bool files_real_path(struct phone_files *files, const char *path,
                              char **real, int *number);

/* A writer for content of this tree, which counts against its limit. */
struct shared_bytes_writer files_writer(struct phone_files *files);

/*
 * Set the content of a file. A missing file is created with mode (permission
 * bits); an existing one keeps its mode and owner. content stays the caller's.
 * A device discards it.
 */
MUST_USE bool files_install(struct phone_files *files, const char *path,
                            struct shared_bytes *content, uint32_t mode,
                            int *number);

/* The same, appending the bytes to the old content. */
MUST_USE bool files_append(struct phone_files *files, const char *path,
                           const void *data, size_t size, uint32_t mode,
                           int *number);

/*
 * Replace the file or link of exactly this name, if any, by a new file:
 * content, permission bits, owner (the user) and time are all new.
 */
MUST_USE bool files_replace(struct phone_files *files, const char *path,
                            struct shared_bytes *content, uint32_t mode,
                            int64_t mtime, int *number);

/* Would files_replace accept this path now? */
MUST_USE bool files_may_replace(struct phone_files *files, const char *path,
                                int *number);

/* parents: create missing parents, and accept an existing directory. */
MUST_USE bool files_make_directory(struct phone_files *files, const char *path,
                                   uint32_t mode, bool parents, int *number);

/* Create a symbolic link to target, which need not exist. */
MUST_USE bool files_link(struct phone_files *files, const char *target,
                         const char *path, int *number);

/* Create a character device; root only. */
MUST_USE bool files_make_device(struct phone_files *files, const char *path,
                                uint32_t device, uint32_t mode, int *number);

/*
 * A file whose content is generated when it is read, as in /proc: number says
 * which one it is. Root only; it cannot be written.
 */
typedef void files_live_fn(void *context, uint32_t number, struct buf *text);

#define FILES_LIVE_MAX ((size_t)64 * 1024) /* limit of one content */

MUST_USE bool files_make_live(struct phone_files *files, const char *path,
                              uint32_t live, uint32_t mode, int *number);

/*
 * Set the generator of these contents; any thread may call it, with a lock
 * held.
 */
void files_set_live(struct phone_files *files, files_live_fn *make,
                    void *context);

/* Removes a link itself; a directory must be empty, unless recursive. */
MUST_USE bool files_remove(struct phone_files *files, const char *path,
                           bool recursive, int *number);

/* Like rename(2): replaces a file, or an empty directory by a directory. */
MUST_USE bool files_rename(struct phone_files *files, const char *from,
                           const char *to, int *number);

/*
 * Copy a file, a link's target, or with recursive a whole tree (whose links
 * stay links) to a new name, or over a file. Copies belong to the user and have
 * the current time; with keep, the original times.
 */
struct files_copying {
    bool recursive;
    bool keep;
};
MUST_USE bool files_copy(struct phone_files *files, const char *from,
                         const char *to, struct files_copying how, int *number);

/* chmod, chown and touch; links are followed unless the name says otherwise. */
MUST_USE bool files_set_mode(struct phone_files *files, const char *path,
                             uint32_t mode, int *number);
MUST_USE bool files_set_owner(struct phone_files *files, const char *path,
                              uint32_t uid, uint32_t gid, int *number);
MUST_USE bool files_set_time(struct phone_files *files, const char *path,
                             bool follow, int64_t mtime, int *number);

/* The kind of storage of a path. */
enum files_area {
    FILES_PLAIN,
    FILES_READ_ONLY, /* like /system: EROFS, also for root */
    FILES_SHARED,    /* like /sdcard: the storage defines owners and modes */
};

/* Set the area of path and everything below it; new files inherit it. */
MUST_USE bool files_set_area(struct phone_files *files, const char *path,
                             enum files_area area, int *number);

struct files_space {
    uint64_t bytes;
    uint64_t bytes_used;
    size_t nodes;
    size_t nodes_used;
};
struct files_space files_space(struct phone_files *files);

/* A copy of the whole tree; contents are shared, not copied. */
struct files_snapshot;

struct files_snapshot *files_snapshot(struct phone_files *files);
void files_restore(struct phone_files *files,
                   const struct files_snapshot *snapshot);
void files_snapshot_free(struct files_snapshot *snapshot); /* NULL is fine */

/* The same as bytes. While loading, the old contents still use memory. */
void files_save(struct phone_files *files, struct buf *out);
void files_load(struct phone_files *files, struct saved_state *in);

#endif
