/* What runner/models.c and runner/model_client.c share. */
#ifndef RUNNER_MODELS_PRIVATE_H
#define RUNNER_MODELS_PRIVATE_H

#include <pthread.h>

#include "runner/api.h"
#include "runner/gate.h"
#include "runner/http.h"
#include "runner/mask.h"
#include "runner/model_cache.h"
#include "runner/models.h"

/* An address that models are asked at. */
struct models_endpoint {
    char *base;
    struct gate gate;
    struct models_endpoint *next;
};

struct models {
    struct models_options options;
    struct http *http;
    struct prices prices;
    struct model_cache *cache; /* NULL: none */
    struct mask mask;
    pthread_mutex_t lock; /* guards endpoints */
    struct models_endpoint *endpoints;
};

/* One model; any thread may ask it. */
struct client {
    struct model model; /* first */
    struct models *models;
    const struct api *api;
    struct api_model whom;
    char *full_name;
    char *url;
    char *shown_url;  /* the same for people and records */
    char *key_header; /* NULL: none is sent */
    struct models_endpoint *endpoint;
    const struct price *price; /* NULL: not known */
    pthread_mutex_t lock;      /* guards served */
    char *served;              /* the name that the service gave last */
};

bool client_ask(struct model *model, const struct model_request *request,
                struct deadline by, const struct cancel *cancel,
                struct model_reply *reply, struct err *err);

#endif
