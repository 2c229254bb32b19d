/* Which part of a run this process does: --shard. */
#ifndef TOOLS_CLI_RUN_RUN_SHARD_H
#define TOOLS_CLI_RUN_RUN_SHARD_H

#include "runner/run/run_file.h"

/*
 * Put "INDEX/COUNT" (from 0/COUNT), "auto" or "auto/COUNT" into the plan; NULL:
 * all of the run. auto is the place of this process in an array of Slurm or an
 * indexed Job of Kubernetes. Fails with ERR_INVALID.
 */
MUST_USE bool run_shard_set(const char *given, struct run_plan *plan,
                            struct err *err);

#endif
