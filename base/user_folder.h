/*
 * The user's own folders, as the XDG base directory specification has them:
 * ~/.cache, ~/.config and ~/.local/state, unless the environment names others.
 */
#ifndef BASE_USER_FOLDER_H
#define BASE_USER_FOLDER_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/macros.h"

enum user_folder {
    USER_FOLDER_CACHE, /* what can be made again */
    USER_FOLDER_CONFIG,
    USER_FOLDER_STATE, /* what a program remembers */
    USER_FOLDERS,
};

/*
 * Append the path of one of proctor's files or folders there. False, and
 * nothing appended, when neither the variable nor HOME has an absolute path.
 */
MUST_USE bool user_folder_path(enum user_folder folder, const char *name,
                               struct buf *path);

#endif
