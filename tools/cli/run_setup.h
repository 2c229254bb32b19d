/* What run, resume and retry share: from a plan to phones, agents and work. */
#ifndef TOOLS_CLI_RUN_SETUP_H
#define TOOLS_CLI_RUN_SETUP_H

#include "runner/run.h"
#include "tools/cli/cli.h"
#include "tools/cli/run_budget.h"
#include "tools/cli/run_phones.h"

/* What is not of the plan, but of this program's start. Borrowed. */
struct run_setup_options {
    const char *observe_cache; /* NULL: the usual; "none": nowhere */
    const char *model_cache;   /* NULL: what models answer is not kept */
    struct run_budget budget;
    const char *keyboard; /* ADBKeyboard's file; NULL: none */
    bool again_void;
};

/*
 * Do what the run in folder has left to do, and tell about it; file is its
 * run.json. *status is the exit code: 0, 1 when something stays void, 130 when
 * it was interrupted.
 */
MUST_USE bool run_setup_do(struct cli *cli, const char *folder,
                           struct run_file *file,
                           const struct run_setup_options *options, int *status,
                           struct err *err);

/* Did the run in folder fail, with err, before any task was begun? */
bool run_setup_is_vain(const char *folder, const struct err *err);

/* The folder in which it is noted what was changed on phones; "": none. */
void run_setup_journals(struct buf *path);

#endif
