#include "runner/run.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/mem.h"
#include "runner/app_facts.h"
#include "runner/lock.h"

#define ACQUIRE_MS 30000
#define BACK_MIN_MS 1000 /* between looks for a phone that is out */
#define BACK_MAX_MS 30000
#define ALONE_MS 60000 /* that a run goes on without any phone */

struct run {
    const struct run_options *options;
    struct work *work;
    struct policy policy;
    char *suite_folder; /* owned, as all here */
    struct frames *frames;
    struct jsonl_writer results;
    struct cancel stop; /* ends what waits for the interrupt */

    pthread_mutex_t lock; /* guards all below, and who watches */
    size_t out;           /* phones that cannot be used now */
    size_t ever;          /* phones that could be used once */
    int64_t alone_ns;     /* since when no phone is left */
    struct err error;     /* why the run cannot go on; ERR_NONE: it can */
};

/* One phone's thread. */
struct worker {
    struct run *run;
    size_t place; /* in options->phones */
    const struct run_phone *phone;
    struct agent *agent;
    struct lease *lease; /* NULL: the phone is out */
    struct session session;
    struct lock lock;
    int64_t back_ms; /* until the next look for it */
    struct work_item item;
    bool counted_out;
    bool counted_in;
};

/* ---- telling ---- */

static void show(struct worker *worker, const struct episode_state *step,
                 const char *trouble)
{
    struct run *run = worker->run;
    const struct run_watcher *watcher = &run->options->watcher;
    struct run_sight sight = {.phone = worker->place, .trouble = trouble};

    if (step) {
        sight.step = *step;
        sight.item = worker->item;
        sight.task = run->options->tasks[worker->item.task]->id;
    }
    if (!watcher->sees)
        return;
    pthread_mutex_lock(&run->lock);
    watcher->sees(watcher->context, &sight);
    pthread_mutex_unlock(&run->lock);
}

/* The whole run cannot go on; the first reason counts. */
static void give_up(struct run *run, const struct err *err)
{
    pthread_mutex_lock(&run->lock);
    if (run->error.code == ERR_NONE)
        run->error = *err;
    pthread_mutex_unlock(&run->lock);
    work_stop(run->work);
}

static bool may_spend(struct run *run)
{
    struct err err = ERR_INIT;

    if (spending_allows(run->options->spending, &err))
        return true;
    give_up(run, &err);
    return false;
}

static bool watch(void *context, const struct episode_state *state)
{
    struct worker *worker = context;

    show(worker, state, NULL);
    return may_spend(worker->run) &&
           work_beat(worker->run->work, &worker->item);
}

/* ---- having a phone ---- */

/* Has nobody had a phone for too long? Nobody ever: at once. */
static bool is_alone(const struct run *run)
{
    const struct run_options *options = run->options;
    int64_t alone_ms = options->alone_ms ? options->alone_ms : ALONE_MS;

    return run->out == options->phone_count &&
           (!run->ever ||
            clock_ns() - run->alone_ns > alone_ms * INT64_C(1000000));
}

/* Those who have none are counted: a run without phones ends. */
static void count_out(struct worker *worker, const struct err *why)
{
    struct run *run = worker->run;
    struct err lost = *why;
    bool over;

    pthread_mutex_lock(&run->lock);
    run->out += !worker->counted_out;
    worker->counted_out = true;
    if (run->out == run->options->phone_count && !run->alone_ns)
        run->alone_ns = clock_ns();
    over = is_alone(run);
    if (over && run->ever)
        lost.code = ERR_LOST;
    pthread_mutex_unlock(&run->lock);
    show(worker, NULL, why->text);
    if (over)
        give_up(run, &lost);
}

static void count_in(struct worker *worker)
{
    struct run *run = worker->run;

    pthread_mutex_lock(&run->lock);
    run->out -= worker->counted_out;
    run->ever += !worker->counted_in;
    run->alone_ns = 0;
    worker->counted_out = false;
    worker->counted_in = true;
    pthread_mutex_unlock(&run->lock);
    worker->back_ms = BACK_MIN_MS;
}

