/* Joins the shards of a run (`--shard`) into one. */
#ifndef RUNNER_RUN_RUN_MERGE_H
#define RUNNER_RUN_RUN_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The result of a merge. */
struct run_merge_sum {
    size_t all;
    size_t ended; /* attempts that ended, not void */
};

/*
 * Make the folder out, which does not exist or is empty, a run with all
 * episodes of these: their files are linked, or copied to another file system.
 * Nothing is written unless they are all shards of one run.
 *
 * Fails with ERR_INVALID: a shard is missing or given twice, something in the
 * plans differs, or an episode does not belong to its shard. As run_file_load.
 */
MUST_USE bool run_merge(const char *const *runs, size_t count, const char *out,
                        struct run_merge_sum *sum, struct err *err);

#endif
