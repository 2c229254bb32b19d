#include "runner/doors/door_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/device/server_client.h"
#include "base/file.h"

#define TOOLS "platform-tools"

/* ---- links ---- */

static bool make_link(const char *target, const char *path, struct err *err)
{
    return !symlink(target, path) || err_errno(err, errno, "make %s", path);
}

static bool make_folder(const char *path, struct err *err)
{
    return !mkdir(path, 0700) || err_errno(err, errno, "make %s", path);
}

/* Link one entry of a folder into another folder. */
static bool link_entry(const char *from, const char *name, const char *into,
                       struct err *err)
{
    struct buf target = BUF_INIT(PATH_MAX), path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&target, "%s/%s", from, name);
    buf_printf(&path, "%s/%s", into, name);
    done = !target.overflow && !path.overflow
               ? make_link(buf_cstr(&target), buf_cstr(&path), err)
               : err_set(err, ERR_LIMIT, "%s: the path is too long", name);
    buf_release(&target);
    buf_release(&path);
    return done;
}

/* Link all entries of a folder but one. A folder that cannot be read is empty.
 */
static bool link_entries(const char *from, const char *but, const char *into,
                         struct err *err)
{
    DIR *folder = opendir(from);
    struct dirent *entry;
    bool done = true;

    if (!folder)
        return true;
    while (done && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
            strcmp(entry->d_name, but))
            done = link_entry(from, entry->d_name, into, err);
    }
    closedir(folder);
    return done;
}

/* ---- the folder ---- */

static bool link_sdk(const char *sdk, const char *folder, const char *tools,
                     struct err *err)
{
    struct buf from = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&from, "%s/" TOOLS, sdk);
    done = link_entries(sdk, TOOLS, folder, err) &&
           link_entries(buf_cstr(&from), "adb", tools, err);
    buf_release(&from);
    return done;
}

static bool fill(const char *folder, const char *sdk, const char *adb,
                 struct err *err)
{
    struct buf tools = BUF_INIT(PATH_MAX), own = BUF_INIT(PATH_MAX);
    struct buf handed = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&tools, "%s/" TOOLS, folder);
    buf_printf(&own, "%s/" TOOLS "/adb", folder);
    buf_printf(&handed, "%s/agent", folder);
    done = make_folder(buf_cstr(&tools), err) &&
           make_folder(buf_cstr(&handed), err) &&
           (!sdk || link_sdk(sdk, folder, buf_cstr(&tools), err)) &&
           make_link(adb, buf_cstr(&own), err);
    buf_release(&tools);
    buf_release(&own);
    buf_release(&handed);
    return done;
}

bool door_folder_make(const char *sdk, const char *adb, struct buf *path,
                      struct err *err)
{
    const char *temporary = getenv("TMPDIR");

    buf_printf(path, "%s/proctor-door-XXXXXX",
               temporary && *temporary ? temporary : "/tmp");
    if (path->overflow || !mkdtemp(path->data)) {
        err_fill_errno(err, path->overflow ? ENAMETOOLONG : errno, "make %s",
                       buf_cstr(path));
        buf_clear(path);
        return false;
    }
    if (fill(buf_cstr(path), sdk, adb, err))
        return true;
    file_remove_tree(buf_cstr(path));
    buf_clear(path);
    return false;
}

bool door_folder_write_server(const char *path, uint16_t port, struct err *err)
{
    struct buf file = BUF_INIT(PATH_MAX);
    char address[32];
    bool done;

    snprintf(address, sizeof(address), "127.0.0.1:%u\n", (unsigned)port);
    buf_printf(&file, "%s/" TOOLS "/adb" SERVER_CLIENT_FILE, path);
    done = file_save(buf_cstr(&file), 0600, address, strlen(address), err);
    buf_release(&file);
    return done;
}
