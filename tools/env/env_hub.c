#include "tools/env/env_hub.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/thread_group.h"
#include "tasks/task/action_schema.h"
#include "tasks/task/suite.h"

/* Requests that wait in all; more are not accepted until some are answered. */
#define WAITING_ALL_MAX 8192

#define BUCKETS 4096U

struct env_job {
    struct env_request request;
    struct env_sink *sink; /* borrowed */
    struct env_slot *copy; /* of a fork: where the copy goes */
    struct env_job *next;
};

/*
 *          first job            last job is done
 *     IDLE ─────────▶ READY ─────────┐
 *       ▲               │ worker     │
 *       └──── BUSY ◀────┘            │
 *               └────────────────────┘
 *
 * The slot of a fork's copy is BUSY until the fork is done. A slot without an
 * environment and without jobs is removed.
 */
enum env_slot_state {
    ENV_SLOT_IDLE,
    ENV_SLOT_READY, /* in the list of slots that wait for a worker */
    ENV_SLOT_BUSY,
};

struct env_slot {
    char name[ENV_NAME_SIZE];
    enum env_slot_state state;
    struct environment *env; /* owned; the worker's while the slot is busy */
    struct env_job *first;   /* owned */
    struct env_job *last;
    size_t waiting;
    struct env_slot *next_ready;
    struct env_slot *next_in_bucket;
};

struct env_hub {
    struct env_hub_options options;
    pthread_mutex_t lock;              /* guards all below */
    pthread_cond_t work;               /* a slot is ready, or the hub stops */
    pthread_cond_t done;               /* a job was answered */
    struct env_slot *buckets[BUCKETS]; /* owned */
    size_t slot_count;
    struct env_slot *ready_first;
    struct env_slot *ready_last;
    size_t waiting; /* jobs that are not answered */
    bool stopping;
    uint64_t next_index[ENV_SPLITS]; /* of seeds that are not given */
    pthread_t *threads;              /* owned */
    size_t thread_count;
    pthread_mutex_t answering; /* held while a sink is called */
};

/* ---- answers ---- */

void env_hub_put_error(struct cJSON *answer, const struct err *err)
{
    static const char *const codes[] = {
        [ERR_INVALID] = "invalid",     [ERR_LIMIT] = "limit",
        [ERR_NOT_FOUND] = "not_found", [ERR_UNSUPPORTED] = "unsupported",
        [ERR_CANCELLED] = "cancelled", [ERR_LOST] = "lost",
        [ERR_TIMEOUT] = "timeout",     [ERR_BUSY] = "busy",
    };
    const char *code =
        (size_t)err->code < ARRAY_LEN(codes) ? codes[err->code] : NULL;
    struct cJSON *error = json_add_object(answer, "error");

    json_add_string(error, "code", code ? code : "failed");
    json_add_string(error, "message", err->text);
}

static void answer(struct env_hub *hub, struct env_sink *sink,
                   const struct env_request *request, struct cJSON *body,
                   const struct err *err)
{
    pthread_mutex_lock(&hub->answering);
    sink->answer(sink, request, body, err);
    pthread_mutex_unlock(&hub->answering);
    cJSON_Delete(body);
}

void env_hub_refuse(struct env_hub *hub, struct env_request *request,
                    struct env_sink *sink, const struct err *err)
{
    struct cJSON *body = json_new_object();

    env_hub_put_error(body, err);
    answer(hub, sink, request, body, err);
    env_request_release(request);
}

/* ---- slots; with the lock ---- */

static struct env_slot **bucket_of(struct env_hub *hub, const char *name)
{
    uint32_t hash = UINT32_C(2166136261);

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619);
    return &hub->buckets[hash % BUCKETS];
}

static struct env_slot *find_slot(struct env_hub *hub, const char *name)
{
    struct env_slot *slot = *bucket_of(hub, name);

    while (slot && strcmp(slot->name, name) != 0)
        slot = slot->next_in_bucket;
    return slot;
}

static struct env_slot *add_slot(struct env_hub *hub, const char *name)
{
    struct env_slot **bucket = bucket_of(hub, name);
    struct env_slot *slot = mem_new(1, sizeof(*slot));

    memcpy(slot->name, name, sizeof(slot->name));
    slot->next_in_bucket = *bucket;
    *bucket = slot;
    hub->slot_count++;
    return slot;
}

static void remove_slot(struct env_hub *hub, struct env_slot *slot)
{
    struct env_slot **at = bucket_of(hub, slot->name);

    while (*at != slot)
        at = &(*at)->next_in_bucket;
    *at = slot->next_in_bucket;
    hub->slot_count--;
    free(slot);
}

