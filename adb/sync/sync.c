#include "adb/sync/sync.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adb/sync/sync_session.h"
#include "adb/sync/sync_wire.h"

static bool stat_v1(struct sync *sync, const char *path, struct deadline by,
                    struct sync_stat *stat, struct err *err)
{
    struct sync_header header;

    if (!sync_wire_request(&sync->out, SYNC_ID_STAT, path, err) ||
        !sync_reply(sync, SYNC_ID_BIT(SYNC_ID_STAT), by, &header, err) ||
        !sync_need(sync, SYNC_STAT_SIZE, by, err))
        return false;
    sync_wire_stat(sync_bytes(sync), stat);
    sync_consume(sync, SYNC_STAT_SIZE);
    return true;
}

/* Version 1 follows links only in the middle of a path. */
static bool follow_v1(struct sync *sync, const char *path, struct deadline by,
                      struct sync_stat *stat, struct err *err)
{
    char inside[SYNC_PATH_MAX + 1];
    struct sync_stat directory;
    int length = snprintf(inside, sizeof(inside), "%s/.", path);

    if (length < 0 || (size_t)length >= sizeof(inside))
        return err_set(err, ERR_INVALID, "the path is too long");
    if (!stat_v1(sync, inside, by, &directory, err))
        return false;
    if (S_ISDIR(directory.mode))
        *stat = directory;
    else
        *stat =
            (struct sync_stat){.mode = S_IFREG | 0644, .mtime = stat->mtime};
    return true;
}

static bool stat_v2(struct sync *sync, const char *path, bool follow,
                    struct deadline by, struct sync_stat *stat,
                    uint32_t *number, struct err *err)
{
    enum sync_id id = follow ? SYNC_ID_STA2 : SYNC_ID_LST2;
    struct sync_header header;

    if (!sync_wire_request(&sync->out, id, path, err) ||
        !sync_reply(sync, SYNC_ID_BIT(id), by, &header, err) ||
        !sync_need(sync, SYNC_STAT2_SIZE, by, err))
        return false;
    sync_wire_stat2(sync_bytes(sync), stat, number);
    sync_consume(sync, SYNC_STAT2_SIZE);
    return true;
}

bool sync_stat(struct sync *sync, const char *path, bool follow,
               struct deadline by, struct sync_stat *stat, struct err *err)
{
    struct sync_stat found;
    uint32_t number = 0;
    bool done;

    if (!sync_begin(sync, by, err))
        done = false;
    else if (sync_has(sync, FEATURE_STAT_V2))
        done = stat_v2(sync, path, follow, by, &found, &number, err);
    else
        done = stat_v1(sync, path, by, &found, err) &&
               (!follow || !S_ISLNK(found.mode) ||
                follow_v1(sync, path, by, &found, err));
    if (!done)
        return sync_abandon(sync, "looking at", path, err);
    if (number && number != ENOENT && number != ENOTDIR) {
        err_set(err, ERR_REMOTE, "%s", strerror((int)number));
        return sync_wrap("looking at", path, err);
    }
    *stat = found;
    return true;
}

/* Read the name in a directory reply as a string. */
static bool take_name(struct sync *sync, uint32_t length, struct deadline by,
                      char name[SYNC_NAME_MAX + 1], struct err *err)
{
    if (!sync_need(sync, length, by, err))
        return false;
    memcpy(name, sync_bytes(sync), length);
    name[length] = '\0';
    sync_consume(sync, length);
    if (!sync_wire_is_name(name, length))
        return err_set(err, ERR_PROTOCOL,
                       "the device sent a file name with a %s in it",
                       strlen(name) < length ? "NUL" : "slash");
    return true;
}

/* Read the next entry; *end: there is none. */
static bool next_entry(struct sync *sync, struct deadline by,
                       char name[SYNC_NAME_MAX + 1], struct sync_stat *stat,
                       bool *end, struct err *err)
{
    bool v2 = sync_has(sync, FEATURE_LS_V2);
    enum sync_id id = v2 ? SYNC_ID_DNT2 : SYNC_ID_DENT;
    size_t size = v2 ? SYNC_DENT2_SIZE : SYNC_DENT_SIZE;
    struct sync_header header;
    uint32_t length;

    if (!sync_reply(sync, SYNC_ID_BIT(id) | SYNC_ID_BIT(SYNC_ID_DONE), by,
                    &header, err) ||
        !sync_need(sync, size, by, err))
        return false;
    *end = header.id == SYNC_ID_DONE;
    if (!*end && !(v2 ? sync_wire_dent2 : sync_wire_dent)(sync_bytes(sync),
                                                          stat, &length, err))
        return false;
    sync_consume(sync, size);
    return *end || take_name(sync, length, by, name, err);
}

static bool list(struct sync *sync, const char *path, sync_entry_fn *entry,
                 void *context, struct deadline by, size_t *count,
                 struct err *err)
{
    enum sync_id id =
        sync_has(sync, FEATURE_LS_V2) ? SYNC_ID_LIS2 : SYNC_ID_LIST;

    if (!sync_begin(sync, by, err) ||
        !sync_wire_request(&sync->out, id, path, err))
        return false;
    for (*count = 0;; ++*count) {
        char name[SYNC_NAME_MAX + 1];
        struct sync_stat stat;
        bool end;

        if (!next_entry(sync, by, name, &stat, &end, err))
            return false;
        if (end)
            return true;
        if (*count == SYNC_ENTRIES_MAX)
            return err_set(err, ERR_LIMIT, "more than %d entries",
                           SYNC_ENTRIES_MAX);
        if (!entry(context, name, &stat)) {
            sync_drop(sync); /* cheaper than reading the rest */
            ++*count;
            return true;
        }
    }
}

/*
 * The service returns an empty list for a path that is not a directory; real
 * directories contain at least ".".
 */
static bool check_directory(struct sync *sync, const char *path,
                            struct deadline by, struct err *err)
{
    struct sync_stat stat = {0};

    if (!sync_stat(sync, path, true, by, &stat, err))
        return false;
    if (!stat.mode)
        err_set(err, ERR_NOT_FOUND, "no such directory");
    else if (!S_ISDIR(stat.mode))
        err_set(err, ERR_INVALID, "not a directory");
    else
        return true;
    return sync_wrap("listing", path, err);
}

bool sync_list(struct sync *sync, const char *path, sync_entry_fn *entry,
               void *context, struct deadline by, struct err *err)
{
    size_t count;

    if (!list(sync, path, entry, context, by, &count, err))
        return sync_abandon(sync, "listing", path, err);
    return count > 0 || check_directory(sync, path, by, err);
}
