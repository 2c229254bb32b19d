/* Files of the phone that hold a screenshot or a UI tree. */
#ifndef RUNNER_CLASSIFY_DOOR_FILES_H
#define RUNNER_CLASSIFY_DOOR_FILES_H

#include "runner/classify/door_item.h"

#define DOOR_FILES_MAX 64
#define DOOR_PATH_MAX 512

struct door_file {
    char path[DOOR_PATH_MAX]; /* normalised */
    enum door_item_kind kind; /* SCREENSHOT or TREE */
    enum door_format format;
    unsigned capture;
};

/* The newest ones; the oldest is forgotten first. */
struct door_files {
    struct door_file items[DOOR_FILES_MAX];
    size_t count;
};

/*
 * The one form of a path: absolute (relative ones begin at folder), the shared
 * storage as /sdcard, without "//", "/./" and "/../". False when it is too
 * long.
 */
MUST_USE bool door_files_normalise(const char *folder, const char *path,
                                   char normal[DOOR_PATH_MAX]);

/* A file was written; one with the same path is replaced. */
void door_files_put(struct door_files *files, const struct door_file *file);

/* The file with a normalised path, or NULL. */
const struct door_file *door_files_find(const struct door_files *files,
                                        const char *path);

/* A file was removed or written with something else. */
void door_files_forget(struct door_files *files, const char *path);

/* Is this a place for files of tools, which no user cares about? */
bool door_files_is_temporary(const struct door_files *files, const char *path);

#endif
