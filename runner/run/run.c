#include "runner/run/run.h"

#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread_group.h"
#include "runner/device/app_info.h"
#include "runner/device/phone_lock.h"
#include "runner/run/memory_queue.h"
#include "tasks/task/suite_files.h"

#define ACQUIRE_MS 30000
#define BACK_MIN_MS 1000 /* between attempts to get a phone back */
#define BACK_MAX_MS 30000
#define ACQUIRE_MIN_MS 5000

/*
 * How long a run continues without any phone: with a last attempt to get one
 * back, less than a minute.
 */
#define ALONE_MS 50000

struct run {
    const struct run_options *options;
    struct work_queue *work;
    struct episode_policy policy;
    char *suite_folder; /* owned, as all here */
    struct frame_pool *frames;
    struct jsonl_writer results;
    struct cancel stop; /* ends the thread that waits for the interrupt */

    pthread_mutex_t lock; /* guards all below, and the callbacks */
    size_t out;           /* phones that cannot be used now */
    size_t ever;          /* phones that were usable at least once */
    int64_t alone_ns;     /* since when there is no phone */
    struct err error;     /* why the run cannot go on; ERR_NONE: it can */
};

/* The thread of one phone. */
struct run_worker {
    struct run *run;
    size_t place; /* index in options->phones */
    const struct run_phone *phone;
    struct agent *agent;
    struct device_lease *lease; /* NULL: the phone is not in use */
    struct device_session session;
    struct phone_lock lock;
    int64_t back_ms;   /* until the next attempt to get it back */
    int64_t silent_ns; /* since when it has not answered; 0: not known */
    struct work_queue_item item;
    bool counted_out;
    bool counted_in;
};

/* ---- callbacks ---- */

static void report_progress(struct run_worker *worker,
                            const struct episode_state *step,
                            const char *trouble)
{
    struct run *run = worker->run;
    const struct run_watcher *watcher = &run->options->watcher;
    struct run_phone_state state = {.phone = worker->place, .trouble = trouble};

    if (step) {
        state.step = *step;
        state.item = worker->item;
        state.task = run->options->tasks[worker->item.task]->id;
    }
    if (!watcher->on_progress)
        return;
    pthread_mutex_lock(&run->lock);
    watcher->on_progress(watcher->context, &state);
    pthread_mutex_unlock(&run->lock);
}

static void warn(struct run_worker *worker, const char *text)
{
    struct run *run = worker->run;
    const struct run_watcher *watcher = &run->options->watcher;

    if (!watcher->on_warning)
        return;
    pthread_mutex_lock(&run->lock);
    watcher->on_warning(watcher->context, worker->place, text);
    pthread_mutex_unlock(&run->lock);
}

/* End the run; the first error is reported. */
static void end_run(struct run *run, const struct err *err)
{
    pthread_mutex_lock(&run->lock);
    if (run->error.code == ERR_NONE)
        run->error = *err;
    pthread_mutex_unlock(&run->lock);
    work_queue_stop(run->work);
}

static bool may_spend(struct run *run)
{
    struct err err = ERR_INIT;

    if (spending_allows(run->options->spending, &err))
        return true;
    end_run(run, &err);
    return false;
}

static bool watch(void *context, const struct episode_state *state)
{
    struct run_worker *worker = context;

    report_progress(worker, state, NULL);
    return may_spend(worker->run) &&
           work_queue_heartbeat(worker->run->work, &worker->item);
}

/* ---- phones ---- */

static int64_t timeout_ms(const struct run *run)
{
    return run->options->without_phone_ms ? run->options->without_phone_ms
                                          : ALONE_MS;
}

/* A silent phone gets only the time that the run continues without it. */
static struct deadline acquire_deadline(const struct run_worker *worker)
{
    int64_t silent_ms = (clock_ns() - worker->silent_ns) / 1000000;
    int64_t left_ms = timeout_ms(worker->run) - silent_ms;

    if (!worker->silent_ns || left_ms > ACQUIRE_MS)
        return deadline_in_ms(ACQUIRE_MS);
    return deadline_in_ms(left_ms > ACQUIRE_MIN_MS ? left_ms : ACQUIRE_MIN_MS);
}

