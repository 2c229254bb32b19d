/* What run, resume and retry share: from a plan to phones, agents and work. */
#ifndef TOOLS_CLI_RUN_SETUP_H
#define TOOLS_CLI_RUN_SETUP_H

#include "runner/run.h"
#include "tools/cli/cli.h"

/* What is not of the plan, but of this program's start. Borrowed. */
struct run_setup_options {
    const char *observe_cache; /* NULL: the usual; "none": nowhere */
    const char *model_cache;   /* the same for what models answered */
    const char *keyboard;      /* ADBKeyboard's file; NULL: none */
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

/* How many built-in phones "phone" or "phone:N" names; 0: it is a serial. */
MUST_USE bool run_setup_builtin(const char *device, size_t *count,
                                struct err *err);

/* A whole number from min to max; NULL leaves it as it is. */
MUST_USE bool run_setup_number(const char *option, const char *text,
                               int64_t min, int64_t max, int64_t *number,
                               struct err *err);

/* Make a folder and those above it; it may be there. */
MUST_USE bool run_setup_folder(const char *path, struct err *err);

#endif