static void make_ready(struct env_hub *hub, struct env_slot *slot)
{
    slot->state = ENV_SLOT_READY;
    slot->next_ready = NULL;
    if (hub->ready_last)
        hub->ready_last->next_ready = slot;
    else
        hub->ready_first = slot;
    hub->ready_last = slot;
    pthread_cond_signal(&hub->work);
}

static struct env_slot *take_ready(struct env_hub *hub)
{
    struct env_slot *slot = hub->ready_first;

    hub->ready_first = slot->next_ready;
    if (!hub->ready_first)
        hub->ready_last = NULL;
    slot->state = ENV_SLOT_BUSY;
    return slot;
}

/* A worker is done with it. */
static void let_go(struct env_hub *hub, struct env_slot *slot)
{
    slot->state = ENV_SLOT_IDLE;
    if (slot->first)
        make_ready(hub, slot);
    else if (!slot->env)
        remove_slot(hub, slot);
}

/* ---- doing a job; without the lock ---- */

static bool need_env(const struct env_slot *slot, struct err *err)
{
    return slot->env ||
           err_set(err, ERR_NOT_FOUND,
                   "there is no environment %s: reset it first", slot->name);
}

static bool do_reset(struct env_hub *hub, struct env_slot *slot,
                     const struct env_request *request, struct cJSON *body,
                     struct err *err)
{
    if (!slot->env)
        slot->env = environment_new(hub->options.world, slot->name);
    return environment_reset(slot->env, request, err) &&
           environment_put(slot->env, request, body, err);
}

static bool do_step(struct env_slot *slot, const struct env_request *request,
                    struct cJSON *body, struct err *err)
{
    return need_env(slot, err) && environment_step(slot->env, request, err) &&
           environment_put(slot->env, request, body, err);
}

static bool do_observe(struct env_slot *slot, const struct env_request *request,
                       struct cJSON *body, struct err *err)
{
    return need_env(slot, err) &&
           environment_put(slot->env, request, body, err);
}

static bool do_state(struct env_slot *slot, struct cJSON *body, struct err *err)
{
    if (!need_env(slot, err))
        return false;
    environment_put_state(slot->env, json_add_object(body, "state"));
    return true;
}

static bool do_close(struct env_slot *slot, struct cJSON *body, struct err *err)
{
    if (!need_env(slot, err))
        return false;
    environment_free(slot->env);
    slot->env = NULL;
    json_add_bool(body, "closed", true);
    return true;
}

static bool do_fork(struct env_slot *slot, struct env_job *job,
                    struct cJSON *body, struct err *err)
{
    struct environment *copy = NULL;

    if (!need_env(slot, err) ||
        !environment_fork(slot->env, job->request.to, &copy, err))
        return false;
    job->copy->env = copy; /* no other thread uses a busy slot */
    json_add_string(body, "to", job->request.to);
    return environment_put(copy, &job->request, body, err);
}

static bool do_job(struct env_hub *hub, struct env_slot *slot,
                   struct env_job *job, struct cJSON *body, struct err *err)
{
    const struct env_request *request = &job->request;

    switch (request->method) {
    case ENV_RESET:
        return do_reset(hub, slot, request, body, err);
    case ENV_STEP:
        return do_step(slot, request, body, err);
    case ENV_OBSERVE:
        return do_observe(slot, request, body, err);
    case ENV_FORK:
        return do_fork(slot, job, body, err);
    case ENV_STATE:
        return do_state(slot, body, err);
    case ENV_CLOSE:
        return do_close(slot, body, err);
    case ENV_LIST_TASKS:
    case ENV_LIST_ACTIONS:
    case ENV_METHODS:
        break;
    }
    return err_set(err, ERR_INVALID, "this is not a method of environments");
}

static void run_job(struct env_hub *hub, struct env_slot *slot,
                    struct env_job *job)
{
    struct cJSON *body = json_new_object();
    struct err err = ERR_INIT;

    json_add_string(body, "env", slot->name);
    if (!do_job(hub, slot, job, body, &err)) {
        cJSON_Delete(body);
        body = json_new_object();
        json_add_string(body, "env", slot->name);
        env_hub_put_error(body, &err);
    }
    answer(hub, job->sink, &job->request, body, &err);
    env_request_release(&job->request);
}

/* ---- workers ---- */

static struct env_job *take_job(struct env_slot *slot)
{
    struct env_job *job = slot->first;

    slot->first = job->next;
    if (!slot->first)
        slot->last = NULL;
    slot->waiting--;
    return job;
}