/* Has there been no phone for too long, or none ever? */
static bool is_alone(const struct run *run)
{
    const struct run_options *options = run->options;
    int64_t without_phone_ms = timeout_ms(run);

    return run->out == options->phone_count &&
           (!run->ever ||
            clock_ns() - run->alone_ns > without_phone_ms * INT64_C(1000000));
}

/* Count a phone as lost: a run without phones ends. */
static void count_out(struct run_worker *worker, const struct err *why)
{
    struct run *run = worker->run;
    struct err lost = *why;
    bool over;

    pthread_mutex_lock(&run->lock);
    run->out += !worker->counted_out;
    worker->counted_out = true;
    if (run->out == run->options->phone_count && !run->alone_ns)
        run->alone_ns = worker->silent_ns ? worker->silent_ns : clock_ns();
    over = is_alone(run);
    if (over && run->ever)
        lost.code = ERR_LOST;
    pthread_mutex_unlock(&run->lock);
    report_progress(worker, NULL, why->text);
    if (over)
        end_run(run, &lost);
}

static void count_in(struct run_worker *worker)
{
    struct run *run = worker->run;

    pthread_mutex_lock(&run->lock);
    run->out -= worker->counted_out;
    run->ever += !worker->counted_in;
    run->alone_ns = 0;
    worker->silent_ns = 0;
    worker->counted_out = false;
    worker->counted_in = true;
    pthread_mutex_unlock(&run->lock);
    worker->back_ms = BACK_MIN_MS;
}

static void release_phone(struct run_worker *worker)
{
    struct device_source *source = worker->phone->source;
    struct err err = ERR_INIT;

    if (worker->session.unanswered_ns && !worker->silent_ns)
        worker->silent_ns = worker->session.unanswered_ns;
    if (!device_session_close(&worker->session, &err))
        warn(worker, err.text);
    if (worker->lease)
        source->ops->release(source, worker->lease);
    worker->lease = NULL;
    phone_lock_release(&worker->lock);
}

static bool may_use(const struct run_worker *worker, struct err *err)
{
    const struct run_options *options = worker->run->options;

    return !worker->lease->user_owned || !options->agents->kind->undirected ||
           options->file->plan.on_my_phone ||
           err_set(err, ERR_INVALID,
                   "%s is a real phone, and %s acts without a goal; allow it "
                   "with --on-my-phone",
                   worker->phone->serial, options->agents->name);
}

/* Record the version of an app in run.json, if the phone reports it. */
static void note_app(struct run_worker *worker, const char *package)
{
    struct run *run = worker->run;
    struct run_file *file = run->options->file;
    const char *serial = worker->phone->serial;
    struct app_info facts;
    struct err ignored;
    bool known;

    pthread_mutex_lock(&run->lock);
    known = run_file_has_app(file, serial, package);
    pthread_mutex_unlock(&run->lock);
    if (known || !app_info_read(worker->lease->device, package,
                                deadline_in_ms(ACQUIRE_MS), &facts, &ignored))
        return;
    pthread_mutex_lock(&run->lock);
    if (facts.version[0])
        run_file_add_app(file, serial, package, facts.version);
    pthread_mutex_unlock(&run->lock);
    app_info_release(&facts);
}

static void note_apps(struct run_worker *worker)
{
    const struct run_options *options = worker->run->options;

    for (size_t i = 0; i < options->file->plan.tasks.count; i++) {
        const struct text_list *apps = &options->tasks[i]->apps;

        for (size_t j = 0; j < apps->count; j++)
            note_app(worker, apps->items[j]);
    }
}

/* Record the phone in run.json. */
static bool note_phone(struct run_worker *worker, struct err *err)
{
    struct run *run = worker->run;
    const struct run_options *options = run->options;
    bool done;

    note_apps(worker);
    pthread_mutex_lock(&run->lock);
    run_file_add_device(options->file, worker->phone->serial,
                        worker->lease->truth_source != NULL,
                        observer_facts(worker->session.observer));
    done = run_file_save(options->file, options->folder, err);
    pthread_mutex_unlock(&run->lock);
    return done;
}

