/*
 * The store that is S3-compatible: an archive for each attempt, made and sent
 * before its result is given. It is complete or not there, so that a worker may
 * be killed at any moment.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/store/episode_archive.h"
#include "runner/store/store_client.h"
#include "tools/farm_queue/farm_store.h"

struct s3_store {
    struct farm_store interface; /* first */
    struct store_client *client; /* owned */
    char *where;                 /* owned; s3://… of the run */
    char *local;                 /* owned; NULL: nothing is recorded here */
};

static struct s3_store *of(struct farm_store *store)
{
    return (struct s3_store *)store;
}

static void locate(struct farm_store *store,
                   const struct farm_recording *recording, const char *given,
                   struct buf *url)
{
    (void)given;
    /* Two workers never write the same object. */
    buf_printf(url, "%s/%s/%d/%d-%" PRId64 ".zip", of(store)->where,
               recording->task, recording->repeat, recording->attempt,
               recording->worker);
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

/* Each worker sends the same plan: it shows that its keys are accepted. */
static bool check(struct farm_store *store, const char *folder, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf url = BUF_INIT(STORE_URL_MAX);
    bool done;

    buf_printf(&path, "%s/run.json", folder);
    buf_printf(&url, "%s/run.json", of(store)->where);
    done = store_client_send(of(store)->client, buf_cstr(&path), buf_cstr(&url),
                             err);
    buf_release(&path);
    buf_release(&url);
    return done;
}

static bool stage(struct farm_store *store,
                  const struct farm_recording *recording, struct err *err)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct buf archive = BUF_INIT(PATH_MAX);
    struct buf url = BUF_INIT(STORE_URL_MAX);
    bool done;

    farm_store_name_recorded(of(store)->local, recording, &folder);
    buf_printf(&archive, "%s.zip", buf_cstr(&folder));
    locate(store, recording, NULL, &url);
    done = episode_archive_pack(buf_cstr(&folder), buf_cstr(&archive), err) &&
           store_client_send(of(store)->client, buf_cstr(&archive),
                             buf_cstr(&url), err);
    (void)unlink(buf_cstr(&archive));
    buf_release(&folder);
    buf_release(&archive);
    buf_release(&url);
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

/* The store has it: it is not needed here any more. */
static bool publish(struct farm_store *store,
                    const struct farm_recording *recording, struct err *err)
{
    (void)err;
    remove_recorded(store, recording);
    return true;
}

/* What the store has is named by no result: it may be deleted there. */
static void discard(struct farm_store *store,
                    const struct farm_recording *recording)
{
    remove_recorded(store, recording);
}

static void close_store(struct farm_store *store)
{
    struct s3_store *self = of(store);

    store_client_close(self->client);
    free(self->where);
    free(self->local);
    free(self);
}

bool farm_store_s3_open(const struct farm_store_options *options,
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
    const struct store_options store_options = {.cancel = options->cancel,
                                                .warn = options->warn,
                                                .context = options->context};
    struct store_client *client;
    struct s3_store *opened;

    if (!store_url_check(options->where, err) ||
        !store_client_open(&store_options, &client, err))
        return false;
    opened = mem_new(1, sizeof(*opened));
    opened->interface.ops = &ops;
    opened->client = client;
    opened->where = mem_dup(options->where);
    opened->local = options->local ? mem_dup(options->local) : NULL;
    *store = &opened->interface;
    return true;
}
