/*
 * Models over HTTP, by name: "openai:gpt-4o", "responses:…", "anthropic:…",
 * "gemini:…". They share connections, limits per endpoint, prices, the cache
 * and the keys.
 *
 *     model_ask ─▶ cache ─▶ concurrency limit ─▶ POST ─▶ reply ─▶ cache, usage
 *                                   ▲              │
 *                                   └──── wait ────┘ temporary errors
 *
 * Keys come from the environment, are sent to the service only, and are masked
 * in all replies.
 */
#ifndef RUNNER_MODELS_MODELS_H
#define RUNNER_MODELS_MODELS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/log.h"
#include "base/model.h"
#include "runner/models/clock_ops.h"
#include "runner/models/prices.h"
#include "runner/models/retry.h"
#include "runner/models/spending.h"

struct models;

/*
 * File names are borrowed until models_open returns, everything else until
 * models_close.
 */
struct models_options {
    const char *cache;         /* file of the cache; NULL: none */
    const char *prices;        /* file of prices; NULL: the built-in ones */
    struct spending *spending; /* counts the usage; NULL: it is not counted */
    const struct clock_ops *clock_ops; /* NULL: the real clock */
    struct retry_rules retry;          /* tries 0: default */
    int64_t try_ms;                    /* for one try; 0: default */
    int max_parallel;      /* parallel requests to an endpoint; 0: default */
    bool nothing_is_sent;  /* a missing key is no error */
    const struct log *log; /* may be NULL */
};

/*
 * The environment variable SSL_CERT_FILE may name a file of trusted
 * certificates. Fails as model_cache_open, prices_load and http_open.
 */
MUST_USE bool models_open(const struct models_options *options,
                          struct models **models, struct err *err);

/* All its models must be closed. NULL is fine. */
void models_close(struct models *models);

/* Does the name begin like that of a model, such as "openai:"? */
bool models_is_model_name(const char *name);

/*
 * Open a model by name; it must be closed before models. Sends nothing. Fails
 * with ERR_INVALID for a bad name or URL, and ERR_UNAUTHORIZED when the key is
 * not in the environment.
 */
MUST_USE bool models_open_model(struct models *models, const char *name,
                                struct model **model, struct err *err);

/* Properties of a model of models_open_model. */
const char *models_service(const struct model *model);       /* "openai" */
const struct price *models_price(const struct model *model); /* or NULL */

/* Add "service", "model", "url" and, after its first reply, "served". */
void models_describe(struct model *model, struct cJSON *into);

/*
 * Show the request that would be sent: "url", "headers" and "body", without key
 * and pictures. The caller frees it. Fails with ERR_INVALID as the API does.
 */
MUST_USE bool models_show(struct model *model,
                          const struct model_request *request,
                          struct cJSON **shown, struct err *err);

#endif