static struct device_settings_options prepare_for(
    const struct run_worker *worker)
{
    struct device_settings_options prepare = worker->run->options->prepare;

    if (worker->phone->ours)
        return (struct device_settings_options){.folder = NULL};
    if (worker->phone->disposable)
        prepare.folder = NULL;
    return prepare;
}

static bool open_phone(struct run_worker *worker, struct err *err)
{
    const struct run_options *options = worker->run->options;
    struct device_source *source = worker->phone->source;
    const struct device_session_options session = {
        .source = source,
        .cache = options->cache,
        .keyboard_apk = options->keyboard_apk,
        .frames = worker->run->frames,
        .fast_input = options->file->plan.fast_input,
        .scrcpy_server = options->file->plan.scrcpy_server,
        .prepare = prepare_for(worker),
        .cancel = options->cancel,
        .log = options->log,
    };

    return (worker->phone->ours ||
            phone_lock_take(&worker->lock, worker->phone->serial, err)) &&
           source->ops->acquire(source, worker->phone->serial,
                                acquire_deadline(worker), &worker->lease,
                                err) &&
           (worker->phone->ours || worker->phone->disposable ||
            phone_lock_identify(&worker->lock, worker->lease->device,
                                acquire_deadline(worker), err)) &&
           device_session_open(&worker->session, &session, worker->lease, err);
}

static void warn_of_slow_input(struct run_worker *worker)
{
    struct err why = worker->session.no_helper;

    err_wrap(&why, "acting by commands, without scrcpy's server");
    warn(worker, why.text);
}

/* Get the phone, or count it as lost. */
static bool take_phone(struct run_worker *worker)
{
    struct err err = ERR_INIT;

    if (worker->lease)
        return true;
    if (!open_phone(worker, &err)) {
        release_phone(worker);
        if (err.code != ERR_CANCELLED)
            count_out(worker, &err);
        return false;
    }
    if (!may_use(worker, &err) || !note_phone(worker, &err)) {
        release_phone(worker);
        end_run(worker->run, &err);
        return false;
    }
    if (worker->session.no_helper.code != ERR_NONE)
        warn_of_slow_input(worker);
    count_in(worker);
    return true;
}

/* Wait before the next attempt, longer each time. */
static void wait_for_phone(struct run_worker *worker)
{
    work_queue_wait(worker->run->work, worker->back_ms);
    worker->back_ms =
        worker->back_ms * 2 < BACK_MAX_MS ? worker->back_ms * 2 : BACK_MAX_MS;
}

/* ---- attempts ---- */

static bool record(struct run *run, const struct run_result *result,
                   struct err *err)
{
    struct cJSON *line;
    bool done;

    if (run->options->queue) /* which keeps it */
        return true;
    line = run_result_to_json(result);
    pthread_mutex_lock(&run->lock);
    done = jsonl_add(&run->results, line, err);
    pthread_mutex_unlock(&run->lock);
    cJSON_Delete(line);
    return done;
}

static void report_result(struct run *run, const struct run_result *result)
{
    const struct run_watcher *watcher = &run->options->watcher;
    struct work_queue_state state;

    if (!watcher->on_result)
        return;
    work_queue_get_state(run->work, &state);
    pthread_mutex_lock(&run->lock);
    watcher->on_result(watcher->context, result, &state);
    pthread_mutex_unlock(&run->lock);
}

/* If the only phone lacks an app, another attempt would lack it, too. */
static enum work_queue_outcome outcome_of_end(const struct run *run,
                                              enum failure_cause cause)
{
    if (cause == FAILURE_CAUSE_NONE)
        return WORK_QUEUE_ENDED;
    return cause == FAILURE_CAUSE_LACK && run->options->phone_count == 1 &&
                   !run->options->queue
               ? WORK_QUEUE_HOPELESS
               : WORK_QUEUE_VOID;
}

