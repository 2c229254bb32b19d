#include "tools/cli/farm_commands/queue_status.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "tools/cli/terminal/human_units.h"
#include "tools/cli/terminal/text_page.h"
#include "tools/cli/terminal/text_table.h"
#include "tools/farm_queue/farm_schema.h"

#define REQUEST_MS 60000
#define WATCH_MS 1000
#define WATCH_SHARE                                                            \
    20 /* of the time, at most one part is spent on counting                   \
        */
#define RUNS_SHOWN "200"
#define SILENT_S 90.0 /* a worker that is idle reports every 20 seconds */

/* Of names that may be long. */
#define AGENT_COLUMNS 24
#define ROLE_COLUMNS 16
#define WORKER_COLUMNS 32
#define UNMET_MAX ((size_t)4096)

enum run_column {
    RUN_NAME,
    RUN_AGENT,
    RUN_SUBMITTER,
    RUN_CANCELLED,
    RUN_EPISODES,
    RUN_WAITING,
    RUN_TAKEN,
    RUN_ENDED,
    RUN_VOID,
    RUN_DROPPED,
    RUN_UNMET,
};

enum worker_column {
    WORKER_NAME,
    WORKER_ROLE,
    WORKER_PHONES,
    WORKER_TAKEN,
    WORKER_SILENT_S,
    WORKER_STOPPED,
    WORKER_TROUBLE,
};

struct queue_rows {
    struct farm_rows *runs;
    struct farm_rows *workers;
};

static bool read_rows(struct farm_db *db, struct queue_rows *rows,
                      struct err *err)
{
    const struct farm_request runs = {
        .sql =
            "SELECT name, agent, submitter, cancelled, episodes, waiting, "
            "taken, ended, void, dropped, left(needs, 300) FROM (SELECT * FROM "
            "proctor.run_states ORDER BY id DESC LIMIT " RUNS_SHOWN
            ") s LEFT JOIN proctor.unmet_needs u ON u.run = s.name "
            "ORDER BY id"};
    const struct farm_request workers = {
        .sql = "SELECT name, role, phones, taken, silent_s, stopped, trouble "
               "FROM proctor.worker_states WHERE NOT stopped OR taken > 0 "
               "ORDER BY id LIMIT 1000"};

    *rows = (struct queue_rows){.runs = NULL};
    return farm_db_request(db, &runs, deadline_in_ms(REQUEST_MS), &rows->runs,
                           err) &&
           farm_db_request(db, &workers, deadline_in_ms(REQUEST_MS),
                           &rows->workers, err);
}

static void release(struct queue_rows *rows)
{
    farm_rows_release(rows->runs);
    farm_rows_release(rows->workers);
}

/* ---- text ---- */

static void put_text(struct text_table *table, enum text_style style,
                     const char *text)
{
    text_table_cell(table, style, text ? text : "");
}

/* Users choose how long it is: one must not push all others aside. */
static void put_name(struct text_table *table, enum text_style style,
                     const char *text, size_t columns, bool unicode)
{
    char *clean = clean_text_dup(text ? text : "");
    char *name = text_page_cut(clean, columns, unicode);

    text_table_cell(table, style, name);
    free(name);
    free(clean);
}

static void put_count(struct text_table *table, int64_t count,
                      enum text_style style, const char *what)
{
    char text[64] = "";

    if (count)
        snprintf(text, sizeof(text), "%lld %s", (long long)count, what);
    text_table_cell(table, style, text);
}

