#include "tools/cli/run/run_setup.h"

#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/user_folder.h"
#include "runner/run/run_lock.h"
#include "tasks/task/suite.h"
#include "tools/cli/run/run_progress.h"

#define ENDS_VOID 1
#define ENDS_INTERRUPTED 130

/* What is as large goes back to the system when it is freed: frames do, and
 * what is there in every step does not. */
#define LARGE (4 << 20)

/* Everything that a run needs, in the order in which it is made. */
struct setup {
    struct cli_context *cli;
    const char *folder;
    struct run_file *file;
    struct agent_channel *channel;
    struct file_lock lock;
    struct suite suite;
    const struct task **tasks; /* owned; what they point to is the suite's */
    struct run_phones phones;
    struct agent_factory agents;
    struct guard *guard;
    struct buf journals;
    struct buf observe_cache;
    struct spending spending;
    struct buf model_cache;
    struct run_page page;
};

/* ---- folders ---- */

/* The user's folder for what can be had again; given may name another. */
static void name_cache(const char *given, const char *name, struct buf *path)
{
    if (given && !strcmp(given, "none"))
        return;
    if (given)
        buf_text(path, given);
    else
        (void)!user_folder_path(USER_FOLDER_CACHE, name, path);
}

/* Where it is noted how phones were before something was changed. */
void run_setup_journal_folder(struct buf *path)
{
    (void)!user_folder_path(USER_FOLDER_STATE, "journals", path);
}

/* A cache that cannot be made is done without. */
static const char *make_cache(const struct buf *path)
{
    struct err ignored;

    return path->length && file_make_folder(buf_cstr(path), 0777, &ignored)
               ? buf_cstr(path)
               : NULL;
}

/* ---- the suite ---- */

/* The run's own copy, so that it continues as it began. */
static bool load_suite(struct setup *setup, struct err *err)
{
    const struct run_plan *plan = &setup->file->plan;
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(TASK_FILE_MAX);
    char sha256[SHA256_HEX_SIZE];
    bool done;

    buf_printf(&path, "%s/suite.json", setup->folder);
    done = file_load(buf_cstr(&path), &text, err);
    if (done) {
        sha256_hex(buf_cstr(&text), text.length, sha256);
        done = !strcmp(sha256, plan->suite_sha256) ||
               err_set(err, ERR_INVALID,
                       "%s has changed since the run was started: its hash is "
                       "%.12s…, not %.12s…",
                       buf_cstr(&path), sha256, plan->suite_sha256);
    }
    done = done && suite_parse(buf_cstr(&text), text.length, plan->suite,
                               &setup->suite, err);
    buf_release(&path);
    buf_release(&text);
    return done;
}

static bool choose_tasks(struct setup *setup, struct err *err)
{
    const struct text_list *ids = &setup->file->plan.tasks;

    setup->tasks = mem_new(ids->count + 1, sizeof(*setup->tasks));
    for (size_t i = 0; i < ids->count; i++) {
        if (!suite_choose(&setup->suite, ids->items[i], &setup->tasks[i], err))
            return false;
    }
    return true;
}

/* ---- all of it ---- */

static void release(struct setup *setup)
{
    agent_factory_release(&setup->agents);
    spending_release(&setup->spending);
    guard_close(setup->guard);
    buf_release(&setup->journals);
    run_page_close(&setup->page);
    run_phones_release(&setup->phones);
    free(setup->tasks);
    suite_release(&setup->suite);
    buf_release(&setup->observe_cache);
    buf_release(&setup->model_cache);
    file_lock_release(&setup->lock);
}

static bool open_guard(struct setup *setup, struct err *err)
{
    const struct run_plan *plan = &setup->file->plan;

    return plan->unguarded || guard_open(plan->guard, &setup->guard, err);
}

/* What comparison needs to know of the model, as far as it is known yet. */
static bool describe_agents(struct setup *setup, struct err *err)
{
    struct cJSON *model = json_new_object();

    agent_factory_describe(&setup->agents, model);
    cJSON_Delete(setup->file->model);
    setup->file->model = model;
    if (cJSON_GetArraySize(model) > 1)
        return run_file_save(setup->file, setup->folder, err);
    cJSON_Delete(model); /* its name is all there is, and is there already */
    setup->file->model = NULL;
    return true;
}

static bool open_agents(struct setup *setup, struct err *err)
{
    const struct run_plan *plan = &setup->file->plan;
    struct server_client server;
    const struct agent_factory_options options = {
        .profile = setup->file->plan.profile,
        .cache = make_cache(&setup->model_cache),
        .prices = setup->file->plan.prices,
        .spending = &setup->spending,
        .server = plan->via_server ? &server : NULL,
        .private_network = plan->private_net,
        .allowed = &plan->allow,
        .channel = setup->channel,
        .in = STDIN_FILENO,
        .out = STDERR_FILENO,
        .log = setup->cli->log,
    };

    return server_client_from_environment(&server, err) &&
           agent_factory_init(&setup->agents, plan->agent, &options, err) &&
           describe_agents(setup, err);
}

static bool is_there(const char *folder, const char *name)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool there;

    buf_printf(&path, "%s/%s", folder, name);
    there = access(buf_cstr(&path), F_OK) == 0;
    buf_release(&path);
    return there;
}

bool run_setup_nothing_started(const char *folder, const struct err *err)
{
    return !is_there(folder, "episodes") &&
           (!is_there(folder, "results.jsonl") || err->code == ERR_NOT_FOUND);
}

