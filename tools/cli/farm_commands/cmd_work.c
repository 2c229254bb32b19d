/* proctor work: do the episodes of queued runs on the phones of this computer.
 */
#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adb/transport/tcp.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/queue_operands.h"
#include "tools/cli/farm_commands/worker_phones.h"
#include "tools/cli/run/run_setup.h"
#include "tools/farm_queue/farm_queue.h"

#define ENDS_INTERRUPTED 130
#define HOST_SIZE 100
#define OWN_FOLDER "runs" /* unless --recordings says otherwise */

struct work_args {
    struct option_texts devices;
    const char *name;
    const char *recordings;
    const char *serve;
    const char *serve_url;
    const char *certificate;
    const char *private_key;
    bool commands;
    bool once;
};

struct work_session {
    struct cli_context *cli;
    const struct work_args *args;
    struct worker_phones phones;
    struct farm_worker *worker;
    struct recording_server *server; /* owned; NULL: none */
    struct cJSON *refused;           /* owned; runs that cannot be done here */
};

static void on_warning(void *context, const char *text)
{
    const struct work_session *work = context;

    cli_message(work->cli, "%s", text);
}

/* ---- one run ---- */

/* The run's folder on this computer: shared, or for what is uploaded. */
static void name_folder(const struct work_session *work,
                        const struct farm_job *job, struct buf *path)
{
    const char *last = strrchr(job->recordings, '/');
    const char *name = last ? last + 1 : job->recordings;

    if (work->args->recordings)
        buf_printf(path, "%s/%s", work->args->recordings, name);
    else if (!farm_store_is_folder(job->recordings))
        buf_printf(path, "%s/%s", OWN_FOLDER, name);
    else
        buf_text(path, job->recordings);
}

static bool open_store(struct work_session *work, const struct farm_job *job,
                       struct farm_store **store, struct err *err)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct farm_store_options options = {
        .run = job->name,
        .where = job->recordings,
        .server = work->server,
        .cancel = work->cli->cancel,
        .warn = on_warning,
        .context = work,
    };
    bool done;

    name_folder(work, job, &folder);
    if (farm_store_is_folder(job->recordings))
        options.where = buf_cstr(&folder);
    else
        options.local = buf_cstr(&folder);
    done = farm_store_open(&options, store, err);
    buf_release(&folder);
    return done;
}

static bool save(const char *folder, const char *name, const char *text,
                 struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/%s", folder, name);
    done = file_save_synced(buf_cstr(&path), 0666, text, strlen(text), err);
    buf_release(&path);
    return done;
}

/* The plan is that of the run, on the phones of this worker. */
static bool make_plan(const struct work_session *work,
                      const struct farm_job *job, struct run_file *file,
                      struct err *err)
{
    if (!run_file_parse(job->file, strlen(job->file), file, err))
        return err_wrap(err, "the plan of run %.64s", job->name);
    text_list_release(&file->plan.devices);
    for (size_t i = 0; i < work->phones.devices.count; i++)
        text_list_add(&file->plan.devices, work->phones.devices.items[i]);
    return true;
}

static bool do_episodes(struct work_session *work, const struct farm_job *job,
                        const char *folder, struct run_file *file,
                        struct farm_store *store, struct err *err)
{
    const struct farm_part part = {
        .worker = work->worker,
        .job = job,
        .tasks = &file->plan.tasks,
        .store = store,
        .folder = folder,
    };
    struct run_setup_job setup = {
        .folder = folder, .file = file, .pool = &work->phones.pool};
    int ignored = 0;
    bool done;

    if (!farm_queue_open(&part, &setup.queue, err))
        return false;
    done = run_setup_do(work->cli, &setup, &ignored, err) &&
           farm_queue_check(setup.queue, err);
    work_queue_close(setup.queue);
    return done;
}

static bool do_run(struct work_session *work, const struct farm_job *job,
                   struct err *err)
{
    struct buf folder = BUF_INIT(PATH_MAX);
    struct run_file file = {.id = NULL};
    struct farm_store *store = NULL;
    bool done;

