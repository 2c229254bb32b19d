/* Recordings of runs that are in a store, for commands that read runs. */
#ifndef TOOLS_CLI_RUN_RUN_FETCH_H
#define TOOLS_CLI_RUN_RUN_FETCH_H

#include "runner/store/run_recordings.h"
#include "tools/cli/command_line/cli_context.h"

/* How many recordings are fetched at once: they wait for a network. */
#define RUN_FETCH_AT_ONCE 8

MUST_USE bool run_fetch_open(struct cli_context *cli,
                             struct store_client **client, struct err *err);

/*
 * Fetch all recordings that the run's folder does not have, several at once. A
 * folder that is none of a run has all. Fails as run_recordings_find, and as
 * run_recordings_fetch for one of them; what was fetched stays.
 */
MUST_USE bool run_fetch_all(struct cli_context *cli, const char *run,
                            struct err *err);

#endif