static void let_go(struct worker *worker)
{
    struct source *source = worker->phone->source;

    session_close(&worker->session);
    if (worker->lease)
        source->ops->release(source, worker->lease);
    worker->lease = NULL;
    lock_release(&worker->lock);
}

static bool may_use(const struct worker *worker, struct err *err)
{
    const struct run_options *options = worker->run->options;

    return !worker->lease->somebodys || !options->agents->kind->aimless ||
           options->file->plan.aimless ||
           err_set(err, ERR_INVALID,
                   "%s is somebody's phone, and %s may do anything there; "
                   "--on-my-phone allows it",
                   worker->phone->serial, options->agents->name);
}

/* Another version of an app is another task; what the phone does not tell, is
 * not noted. */
static void note_app(struct worker *worker, const char *package)
{
    struct run *run = worker->run;
    struct run_file *file = run->options->file;
    const char *serial = worker->phone->serial;
    struct app_facts facts;
    struct err ignored;
    bool known;

    pthread_mutex_lock(&run->lock);
    known = run_file_has_app(file, serial, package);
    pthread_mutex_unlock(&run->lock);
    if (known || !app_facts_read(worker->lease->device, package,
                                 deadline_in_ms(ACQUIRE_MS), &facts, &ignored))
        return;
    pthread_mutex_lock(&run->lock);
    if (facts.version[0])
        run_file_add_app(file, serial, package, facts.version);
    pthread_mutex_unlock(&run->lock);
    app_facts_release(&facts);
}

static void note_apps(struct worker *worker)
{
    const struct run_options *options = worker->run->options;

    for (size_t i = 0; i < options->file->plan.tasks.count; i++) {
        const struct texts *apps = &options->tasks[i]->apps;

        for (size_t j = 0; j < apps->count; j++)
            note_app(worker, apps->items[j]);
    }
}

/* Say in run.json on what is run. */
static bool note_phone(struct worker *worker, struct err *err)
{
    struct run *run = worker->run;
    const struct run_options *options = run->options;
    bool done;

    note_apps(worker);
    pthread_mutex_lock(&run->lock);
    run_file_add_device(options->file, worker->phone->serial,
                        worker->lease->oracle != NULL,
                        observer_facts(worker->session.observer));
    done = run_file_save(options->file, options->folder, err);
    pthread_mutex_unlock(&run->lock);
    return done;
}

static bool open_phone(struct worker *worker, struct err *err)
{
    const struct run_options *options = worker->run->options;
    struct source *source = worker->phone->source;
    const struct session_options session = {
        .source = source,
        .cache = options->cache,
        .keyboard_apk = options->keyboard_apk,
        .frames = worker->run->frames,
        .prepare = worker->phone->ours
                       ? (struct prepare_options){.folder = NULL}
                       : options->prepare,
        .cancel = options->cancel,
        .log = options->log,
    };

    return (worker->phone->ours ||
            lock_phone(&worker->lock, worker->phone->serial, err)) &&
           source->ops->acquire(source, worker->phone->serial,
                                deadline_in_ms(ACQUIRE_MS), &worker->lease,
                                err) &&
           session_open(&worker->session, &session, worker->lease, err);
}

/* Have the phone, or find that it is out. */
static bool take_phone(struct worker *worker)
{
    struct err err = ERR_INIT;

    if (worker->lease)
        return true;
    if (!open_phone(worker, &err)) {
        let_go(worker);
        if (err.code != ERR_CANCELLED)
            count_out(worker, &err);
        return false;
    }
    if (!may_use(worker, &err) || !note_phone(worker, &err)) {
        let_go(worker);
        give_up(worker->run, &err);
        return false;
    }
    count_in(worker);
    return true;
}