    done = make_plan(work, job, &file, err) &&
           open_store(work, job, &store, err) &&
           store->ops->work_folder(store, farm_worker_id(work->worker), &folder,
                                   err) &&
           save(buf_cstr(&folder), "suite.json", job->suite, err) &&
           save(buf_cstr(&folder), "run.json", job->file, err) &&
           store->ops->check(store, buf_cstr(&folder), err) &&
           do_episodes(work, job, buf_cstr(&folder), &file, store, err);
    farm_store_close(store);
    run_file_release(&file);
    buf_release(&folder);
    return done;
}

/* ---- all runs ---- */

/* A run that fails here is left to other workers. */
static void refuse(struct work_session *work, const struct farm_job *job,
                   struct err *err)
{
    err_prepend(err, "run %.64s is left to other workers", job->name);
    cli_message(work->cli, "%s", err->text);
    farm_worker_report(work->worker, err->text);
    json_add_int(work->refused, NULL, job->run);
}

static bool work_on(struct work_session *work, struct err *err)
{
    struct farm_job job;
    struct err trouble = ERR_INIT;

    for (;;) {
        bool done;

        if (!farm_worker_next(work->worker, work->refused, !work->args->once,
                              &job, err))
            return false;
        if (!job.run)
            return true;
        cli_message(work->cli, "run %s", job.name);
        done = do_run(work, &job, &trouble);
        if (!done && trouble.code == ERR_LOST)
            *err = trouble;
        else if (!done && !cancel_fired(work->cli->cancel))
            refuse(work, &job, &trouble);
        farm_job_release(&job);
        if (!done && trouble.code == ERR_LOST)
            return false;
    }
}

static bool lock_phones(struct work_session *work, struct err *err)
{
    const struct text_list *identities = &work->phones.identities;

    for (size_t i = 0; i < identities->count; i++) {
        if (!farm_worker_lock_phone(work->worker, identities->items[i], err))
            return err_wrap(err, "phone %zu of this worker", i + 1);
    }
    return true;
}

static void name_worker(const struct work_args *args, char name[HOST_SIZE + 16])
{
    char host[HOST_SIZE] = "worker";

    (void)gethostname(host, sizeof(host) - 1);
    if (args->name)
        snprintf(name, HOST_SIZE + 16, "%s", args->name);
    else
        snprintf(name, HOST_SIZE + 16, "%s:%ld", host, (long)getpid());
}

static bool register_and_work(struct work_session *work, const char *url,
                              struct err *err)
{
    char name[HOST_SIZE + 16];
    const struct farm_worker_options options = {
        .url = url,
        .name = name,
        .phones = work->phones.offers,
        .interrupt = work->cli->cancel,
        .warn = on_warning,
        .context = work,
    };
    bool done;

    name_worker(work->args, name);
    if (!farm_worker_open(&options, &work->worker, err))
        return false;
    cli_message(work->cli, "worker %s: %d phones, waiting for runs", name,
                cJSON_GetArraySize(work->phones.offers));
    done = lock_phones(work, err) && work_on(work, err);
    farm_worker_close(work->worker);
    return done;
}

static bool start_server(struct work_session *work, struct err *err)
{
    const struct work_args *args = work->args;
    struct recording_server_options options = {
        .folder = args->recordings ? args->recordings : OWN_FOLDER,
        .certificate = args->certificate,
        .private_key = args->private_key,
        .url = args->serve_url,
    };
    const char *colon = args->serve ? strrchr(args->serve, ':') : NULL;
    char *address;
    bool done;

    if (!args->serve)
        return !(args->serve_url || args->certificate || args->private_key) ||
               err_set(err, ERR_INVALID,
                       "--serve-url, --tls-cert and --tls-key need --serve");
    if (!args->certificate != !args->private_key)
        return err_set(err, ERR_INVALID,
                       "--tls-cert and --tls-key need each other");
    if (!colon ||
        (strcmp(colon, ":0") != 0 && !tcp_parse_port(colon + 1, &options.port)))
        return err_set(err, ERR_INVALID,
                       "--serve %.60s: give an address of this computer and a "
                       "port, such as 10.0.0.5:8443",
                       args->serve);
    address = mem_dup_n(args->serve, (size_t)(colon - args->serve));
    options.address = address;
    done = recording_server_start(&options, &work->server, err);
    free(address);
    return done;
}