static void *work(void *context)
{
    struct env_hub *hub = context;

    pthread_mutex_lock(&hub->lock);
    for (;;) {
        struct env_slot *slot;
        struct env_job *job;

        while (!hub->ready_first && !hub->stopping)
            pthread_cond_wait(&hub->work, &hub->lock);
        if (!hub->ready_first)
            break;
        slot = take_ready(hub);
        job = take_job(slot);
        pthread_mutex_unlock(&hub->lock);
        run_job(hub, slot, job);
        pthread_mutex_lock(&hub->lock);
        if (job->copy)
            let_go(hub, job->copy);
        let_go(hub, slot);
        hub->waiting--;
        pthread_cond_broadcast(&hub->done);
        free(job);
    }
    pthread_mutex_unlock(&hub->lock);
    return NULL;
}

/* ---- seeds ---- */

/* Requests without a seed get those of their split in turn. With the lock. */
static bool choose_seed(struct env_hub *hub, struct env_request *request,
                        struct err *err)
{
    const struct env_hub_options *options = &hub->options;

    if (options->has_split && !request->has_split) {
        request->has_split = true;
        request->split = options->split;
    }
    if (options->has_split && request->split != options->split)
        return err_set(err, ERR_INVALID,
                       "split: only \"%s\" is allowed in this session",
                       env_split_name(options->split));
    if (!request->has_seed)
        request->seed = env_split_seed(request->split,
                                       request->has_index
                                           ? request->index
                                           : hub->next_index[request->split]++);
    if (request->has_split && env_split_of(request->seed) != request->split)
        return err_set(err, ERR_INVALID,
                       "seed: %llu is a %s seed, not a %s seed",
                       (unsigned long long)request->seed,
                       env_split_name(env_split_of(request->seed)),
                       env_split_name(request->split));
    return true;
}

/* ---- submitting ---- */

static void list_tasks(const struct env_hub *hub, struct cJSON *body)
{
    const struct suite *suite = hub->options.world->suite;
    struct cJSON *list = json_add_array(body, "tasks");

    for (size_t i = 0; i < suite->count; i++) {
        const struct task *task = &suite->tasks[i];
        struct cJSON *item = json_add_object(list, NULL);

        json_add_string(item, "id", task->id);
        json_add_int(item, "steps", task->steps);
        json_add_string(item, "difficulty",
                        task_difficulty_name(task->difficulty));
        json_add_bool(item, "truth", task->truth != NULL);
    }
}

/* Requests that need no environment. */
static void answer_list(struct env_hub *hub, struct env_request *request,
                        struct env_sink *sink)
{
    struct cJSON *body = json_new_object();
    const struct err none = ERR_INIT;

    if (request->method == ENV_LIST_TASKS)
        list_tasks(hub, body);
    else
        action_schema_add_set(body, "actions",
                              (UINT32_C(1) << ACTION_KINDS) - 1);
    answer(hub, sink, request, body, &none);
    env_request_release(request);
}

/* The slot of a name; with create, a new one if there is none. */
static bool slot_for(struct env_hub *hub, const char *name, bool create,
                     struct env_slot **slot, struct err *err)
{
    size_t most = hub->options.environments;

    *slot = find_slot(hub, name);
    if (*slot)
        return true;
    if (!create)
        return err_set(err, ERR_NOT_FOUND,
                       "there is no environment %s: reset it first", name);
    if (hub->slot_count >= most)
        return err_set(err, ERR_LIMIT,
                       "%zu environments are open, and no more are allowed: "
                       "close some, or start with --max-envs",
                       most);
    *slot = add_slot(hub, name);
    return true;
}

/* The slot of a fork's copy, which is new. */
static bool slot_for_copy(struct env_hub *hub, const char *name,
                          struct env_slot **slot, struct err *err)
{
    if (find_slot(hub, name))
        return err_set(err, ERR_INVALID,
                       "to: there is an environment %s: close it first", name);
    if (!slot_for(hub, name, true, slot, err))
        return false;
    (*slot)->state = ENV_SLOT_BUSY;
    return true;
}

/* Accept a request, with the lock. */
static bool accept_job(struct env_hub *hub, struct env_job *job,
                       struct err *err)
{
    struct env_request *request = &job->request;
    struct env_slot *slot;

    if (hub->stopping)
        return err_set(err, ERR_CANCELLED, "the program is ending");
    if (request->method == ENV_RESET && !choose_seed(hub, request, err))
        return false;
    if (!slot_for(hub, request->env, request->method == ENV_RESET, &slot, err))
        return false;
    /* A close is always accepted: its client may be gone. */
    if (slot->waiting >= ENV_HUB_WAITING_MAX && request->method != ENV_CLOSE)
        return err_set(err, ERR_BUSY,
                       "%d requests wait for environment %s: wait for answers",
                       ENV_HUB_WAITING_MAX, slot->name);
    if (request->method == ENV_FORK &&
        !slot_for_copy(hub, request->to, &job->copy, err))
        return false;
    if (slot->last)
        slot->last->next = job;
    else
        slot->first = job;
    slot->last = job;
    slot->waiting++;
    hub->waiting++;
    if (slot->state == ENV_SLOT_IDLE)
        make_ready(hub, slot);
    return true;
}