/* Its name is whole: other commands want it. */
static void put_run(struct text_table *table, const struct farm_rows *rows,
                    size_t row, bool unicode)
{
    char text[64];

    put_text(table, TEXT_STYLE_BOLD, farm_rows_text(rows, row, RUN_NAME));
    put_name(table, TEXT_STYLE_PLAIN, farm_rows_text(rows, row, RUN_AGENT),
             AGENT_COLUMNS, unicode);
    put_name(table, TEXT_STYLE_DIM, farm_rows_text(rows, row, RUN_SUBMITTER),
             ROLE_COLUMNS, unicode);
    snprintf(text, sizeof(text), "%lld of %lld done",
             (long long)farm_rows_int(rows, row, RUN_ENDED),
             (long long)farm_rows_int(rows, row, RUN_EPISODES));
    text_table_cell(table, TEXT_STYLE_GREEN, text);
    put_count(table, farm_rows_int(rows, row, RUN_TAKEN), TEXT_STYLE_PLAIN,
              "running");
    put_count(table, farm_rows_int(rows, row, RUN_WAITING), TEXT_STYLE_PLAIN,
              "waiting");
    put_count(table, farm_rows_int(rows, row, RUN_VOID), TEXT_STYLE_RED,
              "void");
    put_count(table, farm_rows_int(rows, row, RUN_DROPPED), TEXT_STYLE_YELLOW,
              "cancelled");
}

static void put_worker(struct text_table *table, const struct farm_rows *rows,
                       size_t row, bool unicode)
{
    double silent_s = farm_rows_number(rows, row, WORKER_SILENT_S);
    int64_t phones = farm_rows_int(rows, row, WORKER_PHONES);
    char time[HUMAN_UNITS_MAX];
    char text[HUMAN_UNITS_MAX + 16];

    put_name(table, TEXT_STYLE_BOLD, farm_rows_text(rows, row, WORKER_NAME),
             WORKER_COLUMNS, unicode);
    put_count(table, phones, TEXT_STYLE_PLAIN,
              phones == 1 ? "phone" : "phones");
    put_count(table, farm_rows_int(rows, row, WORKER_TAKEN), TEXT_STYLE_PLAIN,
              "running");
    human_units_time(silent_s, time);
    snprintf(text, sizeof(text), "silent for %s", time);
    text_table_cell(table, TEXT_STYLE_RED, silent_s > SILENT_S ? text : "");
}

/* Why a run does not begin. */
static void add_unmet(const struct farm_rows *rows, size_t row,
                      struct text_page *page)
{
    const char *needs = farm_rows_text(rows, row, RUN_UNMET);
    struct buf text = BUF_INIT(UNMET_MAX);

    if (!needs)
        return;
    buf_printf(&text, "%s waits for a worker with: %s",
               farm_rows_text(rows, row, RUN_NAME), needs);
    text_page_wrap_untrusted(page, TEXT_STYLE_YELLOW, buf_cstr(&text));
    buf_release(&text);
}

static void format_runs(const struct farm_rows *rows, struct text_page *page)
{
    struct text_table table;

    text_table_init(&table, 8);
    for (size_t i = 0; i < farm_rows_count(rows); i++)
        put_run(&table, rows, i, page->unicode);
    text_table_write(&table, page);
    text_table_release(&table);
    for (size_t i = 0; i < farm_rows_count(rows); i++)
        add_unmet(rows, i, page);
    if (!farm_rows_count(rows))
        text_page_add(page, TEXT_STYLE_PLAIN, "no runs\n");
}

static void add_trouble(const struct farm_rows *rows, size_t row,
                        struct text_page *page)
{
    const char *trouble = farm_rows_text(rows, row, WORKER_TROUBLE);

    if (!trouble)
        return;
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    text_page_untrusted(page, TEXT_STYLE_BOLD,
                        farm_rows_text(rows, row, WORKER_NAME));
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    text_page_wrap_untrusted(page, TEXT_STYLE_YELLOW, trouble);
}

static void format_workers(const struct farm_rows *rows, struct text_page *page)
{
    struct text_table table;

    text_table_init(&table, 4);
    for (size_t i = 0; i < farm_rows_count(rows); i++)
        put_worker(&table, rows, i, page->unicode);
    text_table_write(&table, page);
    text_table_release(&table);
    for (size_t i = 0; i < farm_rows_count(rows); i++)
        add_trouble(rows, i, page);
    if (!farm_rows_count(rows))
        text_page_add(page, TEXT_STYLE_PLAIN,
                      "no workers; start one with: proctor work\n");
}

static void format(const struct queue_rows *rows, struct text_page *page)
{
    format_runs(rows->runs, page);
    text_page_add(page, TEXT_STYLE_PLAIN, "\n");
    format_workers(rows->workers, page);
}

/* ---- JSON ---- */

