/*
 * Models over HTTP, by name: "openai:gpt-4o", "responses:…", "anthropic:…",
 * "gemini:…". What all of them share lives here: connections, limits per
 * endpoint, prices, the cache and the keys.
 *
 *     model_ask ─▶ cache? ─▶ gate ─▶ POST ─▶ answer ─▶ cache, usage, spending
 *                             ▲        │
 *                             └─ wait ─┘ what may pass by itself
 *
 * Keys come from the environment and are sent to the service alone: they are
 * masked in whatever it says.
 */
#ifndef RUNNER_MODELS_H
#define RUNNER_MODELS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/log.h"
#include "base/model.h"
#include "runner/pace.h"
#include "runner/prices.h"
#include "runner/retry.h"
#include "runner/spending.h"

struct models;

/* Names of files are borrowed until models_open returns, all else until
 * models_close. */
struct models_options {
    const char *cache;         /* a file; NULL: nothing is remembered */
    const char *prices;        /* a file; NULL: the built-in ones */
    struct spending *spending; /* is charged; NULL: nobody counts */
    const struct pace *pace;   /* NULL: the real one */
    struct retry_rules retry;  /* tries 0: the usual */
    int64_t try_ms;            /* for one try; 0: the usual */
    int widest;                /* questions at once to an endpoint; 0: usual */
    const struct log *log;     /* may be NULL */
};

/*
 * Also reads SSL_CERT_FILE, a file of certificates to trust. Fails as
 * model_cache_open, prices_load and http_open do.
 */
MUST_USE bool models_open(const struct models_options *options,
                          struct models **models, struct err *err);

/* All its models are closed. NULL is fine. */
void models_close(struct models *models);

/* Is it the name of such a model, or at least meant to be one? */
bool models_names(const char *name);

/*
 * A model by its name, to be closed before models is. Nobody is asked yet.
 * Fails with ERR_INVALID for a name or URL that is none, ERR_UNAUTHORIZED
 * when the provider's key is not in the environment.
 */
MUST_USE bool models_get(struct models *models, const char *name,
                         struct model **model, struct err *err);

/* What may be known of a model of models_get. */
const char *models_service(const struct model *model);       /* "openai" */
const struct price *models_price(const struct model *model); /* or NULL */

/* Add "service", "model", "url" and, once it has answered, "served". */
void models_describe(struct model *model, struct cJSON *into);

/*
 * What would be sent: "url", "headers" and "body", without key and pictures.
 * The caller frees it. Fails as the service does for a wrong request.
 */
MUST_USE bool models_show(struct model *model,
                          const struct model_request *request,
                          struct cJSON **shown, struct err *err);

#endif
