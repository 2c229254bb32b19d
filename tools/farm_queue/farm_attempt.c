#include "tools/farm_queue/farm_attempt.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "runner/store/store_client.h"

#define NUMBER_SIZE 24
#define LINE_MAX_BYTES ((size_t)100000)

/* A random UUID. */
void farm_attempt_init(struct farm_attempt *attempt)
{
    unsigned char bytes[16];
    char *at = attempt->token;

    *attempt = (struct farm_attempt){.episode = 0};
    while (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
        continue;
    for (size_t i = 0; i < sizeof(bytes); i++)
        at += snprintf(at, 4,
                       i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                       bytes[i]);
}

struct farm_recording farm_attempt_recording(const struct farm_attempt *attempt,
                                             const struct farm_part *part)
{
    return (struct farm_recording){
        .worker = farm_worker_id(part->worker),
        .task = part->tasks->items[attempt->item.task],
        .repeat = attempt->item.repeat,
        .attempt = attempt->item.attempt,
    };
}

/* ---- claim ---- */

static const char *serial_of(const struct farm_part *part, size_t phone)
{
    const struct cJSON *item =
        cJSON_GetArrayItem(farm_worker_phones(part->worker), (int)phone);

    return cJSON_GetStringValue(
        cJSON_GetObjectItemCaseSensitive(item, "serial"));
}

/* What the database says must fit the plan: it is not trusted. */
static bool read_claim(const struct farm_part *part,
                       const struct farm_rows *rows,
                       struct farm_attempt *attempt)
{
    int64_t task = farm_rows_int(rows, 0, 1);
    int64_t repeat = farm_rows_int(rows, 0, 2);
    int64_t number = farm_rows_int(rows, 0, 3);

    if (!farm_rows_text(rows, 0, 0) || task < 0 ||
        (uint64_t)task >= part->tasks->count || repeat < 0 ||
        repeat > INT_MAX || number < 0 || number > INT_MAX)
        return false;
    attempt->episode = farm_rows_int(rows, 0, 0);
    attempt->item = (struct work_queue_item){
        .task = (size_t)task, .repeat = (int)repeat, .attempt = (int)number};
    return true;
}

bool farm_attempt_claim(struct farm_attempt *attempt,
                        const struct farm_part *part, size_t phone,
                        const char *offer, bool *found, struct err *err)
{
    char run[NUMBER_SIZE];
    const char *parameters[] = {run, attempt->token, serial_of(part, phone),
                                offer};
    struct farm_rows *rows;

    snprintf(run, sizeof(run), "%" PRId64, part->job->run);
    if (!farm_worker_request(part->worker,
                             "SELECT episode, task_index, repeat, attempt "
                             "FROM proctor.claim($1, $2, $3, $4, $5, $6)",
                             parameters, ARRAY_LEN(parameters), &rows, err))
        return false;
    *found = read_claim(part, rows, attempt);
    farm_rows_release(rows);
    return true;
}

/* ---- end ---- */

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

/* line: of results.jsonl; NULL: none. */
static bool give(const struct farm_attempt *attempt,
                 const struct farm_part *part, enum work_queue_outcome outcome,
                 const char *line, bool *counts, struct err *err)
{
    char episode[NUMBER_SIZE];
    char number[NUMBER_SIZE];
    const char *parameters[] = {episode, number, attempt->token,
                                outcome_name(outcome), line};
    struct farm_rows *rows;

    snprintf(episode, sizeof(episode), "%" PRId64, attempt->episode);
    snprintf(number, sizeof(number), "%d", attempt->item.attempt);
    if (!farm_worker_request(
            part->worker, "SELECT proctor.finish($1, $2, $3, $4, $5, $6, $7)",
            parameters, ARRAY_LEN(parameters), &rows, err))
        return false;
    *counts = farm_rows_bool(rows, 0, 0);
    farm_rows_release(rows);
    return true;
}

/* What the database refuses of a result would be refused again: without it the
 * attempt is void, which is repeated within bounds. */
static bool give_result(const struct farm_attempt *attempt,
                        const struct farm_part *part,
                        enum work_queue_outcome outcome, const char *line,
                        bool *counts, struct err *err)
{
    struct err ignored;
    bool unused;

    if (give(attempt, part, outcome, line, counts, err))
        return true;
    if (err->code == ERR_REMOTE && line)
        (void)!give(attempt, part, WORK_QUEUE_VOID, NULL, &unused, &ignored);
    return err_wrap(err, "the result of %.100s is not taken",
                    part->tasks->items[attempt->item.task]);
}

static void format_result(const struct farm_part *part,
                          const struct farm_recording *recording,
                          const struct run_result *result, struct buf *line)
{
    struct cJSON *tree = run_result_to_json(result);
    struct buf url = BUF_INIT(STORE_URL_MAX);

    part->store->ops->locate(part->store, recording, NULL, &url);
    if (url.length)
        json_add_string(tree, "recording", buf_cstr(&url));
    buf_release(&url);
    json_format(tree, line);
    cJSON_Delete(tree);
}

/* The result is given; a recording that counts is published. */
static bool settle(const struct farm_part *part,
                   const struct farm_recording *recording, bool counts,
                   bool recorded, struct err *err)
{
    struct farm_store *store = part->store;

    if (counts)
        return !recorded || store->ops->publish(store, recording, err);
    if (recorded)
        store->ops->discard(store, recording);
    return err_set(err, ERR_LOST,
                   "%.100s does not count: the lease was lost, and another "
                   "worker has it",
                   recording->task);
}

bool farm_attempt_stage(const struct farm_attempt *attempt,
                        const struct farm_part *part, struct err *err)
{
    const struct farm_recording recording =
        farm_attempt_recording(attempt, part);

    return part->store->ops->stage(part->store, &recording, err);
}

bool farm_attempt_end(const struct farm_attempt *attempt,
                      const struct farm_part *part,
                      enum work_queue_outcome outcome,
                      const struct run_result *result, bool *counts,
                      struct err *err)
{
    const struct farm_recording recording =
        farm_attempt_recording(attempt, part);
    struct buf line = BUF_INIT(LINE_MAX_BYTES);
    bool done;

    *counts = false;
    if (result)
        format_result(part, &recording, result, &line);
    done = give_result(attempt, part, outcome, result ? buf_cstr(&line) : NULL,
                       counts, err) &&
           settle(part, &recording, *counts, result != NULL, err);
    buf_release(&line);
    return done;
}

void farm_attempt_return(const struct farm_attempt *attempt,
                         const struct farm_part *part)
{
    struct err ignored;
    bool unused;

    (void)!give(attempt, part, WORK_QUEUE_RETURNED, NULL, &unused, &ignored);
}
