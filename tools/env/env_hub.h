/*
 * Many environments in one process, by name. Requests for one environment are
 * answered in their order, those of different ones at the same time by a few
 * threads.
 *
 *     env_hub_submit ──▶ queue of the environment ──▶ worker ──▶ sink
 *
 * A fork's copy exists from the moment that the request is submitted: requests
 * for it wait until it is made.
 */
#ifndef TOOLS_ENV_ENV_HUB_H
#define TOOLS_ENV_ENV_HUB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "tools/env/env_request.h"
#include "tools/env/environment.h"

#define ENV_HUB_ENVIRONMENTS_DEFAULT 1024
#define ENV_HUB_ENVIRONMENTS_MAX 65536

/* Requests that may wait for one environment. */
#define ENV_HUB_WAITING_MAX 64

struct env_hub;

/* Takes answers. One call at a time for each sink; from any thread. */
struct env_sink {
    /*
     * answer has what belongs into it beside the id: either "error" with "code"
     * and "message", or the result. Borrowed. err is why it failed; ERR_NONE:
     * it did not.
     */
    void (*answer)(struct env_sink *sink, const struct env_request *request,
                   struct cJSON *answer, const struct err *err);
};

struct env_hub_options {
    struct env_world *world; /* borrowed */
    size_t environments;     /* the most at once; 0: the default */
    size_t threads;          /* 0: one per core */
    bool has_split;          /* only seeds of this split are allowed */
    enum env_split split;
};

/* Fails when no thread can be started. */
MUST_USE bool env_hub_open(const struct env_hub_options *options,
                           struct env_hub **hub, struct err *err);

/* Finish what was submitted, and free all environments. NULL is fine. */
void env_hub_close(struct env_hub *hub);

/* Answer all requests that wait, and later ones, with ERR_CANCELLED. */
void env_hub_cancel(struct env_hub *hub);

/*
 * Submit a request, which is taken over. The sink is borrowed until it has the
 * answer. Blocks while very many requests wait. A request that cannot be
 * accepted is answered at once.
 */
void env_hub_submit(struct env_hub *hub, struct env_request *request,
                    struct env_sink *sink);

/* Answer a request, which is taken over, with an error. */
void env_hub_refuse(struct env_hub *hub, struct env_request *request,
                    struct env_sink *sink, const struct err *err);

/* Block until nothing is submitted that is not answered. */
void env_hub_drain(struct env_hub *hub);

/* Add an error to an answer: {"error": {"code", "message"}}. */
void env_hub_put_error(struct cJSON *answer, const struct err *err);

#endif
