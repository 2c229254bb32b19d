#include "base/user_folder.h"

#include <stdlib.h>

static const struct {
    const char *variable;
    const char *below_home;
} folders[USER_FOLDERS] = {
    [USER_FOLDER_CACHE] = {"XDG_CACHE_HOME", ".cache"},
    [USER_FOLDER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
    [USER_FOLDER_STATE] = {"XDG_STATE_HOME", ".local/state"},
};

bool user_folder_path(enum user_folder folder, const char *name,
                      struct buf *path)
{
    const char *set = getenv(folders[folder].variable);
    const char *home = getenv("HOME");

    /* The specification wants relative paths ignored. */
    if (set && set[0] == '/')
        buf_printf(path, "%s/proctor/%s", set, name);
    else if (home && home[0] == '/')
        buf_printf(path, "%s/%s/proctor/%s", home, folders[folder].below_home,
                   name);
    else
        return false;
    return true;
}
