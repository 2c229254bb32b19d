#include "tools/farm_queue/farm_queue.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/thread_group.h"

#define TOKEN_SIZE 37
#define LINE_MAX_BYTES ((size_t)100000)
#define OFFER_MAX ((size_t)1 << 20)
#define RUN_FILE_MAX ((size_t)16 << 20)
#define IDLE_CHECK_MS 5000 /* a phone without work asks again */

/* What one phone has claimed. */
struct claim {
    bool active;
    bool known; /* to the heartbeat that is being sent */
    bool lost;
    int64_t episode;
    struct work_queue_item item;
    char token[TOKEN_SIZE];
};

struct farm_queue {
    struct work_queue interface; /* first */
    struct farm_queue_options options;
    char run[24];
    struct buf *offers; /* owned; by phone, as JSON */
    size_t phones;
    struct thread_group keeper;
    struct cancel closing;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct claim *claims; /* owned; by phone */
    struct work_queue_state state;
    uint64_t news;      /* notifications so far */
    bool over;          /* nothing is left for these phones */
    struct err failure; /* why recordings cannot be brought to the store */
    bool described;
};

static struct farm_queue *of(struct work_queue *work)
{
    return (struct farm_queue *)work;
}

/* A random UUID. */
static void make_token(char token[TOKEN_SIZE])
{
    unsigned char bytes[16];
    char *at = token;

    while (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
        continue;
    for (size_t i = 0; i < sizeof(bytes); i++)
        at += snprintf(at, 4,
                       i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                       bytes[i]);
}

static struct farm_recording recording_of(const struct farm_queue *queue,
                                          const struct work_queue_item *item)
{
    return (struct farm_recording){
        .worker = farm_worker_id(queue->options.worker),
        .task = queue->options.tasks->items[item->task],
        .repeat = item->repeat,
        .attempt = item->attempt,
    };
}

/* ---- claim ---- */

static struct claim *find_claim(struct farm_queue *queue,
                                const struct work_queue_item *item)
{
    for (size_t i = 0; i < queue->phones; i++) {
        struct claim *claim = &queue->claims[i];

        if (claim->active && claim->item.task == item->task &&
            claim->item.repeat == item->repeat &&
            claim->item.attempt == item->attempt)
            return claim;
    }
    return NULL;
}

static const char *serial_of(const struct farm_queue *queue, size_t phone)
{
    const struct cJSON *item = cJSON_GetArrayItem(
        farm_worker_phones(queue->options.worker), (int)phone);

    return cJSON_GetStringValue(
        cJSON_GetObjectItemCaseSensitive(item, "serial"));
}

/* What the database says must fit the plan: it is not trusted. */
static bool read_claim(const struct farm_queue *queue,
                       const struct farm_rows *rows, struct claim *claim)
{
    int64_t task = farm_rows_int(rows, 0, 1);
    int64_t repeat = farm_rows_int(rows, 0, 2);
    int64_t attempt = farm_rows_int(rows, 0, 3);

    if (!farm_rows_text(rows, 0, 0) || task < 0 ||
        (uint64_t)task >= queue->options.tasks->count || repeat < 0 ||
        repeat > INT_MAX || attempt < 0 || attempt > INT_MAX)
        return false;
    claim->episode = farm_rows_int(rows, 0, 0);
    claim->item = (struct work_queue_item){
        .task = (size_t)task, .repeat = (int)repeat, .attempt = (int)attempt};
    return true;
}

/* Ask the database for an episode. *found: there was one. */
static bool ask(struct farm_queue *queue, size_t phone, struct claim *claim,
                bool *found, struct err *err)
{
    const char *parameters[] = {queue->run, claim->token,
                                serial_of(queue, phone),
                                buf_cstr(&queue->offers[phone])};
    struct farm_rows *rows;

    if (!farm_worker_request(queue->options.worker,
                             "SELECT episode, task_index, repeat, attempt "
                             "FROM proctor.claim($1, $2, $3, $4, $5, $6)",
                             parameters, ARRAY_LEN(parameters), &rows, err))
        return false;
    *found = read_claim(queue, rows, claim);
    farm_rows_release(rows);
    return true;
}

/*
 * No episode is waiting. Others of this process may return theirs: wait for
 * news. False: no other phone has one.
 */
static bool wait_for_news(struct farm_queue *queue, uint64_t seen)
{
    struct timespec until = deadline_timespec(deadline_in_ms(IDLE_CHECK_MS));
    int error = 0;
    bool more;

    pthread_mutex_lock(&queue->lock);
    if (!queue->state.taken) {
        queue->over = true;
        pthread_cond_broadcast(&queue->changed);
    }
    while (!error && !queue->over && !queue->state.stopped &&
           queue->news == seen)
        error = pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
    more = !queue->over && !queue->state.stopped;
    pthread_mutex_unlock(&queue->lock);
    return more;
}

static uint64_t read_news(struct farm_queue *queue, bool *stopped)
{
    uint64_t news;

    pthread_mutex_lock(&queue->lock);
    news = queue->news;
    *stopped = queue->over || queue->state.stopped;
    pthread_mutex_unlock(&queue->lock);
    return news;
}

static void keep_claim(struct farm_queue *queue, size_t phone,
                       const struct claim *claim)
{
    pthread_mutex_lock(&queue->lock);
    queue->claims[phone] = *claim;
    queue->claims[phone].active = true;
    queue->state.taken++;
    pthread_mutex_unlock(&queue->lock);
}

static void stop_queue(struct farm_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->state.stopped = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/*
 * A database that crashed may have forgotten a claim, and give the attempt to
 * another phone of this worker. Both would record into the same folder: wait
 * until the first one has stopped.
 */
static void end_earlier(struct farm_queue *queue,
                        const struct work_queue_item *item)
{
    struct claim *earlier;

    pthread_mutex_lock(&queue->lock);
    while ((earlier = find_claim(queue, item)) != NULL) {
        earlier->lost = true;
        pthread_cond_wait(&queue->changed, &queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
}

static bool prepare(struct farm_queue *queue,
                    const struct work_queue_item *item, struct err *err)
{
    const struct farm_recording recording = recording_of(queue, item);

    end_earlier(queue, item);
    return queue->options.store->ops->prepare(queue->options.store, &recording,
                                              err);
}

static bool farm_queue_claim(struct work_queue *work, size_t phone,
                             struct work_queue_item *item)
{
    struct farm_queue *queue = of(work);
    struct claim claim = {.active = false};
    struct err err = ERR_INIT;
    bool stopped;
    uint64_t seen;

    make_token(claim.token);
    for (;;) {
        bool found = false;

        seen = read_news(queue, &stopped);
        if (stopped)
            return false;
        if (!ask(queue, phone, &claim, &found, &err) ||
            (found && !prepare(queue, &claim.item, &err))) {
            farm_worker_warn(queue->options.worker, err.text);
            stop_queue(queue);
            return false;
        }
        if (found)
            break;
        if (!wait_for_news(queue, seen))
            return false;
    }
    keep_claim(queue, phone, &claim);
    *item = claim.item;
    return true;
}

/* ---- heartbeat ---- */

static bool farm_queue_heartbeat(struct work_queue *work,
                                 const struct work_queue_item *item)
{
    struct farm_queue *queue = of(work);
    const struct claim *claim;
    bool goes_on;

    pthread_mutex_lock(&queue->lock);
    claim = find_claim(queue, item);
    goes_on = !queue->state.stopped && claim && !claim->lost;
    pthread_mutex_unlock(&queue->lock);
    return goes_on;
}

/* A claim made while the heartbeat was being sent is not in its answer. */
static void mark_known(struct farm_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    for (size_t i = 0; i < queue->phones; i++)
        queue->claims[i].known = queue->claims[i].active;
    pthread_mutex_unlock(&queue->lock);
}

static bool is_in(const struct farm_rows *rows, const char *token)
{
    for (size_t i = 0; i < farm_rows_count(rows); i++) {
        const char *held = farm_rows_text(rows, i, 0);

        if (held && !strcmp(held, token))
            return true;
    }
    return false;
}

static void mark_lost(struct farm_queue *queue, const struct farm_rows *rows)
{
    pthread_mutex_lock(&queue->lock);
    for (size_t i = 0; i < queue->phones; i++) {
        struct claim *claim = &queue->claims[i];

        if (claim->active && claim->known && !is_in(rows, claim->token))
            claim->lost = true;
    }
    pthread_mutex_unlock(&queue->lock);
}

static void renew(struct farm_queue *queue)
{
    struct err ignored; /* the next one may succeed, or the lease is lost */
    struct farm_rows *rows;

    mark_known(queue);
    if (!farm_worker_request_once(queue->options.worker,
                                  "SELECT * FROM proctor.heartbeat($1, $2)",
                                  &rows, &ignored))
        return;
    mark_lost(queue, rows);
    farm_rows_release(rows);
}

/* Renew the leases, and pass notifications on. */
static void keep(void *context)
{
    struct farm_queue *queue = context;
    const int64_t every_ms = queue->options.job->lease_ms / 3;
    struct deadline next = deadline_in_ms(every_ms);

    while (!cancel_fired(&queue->closing)) {
        farm_worker_wait(queue->options.worker, next, &queue->closing);
        if (deadline_passed(next)) {
            renew(queue);
            next = deadline_in_ms(every_ms);
        }
        pthread_mutex_lock(&queue->lock);
        queue->news++;
        pthread_cond_broadcast(&queue->changed);
        pthread_mutex_unlock(&queue->lock);
    }
}

/* ---- finish ---- */

/* The run's phones, as the worker's run.json has them. */
static void describe(struct farm_queue *queue)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(RUN_FILE_MAX);
    struct err ignored;

    buf_printf(&path, "%s/run.json", queue->options.folder);
    if (file_load(buf_cstr(&path), &text, &ignored)) {
        const char *parameters[] = {queue->run, buf_cstr(&text)};

        (void)!farm_worker_request(
            queue->options.worker,
            "SELECT proctor.describe_devices($1, $2, $3, $4)", parameters,
            ARRAY_LEN(parameters), NULL, &ignored);
    }
    buf_release(&path);
    buf_release(&text);
}

static void describe_once(struct farm_queue *queue)
{
    bool described;

    pthread_mutex_lock(&queue->lock);
    described = queue->described;
    queue->described = true;
    pthread_mutex_unlock(&queue->lock);
    if (!described)
        describe(queue);
}

static const char *outcome_name(enum work_queue_outcome outcome)
{
    static const char *const names[] = {
        [WORK_QUEUE_ENDED] = "ended",
        [WORK_QUEUE_VOID] = "void",
        [WORK_QUEUE_HOPELESS] = "void", /* other workers have other phones */
        [WORK_QUEUE_RETURNED] = "returned",
    };

    return names[outcome];
}

static bool give_result(struct farm_queue *queue, const struct claim *claim,
                        enum work_queue_outcome outcome, const char *line,
                        bool *counts, struct err *err)
{
    char episode[24];
    char attempt[16];
    const char *parameters[] = {episode, attempt, claim->token,
                                outcome_name(outcome), line};
    struct farm_rows *rows;

    snprintf(episode, sizeof(episode), "%" PRId64, claim->episode);
    snprintf(attempt, sizeof(attempt), "%d", claim->item.attempt);
    if (!farm_worker_request(
            queue->options.worker,
            "SELECT proctor.finish($1, $2, $3, $4, $5, $6, $7)", parameters,
            ARRAY_LEN(parameters), &rows, err))
        return false;
    *counts = farm_rows_bool(rows, 0, 0);
    farm_rows_release(rows);
    return true;
}

static void format_result(struct farm_queue *queue,
                          const struct farm_recording *recording,
                          const struct run_result *result, struct buf *line)
{
    struct farm_store *store = queue->options.store;
    struct cJSON *tree = run_result_to_json(result);
    struct buf url = BUF_INIT(LINE_MAX_BYTES);

    store->ops->locate(store, recording, NULL, &url);
    if (url.length)
        json_add_string(tree, "recording", buf_cstr(&url));
    buf_release(&url);
    json_format(tree, line);
    cJSON_Delete(tree);
}

/*
 * The recording is not where the run's recordings are: others may do the
 * episode, and this worker does no more of the run.
 */
static void give_up(struct farm_queue *queue, const struct claim *claim,
                    const struct err *failure)
{
    struct err ignored;
    bool counts;

    (void)!give_result(queue, claim, WORK_QUEUE_RETURNED, NULL, &counts,
                       &ignored);
    pthread_mutex_lock(&queue->lock);
    queue->failure = *failure;
    pthread_mutex_unlock(&queue->lock);
    stop_queue(queue);
}

/* Stage the recording, give the result, publish: in this order. */
static bool settle(struct farm_queue *queue, const struct claim *claim,
                   enum work_queue_outcome outcome,
                   const struct run_result *result, struct err *err)
{
    struct farm_store *store = queue->options.store;
    const struct farm_recording recording = recording_of(queue, &claim->item);
    struct buf line = BUF_INIT(LINE_MAX_BYTES);
    bool counts = false;
    bool done;

    if (result) {
        describe_once(queue);
        format_result(queue, &recording, result, &line);
        if (!store->ops->stage(store, &recording, err)) {
            give_up(queue, claim, err);
            buf_release(&line);
            return false;
        }
    }
    done = give_result(queue, claim, outcome, result ? buf_cstr(&line) : NULL,
                       &counts, err);
    if (done && counts && result)
        done = store->ops->publish(store, &recording, err);
    if (done && !counts && result)
        store->ops->discard(store, &recording);
    if (done && !counts)
        done = err_set(err, ERR_LOST,
                       "%s does not count: the lease was lost, and another "
                       "worker has it",
                       recording.task);
    buf_release(&line);
    if (!done)
        farm_worker_warn(queue->options.worker, err->text);
    return counts;
}

static void count(struct work_queue_state *state,
                  enum work_queue_outcome outcome)
{
    state->ended += outcome == WORK_QUEUE_ENDED;
    state->given_up += outcome == WORK_QUEUE_VOID;
}

static bool farm_queue_finish(struct work_queue *work,
                              const struct work_queue_item *item,
                              enum work_queue_outcome outcome,
                              const struct run_result *result)
{
    struct farm_queue *queue = of(work);
    struct err err = ERR_INIT;
    struct claim *found;
    struct claim claim;
    bool counts;

    pthread_mutex_lock(&queue->lock);
    found = find_claim(queue, item);
    claim = *found;
    pthread_mutex_unlock(&queue->lock);
    counts = settle(queue, &claim, outcome, result, &err);
    pthread_mutex_lock(&queue->lock);
    found->active = false;
    queue->state.taken--;
    queue->news++;
    if (counts)
        count(&queue->state, outcome);
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return counts;
}

/* ---- the rest ---- */

static void farm_queue_stop(struct work_queue *work)
{
    stop_queue(of(work));
}

static void farm_queue_wait(struct work_queue *work, int64_t ms)
{
    struct farm_queue *queue = of(work);
    struct timespec until = deadline_timespec(deadline_in_ms(ms));
    int error = 0;

    pthread_mutex_lock(&queue->lock);
    while (!error && !queue->over && !queue->state.stopped)
        error = pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
    pthread_mutex_unlock(&queue->lock);
}

static void farm_queue_get_state(struct work_queue *work,
                                 struct work_queue_state *state)
{
    struct farm_queue *queue = of(work);

    pthread_mutex_lock(&queue->lock);
    *state = queue->state;
    state->stopped = queue->state.stopped || queue->over;
    pthread_mutex_unlock(&queue->lock);
}

static void farm_queue_close(struct work_queue *work)
{
    struct farm_queue *queue = of(work);

    cancel_fire(&queue->closing);
    thread_group_wait(&queue->keeper);
    thread_group_release(&queue->keeper);
    cancel_release(&queue->closing);
    for (size_t i = 0; i < queue->phones; i++)
        buf_release(&queue->offers[i]);
    free(queue->offers);
    free(queue->claims);
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

bool farm_queue_check(struct work_queue *work, struct err *err)
{
    struct farm_queue *queue = of(work);
    struct err failure;

    pthread_mutex_lock(&queue->lock);
    failure = queue->failure;
    pthread_mutex_unlock(&queue->lock);
    if (failure.code == ERR_NONE)
        return true;
    *err = failure;
    return false;
}

static void set_offers(struct farm_queue *queue)
{
    const struct cJSON *phones = farm_worker_phones(queue->options.worker);

    queue->phones = (size_t)cJSON_GetArraySize(phones);
    queue->claims = mem_new(queue->phones, sizeof(*queue->claims));
    queue->offers = mem_new(queue->phones, sizeof(*queue->offers));
    for (size_t i = 0; i < queue->phones; i++) {
        const struct cJSON *phone = cJSON_GetArrayItem(phones, (int)i);

        queue->offers[i] = (struct buf)BUF_INIT(OFFER_MAX);
        json_format(cJSON_GetObjectItemCaseSensitive(phone, "offers"),
                    &queue->offers[i]);
    }
}

bool farm_queue_open(const struct farm_queue_options *options,
                     struct work_queue **work, struct err *err)
{
    static const struct work_queue_ops ops = {
        .claim = farm_queue_claim,
        .heartbeat = farm_queue_heartbeat,
        .finish = farm_queue_finish,
        .stop = farm_queue_stop,
        .wait = farm_queue_wait,
        .get_state = farm_queue_get_state,
        .close = farm_queue_close,
    };
    struct farm_queue *queue;
    struct cancel closing = CANCEL_INIT;

    if (!cancel_init(&closing, err))
        return false;
    queue = mem_new(1, sizeof(*queue));
    queue->interface.ops = &ops;
    queue->options = *options;
    queue->closing = closing;
    snprintf(queue->run, sizeof(queue->run), "%" PRId64, options->job->run);
    set_offers(queue);
    pthread_mutex_init(&queue->lock, NULL);
    deadline_cond_init(&queue->changed);
    thread_group_init(&queue->keeper, 1);
    if (!thread_group_start(&queue->keeper, keep, queue)) {
        farm_queue_close(&queue->interface);
        return err_set(err, ERR_LIMIT, "cannot start another thread");
    }
    *work = &queue->interface;
    return true;
}
