/* proctor queue: create a queue, look at it, and change its runs. */
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/queue_operands.h"
#include "tools/cli/farm_commands/queue_status.h"
#include "tools/cli/run/run_phones.h"
#include "tools/farm_queue/farm_run.h"
#include "tools/farm_queue/farm_schema.h"

#define PURGE_DAYS 30
#define DAYS_MAX 100000

struct queue_args {
    bool watch;
    const char *days;
};

/* One of the command's actions; run: the word after the URL, or NULL. */
typedef bool queue_action_fn(struct cli_context *cli,
                             const struct queue_args *args, struct farm_db *db,
                             const char *run, struct err *err);

static bool init(struct cli_context *cli, const struct queue_args *args,
                 struct farm_db *db, const char *run, struct err *err)
{
    int before;

    (void)args;
    (void)run;
    if (!farm_schema_init(db, &before, err))
        return false;
    if (before == FARM_SCHEMA_VERSION)
        cli_message(cli, "the queue at %s is of version %d already",
                    farm_db_name(db), before);
    else
        cli_message(cli, "the queue at %s is of version %d now",
                    farm_db_name(db), FARM_SCHEMA_VERSION);
    return true;
}

static bool status(struct cli_context *cli, const struct queue_args *args,
                   struct farm_db *db, const char *run, struct err *err)
{
    (void)run;
    return queue_status_print(cli, db, args->watch, err);
}

static bool retry(struct cli_context *cli, const struct queue_args *args,
                  struct farm_db *db, const char *run, struct err *err)
{
    int64_t count;

    (void)args;
    if (!farm_run_retry(db, run, &count, err))
        return false;
    cli_message(cli, "%lld episodes of %s wait again", (long long)count, run);
    return true;
}

static bool cancel_run(struct cli_context *cli, const struct queue_args *args,
                       struct farm_db *db, const char *run, struct err *err)
{
    int64_t count;

    (void)args;
    if (!farm_run_cancel(db, run, &count, err))
        return false;
    cli_message(cli,
                "%lld waiting episodes of %s are cancelled; those that are "
                "running stop at their next step",
                (long long)count, run);
    return true;
}

static bool purge(struct cli_context *cli, const struct queue_args *args,
                  struct farm_db *db, const char *run, struct err *err)
{
    int64_t days = PURGE_DAYS;
    int64_t count;

    if (!run_phones_number("days", args->days, 0, DAYS_MAX, &days, err) ||
        !farm_run_purge(db, run, (double)days, &count, err))
        return false;
    if (run && !count)
        return err_set(err, ERR_INVALID,
                       "there is no finished run %.64s; cancel it first with: "
                       "proctor queue cancel",
                       run);
    cli_message(cli, "%lld runs are forgotten; their recordings are kept",
                (long long)count);
    return true;
}

static const char *const names[] = {"init",   "status", "retry",
                                    "cancel", "purge",  NULL};

static const struct {
    queue_action_fn *act;
    bool needs_run;
    bool takes_run;
} actions[] = {
    {init, false, false},     {status, false, false}, {retry, true, true},
    {cancel_run, true, true}, {purge, false, true},
};

static bool act(struct cli_context *cli, const struct queue_args *args,
                size_t action, const char *url, const char *run,
                struct err *err)
{
    struct farm_db *db;
    bool done;

    if (actions[action].needs_run && !run)
        return err_set(err, ERR_INVALID,
                       "no run is given; proctor queue status lists them");
    if (run && !actions[action].takes_run)
        return err_set(err, ERR_INVALID, "unexpected word: %.100s", run);
    if (!farm_db_open(url, cli->cancel, &db, err))
        return false;
    done = actions[action].act(cli, args, db, run, err);
    farm_db_close(db);
    return done;
}

static bool run_command(struct cli_context *cli, const void *args,
                        const struct operand_words *words, int *exit_code,
                        struct err *err)
{
    const char *run;
    size_t action = 0;
    char *url;
    bool done;

    (void)exit_code;
    while (strcmp(names[action], words->items[0]) != 0)
        action++;
    if (!queue_operands_read(words, 1, &url, &run, err))
        return false;
    done = act(cli, args, action, url, run, err);
    free(url);
    return done;
}

static const struct option options_table[] = {
    OPTION_FLAG(struct queue_args, watch, "watch", 'w',
                "Show the status again every second"),
    OPTION_TEXT(struct queue_args, days, "days", 0, "N", COMPLETE_NOTHING,
                "Purge runs that were queued more than N days ago (30)"),
};

static const struct operand operands[] = {
    {.name = "ACTION",
     .help = "init: create the queue, or bring it to this version; status: "
             "show its runs and workers; retry: void and cancelled episodes of "
             "a run wait again; cancel: begin no more of it; purge: forget "
             "finished runs",
     .choices = names,
     .min = 1,
     .max = 1},
    {.name = "URL",
     .help = "The queue's database, postgresql://…; PROCTOR_QUEUE if it is "
             "not given",
     .max = 1},
    {.name = "RUN", .help = "The name of a run in the queue", .max = 1},
};

static const struct example examples[] = {
    {"proctor queue init postgresql://owner@db.example.org/proctor",
     "Create the queue in an empty database."},
    {"proctor queue status --watch postgresql:///proctor",
     "How far its runs are."},
    {"proctor queue cancel postgresql:///proctor 20261118-131500-gold",
     "Stop a run."},
};

const struct command cmd_queue = {
    .name = "queue",
    .section = "Farm",
    .summary = "Create a queue, show it, or change its runs",
    .description =
        "A queue is a PostgreSQL database that holds what proctor run --queue "
        "has put there and proctor work takes. docs/farm.md describes its "
        "roles and views.",
    COMMAND_OPTIONS(options_table),
    COMMAND_OPERANDS(operands),
    COMMAND_EXAMPLES(examples),
    .args_size = sizeof(struct queue_args),
    .takes = TAKES_JSON,
    .run = run_command,
};
