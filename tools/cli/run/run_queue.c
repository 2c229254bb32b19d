#include "tools/cli/run/run_queue.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "runner/run/run_lock.h"
#include "runner/store/store_client.h"
#include "tools/cli/run/run_progress.h"
#include "tools/farm_queue/farm_run.h"
#include "tools/farm_queue/farm_store.h"

#define ENDS_VOID 1
#define ENDS_INTERRUPTED 130
#define LEASE_MAX_S 3600.0
#define RETRY_MS 1000

bool run_queue_check(const struct run_queue_options *options,
                     const struct run_plan *plan, struct err *err)
{
    if (!options->url &&
        (options->recordings || options->lease_s > 0 || options->detach))
        return err_set(err, ERR_INVALID,
                       "--recordings, --lease and --detach need --queue");
    if (options->url && plan->shard_count)
        return err_set(err, ERR_INVALID,
                       "--queue and --shard exclude each other: workers share "
                       "a queued run anyway");
    if (options->recordings && store_url_is_s3(options->recordings) &&
        !store_url_check(options->recordings, err))
        return err_wrap(err, "--recordings");
    if (options->recordings && !store_url_is_s3(options->recordings) &&
        !farm_store_is_folder(options->recordings) &&
        strcmp(options->recordings, FARM_STORE_KEPT) != 0)
        return err_set(err, ERR_INVALID,
                       "--recordings %.100s: give \"" FARM_STORE_KEPT
                       "\" alone "
                       "for recordings that stay on workers",
                       options->recordings);
    if (options->lease_s > 0 &&
        (options->lease_s < 1 || options->lease_s > LEASE_MAX_S))
        return err_set(err, ERR_INVALID, "--lease: give 1 to 3600 seconds");
    return true;
}

const char *run_queue_parent(const struct run_queue_options *options)
{
    return options->recordings && !farm_store_is_folder(options->recordings)
               ? NULL
               : options->recordings;
}

/* ---- following ---- */

static void on_result(void *context, const struct run_result *result,
                      const struct work_queue_state *state)
{
    struct run_watcher watcher = run_progress_watcher(context);

    watcher.on_result(watcher.context, result, state);
}

static void on_state(void *context, const struct work_queue_state *state)
{
    run_progress_note(context, state);
}

static void on_warning(void *context, const char *text)
{
    struct run_watcher watcher = run_progress_watcher(context);

    watcher.on_warning(watcher.context, 0, text);
}

static void say_end(const struct cli_context *cli, const char *folder,
                    const struct work_queue_state *state, bool interrupted)
{
    size_t left = state->all - state->ended - state->given_up;

    if (interrupted)
        cli_message(cli,
                    "workers go on with it; follow it again with: proctor "
                    "resume %s",
                    folder);
    else if (left)
        cli_message(cli,
                    "%zu of %zu were cancelled; run them with: proctor retry "
                    "%s",
                    left, state->all, folder);
    else if (state->given_up)
        cli_message(cli,
                    "%zu of %zu are void; repeat them with: proctor retry %s",
                    state->given_up, state->all, folder);
    else
        cli_message(cli, "all %zu are done; judge them with: proctor judge %s",
                    state->all, folder);
}

static bool print_summary(struct cli_context *cli, const char *folder,
                          const struct work_queue_state *state,
                          bool interrupted, struct err *err)
{
    struct cJSON *line;
    bool done;

    if (!cli->shared.json)
        return true;
    line = json_new_object();
    json_add_string(line, "run", folder);
    json_add_int(line, "all", (int64_t)state->all);
    json_add_int(line, "ended", (int64_t)state->ended);
    json_add_int(line, "void", (int64_t)state->given_up);
    json_add_bool(line, "interrupted", interrupted);
    cli->out.cancel = NULL; /* an interrupt is reported, too */
    done = output_stream_json(&cli->out, line, err);
    cJSON_Delete(line);
    return done;
}

static bool follow(struct cli_context *cli, struct farm_db *db,
                   const char *folder, struct run_file *file, int *status,
                   struct err *err)
{
    struct run_progress progress;
    const struct farm_follower follower = {.on_result = on_result,
                                           .on_state = on_state,
                                           .on_warning = on_warning,
                                           .context = &progress};
    struct work_queue_state state = {.all = 0};
    bool interrupted = false;
    bool done;

    if (!run_progress_start(&progress, cli, NULL, 0, true, err))
        return false;
    done = farm_run_follow(db, file->plan.queue_run, folder, file, &follower,
                           cli->cancel, &state, &interrupted, err);
    run_progress_stop(&progress);
    if (!done)
        return false;
    say_end(cli, folder, &state, interrupted);
    if (interrupted)
        *status = ENDS_INTERRUPTED;
    else if (state.ended < state.all)
        *status = ENDS_VOID;
    if (progress.error.code != ERR_NONE && !interrupted) {
        *err = progress.error;
        return false;
    }
    return print_summary(cli, folder, &state, interrupted, err);
}

