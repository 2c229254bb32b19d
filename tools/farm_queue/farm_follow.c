/* Following a run of the queue: farm_run_follow. */
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/store/store_client.h"
#include "tools/farm_queue/farm_run.h"
#include "tools/farm_queue/farm_store.h"

#define REQUEST_MS 60000
#define PAGE 500 /* results of one request */
#define PAGE_TEXT "500"
#define BACKOFF_MAX_MS 5000
#define CHECK_MIN_MS 500
#define CHECK_SHARE                                                            \
    20 /* of the time, at most one part is spent on counting                   \
        */
#define NUMBER_SIZE 40
#define LINE_MAX_BYTES ((size_t)200000)

struct follow {
    struct farm_db *db;
    const char *name;
    const char *folder;
    struct run_file *file;
    const struct farm_follower *follower;
    const struct cancel *cancel;
    struct farm_store *store;
    struct jsonl_writer results;
    char run[NUMBER_SIZE];
    char xid[NUMBER_SIZE]; /* of the last result, */
    char seq[NUMBER_SIZE]; /* and its number */
    struct work_queue_state state;
    bool over;
};

static void warn(const struct follow *follow, const char *text)
{
    if (follow->follower->on_warning)
        follow->follower->on_warning(follow->follower->context, text);
}

static void pause_for(const struct follow *follow, int64_t ms)
{
    struct pollfd fd = {.fd = cancel_fd(follow->cancel), .events = POLLIN};

    (void)poll(&fd, 1, (int)ms);
}

/* Repeated while the database cannot be reached. */
static bool request(struct follow *follow, const struct farm_request *wanted,
                    struct farm_rows **rows, struct err *err)
{
    int64_t backoff_ms = 100;

