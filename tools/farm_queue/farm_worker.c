#include "tools/farm_queue/farm_worker.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tools/farm_queue/farm_schema.h"

#define REQUEST_MS 15000
#define BACKOFF_MIN_MS 100
#define BACKOFF_MAX_MS 5000
#define FAREWELL_MS 5000 /* for what must be sent after the interrupt */
#define CHECK_MIN_MS 1500
#define JSON_MAX ((size_t)16 << 20)

struct farm_worker {
    struct farm_worker_options options;
    struct farm_db *db;
    char id[24];
    char secret[40];
    struct buf offers; /* an array with the offers of each phone */
};

/* ---- requests ---- */

void farm_worker_warn(struct farm_worker *worker, const char *text)
{
    if (worker->options.warn)
        worker->options.warn(worker->options.context, text);
}

static bool send_once(struct farm_worker *worker, const char *sql,
                      const char *const *parameters, size_t count,
                      struct deadline by, struct farm_rows **rows,
                      struct err *err)
{
    struct farm_request request = {
        .sql = sql,
        .parameters = {worker->id, worker->secret},
        .count = count + 2,
    };

    for (size_t i = 0; i < count; i++)
        request.parameters[i + 2] = parameters[i];
    return farm_db_request(worker->db, &request, by, rows, err);
}

/* Sleep, but not into the interrupt; that was before: sleep anyway. */
static void pause_for(const struct farm_worker *worker, int ms, bool was)
{
    struct pollfd fd = {.fd = was ? -1 : cancel_fd(worker->options.interrupt),
                        .events = POLLIN};

    (void)poll(&fd, 1, ms);
}

bool farm_worker_request(struct farm_worker *worker, const char *sql,
                         const char *const *parameters, size_t count,
                         struct farm_rows **rows, struct err *err)
{
    struct deadline farewell = DEADLINE_NEVER;
    int backoff_ms = BACKOFF_MIN_MS;
    bool warned = false;

    while (!send_once(worker, sql, parameters, count,
                      deadline_sooner(deadline_in_ms(REQUEST_MS), farewell),
                      rows, err)) {
        bool interrupted = cancel_fired(worker->options.interrupt);

        if (interrupted && farewell.at_ns == DEADLINE_NEVER.at_ns)
            farewell = deadline_in_ms(FAREWELL_MS);
        if (!farm_db_may_pass(err->code) || deadline_passed(farewell))
            return false;
        if (!warned && backoff_ms > BACKOFF_MAX_MS / 4) {
            farm_worker_warn(worker, err->text);
            warned = true;
        }
        pause_for(worker, backoff_ms, interrupted);
        if (backoff_ms < BACKOFF_MAX_MS)
            backoff_ms *= 2;
    }
    return true;
}

bool farm_worker_renew(struct farm_worker *worker, const char *tokens,
                       struct farm_rows **held, struct err *err)
{
    return send_once(worker, "SELECT * FROM proctor.renew($1, $2, $3)", &tokens,
                     1, deadline_in_ms(REQUEST_MS), held, err);
}

void farm_worker_wait(struct farm_worker *worker, struct deadline by,
                      const struct cancel *wake)
{
    farm_db_wait(worker->db, by, wake);
}

/* ---- the worker ---- */

static void collect_offers(struct farm_worker *worker)
{
    struct cJSON *all = json_new_array();
    const struct cJSON *phone;

    cJSON_ArrayForEach(phone, worker->options.phones)
    {
        const struct cJSON *offers =
            cJSON_GetObjectItemCaseSensitive(phone, "offers");

        cJSON_AddItemToArray(all, cJSON_Duplicate(offers, true));
    }
    json_format(all, &worker->offers);
    cJSON_Delete(all);
}

/* One in session mode is harmless, which cannot be seen here. */
static bool look_for_pooler(struct farm_worker *worker, struct err *err)
{
    bool pooled;

    if (!farm_db_is_pooled(worker->db, deadline_in_ms(REQUEST_MS), &pooled,
                           err))
        return false;
    if (pooled)
        farm_worker_warn(
            worker, "there is a pooler between this worker and PostgreSQL: "
                    "in transaction mode work is noticed late, and two "
                    "workers may use the same phone; use its session "
                    "mode, or connect to the server");
    return true;
}

static bool enroll(struct farm_worker *worker, struct err *err)
{
    struct buf phones = BUF_INIT(JSON_MAX);
    struct farm_request request = {
        .sql = "SELECT worker, secret FROM proctor.register($1, $2)",
        .parameters = {worker->options.name},
        .count = 2,
    };
    struct farm_rows *rows;
    bool done;

    json_format(worker->options.phones, &phones);
    request.parameters[1] = buf_cstr(&phones);
    done = farm_db_request(worker->db, &request, deadline_in_ms(REQUEST_MS),
                           &rows, err);
    buf_release(&phones);
    if (!done)
        return false;
    snprintf(worker->id, sizeof(worker->id), "%s", farm_rows_text(rows, 0, 0));
    snprintf(worker->secret, sizeof(worker->secret), "%s",
             farm_rows_text(rows, 0, 1));
    farm_rows_release(rows);
    return true;
}

bool farm_worker_open(const struct farm_worker_options *options,
                      struct farm_worker **worker, struct err *err)
{
    struct farm_worker *opened = mem_new(1, sizeof(*opened));

