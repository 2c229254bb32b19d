#include "tools/farm_queue/farm_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "tools/farm_queue/farm_needs.h"
#include "tools/farm_queue/farm_schema.h"

#define ENQUEUE_MS 600000 /* a million episodes take a minute */
#define REQUEST_MS 60000
#define TASKS_MAX ((size_t)64 << 20)
#define NUMBER_SIZE 40

/* ---- enqueue ---- */

static void format_tasks(const struct farm_order *order, struct buf *text)
{
    const struct run_plan *plan = &order->file->plan;
    struct cJSON *tasks = json_new_array();

    for (size_t i = 0; i < plan->tasks.count; i++) {
        const char *id = plan->tasks.items[i];
        struct cJSON *item = json_add_object(tasks, NULL);

        json_add_string(item, "task", id);
        cJSON_AddItemToObject(
            item, "needs", farm_needs_of(plan, suite_find(order->suite, id)));
    }
    json_format(tasks, text);
    cJSON_Delete(tasks);
}

static bool send_order(struct farm_db *db, const struct farm_order *order,
                       const char *file, const char *tasks, struct buf *name,
                       struct err *err)
{
    const struct run_plan *plan = &order->file->plan;
    char lease[NUMBER_SIZE];
    char tries[NUMBER_SIZE];
    char repeats[NUMBER_SIZE];
    char cost[NUMBER_SIZE];
    char tokens[NUMBER_SIZE];
    const struct farm_request request = {
        .sql = "SELECT new_name FROM proctor.enqueue($1, $2, $3, $4, $5, $6, "
               "$7, $8, $9, $10, $11)",
        .parameters = {order->file->id, plan->agent, file,
                       buf_cstr(order->suite_text), order->recordings, lease,
                       tries, repeats, plan->limits_cost ? cost : NULL,
                       plan->limits_tokens ? tokens : NULL, tasks},
        .count = 11,
    };
    struct farm_rows *rows;

    snprintf(lease, sizeof(lease), "%d", order->lease_ms);
    snprintf(tries, sizeof(tries), "%d", 1 + plan->retries);
    snprintf(repeats, sizeof(repeats), "%d", plan->repeats);
    snprintf(cost, sizeof(cost), "%.17g", plan->max_cost);
    snprintf(tokens, sizeof(tokens), "%" PRId64, plan->max_tokens);
    if (!farm_db_request(db, &request, deadline_in_ms(ENQUEUE_MS), &rows, err))
        return false;
    buf_text(name, farm_rows_text(rows, 0, 0));
    farm_rows_release(rows);
    return true;
}

bool farm_run_enqueue(struct farm_db *db, const struct farm_order *order,
                      struct buf *name, struct err *err)
{
    struct buf file = BUF_INIT(TASKS_MAX);
    struct buf tasks = BUF_INIT(TASKS_MAX);
    bool done;

    run_file_format(order->file, &file);
    format_tasks(order, &tasks);
    done = farm_needs_check(&order->file->plan, err) &&
           farm_schema_check(db, err) &&
           (!(file.overflow || tasks.overflow) ||
            err_set(err, ERR_LIMIT, "the plan is too large")) &&
           send_order(db, order, buf_cstr(&file), buf_cstr(&tasks), name, err);
    buf_release(&file);
    buf_release(&tasks);
    return done;
}

/* ---- find ---- */

bool farm_run_find(struct farm_db *db, const struct run_file *file,
                   struct buf *name, struct err *err)
{
    char created[NUMBER_SIZE + 20];
    const struct farm_request request = {
        .sql = "SELECT name FROM proctor.run_files WHERE strpos(file, $2) > 0 "
               "AND (name = $1 OR starts_with(name, $1 || '-'))",
        .parameters = {file->id, created},
        .count = 2,
    };
    struct farm_rows *rows;
    bool found;

    /* As run_file_format writes it. */
    snprintf(created, sizeof(created), "\"created_ms\":%" PRId64 ",",
             file->created_ms);
    if (!farm_db_request(db, &request, deadline_in_ms(REQUEST_MS), &rows, err))
        return false;
    found = farm_rows_count(rows) == 1;
    if (found)
        buf_text(name, farm_rows_text(rows, 0, 0));
    farm_rows_release(rows);
    return found || err_set(err, ERR_NOT_FOUND,
                            "run %.64s is not in the queue at %s: it was "
                            "purged, or never came there; start it again with "
                            "proctor run",
                            file->id, farm_db_name(db));
}

/* ---- retry, cancel, purge ---- */

static bool change(struct farm_db *db, const struct farm_request *request,
                   int64_t *count, struct err *err)
{
    struct farm_rows *rows;
    bool found;

    if (!farm_schema_check(db, err) ||
        !farm_db_request(db, request, deadline_in_ms(ENQUEUE_MS), &rows, err))
        return false;
    found = farm_rows_text(rows, 0, 0) != NULL;
    *count = farm_rows_int(rows, 0, 0);
    farm_rows_release(rows);
    return found || err_set(err, ERR_NOT_FOUND, "there is no run %.64s at %s",
                            request->parameters[0], farm_db_name(db));
}

bool farm_run_retry(struct farm_db *db, const char *name, int64_t *count,
                    struct err *err)
{
    const struct farm_request request = {
        .sql = "SELECT proctor.retry($1)", .parameters = {name}, .count = 1};

    return change(db, &request, count, err);
}

bool farm_run_cancel(struct farm_db *db, const char *name, int64_t *count,
                     struct err *err)
{
    const struct farm_request request = {
        .sql = "SELECT proctor.cancel($1)", .parameters = {name}, .count = 1};

    return change(db, &request, count, err);
}

bool farm_run_purge(struct farm_db *db, const char *name, double days,
                    int64_t *count, struct err *err)
{
    char text[NUMBER_SIZE];
    const struct farm_request request = {.sql = "SELECT proctor.purge($1, $2)",
                                         .parameters = {name, text},
                                         .count = 2};

    snprintf(text, sizeof(text), "%.17g", days);
    return change(db, &request, count, err);
}