/* Look for it again later, and longer and longer. */
static void wait_for_phone(struct worker *worker)
{
    work_wait(worker->run->work, worker->back_ms);
    worker->back_ms =
        worker->back_ms * 2 < BACK_MAX_MS ? worker->back_ms * 2 : BACK_MAX_MS;
}

/* ---- doing the work ---- */

static bool record(struct run *run, const struct result *result,
                   struct err *err)
{
    struct cJSON *line = result_to_json(result);
    bool done;

    pthread_mutex_lock(&run->lock);
    done = jsonl_add(&run->results, line, err);
    pthread_mutex_unlock(&run->lock);
    cJSON_Delete(line);
    return done;
}

static void hear(struct run *run, const struct result *result)
{
    const struct run_watcher *watcher = &run->options->watcher;
    struct work_state state;

    if (!watcher->hears)
        return;
    work_look(run->work, &state);
    pthread_mutex_lock(&run->lock);
    watcher->hears(watcher->context, result, &state);
    pthread_mutex_unlock(&run->lock);
}

/* What the end of an attempt means for the phone, the task and the run. */
static void settle(struct worker *worker, struct episode_end *end)
{
    struct run *run = worker->run;
    struct err err = ERR_INIT;

    if (end->mishap == MISHAP_INTERRUPTED) {
        work_finish(run->work, &worker->item, WORK_RETURNED);
        work_stop(run->work);
        return;
    }
    if (end->result.ending != ENDING_NONE && !record(run, &end->result, &err))
        give_up(run, &err);
    if (end->mishap == MISHAP_FATAL)
        give_up(run, &end->error);
    work_finish(run->work, &worker->item,
                end->mishap == MISHAP_NONE ? WORK_ENDED : WORK_VOID);
    hear(run, &end->result);
    if (end->mishap == MISHAP_PHONE)
        let_go(worker);
}

static void attempt(struct worker *worker)
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
        .guard = worker->lease->somebodys ? options->guard : NULL,
        .cancel = options->cancel,
        .watch = watch,
        .watch_context = worker,
    };
    struct episode_end end;

    episode_run(&episode, &end);
    show(worker, NULL, NULL);
    settle(worker, &end);
    result_release(&end.result);
}

static bool is_over(struct run *run)
{
    struct work_state state;

    work_look(run->work, &state);
    return state.stopped || state.ended + state.given_up == state.all;
}

static void work_on(void *context)
{
    struct worker *worker = context;
    struct run *run = worker->run;
    const struct agent_maker *maker = &run->options->agents->maker;
    struct err err = ERR_INIT;

    if (!maker->make(maker, &worker->agent, &err)) {
        give_up(run, &err);
        return;
    }
    while (!is_over(run)) {
        if (!take_phone(worker))
            wait_for_phone(worker);
        else if (may_spend(run) && work_claim(run->work, &worker->item))
            attempt(worker);
    }
    let_go(worker);
    agent_close(worker->agent);
}

/* ---- beginning ---- */

static enum work_outcome outcome_of(const struct run *run,
                                    enum trajectory_ending ending)
{
    if (ending == ENDING_VOID)
        return run->options->again_void ? WORK_RETURNED : WORK_VOID;
    return ending == ENDING_NONE ? WORK_RETURNED : WORK_ENDED;
}

/* What earlier attempts left is kept; who ended is not run again. */
static void recall(struct run *run, const struct results *results)
{
    const struct run_plan *plan = &run->options->file->plan;

    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->items[i];
        struct work_item item = {.repeat = result->repeat,
                                 .attempt = result->attempt};

        while (item.task < plan->tasks.count &&
               strcmp(plan->tasks.items[item.task], result->task) != 0)
            item.task++;
        if (item.task < plan->tasks.count && item.repeat < plan->repeats)
            work_known(run->work, &item, outcome_of(run, result->ending));
    }
}