    opened->options = *options;
    opened->offers = (struct buf)BUF_INIT(JSON_MAX);
    collect_offers(opened);
    if (!farm_db_open(options->url, NULL, &opened->db, err)) {
        farm_worker_close(opened);
        return false;
    }
    farm_db_listen(opened->db, "proctor_work");
    if (!farm_schema_check(opened->db, err) || !look_for_pooler(opened, err) ||
        !enroll(opened, err)) {
        farm_worker_close(opened);
        return false;
    }
    *worker = opened;
    return true;
}

void farm_worker_close(struct farm_worker *worker)
{
    struct err ignored;

    if (!worker)
        return;
    if (worker->id[0])
        (void)!send_once(worker, "SELECT proctor.unregister($1, $2)", NULL, 0,
                         deadline_in_ms(FAREWELL_MS), NULL, &ignored);
    farm_db_close(worker->db);
    buf_release(&worker->offers);
    free(worker);
}

int64_t farm_worker_id(const struct farm_worker *worker)
{
    return strtoll(worker->id, NULL, 10);
}

const struct cJSON *farm_worker_phones(const struct farm_worker *worker)
{
    return worker->options.phones;
}

bool farm_worker_lock_phone(struct farm_worker *worker, const char *identity,
                            struct err *err)
{
    return farm_db_lock(worker->db, identity, deadline_in_ms(REQUEST_MS), err);
}

void farm_worker_report(struct farm_worker *worker, const char *trouble)
{
    struct err ignored;

    (void)!farm_worker_request(worker,
                               "SELECT proctor.report_trouble($1, $2, $3)",
                               &trouble, 1, NULL, &ignored);
}

/* ---- looking for work ---- */

void farm_job_release(struct farm_job *job)
{
    free(job->name);
    free(job->file);
    free(job->suite);
    free(job->recordings);
    *job = (struct farm_job){.run = 0};
}

static char *copy_of(const struct farm_rows *rows, size_t column)
{
    const char *text = farm_rows_text(rows, 0, column);

    return mem_dup(text ? text : "");
}

/* The job stays empty if the run is over by now. */
static bool load_job(struct farm_worker *worker, const char *run,
                     struct farm_job *job, struct err *err)
{
    struct farm_rows *rows;

    if (!farm_worker_request(worker,
                             "SELECT name, file, suite, recordings, lease_ms "
                             "FROM proctor.get_run($1, $2, $3)",
                             &run, 1, &rows, err))
        return false;
    if (farm_rows_text(rows, 0, 0))
        *job = (struct farm_job){
            .run = strtoll(run, NULL, 10),
            .name = copy_of(rows, 0),
            .file = copy_of(rows, 1),
            .suite = copy_of(rows, 2),
            .recordings = copy_of(rows, 3),
            .lease_ms = (int)farm_rows_int(rows, 0, 4),
        };
    farm_rows_release(rows);
    return true;
}

/* {1,2} from [1, 2]. */
static void format_runs(const struct cJSON *runs, struct buf *text)
{
    json_format(runs, text);
    text->data[0] = '{';
    text->data[text->length - 1] = '}';
}

static int64_t bounded(int64_t wait_ms)
{
    if (wait_ms < CHECK_MIN_MS)
        return CHECK_MIN_MS;
    return wait_ms < FARM_WORKER_SEEN_MS ? wait_ms : FARM_WORKER_SEEN_MS;
}

/* Look once. *wait_ms: until a lease may be lost, or 0: look again. */
static bool look(struct farm_worker *worker, const struct cJSON *refused,
                 struct farm_job *job, int64_t *wait_ms, struct err *err)
{
    struct buf except = BUF_INIT(JSON_MAX);
    const char *parameters[2] = {buf_cstr(&worker->offers)};
    struct farm_rows *rows;
    bool done;

    format_runs(refused, &except);
    parameters[1] = buf_cstr(&except);
    done = farm_worker_request(
        worker, "SELECT run, wait_ms FROM proctor.next_run($1, $2, $3, $4)",
        parameters, 2, &rows, err);
    buf_release(&except);
    if (!done)
        return false;
    *wait_ms = farm_rows_text(rows, 0, 1) ? bounded(farm_rows_int(rows, 0, 1))
                                          : FARM_WORKER_SEEN_MS;
    if (farm_rows_text(rows, 0, 0)) {
        *wait_ms = 0;
        done = load_job(worker, farm_rows_text(rows, 0, 0), job, err);
    }
    farm_rows_release(rows);
    return done;
}

static void show_life(struct farm_worker *worker, struct deadline *next)
{
    struct err ignored;

    if (!deadline_passed(*next))
        return;
    (void)!farm_worker_renew(worker, "{}", NULL, &ignored);
    *next = deadline_in_ms(FARM_WORKER_SEEN_MS);
}

bool farm_worker_next(struct farm_worker *worker, const struct cJSON *refused,
                      bool wait, struct farm_job *job, struct err *err)
{
    struct deadline alive = deadline_in_ms(FARM_WORKER_SEEN_MS);
    int64_t wait_ms;

    *job = (struct farm_job){.run = 0};
    while (!cancel_fired(worker->options.interrupt)) {
        if (!look(worker, refused, job, &wait_ms, err))
            return cancel_fired(worker->options.interrupt);
        if (job->run || (!wait && wait_ms))
            return true;
        if (!wait_ms)
            continue;
        farm_worker_wait(worker, deadline_in_ms(wait_ms),
                         worker->options.interrupt);
        show_life(worker, &alive);
    }
    return true;
}
