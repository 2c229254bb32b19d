/*
 * A cache of model replies on disk (SQLite), so that equal requests are paid
 * once. Errors are not cached. Several processes may share one.
 */
#ifndef RUNNER_MODELS_MODEL_CACHE_H
#define RUNNER_MODELS_MODEL_CACHE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct model_cache;

/*
 * Open the file, which is created if it is missing, readable by its owner only.
 * Fails with ERR_INVALID for another kind of file, or ERR_IO.
 */
MUST_USE bool model_cache_open(const char *path, struct model_cache **cache,
                               struct err *err);
void model_cache_close(struct model_cache *cache); /* NULL is fine */

/*
 * Append the cached reply for a key; *found says whether there is one. Safe
 * from any thread.
 */
MUST_USE bool model_cache_get(struct model_cache *cache, const char *key,
                              struct buf *answer, bool *found, struct err *err);

/* Store a reply; an existing one is kept. */
MUST_USE bool model_cache_put(struct model_cache *cache, const char *key,
                              const char *model, const struct buf *answer,
                              struct err *err);

#endif