/* Apply the end of an attempt to the phone, the queue and the run. */
static void apply_end(struct run_worker *worker, struct episode_end *end)
{
    struct run *run = worker->run;
    struct err err = ERR_INIT;

    if (end->failure_cause == FAILURE_CAUSE_INTERRUPTED) {
        /* If another worker has the item now, the run continues here. */
        if (work_queue_finish(run->work, &worker->item, WORK_QUEUE_RETURNED,
                              NULL))
            work_queue_stop(run->work);
        return;
    }
    if (end->result.ending != ENDING_NONE && !record(run, &end->result, &err))
        end_run(run, &err);
    if (end->failure_cause == FAILURE_CAUSE_FATAL)
        end_run(run, &end->error);
    if (work_queue_finish(
            run->work, &worker->item, outcome_of_end(run, end->failure_cause),
            end->result.ending == ENDING_NONE ? NULL : &end->result))
        report_result(run, &end->result);
    if (end->failure_cause == FAILURE_CAUSE_PHONE)
        release_phone(worker);
}

static void attempt(struct run_worker *worker)
{
    struct run *run = worker->run;
    const struct run_options *options = run->options;
    const struct episode_options episode = {
        .run = options->folder,
        .task = options->tasks[worker->item.task],
        .suite_folder = run->suite_folder,
        .repeat = worker->item.repeat,
        .attempt = worker->item.attempt,
        .agent_name = options->agents->name,
        .agent = worker->agent,
        .session = &worker->session,
        .locale = options->file->plan.locale,
        .policy = &run->policy,
        .guard = worker->lease->user_owned ? options->guard : NULL,
        .takeover = worker->phone->takeover,
        .cancel = options->cancel,
        .watch = watch,
        .watch_context = worker,
    };
    struct episode_end end;

    episode_run(&episode, &end);
    report_progress(worker, NULL, NULL);
    apply_end(worker, &end);
    run_result_release(&end.result);
}

static void run_worker_thread(void *context)
{
    struct run_worker *worker = context;
    struct run *run = worker->run;
    const struct agent_maker *maker = &run->options->agents->maker;
    struct err err = ERR_INIT;

    if (!maker->make(maker, &worker->agent, &err)) {
        end_run(run, &err);
        return;
    }
    while (!work_queue_is_over(run->work)) {
        if (!take_phone(worker))
            wait_for_phone(worker);
        else if (may_spend(run) &&
                 work_queue_claim(run->work, worker->place, &worker->item))
            attempt(worker);
    }
    release_phone(worker);
    agent_close(worker->agent);
}

/* ---- start ---- */

static enum work_queue_outcome outcome_of(const struct run *run,
                                          enum trajectory_ending ending)
{
    if (ending == ENDING_VOID)
        return run->options->retry_void ? WORK_QUEUE_RETURNED : WORK_QUEUE_VOID;
    return ending == ENDING_NONE ? WORK_QUEUE_RETURNED : WORK_QUEUE_ENDED;
}

/* Earlier attempts count for the limits of the run. */
static void charge(struct run *run, const struct run_result *result)
{
    const struct model_usage usage = {
        .input_tokens = result->input_tokens,
        .cached_tokens = result->cached_tokens,
        .output_tokens = result->output_tokens,
        .cost = isnan(result->cost) ? 0 : result->cost,
    };

    spending_charge(run->options->spending, &usage);
}

/* Add the attempts of earlier starts: ended ones are not repeated. */
static void add_known_attempts(struct run *run,
                               const struct run_results *results)
{
    const struct run_plan *plan = &run->options->file->plan;

    for (size_t i = 0; i < results->count; i++) {
        const struct run_result *result = &results->items[i];
        struct work_queue_item item = {.repeat = result->repeat,
                                       .attempt = result->attempt};

        charge(run, result);
        while (item.task < plan->tasks.count &&
               strcmp(plan->tasks.items[item.task], result->task) != 0)
            item.task++;
        if (item.task < plan->tasks.count && item.repeat < plan->repeats)
            memory_queue_add_known(run->work, &item,
                                   outcome_of(run, result->ending));
    }
}