/* results.jsonl says what the episodes say, whatever was lost of it. */
static bool open_results(struct run *run, struct err *err)
{
    const char *folder = run->options->folder;
    struct buf path = BUF_INIT(PATH_MAX);
    struct results results = {.items = NULL};
    bool done;

    buf_printf(&path, "%s/results.jsonl", folder);
    done = results_scan(folder, &results, err) &&
           results_save(folder, &results, err) &&
           jsonl_open(&run->results, buf_cstr(&path), err);
    if (done)
        recall(run, &results);
    results_release(&results);
    buf_release(&path);
    return done;
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? mem_dup_n(path, (size_t)(slash - path)) : mem_dup(".");
}

static void init(struct run *run, const struct run_options *options)
{
    const struct run_plan *plan = &options->file->plan;

    *run = (struct run){
        .options = options,
        .results = JSONL_WRITER_INIT,
        .stop = CANCEL_INIT,
        .work = work_open(plan->tasks.count, plan->repeats, 1 + plan->retries),
        .frames = frames_open(),
        .suite_folder = folder_of(options->suite->path),
    };
    policy_init(&run->policy, plan->preset);
    if (plan->steps)
        run->policy.steps = plan->steps;
    if (plan->mode != AGENT_SCREEN)
        run->policy.mode = plan->mode;
    pthread_mutex_init(&run->lock, NULL);
}

static void release(struct run *run)
{
    jsonl_close(&run->results);
    cancel_release(&run->stop);
    work_close(run->work);
    frames_close(run->frames);
    free(run->suite_folder);
    pthread_mutex_destroy(&run->lock);
}

/* An interrupt wakes the workers that wait for something to do. */
static void mind_interrupt(void *context)
{
    struct run *run = context;
    struct pollfd fds[] = {
        {.fd = cancel_fd(run->options->cancel), .events = POLLIN},
        {.fd = cancel_fd(&run->stop), .events = POLLIN},
    };

    while (poll(fds, 2, -1) < 0)
        continue;
    if (fds[0].revents)
        work_stop(run->work);
}

static bool start_workers(struct run *run, struct crew *crew,
                          struct worker *workers, struct err *err)
{
    for (size_t i = 0; i < run->options->phone_count; i++) {
        workers[i] = (struct worker){
            .run = run,
            .place = i,
            .phone = &run->options->phones[i],
            .lock = LOCK_INIT,
            .back_ms = BACK_MIN_MS,
        };
        if (!crew_start(crew, work_on, &workers[i])) {
            work_stop(run->work);
            return err_set(err, ERR_LIMIT, "no more threads can be had");
        }
    }
    return true;
}

static bool do_work(struct run *run, struct err *err)
{
    const size_t count = run->options->phone_count;
    struct worker *workers = mem_new(count, sizeof(*workers));
    struct crew crew;
    struct crew minder;
    bool done;

    crew_init(&crew, count);
    crew_init(&minder, 1);
    done = crew_start(&minder, mind_interrupt, run) ||
           err_set(err, ERR_LIMIT, "no more threads can be had");
    done = done && start_workers(run, &crew, workers, err);
    crew_wait(&crew);
    cancel_fire(&run->stop);
    crew_wait(&minder);
    crew_release(&minder);
    crew_release(&crew);
    free(workers);
    return done;
}

bool run_do(const struct run_options *options, struct run_summary *summary,
            struct err *err)
{
    struct run run;
    bool done;

    *summary = (struct run_summary){.interrupted = false};
    init(&run, options);
    done = cancel_init(&run.stop, err) && open_results(&run, err);
    if (done) {
        done = do_work(&run, err);
        work_look(run.work, &summary->work);
    }
    if (done && run.error.code != ERR_NONE) {
        *err = run.error;
        done = false;
    }
    summary->interrupted = cancel_fired(options->cancel);
    release(&run);
    return done;
}
