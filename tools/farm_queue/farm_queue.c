#include "tools/farm_queue/farm_queue.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/thread_group.h"

#define OFFER_MAX ((size_t)1 << 20)
#define RUN_FILE_MAX ((size_t)16 << 20)
#define TOKENS_MAX ((size_t)1 << 20)
#define IDLE_CHECK_MS 5000 /* a phone without work asks again */

/*
 * What one phone has claimed.
 *
 *           claim             prepared            finish
 *     free ───────▶ held ───────────────▶ begun ─────────▶ free
 *                     └──── cannot be ──────────────────────▲
 *
 * A lease that is held is renewed. When the database has given it to another
 * worker it is lost: its episode stops at the next step.
 */
struct claim {
    bool held;
    bool begun; /* it is recorded */
    bool known; /* to the renewal that is being sent */
    bool lost;
    struct farm_attempt attempt;
};

struct farm_queue {
    struct work_queue interface; /* first */
    struct farm_part part;
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
    struct err failure; /* why this worker cannot do the run */
    bool described;
};

static struct farm_queue *of(struct work_queue *work)
{
    return (struct farm_queue *)work;
}

/* ---- claim ---- */

/* The claim of an episode that is being recorded. */
static struct claim *find_claim(struct farm_queue *queue,
                                const struct work_queue_item *item)
{
    for (size_t i = 0; i < queue->phones; i++) {
        struct claim *claim = &queue->claims[i];
        const struct work_queue_item *begun = &claim->attempt.item;

        if (claim->begun && begun->task == item->task &&
            begun->repeat == item->repeat && begun->attempt == item->attempt)
            return claim;
    }
    return NULL;
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

/* Renew the lease from now on. */
static void hold(struct farm_queue *queue, size_t phone,
                 const struct farm_attempt *attempt)
{
    pthread_mutex_lock(&queue->lock);
    queue->claims[phone] = (struct claim){.held = true, .attempt = *attempt};
    queue->state.taken++;
    pthread_mutex_unlock(&queue->lock);
}

/* The queue's lock is held. */
static void let_go(struct farm_queue *queue, struct claim *claim)
{
    *claim = (struct claim){.held = false};
    queue->state.taken--;
    queue->news++;
    pthread_cond_broadcast(&queue->changed);
}

static void stop_queue(struct farm_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->state.stopped = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/* This worker does no more of the run; others may. */
static void give_up(struct farm_queue *queue, const struct err *failure)
{
    farm_worker_warn(queue->part.worker, failure->text);
    pthread_mutex_lock(&queue->lock);
    queue->failure = *failure;
    pthread_mutex_unlock(&queue->lock);
    stop_queue(queue);
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

/* Make place for the recording of a claim that is held. */
static bool begin(struct farm_queue *queue, size_t phone, struct err *err)
{
    struct claim *claim = &queue->claims[phone];
    const struct farm_attempt attempt = claim->attempt;
    const struct farm_recording recording =
        farm_attempt_recording(&attempt, &queue->part);
    struct farm_store *store = queue->part.store;
    bool done;

    end_earlier(queue, &attempt.item);
    done = store->ops->prepare(store, &recording, err);
    if (!done)
        farm_attempt_return(&attempt, &queue->part);
    pthread_mutex_lock(&queue->lock);
    if (done)
        claim->begun = true;
    else
        let_go(queue, claim);
    pthread_mutex_unlock(&queue->lock);
    return done;
}

/* Ask until there is an episode. False: there is none left, or it failed. */
static bool await_attempt(struct farm_queue *queue, size_t phone,
                          struct farm_attempt *attempt, struct err *err)
{
    bool found = false;
    bool stopped;

    farm_attempt_init(attempt);
    for (;;) {
        uint64_t seen = read_news(queue, &stopped);

        if (stopped ||
            !farm_attempt_claim(attempt, &queue->part, phone,
                                buf_cstr(&queue->offers[phone]), &found, err))
            return false;
        if (found)
            return true;
        if (!wait_for_news(queue, seen))
            return false;
    }
}

static bool farm_queue_claim(struct work_queue *work, size_t phone,
                             struct work_queue_item *item)
{
    struct farm_queue *queue = of(work);
    struct farm_attempt attempt;
    struct err err = ERR_INIT;
    bool done = await_attempt(queue, phone, &attempt, &err);

    if (done) {
        hold(queue, phone, &attempt);
        done = begin(queue, phone, &err);
    }
    if (done)
        *item = attempt.item;
    else if (err.code != ERR_NONE)
        give_up(queue, &err);
    return done;
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

/* Append the secrets of what is held: "{…,…}". A claim that is made while they
 * are being sent is not in the answer. */
static void list_tokens(struct farm_queue *queue, struct buf *tokens)
{
    const char *separator = "{";

    pthread_mutex_lock(&queue->lock);
    for (size_t i = 0; i < queue->phones; i++) {
        struct claim *claim = &queue->claims[i];

        claim->known = claim->held;
        if (!claim->held)
            continue;
        buf_printf(tokens, "%s%s", separator, claim->attempt.token);
        separator = ",";
    }
    pthread_mutex_unlock(&queue->lock);
    buf_text(tokens, *separator == '{' ? "{}" : "}");
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

        if (claim->known && !is_in(rows, claim->attempt.token))
            claim->lost = true;
    }
    pthread_mutex_unlock(&queue->lock);
}

static void renew(struct farm_queue *queue)
{
    struct buf tokens = BUF_INIT(TOKENS_MAX);
    struct err ignored; /* the next one may succeed, or the lease is lost */
    struct farm_rows *rows;

    list_tokens(queue, &tokens);
    if (farm_worker_renew(queue->part.worker, buf_cstr(&tokens), &rows,
                          &ignored)) {
        mark_lost(queue, rows);
        farm_rows_release(rows);
    }
    buf_release(&tokens);
}

/* Renew the leases, and pass notifications on. */
static void keep(void *context)
{
    struct farm_queue *queue = context;
    const int64_t third_ms = queue->part.job->lease_ms / 3;
    const int64_t every_ms =
        third_ms < FARM_WORKER_SEEN_MS ? third_ms : FARM_WORKER_SEEN_MS;
    struct deadline next = deadline_in_ms(every_ms);

    while (!cancel_fired(&queue->closing)) {
        farm_worker_wait(queue->part.worker, next, &queue->closing);
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
static bool describe(struct farm_queue *queue)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(RUN_FILE_MAX);
    struct err ignored;
    char run[24];
    bool done;

    snprintf(run, sizeof(run), "%" PRId64, queue->part.job->run);
    buf_printf(&path, "%s/run.json", queue->part.folder);
    done = file_load(buf_cstr(&path), &text, &ignored);
    if (done) {
        const char *parameters[] = {run, buf_cstr(&text)};

        done = farm_worker_request(
            queue->part.worker,
            "SELECT proctor.describe_devices($1, $2, $3, $4)", parameters,
            ARRAY_LEN(parameters), NULL, &ignored);
    }
    buf_release(&path);
    buf_release(&text);
    return done;
}

/* The database takes it as long as the worker holds an episode of the run. */
static void describe_once(struct farm_queue *queue)
{
    bool described;

    pthread_mutex_lock(&queue->lock);
    described = queue->described;
    queue->described = true;
    pthread_mutex_unlock(&queue->lock);
    if (described || describe(queue))
        return;
    pthread_mutex_lock(&queue->lock);
    queue->described = false;
    pthread_mutex_unlock(&queue->lock);
}

static void count(struct work_queue_state *state,
                  enum work_queue_outcome outcome)
{
    state->ended += outcome == WORK_QUEUE_ENDED;
    state->given_up += outcome == WORK_QUEUE_VOID;
}

static bool end_attempt(struct farm_queue *queue,
                        const struct farm_attempt *attempt,
                        enum work_queue_outcome outcome,
                        const struct run_result *result)
{
    struct err err = ERR_INIT;
    bool counts = false;

    if (result)
        describe_once(queue);
    if (result && !farm_attempt_stage(attempt, &queue->part, &err)) {
        farm_attempt_return(attempt, &queue->part);
        give_up(queue, &err);
    } else if (!farm_attempt_end(attempt, &queue->part, outcome, result,
                                 &counts, &err)) {
        farm_worker_warn(queue->part.worker, err.text);
    }
    return counts;
}

static bool farm_queue_finish(struct work_queue *work,
                              const struct work_queue_item *item,
                              enum work_queue_outcome outcome,
                              const struct run_result *result)
{
    struct farm_queue *queue = of(work);
    struct farm_attempt attempt;
    struct claim *claim;
    bool counts;

    pthread_mutex_lock(&queue->lock);
    claim = find_claim(queue, item);
    attempt = claim->attempt;
    pthread_mutex_unlock(&queue->lock);
    counts = end_attempt(queue, &attempt, outcome, result);
    pthread_mutex_lock(&queue->lock);
    if (counts)
        count(&queue->state, outcome);
    let_go(queue, claim);
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
    const struct cJSON *phones = farm_worker_phones(queue->part.worker);

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

bool farm_queue_open(const struct farm_part *part, struct work_queue **work,
                     struct err *err)
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
    queue->part = *part;
    queue->closing = closing;
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
