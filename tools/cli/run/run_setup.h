/* What run, resume and retry share: from a plan to phones, agents and work. */
#ifndef TOOLS_CLI_RUN_RUN_SETUP_H
#define TOOLS_CLI_RUN_RUN_SETUP_H

#include "runner/run/run.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/run/run_budget.h"
#include "tools/cli/run/run_page.h"
#include "tools/cli/run/run_phones.h"

/* Options that run, resume and retry have in common. Borrowed. */
struct run_setup_options {
    const char *observe_cache; /* NULL: as before; "none": nowhere */
    const char *model_cache;   /* NULL: as before */
    struct run_budget budget;
    const char *keyboard; /* ADBKeyboard's file; NULL: as before */
};

/*
 * Put the options that were given into the plan, where they replace those of
 * before. Fails with ERR_INVALID and the option.
 */
MUST_USE bool run_setup_set(const struct run_setup_options *options,
                            struct run_plan *plan, struct err *err);

/* A run to be done, or the rest of it. All of it is borrowed. */
struct run_setup_job {
    const char *folder;
    struct run_file *file;         /* its run.json */
    struct agent_channel *channel; /* of the agent "mcp"; NULL for all others */
    bool retry_void;               /* what is void is tried again */
    /* NULL: people meet the run only at its socket */
    const struct run_page_options *page;
    struct work_queue *queue; /* NULL: the run's own, see run_options */
    /* phones that outlive this run; NULL: the run's own */
    const struct phone_pool *pool;
};

/*
 * Do what a run has left to do, and report it. *status is the exit code: 0, 1
 * when something stays void, 130 when it was interrupted.
 */
MUST_USE bool run_setup_do(struct cli_context *cli,
                           const struct run_setup_job *job, int *status,
                           struct err *err);

/* Did the run in folder fail, with err, before any task was begun? */
bool run_setup_nothing_started(const char *folder, const struct err *err);

/* The folder of the journals of changes on phones; "": none. */
void run_setup_journal_folder(struct buf *path);

#endif