static void say_end(const struct cli_context *cli, const char *folder,
                    const struct run_summary *summary)
{
    const struct work_queue_state *work = &summary->work;
    size_t left = work->all - work->ended - work->given_up;

    if (!work->all) /* the amount of work left is not known */
        return;
    if (summary->interrupted)
        cli_message(cli, "interrupted; continue with: proctor resume %s",
                    folder);
    else if (left)
        cli_message(cli,
                    "%zu of %zu are left; continue with: proctor resume %s",
                    left, work->all, folder);
    else if (work->given_up)
        cli_message(cli,
                    "%zu of %zu are void; repeat them with: proctor retry %s",
                    work->given_up, work->all, folder);
    else if (work->all > 1)
        cli_message(cli, "all %zu are done; judge them with: proctor judge %s",
                    work->all, folder);
    else
        cli_message(cli, "done; judge it with: proctor judge %s", folder);
}

static bool print_summary(struct cli_context *cli, const char *folder,
                          const struct run_summary *summary, struct err *err)
{
    struct cJSON *line;
    bool done;

    if (!cli->shared.json)
        return true;
    line = json_new_object();
    json_add_string(line, "run", folder);
    json_add_int(line, "all", (int64_t)summary->work.all);
    json_add_int(line, "ended", (int64_t)summary->work.ended);
    json_add_int(line, "void", (int64_t)summary->work.given_up);
    json_add_bool(line, "interrupted", summary->interrupted);
    cli->out.cancel = NULL; /* an interrupt is reported, too */
    done = output_stream_json(&cli->out, line, err);
    cJSON_Delete(line);
    return done;
}

static bool run(struct setup *setup, const struct run_setup_job *job,
                int *status, struct err *err)
{
    struct cli_context *cli = setup->cli;
    struct run_progress progress;
    struct err ignored; /* the first one counts */
    struct run_summary summary = {.interrupted = false};
    const struct run_watcher watcher = run_progress_watcher(&progress);
    const struct run_options run_options = {
        .folder = setup->folder,
        .file = setup->file,
        .suite = &setup->suite,
        .tasks = setup->tasks,
        .phones = setup->phones.items,
        .phone_count = setup->phones.count,
        .agents = &setup->agents,
        .spending = &setup->spending,
        .cache = make_cache(&setup->observe_cache),
        .keyboard_apk = setup->file->plan.keyboard,
        .guard = setup->guard,
        .prepare = {.folder = setup->journals.length
                                  ? buf_cstr(&setup->journals)
                                  : NULL,
                    .stay_awake = setup->file->plan.awake,
                    .disable_animations = setup->file->plan.no_animations,
                    .disable_rotation = setup->file->plan.no_rotation},
        .watcher = run_page_watcher(&setup->page, &watcher),
        .cancel = cli->cancel,
        .log = cli->log,
        .retry_void = job->retry_void,
        .queue = job->queue,
    };
    bool done;

    if (!run_progress_start(&progress, cli, setup->phones.items,
                            setup->phones.count,
                            !setup->agents.kind->asks_person, err))
        return false;
    done = run_execute(&run_options, &summary, err);
    run_progress_stop(&progress);
    done = describe_agents(setup, done ? err : &ignored) && done;
    if (done || !run_setup_nothing_started(setup->folder, err))
        say_end(cli, setup->folder, &summary);
    done = done &&
           (job->queue || print_summary(cli, setup->folder, &summary, err));
    if (done && progress.error.code != ERR_NONE && !summary.interrupted) {
        *err = progress.error;
        done = false;
    }
    if (summary.interrupted)
        *status = ENDS_INTERRUPTED;
    else if (summary.work.given_up)
        *status = ENDS_VOID;
    return done;
}

/*
 * A run has two threads per phone that mostly wait. For each of them malloc
 * would keep what it freed; that few share it costs no time. And it would take
 * frames for small, once it has seen some.
 */
static void share_memory(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    (void)mallopt(M_ARENA_MAX, cores > 0 && cores < 64 ? (int)cores : 2);
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
}

static void replace(char **text, const char *given)
{
    if (!given)
        return;
    free(*text);
    *text = mem_dup(given);
}

bool run_setup_set(const struct run_setup_options *options,
                   struct run_plan *plan, struct err *err)
{
    if (!run_budget_set(&options->budget, plan, err))
        return false;
    replace(&plan->observe_cache, options->observe_cache);
    replace(&plan->model_cache, options->model_cache);
    replace(&plan->keyboard, options->keyboard);
    return true;
}

bool run_setup_do(struct cli_context *cli, const struct run_setup_job *job,
                  int *status, struct err *err)
{
    const struct run_plan *plan = &job->file->plan;
    struct setup setup = {
        .cli = cli,
        .folder = job->folder,
        .file = job->file,
        .channel = job->channel,
        .lock = FILE_LOCK_INIT,
        .observe_cache = BUF_INIT(PATH_MAX),
        .model_cache = BUF_INIT(PATH_MAX),
        .journals = BUF_INIT(PATH_MAX),
    };
    bool done;

    run_budget_init(plan, &setup.spending);
    share_memory();
    name_cache(plan->observe_cache, "phones", &setup.observe_cache);
    if (plan->model_cache)
        name_cache(plan->model_cache, "models", &setup.model_cache);
    run_setup_journal_folder(&setup.journals);
    done = run_lock_take(setup.folder, &setup.lock, err) &&
           load_suite(&setup, err) && choose_tasks(&setup, err) &&
           open_agents(&setup, err) && open_guard(&setup, err) &&
           run_phones_open(&setup.phones, cli, plan, job->pool, err) &&
           run_page_open(&setup.page, cli, job->folder, plan->agent, job->page,
                         &setup.phones, err) &&
           run(&setup, job, status, err);
    release(&setup);
    return done;
}