static bool run(struct cli_context *cli, const void *args,
                const struct operand_words *words, int *status, struct err *err)
{
    struct work_session work = {.cli = cli, .args = args};
    const char *rest;
    char *url;
    bool done;

    if (!queue_operands_read(words, 0, &url, &rest, err))
        return false;
    work.refused = json_new_array();
    done =
        (!rest || err_set(err, ERR_INVALID, "unexpected word: %.100s", rest)) &&
        start_server(&work, err) &&
        worker_phones_open(&work.phones, cli, &work.args->devices,
                           work.args->commands, err) &&
        register_and_work(&work, url, err);
    if (done && cancel_fired(cli->cancel))
        *status = ENDS_INTERRUPTED;
    recording_server_stop(work.server);
    worker_phones_release(&work.phones);
    cJSON_Delete(work.refused);
    free(url);
    return done;
}

static const struct option options_table[] = {
    OPTION_TEXTS(struct work_args, devices, "device", 's', "DEVICE",
                 COMPLETE_RUN_DEVICE,
                 "The phones: phone, phone:N (built-in ones), avd:NAME:N "
                 "(emulators that are started), stf:URL#N (reserved from an "
                 "STF), or a serial; may be given several times"),
    OPTION_TEXT(struct work_args, name, "name", 0, "NAME", COMPLETE_NOTHING,
                "The name of this worker for people (HOST:PROCESS)"),
    OPTION_TEXT(struct work_args, recordings, "recordings", 0, "DIRECTORY",
                COMPLETE_FILE,
                "Where the shared folder of recordings is on this computer, if "
                "it has another path than where runs are started; for runs "
                "whose recordings are uploaded, where they are until then "
                "(runs)"),
    OPTION_TEXT(struct work_args, serve, "serve", 0, "ADDRESS:PORT",
                COMPLETE_NOTHING,
                "Serve the recordings that runs keep on their workers "
                "(--recordings worker:), also those of earlier workers in the "
                "same folder; beyond this computer only with TLS. With port 0, "
                "a free one, addresses do not outlast this worker"),
    OPTION_TEXT(struct work_args, serve_url, "serve-url", 0, "URL",
                COMPLETE_NOTHING,
                "How other computers reach that, such as "
                "https://desk1.example.org:8443 (by its address); needed for "
                "0.0.0.0 and ::"),
    OPTION_TEXT(struct work_args, certificate, "tls-cert", 0, "FILE",
                COMPLETE_FILE, "Certificate for HTTPS, in PEM"),
    OPTION_TEXT(struct work_args, private_key, "tls-key", 0, "FILE",
                COMPLETE_FILE, "The key of the certificate, in PEM"),
    OPTION_FLAG(struct work_args, commands, "allow-commands", 0,
                "Accept agents that are programs (exec:, adb:): a user who may "
                "queue runs can then run any command here"),
    OPTION_FLAG(struct work_args, once, "once", 0,
                "End when no episode is waiting"),
};

static const struct operand operands[] = {
    {.name = "URL",
     .help = "The queue's database, postgresql://…; PROCTOR_QUEUE if it is "
             "not given",
     .max = 1,
     .completes = COMPLETE_NOTHING},
};

static const struct example examples[] = {
    {"proctor work postgresql://lab@db.example.org/proctor --device phone:8",
     "Eight built-in phones for the runs of that queue."},
    {"PROCTOR_QUEUE=postgresql:///proctor proctor work -s emulator-5554 --once",
     "One emulator, until nothing is waiting."},
};

const struct command cmd_work = {
    .name = "work",
    .section = "Farm",
    .summary = "Do the episodes of queued runs",
    .description =
        "Takes episodes that proctor run --queue has put into a database, and "
        "runs them on the phones of this computer, until interrupted. Several "
        "workers on any computers share the runs. An episode goes to another "
        "worker when this one is silent for too long.\n\nKeys of models are "
        "read from this worker's environment and never leave it. docs/farm.md "
        "shows whole set-ups.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct work_args),
    .takes = TAKES_JSON,
    .run = run,
};