void env_hub_submit(struct env_hub *hub, struct env_request *request,
                    struct env_sink *sink)
{
    struct env_job *job;
    struct err err = ERR_INIT;
    bool accepted;

    if (request->method == ENV_LIST_TASKS ||
        request->method == ENV_LIST_ACTIONS) {
        answer_list(hub, request, sink);
        return;
    }
    job = mem_new(1, sizeof(*job));
    job->request = *request;
    job->sink = sink;
    pthread_mutex_lock(&hub->lock);
    while (hub->waiting >= WAITING_ALL_MAX && !hub->stopping)
        pthread_cond_wait(&hub->done, &hub->lock);
    accepted = accept_job(hub, job, &err);
    pthread_mutex_unlock(&hub->lock);
    if (accepted)
        return;
    env_hub_refuse(hub, &job->request, sink, &err);
    free(job);
}

/* ---- the hub ---- */

static bool start_threads(struct env_hub *hub, struct err *err)
{
    size_t wanted = hub->options.threads;

    hub->threads = mem_new(wanted, sizeof(*hub->threads));
    while (hub->thread_count < wanted) {
        int number =
            pthread_create(&hub->threads[hub->thread_count], NULL, work, hub);

        if (number)
            return err_errno(err, number, "starting a thread");
        hub->thread_count++;
    }
    return true;
}

bool env_hub_open(const struct env_hub_options *options, struct env_hub **hub,
                  struct err *err)
{
    struct env_hub *made = mem_new(1, sizeof(*made));

    made->options = *options;
    if (!options->environments)
        made->options.environments = ENV_HUB_ENVIRONMENTS_DEFAULT;
    if (!options->threads)
        made->options.threads = thread_group_cores();
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->answering, NULL);
    pthread_cond_init(&made->work, NULL);
    pthread_cond_init(&made->done, NULL);
    if (!start_threads(made, err)) {
        env_hub_close(made);
        return false;
    }
    *hub = made;
    return true;
}

void env_hub_drain(struct env_hub *hub)
{
    pthread_mutex_lock(&hub->lock);
    while (hub->waiting)
        pthread_cond_wait(&hub->done, &hub->lock);
    pthread_mutex_unlock(&hub->lock);
}

/* Take all jobs out of the queue of a slot. */
static struct env_job *drop_jobs(struct env_hub *hub, struct env_slot *slot)
{
    struct env_job *jobs = slot->first;

    hub->waiting -= slot->waiting;
    slot->first = slot->last = NULL;
    slot->waiting = 0;
    return jobs;
}

void env_hub_cancel(struct env_hub *hub)
{
    struct err err = ERR_INIT;
    struct env_job *dropped = NULL;

    pthread_mutex_lock(&hub->lock);
    hub->stopping = true;
    hub->ready_first = hub->ready_last = NULL;
    for (size_t i = 0; i < BUCKETS; i++) {
        for (struct env_slot *slot = hub->buckets[i]; slot;
             slot = slot->next_in_bucket) {
            struct env_job *jobs = drop_jobs(hub, slot);

            while (jobs) {
                struct env_job *next = jobs->next;

                jobs->next = dropped;
                dropped = jobs;
                jobs = next;
            }
            if (slot->state == ENV_SLOT_READY)
                slot->state = ENV_SLOT_IDLE;
        }
    }
    pthread_cond_broadcast(&hub->work);
    pthread_cond_broadcast(&hub->done);
    pthread_mutex_unlock(&hub->lock);
    err_fill(&err, ERR_CANCELLED, "the program is ending");
    while (dropped) {
        struct env_job *next = dropped->next;

        env_hub_refuse(hub, &dropped->request, dropped->sink, &err);
        free(dropped);
        dropped = next;
    }
}

static void free_slots(struct env_hub *hub)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        while (hub->buckets[i]) {
            struct env_slot *slot = hub->buckets[i];

            hub->buckets[i] = slot->next_in_bucket;
            environment_free(slot->env);
            free(slot);
        }
    }
}

void env_hub_close(struct env_hub *hub)
{
    if (!hub)
        return;
    pthread_mutex_lock(&hub->lock);
    hub->stopping = true;
    pthread_cond_broadcast(&hub->work);
    pthread_mutex_unlock(&hub->lock);
    for (size_t i = 0; i < hub->thread_count; i++)
        pthread_join(hub->threads[i], NULL);
    free_slots(hub);
    free(hub->threads);
    pthread_cond_destroy(&hub->work);
    pthread_cond_destroy(&hub->done);
    pthread_mutex_destroy(&hub->answering);
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}
