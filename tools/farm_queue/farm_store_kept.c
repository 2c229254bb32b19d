/*
 * The store that is the computer of each worker: an archive of each attempt
 * stays there, and its address is given with the result.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/store/episode_archive.h"
#include "runner/store/store_client.h"
#include "tools/farm_queue/farm_store.h"

struct kept_store {
    struct farm_store interface;           /* first */
    const struct recording_server *server; /* borrowed; NULL: it only reads */
    char *local; /* owned; NULL: nothing is recorded here */
};

static struct kept_store *of(struct farm_store *store)
{
    return (struct kept_store *)store;
}

static bool work_folder(struct farm_store *store, int64_t worker,
                        struct buf *folder, struct err *err)
{
    farm_store_name_work(of(store)->local, worker, folder);
    return file_make_folder(buf_cstr(folder), 0777, err);
}

static bool prepare(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err)
{
    return farm_store_put_aside(of(store)->local, recording, err);
}

static bool check(struct farm_store *store, const char *folder, struct err *err)
{
    (void)folder;
    return of(store)->server ||
           err_set(err, ERR_INVALID,
                   "its recordings stay on workers, and this one does not "
                   "serve any: start it with --serve ADDRESS:PORT");
}

static void name_archive(struct farm_store *store,
                         const struct farm_recording *recording,
                         struct buf *path)
{
    farm_store_name_recorded(of(store)->local, recording, path);
    buf_text(path, ".zip");
}

/* One that nothing fetches would be lost after publish. */
static bool check_size(const char *archive, struct err *err)
{
    struct stat facts;

    if (stat(archive, &facts))
        return err_errno(err, errno, "read %s", archive);
    if (facts.st_size <= STORE_FILE_MAX)
        return true;
    (void)unlink(archive);
    return err_set(err, ERR_LIMIT,
                   "a recording of %lld MiB is larger than what is fetched "
                   "from a worker",
                   (long long)facts.st_size >> 20);
}

static bool stage(struct farm_store *store,
                  const struct farm_recording *recording, struct err *err)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct buf archive = BUF_INIT(PATH_MAX);
    bool done;

    farm_store_name_recorded(of(store)->local, recording, &folder);
    name_archive(store, recording, &archive);
    done = episode_archive_pack(buf_cstr(&folder), buf_cstr(&archive), err) &&
           check_size(buf_cstr(&archive), err) &&
           file_sync(buf_cstr(&archive), err) &&
           file_sync_folder_of(buf_cstr(&archive), err);
    buf_release(&folder);
    buf_release(&archive);
    return done;
}

static void remove_recorded(struct farm_store *store,
                            const struct farm_recording *recording)
{
    struct buf folder = BUF_INIT(PATH_MAX);

    if (of(store)->local) {
        farm_store_name_recorded(of(store)->local, recording, &folder);
        file_remove_tree(buf_cstr(&folder));
    }
    buf_release(&folder);
}

/* The archive is what is read from now on. */
static bool publish(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err)
{
    (void)err;
    remove_recorded(store, recording);
    return true;
}

static void discard(struct farm_store *store,
                    const struct farm_recording *recording)
{
    struct buf archive = BUF_INIT(PATH_MAX);

    remove_recorded(store, recording);
    name_archive(store, recording, &archive);
    (void)unlink(buf_cstr(&archive));
    buf_release(&archive);
}

/* A worker knows it; all others have what it said, which is untrusted. */
static void locate(struct farm_store *store,
                   const struct farm_recording *recording, const char *given,
                   struct buf *url)
{
    struct buf archive = BUF_INIT(PATH_MAX);
    struct err ignored;

    if (of(store)->server) {
        name_archive(store, recording, &archive);
        recording_server_locate(of(store)->server, buf_cstr(&archive), url);
    } else if (given && store_url_check_http(given, &ignored)) {
        buf_text(url, given);
    }
    buf_release(&archive);
}

static void close_store(struct farm_store *store)
{
    free(of(store)->local);
    free(of(store));
}

/* Its name becomes that of a folder on the computer of each worker. */
static bool check_place(const char *where, struct err *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    const char *name = where + strlen(FARM_STORE_KEPT "/");

    return (!strncmp(where, FARM_STORE_KEPT "/", strlen(FARM_STORE_KEPT "/")) &&
            *name && *name != '.' && !name[strspn(name, allowed)]) ||
           err_set(err, ERR_INVALID,
                   "%.100s does not name a run whose recordings stay on "
                   "workers: its name has letters, digits and - . _ alone, and "
                   "does not begin with a dot",
                   where);
}

bool farm_store_kept_open(const struct farm_store_options *options,
                          struct farm_store **store, struct err *err)
{
    static const struct farm_store_ops ops = {.check = check,
                                              .work_folder = work_folder,
                                              .prepare = prepare,
                                              .stage = stage,
                                              .publish = publish,
                                              .discard = discard,
                                              .locate = locate,
                                              .close = close_store};
    struct kept_store *opened;

    if (!check_place(options->where, err))
        return false;
    opened = mem_new(1, sizeof(*opened));
    opened->interface.ops = &ops;
    opened->server = options->server;
    opened->local = options->local ? mem_dup(options->local) : NULL;
    *store = &opened->interface;
    return true;
}