/* Rebuild results.jsonl from the episodes. */
static bool open_results(struct run *run, struct err *err)
{
    const char *folder = run->options->folder;
    struct buf path = BUF_INIT(PATH_MAX);
    struct run_results results = {.items = NULL};
    bool done;

    if (run->options->queue)
        return true;
    buf_printf(&path, "%s/results.jsonl", folder);
    done = run_results_scan(folder, &results, err) &&
           run_results_save(folder, &results, err) &&
           jsonl_open(&run->results, buf_cstr(&path), err);
    if (done)
        add_known_attempts(run, &results);
    run_results_release(&results);
    buf_release(&path);
    return done;
}

static struct work_queue *open_queue(const struct run_plan *plan)
{
    struct work_queue *queue =
        memory_queue_open(plan->tasks.count, plan->repeats, 1 + plan->retries);

    if (plan->shard_count)
        memory_queue_keep_shard(queue, plan->shard_index, plan->shard_count);
    return queue;
}

static void init(struct run *run, const struct run_options *options)
{
    const struct run_plan *plan = &options->file->plan;

    *run = (struct run){
        .options = options,
        .results = JSONL_WRITER_INIT,
        .stop = CANCEL_INIT,
        .work = options->queue ? options->queue : open_queue(plan),
        .frames = frame_pool_open(),
        .suite_folder = suite_files_folder(options->suite->path),
    };
    policy_init(&run->policy, plan->preset);
    if (plan->steps)
        run->policy.steps = plan->steps;
    run->policy.extra_steps = noise_steps(plan->noise);
    if (plan->mode != AGENT_SCREEN)
        run->policy.mode = plan->mode;
    pthread_mutex_init(&run->lock, NULL);
}

static void release(struct run *run)
{
    jsonl_close(&run->results);
    cancel_release(&run->stop);
    if (!run->options->queue)
        work_queue_close(run->work);
    frame_pool_close(run->frames);
    free(run->suite_folder);
    pthread_mutex_destroy(&run->lock);
}

/* Stop the queue on an interrupt, which wakes waiting workers. */
static void watch_for_interrupt(void *context)
{
    struct run *run = context;
    struct pollfd fds[] = {
        {.fd = cancel_fd(run->options->cancel), .events = POLLIN},
        {.fd = cancel_fd(&run->stop), .events = POLLIN},
    };

    while (poll(fds, 2, -1) < 0)
        continue;
    if (fds[0].revents)
        work_queue_stop(run->work);
}

static bool start_workers(struct run *run, struct thread_group *thread_group,
                          struct run_worker *workers, struct err *err)
{
    for (size_t i = 0; i < run->options->phone_count; i++) {
        workers[i] = (struct run_worker){
            .run = run,
            .place = i,
            .phone = &run->options->phones[i],
            .lock = PHONE_LOCK_INIT,
            .back_ms = BACK_MIN_MS,
        };
        if (!thread_group_start(thread_group, run_worker_thread, &workers[i])) {
            work_queue_stop(run->work);
            return err_set(err, ERR_LIMIT, "cannot start another thread");
        }
    }
    return true;
}

static bool do_work(struct run *run, struct err *err)
{
    const size_t count = run->options->phone_count;
    struct run_worker *workers = mem_new(count, sizeof(*workers));
    struct thread_group thread_group;
    struct thread_group minder;
    bool done;

    thread_group_init(&thread_group, count);
    thread_group_init(&minder, 1);
    done = thread_group_start(&minder, watch_for_interrupt, run) ||
           err_set(err, ERR_LIMIT, "cannot start another thread");
    done = done && start_workers(run, &thread_group, workers, err);
    thread_group_wait(&thread_group);
    cancel_fire(&run->stop);
    thread_group_wait(&minder);
    thread_group_release(&minder);
    thread_group_release(&thread_group);
    free(workers);
    return done;
}

bool run_execute(const struct run_options *options, struct run_summary *summary,
                 struct err *err)
{
    struct run run;
    bool done;

    *summary = (struct run_summary){.interrupted = false};
    init(&run, options);
    done = cancel_init(&run.stop, err) && open_results(&run, err);
    if (done) {
        done = do_work(&run, err);
        work_queue_get_state(run.work, &summary->work);
    }
    if (done && run.error.code != ERR_NONE) {
        *err = run.error;
        done = false;
    }
    summary->interrupted = cancel_fired(options->cancel);
    release(&run);
    return done;
}
