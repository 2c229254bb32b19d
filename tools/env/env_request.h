/*
 * One request to an environment, read from untrusted JSON. docs/env.md has the
 * members.
 *
 *     {"id": 1, "method": "reset", "env": "e1", "task": "shop.cheapest"}
 *     {"id": 2, "method": "step", "env": "e1", "action": {"action": "back"}}
 */
#ifndef TOOLS_ENV_ENV_REQUEST_H
#define TOOLS_ENV_ENV_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "tasks/task/action.h"
#include "tools/env/env_split.h"

#define ENV_NAME_SIZE 65
#define ENV_ID_MAX 128
#define ENV_TEXT_MAX ((size_t)256 * 1024)

/* A line or message may have so many bytes. */
#define ENV_REQUEST_MAX ((size_t)1 << 20)

enum env_method {
    ENV_RESET,
    ENV_STEP,
    ENV_OBSERVE,
    ENV_FORK,
    ENV_STATE,
    ENV_CLOSE,
    ENV_LIST_TASKS,
    ENV_LIST_ACTIONS,
    ENV_METHODS,
};

/* How an observation has its screenshot. */
enum env_screen {
    ENV_SCREEN_NONE,
    ENV_SCREEN_PATH,
    ENV_SCREEN_BASE64,
    ENV_SCREENS,
};

enum env_tree {
    ENV_TREE_NONE,
    ENV_TREE_ELEMENTS,
    ENV_TREE_XML,
    ENV_TREES,
};

/* The parts of an observation. */
struct env_view {
    enum env_screen screen;
    enum env_tree tree;
};

/* How a reward is computed. */
enum env_reward_kind {
    ENV_REWARD_DEFAULT, /* TRUTH where the phone reports it, else SHARE */
    ENV_REWARD_TRUTH,   /* 1: the task is done */
    ENV_REWARD_SHARE,   /* the share of what is to be done */
    ENV_REWARD_NONE,
    ENV_REWARDS,
};

struct env_request {
    char id[ENV_ID_MAX * 6 + 3]; /* as JSON; "": none was given */
    enum env_method method;
    char env[ENV_NAME_SIZE];
    char to[ENV_NAME_SIZE]; /* of FORK: the name of the copy */

    bool has_screen, has_tree; /* otherwise as at the last reset */
    struct env_view view;

    /* Of RESET. */
    char *task; /* owned; NULL: the last one, or the only one */
    bool has_seed, has_split, has_index;
    uint64_t seed;
    enum env_split split;
    uint64_t index; /* of the split's seed */
    char locale[8]; /* "": the default */
    enum env_reward_kind reward;
    int steps;          /* the budget; 0: the task's */
    bool ends_when_met; /* the episode ends when the truth is met */

    /* Of STEP: one of both. */
    bool has_action;
    struct action action; /* owned */
    char *text;           /* owned; a model's reply; NULL: none */
    char family[32];      /* of the model; "": guess */
};

/*
 * Read a request; the caller releases it. Fails with ERR_INVALID or ERR_LIMIT;
 * the message says what is wrong and where. request->id is then set as far as
 * it could be read, and nothing has to be released.
 */
MUST_USE bool env_request_parse(const char *text, size_t length,
                                struct env_request *request, struct err *err);

/* The same from members that are parsed; id and method are set already. */
MUST_USE bool env_request_read(const struct json *json,
                               struct env_request *request, struct err *err);

void env_request_release(struct env_request *request);

/* Is it a name: 1 to 64 letters, digits, "_", "-" and ".", which is not first?
 */
bool env_name_is_valid(const char *name);

/* "reset", "step". */
const char *env_method_name(enum env_method method);

#endif
