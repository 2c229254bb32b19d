/*
 * What services answered, on disk (SQLite): equal questions need not be paid
 * twice. Only answers are kept, never errors. Several processes may share one.
 */
#ifndef RUNNER_MODEL_CACHE_H
#define RUNNER_MODEL_CACHE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct model_cache;

/*
 * Open the file, which is made if need be, for its owner alone. Fails with
 * ERR_INVALID for a file that is something else, or ERR_IO.
 */
MUST_USE bool model_cache_open(const char *path, struct model_cache **cache,
                               struct err *err);
void model_cache_close(struct model_cache *cache); /* NULL is fine */

/*
 * Append the answer to a question of this name; *found says whether there is
 * one. Any thread may.
 */
MUST_USE bool model_cache_get(struct model_cache *cache, const char *key,
                              struct buf *answer, bool *found, struct err *err);

/* Keep an answer; one that is there stays. */
MUST_USE bool model_cache_put(struct model_cache *cache, const char *key,
                              const char *model, const struct buf *answer,
                              struct err *err);

#endif
