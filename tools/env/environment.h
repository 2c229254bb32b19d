/*
 * One environment: a phone, a task with a seed, and its episode.
 *
 *     environment_reset ──▶ environment_step ─┐ until it is done
 *            ▲                    ▲  │        │
 *            │                    └──┘        │
 *            └────────────────────────────────┘
 *
 * The same seed and the same actions give the same observations and rewards on
 * built-in phones, whatever is observed of them.
 *
 * One thread uses it at a time. After a failure of the phone, the environment
 * can only be reset or freed.
 */
#ifndef TOOLS_ENV_ENVIRONMENT_H
#define TOOLS_ENV_ENVIRONMENT_H

#include <stdatomic.h>

#include "runner/episode/episode_policy.h"
#include "runner/episode/guard.h"
#include "tasks/task/suite.h"
#include "tools/env/env_phone.h"
#include "tools/env/env_request.h"

/* Shared by all environments. It and all its pointers are borrowed. */
struct env_world {
    const struct suite *suite;
    const char *suite_folder; /* of the suite's files; NULL: none */
    struct env_phone_maker *maker;
    struct episode_policy policy;
    const struct guard *guard; /* for the user's own phones; NULL: none */
    const char *record;        /* folder to record episodes in; NULL: none */
    const char *scratch;       /* folder for screenshots, and for records that
                                  only rewards need */
    atomic_int episodes;       /* how many were begun */
};

struct environment;

/* name is a valid one (env_name_is_valid), and unique among all. */
struct environment *environment_new(struct env_world *world, const char *name);
void environment_free(struct environment *env); /* NULL is fine */

/*
 * Begin an episode. request->seed is set. Fails with ERR_INVALID for an unknown
 * task, and as the phone does.
 */
MUST_USE bool environment_reset(struct environment *env,
                                const struct env_request *request,
                                struct err *err);

/*
 * Perform an action, or the one that a text contains. Fails with ERR_INVALID
 * when there is no episode or it is over, or for an element that is not there,
 * and nothing is changed then; otherwise as the phone does. An action that is
 * not allowed or impossible is a step, too: the notice says why.
 */
MUST_USE bool environment_step(struct environment *env,
                               const struct env_request *request,
                               struct err *err);

/* A second environment in the same state, which is not recorded. */
MUST_USE bool environment_fork(struct environment *env, const char *name,
                               struct environment **copy, struct err *err);

/*
 * Add "observation", "reward", "done", "terminated", "truncated" and "info" to
 * an object, with the screen and tree that the request asks for. The reward is
 * that of the last step. Fails when there is no episode, and as the phone does.
 */
MUST_USE bool environment_put(struct environment *env,
                              const struct env_request *request,
                              struct cJSON *into, struct err *err);

/* Add the state alone: task, seed, step, done; without observing. */
void environment_put_state(const struct environment *env, struct cJSON *into);

#endif
