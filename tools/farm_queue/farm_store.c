/* The store that is a folder on a file system that all workers share. */
#include "tools/farm_queue/farm_store.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/mem.h"
#include "runner/store/store_client.h"
#include "tasks/trajectory/run_results.h"

struct folder_store {
    struct farm_store interface; /* first */
    char *folder;                /* owned */
};

static const char *folder_of(struct farm_store *store)
{
    return ((struct folder_store *)store)->folder;
}

void farm_store_name_work(const char *folder, int64_t worker, struct buf *path)
{
    buf_printf(path, "%s/.workers/%" PRId64, folder, worker);
}

void farm_store_name_recorded(const char *folder,
                              const struct farm_recording *recording,
                              struct buf *path)
{
    farm_store_name_work(folder, recording->worker, path);
    buf_byte(path, '/');
    run_result_folder(recording->task, recording->repeat, recording->attempt,
                      path);
}

static bool work_folder(struct farm_store *store, int64_t worker,
                        struct buf *folder, struct err *err)
{
    farm_store_name_work(folder_of(store), worker, folder);
    return file_make_folder(buf_cstr(folder), 0777, err);
}

bool farm_store_put_aside(const char *folder,
                          const struct farm_recording *recording,
                          struct err *err)
{
    struct buf from = BUF_INIT(PATH_MAX);
    struct buf to = BUF_INIT(PATH_MAX);
    bool done = true;

    farm_store_name_recorded(folder, recording, &from);
    buf_printf(&to, "%s.left-%" PRId64, buf_cstr(&from), clock_wall_ms());
    if (rename(buf_cstr(&from), buf_cstr(&to)) && errno != ENOENT)
        done = err_errno(err, errno, "put aside %s", buf_cstr(&from));
    buf_release(&from);
    buf_release(&to);
    return done;
}

static bool prepare(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err)
{
    return farm_store_put_aside(folder_of(store), recording, err);
}

/* Its folder is there: it is made in it. */
static bool check(struct farm_store *store, const char *folder, struct err *err)
{
    (void)store;
    (void)folder;
    (void)err;
    return true;
}

/* The episode's files are in the shared folder, and synced, already. */
static bool stage(struct farm_store *store,
                  const struct farm_recording *recording, struct err *err)
{
    (void)store;
    (void)recording;
    (void)err;
    return true;
}

static bool make_parent(const struct buf *path, struct err *err)
{
    char *parent = mem_dup(buf_cstr(path));
    bool done;

    *strrchr(parent, '/') = '\0';
    done = file_make_folder(parent, 0777, err);
    free(parent);
    return done;
}

static bool publish(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err)
{
    struct buf from = BUF_INIT(PATH_MAX);
    struct buf to = BUF_INIT(PATH_MAX);
    bool done = true;

    farm_store_name_recorded(folder_of(store), recording, &from);
    buf_printf(&to, "%s/", folder_of(store));
    run_result_folder(recording->task, recording->repeat, recording->attempt,
                      &to);
    if (access(buf_cstr(&to), F_OK) != 0)
        done = make_parent(&to, err) &&
               (!rename(buf_cstr(&from), buf_cstr(&to)) ||
                !access(buf_cstr(&to), F_OK) || /* another was faster */
                err_errno(err, errno, "move the recording %s to the run",
                          buf_cstr(&from))) &&
               file_sync_folder_of(buf_cstr(&to), err);
    buf_release(&from);
    buf_release(&to);
    return done;
}

static void discard(struct farm_store *store,
                    const struct farm_recording *recording)
{
    (void)store;
    (void)recording;
}

static void locate(struct farm_store *store,
                   const struct farm_recording *recording, const char *given,
                   struct buf *url)
{
    (void)store;
    (void)given;
    (void)recording;
    (void)url;
}

static void close_folder(struct farm_store *store)
{
    struct folder_store *self = (struct folder_store *)store;

    free(self->folder);
    free(self);
}

static bool is_there(const char *folder)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool found;

    buf_printf(&path, "%s/run.json", folder);
    found = !access(buf_cstr(&path), R_OK);
    buf_release(&path);
    return found;
}

static bool open_folder(const struct farm_store_options *options,
                        struct farm_store **store, struct err *err)
{
    static const struct farm_store_ops ops = {.check = check,
                                              .work_folder = work_folder,
                                              .prepare = prepare,
                                              .stage = stage,
                                              .publish = publish,
                                              .discard = discard,
                                              .locate = locate,
                                              .close = close_folder};
    struct folder_store *opened;

    if (*options->where != '/')
        return err_set(err, ERR_INVALID,
                       "recordings of run %.64s: %.100s is not an absolute "
                       "path",
                       options->run, options->where);
    if (!is_there(options->where))
        return err_set(err, ERR_NOT_FOUND,
                       "%.100s does not hold run %.64s on this computer: share "
                       "that folder, or say where it is with --recordings",
                       options->where, options->run);
    opened = mem_new(1, sizeof(*opened));
    opened->interface.ops = &ops;
    opened->folder = mem_dup(options->where);
    *store = &opened->interface;
    return true;
}

static bool is_kept(const char *where)
{
    return !strncmp(where, FARM_STORE_KEPT, strlen(FARM_STORE_KEPT));
}

bool farm_store_is_folder(const char *where)
{
    return !store_url_is_s3(where) && !is_kept(where);
}

bool farm_store_open(const struct farm_store_options *options,
                     struct farm_store **store, struct err *err)
{
    if (store_url_is_s3(options->where))
        return farm_store_s3_open(options, store, err);
    return is_kept(options->where) ? farm_store_kept_open(options, store, err)
                                   : open_folder(options, store, err);
}

void farm_store_close(struct farm_store *store)
{
    if (store)
        store->ops->close(store);
}