static void add_run(struct cJSON *runs, const struct farm_rows *rows,
                    size_t row)
{
    static const char *const counts[] = {
        [RUN_EPISODES] = "episodes", [RUN_WAITING] = "waiting",
        [RUN_TAKEN] = "taken",       [RUN_ENDED] = "ended",
        [RUN_VOID] = "void",         [RUN_DROPPED] = "dropped",
    };
    struct cJSON *run = json_add_object(runs, NULL);

    json_add_opt_string(run, "name", farm_rows_text(rows, row, RUN_NAME));
    json_add_opt_string(run, "agent", farm_rows_text(rows, row, RUN_AGENT));
    json_add_opt_string(run, "submitter",
                        farm_rows_text(rows, row, RUN_SUBMITTER));
    json_add_bool(run, "cancelled", farm_rows_bool(rows, row, RUN_CANCELLED));
    for (size_t i = RUN_EPISODES; i < ARRAY_LEN(counts); i++)
        json_add_int(run, counts[i], farm_rows_int(rows, row, i));
    json_add_opt_string(run, "unmet_needs",
                        farm_rows_text(rows, row, RUN_UNMET));
}

static void add_worker(struct cJSON *workers, const struct farm_rows *rows,
                       size_t row)
{
    struct cJSON *worker = json_add_object(workers, NULL);

    json_add_opt_string(worker, "name", farm_rows_text(rows, row, WORKER_NAME));
    json_add_opt_string(worker, "role", farm_rows_text(rows, row, WORKER_ROLE));
    json_add_int(worker, "phones", farm_rows_int(rows, row, WORKER_PHONES));
    json_add_int(worker, "taken", farm_rows_int(rows, row, WORKER_TAKEN));
    json_add_number(worker, "silent_s",
                    farm_rows_number(rows, row, WORKER_SILENT_S));
    json_add_bool(worker, "stopped", farm_rows_bool(rows, row, WORKER_STOPPED));
    json_add_opt_string(worker, "trouble",
                        farm_rows_text(rows, row, WORKER_TROUBLE));
}

static bool print_json(struct cli_context *cli, const struct queue_rows *rows,
                       struct err *err)
{
    struct cJSON *tree = json_new_object();
    struct cJSON *runs = json_add_array(tree, "runs");
    struct cJSON *workers = json_add_array(tree, "workers");
    bool done;

    for (size_t i = 0; i < farm_rows_count(rows->runs); i++)
        add_run(runs, rows->runs, i);
    for (size_t i = 0; i < farm_rows_count(rows->workers); i++)
        add_worker(workers, rows->workers, i);
    done = output_stream_json(&cli->out, tree, err);
    cJSON_Delete(tree);
    return done;
}

/* ---- printing ---- */

static bool print_text(struct cli_context *cli, const struct queue_rows *rows,
                       bool again, struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    if (again && isatty(cli->out.fd)) /* the same screen, from its beginning */
        buf_text(&page.text, "\033[H\033[J");
    format(rows, &page);
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

/* *pause_ms: until the next time. Counting many episodes takes time. */
static bool print_once(struct cli_context *cli, struct farm_db *db, bool again,
                       int *pause_ms, struct err *err)
{
    struct queue_rows rows;
    int64_t start_ns = clock_ns();
    bool done = read_rows(db, &rows, err);
    int64_t share_ms = WATCH_SHARE * (clock_ns() - start_ns) / 1000000;

    *pause_ms = share_ms < WATCH_MS ? WATCH_MS : (int)share_ms;
    if (done)
        done = cli->shared.json ? print_json(cli, &rows, err)
                                : print_text(cli, &rows, again, err);
    release(&rows);
    return done;
}

bool queue_status_print(struct cli_context *cli, struct farm_db *db, bool watch,
                        struct err *err)
{
    struct pollfd fd = {.fd = cancel_fd(cli->cancel), .events = POLLIN};
    int pause_ms;

    if (!farm_schema_check(db, err))
        return false;
    while (print_once(cli, db, watch, &pause_ms, err)) {
        if (!watch || poll(&fd, 1, pause_ms) > 0)
            return true;
    }
    return cancel_fired(cli->cancel);
}
