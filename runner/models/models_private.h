/* Shared by models.c and model_client.c. */
#ifndef RUNNER_MODELS_MODELS_PRIVATE_H
#define RUNNER_MODELS_MODELS_PRIVATE_H

#include <pthread.h>

#include "runner/models/api.h"
#include "runner/models/concurrency_limit.h"
#include "runner/models/http.h"
#include "runner/models/model_cache.h"
#include "runner/models/models.h"
#include "runner/models/secret_mask.h"

/* A base URL to which requests are sent. */
struct models_endpoint {
    char *base;
    struct concurrency_limit concurrency_limit;
    struct models_endpoint *next;
};

struct models {
    struct models_options options;
    struct http *http;
    struct prices prices;
    struct model_cache *cache; /* NULL: none */
    struct secret_mask mask;
    pthread_mutex_t lock; /* guards endpoints */
    struct models_endpoint *endpoints;
};

/* One model; safe from any thread. */
struct model_client {
    struct model model; /* must be first */
    struct models *models;
    const struct api *api;
    struct api_model target;
    char *full_name;
    char *url;
    char *shown_url;  /* the same without secrets, for messages and records */
    char *key_header; /* NULL: none is sent */
    struct models_endpoint *endpoint;
    const struct price *price; /* NULL: not known */
    pthread_mutex_t lock;      /* guards served */
    char *served;              /* the model name in the last reply */
};

bool model_client_ask(struct model *model, const struct model_request *request,
                      struct deadline by, const struct cancel *cancel,
                      struct model_reply *reply, struct err *err);

#endif