    while (!farm_db_request(follow->db, wanted, deadline_in_ms(REQUEST_MS),
                            rows, err)) {
        if (cancel_fired(follow->cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (!farm_db_may_pass(err->code))
            return false;
        if (backoff_ms == 800)
            warn(follow, err->text);
        pause_for(follow, backoff_ms);
        if (backoff_ms < BACKOFF_MAX_MS)
            backoff_ms *= 2;
    }
    return true;
}

/* ---- results ---- */

/* The line of a worker: it must be of the attempt that the queue has. */
static bool parse_line(const struct farm_rows *rows, size_t row,
                       struct run_results *results, struct err *err)
{
    const char *line = farm_rows_text(rows, row, 6);
    const char *task = farm_rows_text(rows, row, 3);
    struct run_result *result;
    struct buf folder = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(LINE_MAX_BYTES);
    bool parsed;

    buf_printf(&text, "%s\n", line ? line : "");
    parsed = run_results_parse(buf_cstr(&text), text.length, results, err);
    buf_release(&text);
    if (!parsed)
        return false;
    result = results->count == 1 ? &results->items[0] : NULL;
    if (!result || !task || strcmp(result->task, task) != 0 ||
        result->repeat != farm_rows_int(rows, row, 4) ||
        result->attempt != farm_rows_int(rows, row, 5))
        return err_set(err, ERR_INVALID, "it is that of another attempt");
    run_result_folder(task, result->repeat, result->attempt, &folder);
    free(result->episode);
    result->episode = mem_dup(buf_cstr(&folder));
    buf_release(&folder);
    return true;
}

/* Where it is fetched from is for the run's store to say. */
static void set_recording(const struct follow *follow,
                          const struct farm_recording *recording,
                          struct run_result *result)
{
    struct buf url = BUF_INIT(STORE_URL_MAX);

    follow->store->ops->locate(follow->store, recording,
                               result->recording ? result->recording : "",
                               &url);
    free(result->recording);
    result->recording = url.length ? mem_dup(buf_cstr(&url)) : NULL;
    buf_release(&url);
}

static bool keep_result(struct follow *follow, const struct farm_rows *rows,
                        size_t row, struct run_result *result, struct err *err)
{
    const struct farm_recording recording = {
        .worker = farm_rows_int(rows, row, 2),
        .task = result->task,
        .repeat = result->repeat,
        .attempt = result->attempt,
    };
    struct cJSON *line;
    struct err trouble = ERR_INIT;
    bool done;

    set_recording(follow, &recording, result);
    line = run_result_to_json(result);
    done = jsonl_add(&follow->results, line, err);
    cJSON_Delete(line);
    if (!follow->store->ops->publish(follow->store, &recording, &trouble))
        warn(follow, trouble.text);
    if (done && follow->follower->on_result)
        follow->follower->on_result(follow->follower->context, result,
                                    &follow->state);
    return done;
}

static bool take_row(struct follow *follow, const struct farm_rows *rows,
                     size_t row, struct err *err)
{
    struct run_results results = {.items = NULL};
    struct err wrong = ERR_INIT;
    bool done = true;

    if (parse_line(rows, row, &results, &wrong)) {
        done = keep_result(follow, rows, row, &results.items[0], err);
    } else {
        err_prepend(&wrong, "a result of worker %" PRId64 " is left out",
                    farm_rows_int(rows, row, 2));
        warn(follow, wrong.text);
    }
    run_results_release(&results);
    return done;
}

/*
 * Read a page of results; *more: there may be another. While the run goes on,
 * only those of transactions below every open one: none with a lower number can
 * appear any more.
 */
static bool take_page(struct follow *follow, bool all, bool *more,
                      struct err *err)
{
    const struct farm_request wanted = {
        .sql = "SELECT xid, seq, worker, task, repeat, attempt, line "
               "FROM proctor.result_lines "
               "WHERE run = $1 AND (xid, seq) > ($2::xid8, $3::bigint) AND "
               "($4 OR xid < pg_snapshot_xmin(pg_current_snapshot())) "
               "ORDER BY xid, seq LIMIT " PAGE_TEXT,
        .parameters = {follow->run, follow->xid, follow->seq,
                       all ? "true" : "false"},
        .count = 4,
    };
    struct farm_rows *rows;
    bool done = true;
    size_t count;

    if (!request(follow, &wanted, &rows, err))
        return false;
    count = farm_rows_count(rows);
    for (size_t i = 0; done && i < count; i++) {
        done = take_row(follow, rows, i, err);
        snprintf(follow->xid, NUMBER_SIZE, "%s", farm_rows_text(rows, i, 0));
        snprintf(follow->seq, NUMBER_SIZE, "%s", farm_rows_text(rows, i, 1));
    }
    farm_rows_release(rows);
    *more = count == PAGE && !cancel_fired(follow->cancel);
    return done;
}

static bool take_results(struct follow *follow, bool all, struct err *err)
{
    bool more = true;

    while (more) {
        if (!take_page(follow, all, &more, err))
            return false;
    }
    return true;
}

/* ---- phones ---- */

/* Phones as a worker describes them; what does not parse is left out. */
static void add_devices(struct follow *follow, const char *text)
{
    struct run_file file = {.id = NULL};
    struct err wrong = ERR_INIT;

    if (!run_file_parse(text, strlen(text), &file, &wrong)) {
        err_prepend(&wrong, "the phones of a worker are left out");
        warn(follow, wrong.text);
        return;
    }
    run_file_add_devices(follow->file, &file);
    if (file.model && !follow->file->model)
        follow->file->model = cJSON_Duplicate(file.model, true);
    run_file_release(&file);
}

static bool take_devices(struct follow *follow, struct err *err)
{
    const struct farm_request wanted = {
        .sql = "SELECT file FROM proctor.run_devices WHERE run = $1 "
               "ORDER BY worker",
        .parameters = {follow->run},
        .count = 1,
    };
    struct farm_rows *rows;

    if (!request(follow, &wanted, &rows, err))
        return false;
    for (size_t i = 0; i < farm_rows_count(rows); i++)
        add_devices(follow, farm_rows_text(rows, i, 0));
    farm_rows_release(rows);
    return run_file_save(follow->file, follow->folder, err);
}

/* ---- the state ---- */

static bool take_state(struct follow *follow, struct err *err)
{
    const struct farm_request wanted = {
        .sql = "SELECT id, episodes, waiting, taken, ended, void, dropped "
               "FROM proctor.run_states WHERE name = $1",
        .parameters = {follow->name},
        .count = 1,
    };
    struct farm_rows *rows;
    bool found;

    if (!request(follow, &wanted, &rows, err))
        return false;
    found = farm_rows_count(rows) == 1;
    if (found) {
        snprintf(follow->run, NUMBER_SIZE, "%s", farm_rows_text(rows, 0, 0));
        follow->state = (struct work_queue_state){
            .all = (size_t)farm_rows_int(rows, 0, 1),
            .taken = (size_t)farm_rows_int(rows, 0, 3),
            .ended = (size_t)farm_rows_int(rows, 0, 4),
            .given_up = (size_t)farm_rows_int(rows, 0, 5),
            .stopped = farm_rows_int(rows, 0, 6) > 0,
        };
        follow->over = !farm_rows_int(rows, 0, 2) && !follow->state.taken;
    }
    farm_rows_release(rows);
    return found || err_set(err, ERR_NOT_FOUND, "there is no run %.64s at %s",
                            follow->name, farm_db_name(follow->db));
}

/* One look at the database. Counting many episodes takes time: rarely then. */
static bool look(struct follow *follow, int64_t *next_ms, struct err *err)
{
    int64_t start_ns = clock_ns();

    if (!take_state(follow, err))
        return false;
    *next_ms = CHECK_SHARE * (clock_ns() - start_ns) / 1000000;
    if (*next_ms < CHECK_MIN_MS)
        *next_ms = CHECK_MIN_MS;
    if (follow->follower->on_state)
        follow->follower->on_state(follow->follower->context, &follow->state);
    return take_results(follow, follow->over, err);
}

/* Begin results.jsonl again: the database has all of them. */
static bool open_results(struct follow *follow, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&path, "%s/results.jsonl", follow->folder);
    done = file_save(buf_cstr(&path), 0666, "", 0, err) &&
           jsonl_open(&follow->results, buf_cstr(&path), err);
    buf_release(&path);
    return done;
}

static bool go_on(struct follow *follow, struct err *err)
{
    int64_t next_ms;

    while (!cancel_fired(follow->cancel)) {
        if (!look(follow, &next_ms, err))
            return false;
        if (follow->over)
            break;
        pause_for(follow, next_ms);
    }
    return take_devices(follow, err);
}

bool farm_run_follow(struct farm_db *db, const char *name, const char *folder,
                     struct run_file *file,
                     const struct farm_follower *follower,
                     const struct cancel *cancel,
                     struct work_queue_state *state, bool *interrupted,
                     struct err *err)
{
    struct follow follow = {
        .db = db,
        .name = name,
        .folder = folder,
        .file = file,
        .follower = follower,
        .cancel = cancel,
        .results = JSONL_WRITER_INIT,
        .xid = "0",
        .seq = "0",
    };
    const struct farm_store_options store = {
        .run = name,
        .where = file->plan.recordings ? file->plan.recordings : folder,
        .cancel = cancel,
    };
    bool done;

    done = farm_store_open(&store, &follow.store, err) &&
           open_results(&follow, err) && go_on(&follow, err);
    jsonl_close(&follow.results);
    farm_store_close(follow.store);
    *state = follow.state;
    *interrupted = cancel_fired(cancel);
    return done || *interrupted;
}