/* ---- starting ---- */

static void replace(char **text, const char *value)
{
    free(*text);
    *text = mem_dup(value);
}

/* Runs that are begun in the same second must not share a place. */
static void name_place(const char *parent, struct run_file *file)
{
    struct buf place = BUF_INIT(STORE_URL_MAX);
    unsigned char random[4];

    while (getrandom(random, sizeof(random), 0) != sizeof(random))
        continue;
    buf_printf(&place, "%s/%s-", parent, file->id);
    for (size_t i = 0; i < sizeof(random); i++)
        buf_printf(&place, "%02x", random[i]);
    replace(&file->plan.recordings, buf_cstr(&place));
    buf_release(&place);
}

static bool enqueue(struct farm_db *db, const struct run_queue_options *options,
                    const char *folder, struct run_file *file,
                    const struct suite *suite, const struct buf *suite_text,
                    struct err *err)
{
    const struct farm_order order = {
        .file = file,
        .suite = suite,
        .suite_text = suite_text,
        .recordings = file->plan.recordings ? file->plan.recordings : folder,
        .lease_ms = options->lease_s > 0 ? (int)(options->lease_s * 1000)
                                         : FARM_LEASE_MS_DEFAULT,
    };
    struct buf name = BUF_INIT(NAME_MAX);
    bool done;

    /* A kill in between leaves a run that resume does not run here. */
    replace(&file->plan.queue, farm_db_name(db));
    replace(&file->plan.queue_run, file->id);
    done = run_file_save(file, folder, err) &&
           farm_run_enqueue(db, &order, &name, err);
    if (done && strcmp(buf_cstr(&name), file->id) != 0) {
        replace(&file->plan.queue_run, buf_cstr(&name));
        done = run_file_save(file, folder, err);
    }
    buf_release(&name);
    return done;
}

bool run_queue_start(struct cli_context *cli,
                     const struct run_queue_options *options,
                     const char *folder, struct run_file *file,
                     const struct suite *suite, const struct buf *suite_text,
                     bool *begun, int *status, struct err *err)
{
    struct file_lock lock = FILE_LOCK_INIT;
    struct farm_db *db = NULL;
    char *absolute = realpath(folder, NULL);
    bool done;

    *begun = false;
    if (options->recordings && !farm_store_is_folder(options->recordings))
        name_place(options->recordings, file);
    done = (absolute || err_errno(err, errno, "find %s", folder)) &&
           run_lock_take(folder, &lock, err) &&
           farm_db_open(options->url, cli->cancel, &db, err) &&
           enqueue(db, options, absolute, file, suite, suite_text, err);
    *begun = done;
    if (done && options->detach)
        cli_message(cli, "queued as %s; follow it with: proctor resume %s",
                    file->plan.queue_run, folder);
    else if (done)
        done = follow(cli, db, absolute, file, status, err);
    farm_db_close(db);
    file_lock_release(&lock);
    free(absolute);
    return done;
}

/* The database may be away for a while. */
static bool find(struct cli_context *cli, struct farm_db *db,
                 struct run_file *file, struct err *err)
{
    struct pollfd fd = {.fd = cancel_fd(cli->cancel), .events = POLLIN};
    struct buf name = BUF_INIT(NAME_MAX);
    bool warned = false;
    bool found;

    while (!(found = farm_run_find(db, file, &name, err)) &&
           farm_db_may_pass(err->code) && poll(&fd, 1, RETRY_MS) == 0) {
        if (!warned)
            cli_message(cli, "%s", err->text);
        warned = true;
    }
    if (found)
        replace(&file->plan.queue_run, buf_cstr(&name));
    buf_release(&name);
    return found;
}

bool run_queue_resume(struct cli_context *cli, const char *url,
                      const char *folder, struct run_file *file, bool retry,
                      int *status, struct err *err)
{
    struct file_lock lock = FILE_LOCK_INIT;
    const char *variable = getenv("PROCTOR_QUEUE");
    struct farm_db *db = NULL;
    char *absolute = realpath(folder, NULL);
    int64_t count;
    bool done;

    if (!url)
        url = variable && *variable ? variable : file->plan.queue;
    done = (absolute || err_errno(err, errno, "find %s", folder)) &&
           run_lock_take(folder, &lock, err) &&
           farm_db_open(url, cli->cancel, &db, err) &&
           find(cli, db, file, err) &&
           (!retry || farm_run_retry(db, file->plan.queue_run, &count, err)) &&
           follow(cli, db, absolute, file, status, err);
    farm_db_close(db);
    file_lock_release(&lock);
    free(absolute);
    return done;
}
